/** 值与 schema 不符之处的中文：在哪里，缺什么或错在哪。没有对应说法的，跟着英文原文。 */

import type { IssueFacts, SchemaIssue } from '../../base/errors.ts'

type Sentence = (facts: IssueFacts) => string

const TYPES: ReadonlyMap<string, string> = new Map([
  ['string', '文本'],
  ['number', '数'],
  ['integer', '整数'],
  ['boolean', ' true 或 false'],
  ['array', '列表'],
  ['object', '对象'],
  ['null', ' null'],
])

const typeZh = (name: string): string => TYPES.get(name) ?? name
const typesZh = (names = ''): string => names.split(', ').map(typeZh).join('或')
/** `，现在是 3`；不便重复值时为空。 */
const now = (found: string | undefined): string => (found === undefined ? '' : `，现在是 ${found}`)

const KEYWORDS: ReadonlyMap<string, Sentence> = new Map<string, Sentence>([
  ['required', ({ name = '' }) => `缺少属性 ${name}`],
  ['dependentRequired', ({ name = '', found = '' }) => `有了 ${found} 就必须有属性 ${name}`],
  ['type', ({ expected, found = '' }) => `应当是${typesZh(expected)}，现在是${typeZh(found)}`],
  ['enum', ({ expected, found }) => `应当是 ${expected} 之一${now(found)}`],
  ['const', ({ expected, found }) => `应当是 ${expected}${now(found)}`],
  ['minimum', ({ expected, found }) => `不能小于 ${expected}${now(found)}`],
  ['maximum', ({ expected, found }) => `不能大于 ${expected}${now(found)}`],
  ['exclusiveMinimum', ({ expected, found }) => `必须大于 ${expected}${now(found)}`],
  ['exclusiveMaximum', ({ expected, found }) => `必须小于 ${expected}${now(found)}`],
  ['multipleOf', ({ expected, found }) => `应当是 ${expected} 的倍数${now(found)}`],
  ['minLength', ({ expected, found }) => `至少 ${expected} 个字符，现在有 ${found} 个`],
  ['maxLength', ({ expected, found }) => `最多 ${expected} 个字符，现在有 ${found} 个`],
  ['minItems', ({ expected, found }) => `至少 ${expected} 项，现在有 ${found} 项`],
  ['maxItems', ({ expected, found }) => `最多 ${expected} 项，现在有 ${found} 项`],
  ['minProperties', ({ expected, found }) => `至少 ${expected} 个属性，现在有 ${found} 个`],
  ['maxProperties', ({ expected, found }) => `最多 ${expected} 个属性，现在有 ${found} 个`],
  ['pattern', ({ expected }) => `应当符合模式 ${expected}`],
  ['additionalProperties', unknownProperty],
  ['unevaluatedProperties', unknownProperty],
  ['items', () => '是多出来的一项'],
  ['unevaluatedItems', () => '是多出来的一项'],
])

function unknownProperty({ expected }: IssueFacts): string {
  return `没有这个属性${expected === undefined ? '' : `，可以有 ${expected}`}`
}

function issueZh({ pointer, keyword, message, facts }: SchemaIssue): string {
  const say = facts === undefined ? undefined : KEYWORDS.get(keyword)
  const told =
    facts === undefined || say === undefined
      ? `不符合 "${keyword}"（原文：${message}）`
      : `${facts.ofName === true ? '有一个名称' : ''}${say(facts)}`
  return pointer === '' ? told : `${pointer} ${told}`
}

/** 一行：每处先写位置，再写错在哪。 */
export function issuesZh(issues: readonly SchemaIssue[]): string {
  return issues.map(issueZh).join('；')
}
