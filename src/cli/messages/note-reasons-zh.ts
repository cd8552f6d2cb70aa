/** 消息、会话、工具列表哪里不合规范的中文，接在冒号之后或写在括号里。没有的给出原文。 */

import { said, type Sentence } from './sentences-zh.ts'

export const NOTE_REASONS_ZH: readonly Sentence[] = [
  // Messages.
  ['not UTF-8', () => '不是 UTF-8'],
  ['nested deeper than * levels', (levels) => `嵌套超过 ${levels} 层`],
  ['a message is a JSON object', () => '消息应是 JSON 对象'],
  ['the member "jsonrpc" is not "2.0"', () => '成员“jsonrpc”不是“2.0”'],
  ['the member "method" is no string', () => '成员“method”不是字符串'],
  ['the member "params" is no object', () => '成员“params”不是对象'],
  [
    'the member "id" is neither a string nor a safe integer',
    () => '成员“id”既不是字符串，也不是可用的整数',
  ],
  ['an answer has both "result" and "error"', () => '应答里“result”与“error”都有'],
  ['neither "method", "result" nor "error"', () => '“method”、“result”、“error”都没有'],
  [
    'the member "error" lacks an integer "code" or a "message"',
    () => '成员“error”缺少整数“code”或“message”',
  ],
  ['the "id" of an error is unusable', () => '错误的“id”不可用'],
  ['a result without a usable "id"', () => '结果没有可用的“id”'],
  ['the member "result" is no object', () => '成员“result”不是对象'],
  [
    'a message has the key * twice*',
    (key, place) => `${place === '' ? '' : '它的 params 里'}键 ${key} 出现了两次`,
  ],
  ['the agreed revision has no batches', () => '谈定的协议版本没有批量消息'],
  // Sessions.
  ['the session has another id', () => '会话已有另一个编号'],
  ['it is no visible ASCII', () => '它不是可见的 ASCII 字符'],
  // Tools.
  ['its * is no header name', (member) => `它的 ${member} 不是请求头的名称`],
  ['two arguments name the header *', (header) => `两个参数都要用请求头 ${header}`],
  [
    '* * stands where no single argument is',
    (member, header) => `${member} ${header} 所在之处不是单个参数`,
  ],
  [
    '* * is on an argument that is no string, integer or boolean',
    (member, header) => `${member} ${header} 所在的参数不是字符串、整数或布尔值`,
  ],
  ['the schema is too large', () => '它的 schema 太大'],
  ['its definition nests deeper than * levels', (levels) => `它的定义嵌套超过 ${levels} 层`],
]

export function noteReasonZh(reason: string): string {
  return said(NOTE_REASONS_ZH, reason) ?? `原文：${reason}`
}
