/** 策略中的问题的中文，每种一句。 */

import { CONDITION_LIMITS, type ConditionFault } from '../../policy/condition-faults.ts'
import type { PolicyProblemKind, PolicyProblemValues } from '../../policy/problem.ts'

/** What holds in place of what could not be read, as the English sentence puts it. */
const EFFECTS: ReadonlyMap<unknown, string> = new Map([
  ['it allows nothing', '它不允许任何东西'],
  ['everything is denied', '一切都拒绝'],
  ['everything is asked', '一切都询问'],
  ['the rule allows nothing', '这条规则不允许任何东西'],
  ['the rule denies whatever the arguments are', '不论参数如何，这条规则都拒绝'],
  ['the rule asks whatever the arguments are', '不论参数如何，这条规则都询问'],
])

const until = ({ effect }: PolicyProblemValues): string =>
  `改正之前，${EFFECTS.get(effect) ?? effect}`

/** Values that hold several words have them joined for English. */
const listed = (words: string | number | undefined): string => String(words).replaceAll(', ', '、')

const { depth, values: most, pattern, valueDepth } = CONDITION_LIMITS

const CONDITIONS: Readonly<Record<ConditionFault, (facts: PolicyProblemValues) => string>> = {
  'too-deep': () => `"not" 最多嵌套 ${depth} 层`,
  'no-object': () => '条件是含有 "pointer" 和一种判断的对象',
  'unknown-test': ({ key, known }) => `“${key}”在条件中没有含义，已知的有 ${listed(known)}`,
  'no-test': ({ known }) => `条件要有 ${listed(known)} 之一`,
  'bad-pointer': () => '"pointer" 是指向参数的 JSON Pointer，如 "/path"',
  'is-too-deep': () => `"is" 最多嵌套 ${valueDepth} 层`,
  'bad-one-of': () => `"oneOf" 是 1 到 ${most} 个值的列表，每个最多嵌套 ${valueDepth} 层`,
  'bad-glob': () => `"glob" 是 1 到 ${pattern} 个字符的文本`,
  'bad-under': () => '"under" 是写全的目录，如 "/home/me/notes" 或 "C:\\notes"，不带 "~" 和变量',
  'bad-host': () => '"host" 是主机名，如 "example.org"、"example.org:8443" 或 "*.example.org"',
  'bad-absent': () => '"absent" 是 true，或者不写',
}

function conditionZh(values: PolicyProblemValues): string {
  const { fault, reason } = values
  const known = Object.entries(CONDITIONS).find(([name]) => name === fault)
  return known === undefined ? String(reason) : known[1](values)
}

export const POLICY_PROBLEMS_ZH: Readonly<
  Record<PolicyProblemKind, (values: PolicyProblemValues) => string>
> = {
  'not-an-object': () =>
    '策略是含有 "allow"、"ask"、"deny" 或 "rules" 的对象；改正之前，一切都拒绝',
  'unknown-key': ({ key, known }) =>
    `“${key}”在策略中没有含义；它可能本是一条规则，删除之前一切都询问。已知的有 ${listed(known)}`,
  'bad-word': ({ key, words, taken }) =>
    `“${key}”只能是 ${listed(words)}；改正之前按“${taken}”处理`,
  'not-a-list': (values) => `“${values['key']}”是规则的列表；${until(values)}`,
  'bad-rule': (values) => `规则是文本，或含有 "tools" 的对象；${until(values)}`,
  'bad-tools': (values) =>
    `"tools" 是 1 到 ${values['most']} 个字符的文本，写了 "server" 时它也是；${until(values)}`,
  'bad-effect': () => '"effect" 是 "allow"、"ask" 或 "deny"；改正之前，这条规则拒绝',
  'unknown-rule-key': (values) =>
    `“${values['key']}”在规则中没有含义；${until(values)}。已知的有 ${listed(values['known'])}`,
  'bad-condition': (values) => `条件无法读取：${conditionZh(values)}；${until(values)}`,
  'too-many-conditions': (values) => `一条规则最多 ${values['most']} 个条件；${until(values)}`,
  'too-many-rules': (values) =>
    `策略最多 ${values['most']} 条规则，超出的不再读取；${until(values)}`,
  'allow-needs-server': ({ tools }) =>
    `“${tools}”不允许任何东西：要允许，就必须写明服务器，如 "server" 或 "server__tool_*"`,
  'ambiguous-allow': ({ tools }) =>
    `“${tools}”可以指几个工具，因此不允许任何东西：请写成 {"server": "…", "tools": "…"}`,
  'ignored-key': ({ key }) => `“${key}”在这里没有作用，已略过`,
  'path-by-glob': ({ glob }) => `通配“${glob}”像是路径，而 "*" 也包括 "/../"：请用 "under"`,
  'project-allows': ({ tools }) => `项目只能询问和拒绝，不能允许：“${tools}”已略过`,
  'allows-everything': ({ key }) => `“${key}”为 "allow" 时，没有人看过的工具也会不经询问被调用`,
  'more-problems': ({ most }) => `问题超过 ${most} 个，其余不再列出`,
}
