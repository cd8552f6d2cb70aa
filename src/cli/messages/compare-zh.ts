/** `compare` 的中文。 */

import type { CompareRow, CompareWords } from './compare-words.ts'
import { ruleTextZh } from './rule-zh.ts'

const ROWS: Readonly<Record<CompareRow, string>> = {
  definition: '定位：定义在哪里',
  change: '解耦度：宿主运行时修改描述',
  process: '跨进程：谁执行工具',
  language: '跨语言：用 Python 做同一次调用',
  killed: '调用途中 kill -9 该进程',
  migration: '迁移成本：第二个宿主要写的行数',
  hosts: '适用：同时使用同一个工具的宿主',
  latency: '一次调用',
  wire: '一次调用的线上字节',
  tokens: '每次请求中的定义',
}

export const compareZh: CompareWords = {
  command: '实测对比：同一个工具作为函数、MCP 工具和框架工具',
  more: '同一个工具，同一个预先写好的模型决定，三种调用方式：只用 Function Calling；通过 MCP，在独立进程中；作为 LangChain 或 AI SDK 的工具对象。显示真实字节，表中每一行都是本次运行测得的。不需要密钥，不需要网络。',
  optionTool: '要对比的工具：calculator 或 weather（默认 calculator）',
  optionCalls: '计算耗时中位数的调用次数，1 到 10000（默认 200）',
  badCalls: (value) => `--calls 不能是“${value}”。请给出 1 到 10000 的整数。`,
  intro: (program) => `${program}：一个工具，三种方式，同一个决定。不需要密钥，不需要网络。`,
  subject: (call, pid) => `调用：${call}。宿主：进程 ${pid}。`,
  scripted: '模型说的话是预先写好的，其余都是真实发生的。',
  ways: {
    functionCalling: '只用 Function Calling',
    mcp: 'MCP：同一个工具放在服务器后面',
    framework: '框架工具：同一个工具包成对象',
  },
  columns: { functionCalling: 'Function Calling', mcp: 'MCP', framework: '框架工具' },
  steps: {
    rounds: '用三种方式调用工具',
    change: '修改工具',
    kill: '杀掉执行工具的进程',
    share: '两个宿主使用同一个工具',
  },
  bytes: (to, direction, size) =>
    `${direction === 'out' ? '→' : '←'} ${to === 'model' ? '模型' : '服务器'}，${size}`,
  ranHere: (call, text, pid) => `${call}: ${text}（进程 ${pid}）`,
  langChain: 'LangChain 接受的形状：',
  aiSdk: 'AI SDK 接受的形状：',
  sameBytes: '宿主与模型之间的字节和 1/3 完全相同。',
  measured: '本次运行的实测结果',
  chain: '经 MCP 的这次调用，逐环追踪',
  outro: 'MCP 管传，Function Calling 管决策，框架是封装。',
  rows: (row, calls) => (row === 'latency' ? `${ROWS.latency}，${calls} 次的中位数` : ROWS[row]),
  cells: {
    definition: (way, size) =>
      way === 'mcp'
        ? `在服务器端，由 tools/list 给出（${size}）`
        : way === 'functionCalling'
          ? `在请求里（${size}）`
          : `在程序的对象里（schema ${size}）`,
    change: (seen, time) =>
      seen.seen ? `${time} 后看到，${seen.messages} 条消息，无需重启` : '看不到，必须重启程序',
    process: (pid, isHost) => (isHost ? `${pid}，就是宿主` : `${pid}，独立进程`),
    noLanguage: '不行：工具是程序的一部分',
    noPython: '未测：这里没有 Python',
    python: (text, version, pid) =>
      `${text}（Python ${version}${pid === undefined ? '' : `，进程 ${pid}`}）`,
    killed: (killed, time) =>
      killed.host === 'gone'
        ? `宿主一起消失（${killed.signal}）`
        : `宿主还在，${time} 后下一次调用成功；丢失一次调用（${killed.code}）`,
    migration: ({ lines, code }) => `${lines.length} 行${code ? '代码' : '配置，没有代码'}`,
    hosts: (count, pid) => (pid === undefined ? `${count} 个` : `同时 ${count} 个（进程 ${pid}）`),
    tokens: (count) => `约 ${count} token`,
  },
  link(link, { size, time }) {
    switch (link.step) {
      case 'listed':
        return `服务器 → 宿主：tools/list 给出 ${link.tool}（${size}）`
      case 'registered':
        return `注册表：${link.tool} 对模型叫 ${link.alias}`
      case 'offered':
        return `宿主 → 模型：tools[] 里有 ${link.alias}（请求 ${size}）`
      case 'decided-by-model':
        return `模型 → 宿主：${link.modelCall} 调用 ${link.alias} ${link.argumentsText}`
      case 'permitted':
        return `权限：${link.modelCall} 即 ${link.call}，按规则“${ruleTextZh(link.rule)}”判定为 ${link.verdict}`
      case 'sent':
        return `宿主 → 服务器：${link.call} 即 tools/call #${link.id}（${size}）`
      case 'answered':
        return `服务器 → 宿主：#${link.id}，${time} 后返回（${size}）：${link.text}`
      case 'told':
        return `宿主 → 模型：${link.modelCall} 的结果是 ${link.text}`
      case 'said':
        return `模型：${link.text}`
      default:
        return link satisfies never
    }
  },
}
