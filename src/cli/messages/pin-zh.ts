/** `pin` 与 `verify` 的中文。 */

import type { PinWords } from './host-words.ts'
import { toolWarningZh } from './tool-warnings-zh.ts'

export const pinZh: PinWords = {
  different: '与批准时不一致',
  onlyNew: (changes) => `新增 ${changes} 项，其余与批准时一致`,
  same: (tools) => `${tools} 个工具与批准时一致`,
  unreached: (why) => `无法对比：${why}`,
  off: '已停用，不对比',
  unapproved: (servers) =>
    `${servers.join('、')} 没有对比，因为它们的文件尚未批准。请先查看：deep-pilot config approve。` +
    '在 CI 中：deep-pilot config approve --yes，或用 --config 指定文件。',
  approveFirst: (server) =>
    `没有批准 ${server} 的任何内容，因为它的文件尚未批准。请先查看：deep-pilot config approve`,
  noServers: '没有可以核对的：这里没有配置任何服务器。请进入项目目录，或用 --config 指定文件。',
  noLock: (path) => `锁文件 ${path} 不存在，或者是空的。请用“deep-pilot pin”生成，与配置一起提交。`,
  faults: (count) => `配置中有 ${count} 个错误，因此并非每个服务器都对比过。`,
  newTool: '新增',
  changedTool: '有变化',
  goneTool: '已消失',
  change: (tool, what) => `${tool}（${what}）`,
  neverPinned: (tools) => `从未批准，${tools} 个工具`,
  launchChanged: '启动或连接的方式与批准时不同',
  instructions: '使用说明',
  warning: (text) => `警告：${toolWarningZh(text)}`,
  question: (server) => `批准服务器 ${server} 现在提供的内容？`,
  yes: '是，批准',
  no: '否，继续扣留',
  approved: (server, tools, file) => `${server}：已批准 ${tools} 个工具，写入 ${file}。`,
  kept: (server) => `${server}：没有批准任何内容。`,
  needsYes: '没有终端，无法询问。请先看差异，再加 --yes 重复。',
  drift: (count) => `${count} 个服务器与批准时不一致。`,
  fresh: (count) => `${count} 个服务器有尚未批准的内容。请查看：deep-pilot pin`,
  noDrift: (servers) => `${servers} 个服务器，全部与批准时一致。`,
}
