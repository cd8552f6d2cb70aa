/** The words of `tools --for` and `types` in Chinese. */

import type { OfferWords } from './offer-words.ts'
import { heldZh } from './status-zh.ts'
import { leftOutZh } from './warnings-zh.ts'

const KINDS = { dropped: '已去掉', changed: '已改写', widened: '已放宽', cut: '已截断' } as const

export const offerZh: OfferWords = {
  optionFor: '按发给该提供方的请求打印工具；丢失的内容随后显示在 stderr 上',
  optionContext:
    '与 --for 连用：模型的窗口，以 token 计（默认为 DEEP_PILOT_CONTEXT，或 models.json 与本程序所知的）',
  optionStrict: '与 --for 连用：若所有 schema 都允许，则由提供方强制模型遵守 schema',
  moreFor:
    '--for 可取 deepseek、openai、openai-chat、anthropic、openrouter、ollama、llamacpp、vllm、compatible、gemini 或 plain（plain 指接受任何 schema 的服务）；后面可像 --model 那样加冒号和模型名称，此时以对该模型所知的为准。' +
    'chat 和 run 会另加一个读取长结果的工具；服务器的工具超过 40 个，或定义超过模型窗口的十分之一时，改为只发三个用来查找工具的工具。',
  onlyWithFor: (option) => `${option} 决定如何为模型书写工具。请用 --for 指定模型的提供方。`,
  notWithFor: (option) =>
    `${option} 显示服务器原本的 schema，--for 显示模型得到的 schema。请删除其中之一。`,
  offered: (tools, form, tokens) =>
    `${form} 可用 ${tools} 个工具，每次请求约占 ${tokens} 个 token。`,
  isStrict: '提供方会强制模型遵守 schema。',
  leftOut: (alias, reason) => `${alias} 未列入。${leftOutZh(reason)}`,
  lost: (alias, { pointer, keyword, kind, message }) =>
    `${alias}${pointer === '' ? '' : ` 的 ${pointer}`}：${keyword === '' ? '' : `${keyword} `}${KINDS[kind]}。${message}`,
  moreLost: (alias, count) => `${alias}：还有 ${count} 处，--json 可列出全部。`,
  moreTools: (count) => `还有 ${count} 个工具有内容丢失，--json 可列出全部。`,
  notStrict: (alias, reason) => `因 ${alias} 而未启用 strict。${reason}`,
  deferred: '工具太多：chat 和 run 只会给模型三个用来查找工具的工具。',
  ownNames: '这些是服务器自己起的名称。写进配置后，前面会加上服务器的名称。',
  types: '打印一个服务器的工具参数与结果的 TypeScript 类型',
  typesMore: '请重定向到以 .d.ts 结尾的文件。“Tools”按工具名给出类型：Tools["echo"]["arguments"]。',
  argumentServer: '配置中的一个服务器',
  noServer: '请写出配置中一个服务器的名称，或在“--”之后写启动命令，或用 --url 给出地址。',
  held: (tool, held) => `“${tool}”未列入，因为它被扣留：${heldZh(held)}`,
  remark: {
    cut: (tool) => `“${tool}”过大，其中一部分写成了 unknown。`,
    'no-room': (tool) => `“${tool}”未列入：前面的工具过大。`,
    'same-name': (tool) => `“${tool}”未列入：已有同名的工具。`,
    'bad-name': (tool) => `“${tool}”未列入：名称中有半个字符。`,
  },
}
