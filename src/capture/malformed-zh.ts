/** 一段文本为什么不是消息的中文，每种一句。没有对应说法的，跟着英文原文。 */

const WORDS: ReadonlyMap<string, string> = new Map([
  ['a message is a JSON object', '消息应当是 JSON 对象'],
  ['the member "jsonrpc" is not "2.0"', '“jsonrpc”不是“2.0”'],
  ['the member "method" is no string', '“method”不是文本'],
  ['the member "params" is no object', '“params”不是对象'],
  ['the member "id" is neither a string nor a safe integer', '“id”既不是文本，也不是安全整数'],
  ['an answer has both "result" and "error"', '响应同时有“result”和“error”'],
  ['neither "method", "result" nor "error"', '“method”、“result”、“error”一个也没有'],
  ['the member "error" lacks an integer "code" or a "message"', '“error”缺少整数“code”或“message”'],
  ['the "id" of an error is unusable', '错误响应的“id”不可用'],
  ['a result without a usable "id"', '结果没有可用的“id”'],
  ['the member "result" is no object', '“result”不是对象'],
  ['not JSON', '不是 JSON'],
  ['the text is not JSON', '不是 JSON'],
  ['not UTF-8', '不是 UTF-8'],
  ['the text nests too deep', '嵌套太深'],
  ['the agreed revision has no batches', '谈定的协议版本没有批量消息'],
])

const TOO_DEEP = /^nested deeper than (\d+) levels$/
const TWICE = /^a message has the key (".*") twice( in its params)?$/

export function malformedZh(reason: string): string {
  const known = WORDS.get(reason)
  if (known !== undefined) return known
  const [, levels] = TOO_DEEP.exec(reason) ?? []
  if (levels !== undefined) return `嵌套超过 ${levels} 层`
  const [, key, inParams] = TWICE.exec(reason) ?? []
  if (key === undefined) return `原文：${reason}`
  return inParams === undefined ? `键 ${key} 出现了两次` : `它的 params 里键 ${key} 出现了两次`
}
