/** 策略规则的中文写法：效果、工具、条件、位置。名称与值原样给出。 */

import type { Condition, Rule, Verdict } from '../../policy/policy.ts'
import { shortName } from '../../policy/sentences.ts'

const EFFECTS: Readonly<Record<Verdict, string>> = { allow: '允许', ask: '询问', deny: '拒绝' }
/** As many conditions are written out. */
const MOST = 4

/** 已转义，可在终端显示。 */
export function ruleZh({ effect, server, tools, when = [], place }: Rule): string {
  const about =
    server === undefined ? shortName(tools) : `${shortName(server)}：${shortName(tools)}`
  const texts = [...new Set(when.map((condition) => conditionZh(condition, 0)))]
  const shown = texts.slice(0, MOST)
  if (texts.length > MOST) shown.push(`另有 ${texts.length - MOST} 个条件`)
  const conditions = shown.length === 0 ? '' : `，条件是${joined(shown)}`
  return `${EFFECTS[effect]} ${about}${conditions}${place === undefined ? '' : `（${shortName(place)}）`}`
}

function conditionZh(condition: Condition, depth: number): string {
  if (condition.unreadable === true) return '（无法读取）'
  const { is, oneOf, glob, under, host, absent, not } = condition
  const pointer = condition.pointer === '' ? '参数' : shortName(condition.pointer)
  const tests = [
    is !== undefined && `${pointer} 是 ${valueZh(is)}`,
    oneOf !== undefined && `${pointer} 是 ${oneOf.length} 个值之一`,
    glob !== undefined && `${pointer} 符合“${shortName(glob)}”`,
    under !== undefined && `${pointer} 在“${shortName(under)}”之下`,
    host !== undefined && `${pointer} 位于“${shortName(host)}”`,
    absent === true && `没有 ${pointer}`,
    not !== undefined && (depth < 2 ? `不符合（${conditionZh(not, depth + 1)}）` : '不符合（……）'),
  ]
  return joined(tests.filter((test) => test !== false)).trimStart()
}

/** A blank stands between a Chinese word and one of another script. */
function joined(tests: readonly string[]): string {
  return tests.map((test) => (/^[\p{Script=Han}（]/u.test(test) ? test : ` ${test}`)).join('，并且')
}

function valueZh(value: unknown): string {
  return typeof value === 'object' && value !== null ? '某个值' : shortName(JSON.stringify(value))
}
