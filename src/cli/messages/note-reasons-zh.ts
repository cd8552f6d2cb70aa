/** 会话、工具列表哪里不合规范的中文，接在冒号之后或写在括号里；其余是消息的，没有的给出原文。 */

import { malformedZh } from '../../capture/malformed-zh.ts'
import { said, type Sentence } from './sentences-zh.ts'

export const NOTE_REASONS_ZH: readonly Sentence[] = [
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
  return said(NOTE_REASONS_ZH, reason) ?? malformedZh(reason)
}
