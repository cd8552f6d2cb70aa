/** 策略规则的中文写法：效果、工具、条件、位置。名称与值原样给出。规则本身或它的英文写法都可以。 */

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
  const tests = texts.slice(0, MOST)
  if (texts.length > MOST) tests.push(more(texts.length - MOST))
  return sentence(effect, about, { tests, place: place === undefined ? place : shortName(place) })
}

/**
 * 决定、询问和录制里的规则只有一行英文（`ruleText`）：逐段认出来，换成中文。有一段认不出来，整行原样给出。不另外转义。
 */
export function ruleTextZh(text: string): string {
  const [, effect, rest = ''] = /^(allow|ask|deny) (.+)$/s.exec(text) ?? []
  if (!isVerdict(effect) || text.length > MAX_TEXT) return text
  // A place is at the end, and may have brackets in it, as conditions have: the longest that leaves whole conditions.
  const ends = rest.endsWith(')') ? [...rest.matchAll(/ \(/g)].map(({ index }) => index) : []
  for (const end of [...ends.slice(0, MAX_ENDS), undefined]) {
    const place = end === undefined ? undefined : rest.slice(end + 2, -1)
    const [about = '', ...conditions] = rest.slice(0, end).split(' when ')
    const tests = conditions.length === 0 ? [] : testsIn(conditions.join(' when '))
    if (tests === undefined || about === '') continue
    return sentence(effect, about.replace(': ', '：'), { tests, place })
  }
  return text
}

/** Four conditions and three names have room. Reading them back takes more than linear time, so that there is a bound. */
const MAX_TEXT = 2_048
/** As many beginnings of a place are tried. */
const MAX_ENDS = 16

function isVerdict(word: string | undefined): word is Verdict {
  return word !== undefined && Object.hasOwn(EFFECTS, word)
}

/** Tests of a condition: the pointer, and for most what it is compared with, safe for a terminal. */
const TESTS = {
  is: (pointer: string, value: string) => `${pointer} 是 ${value}`,
  oneOf: (pointer: string, count: string) => `${pointer} 是 ${count} 个值之一`,
  glob: (pointer: string, glob: string) => `${pointer} 符合“${glob}”`,
  under: (pointer: string, folder: string) => `${pointer} 在“${folder}”之下`,
  host: (pointer: string, host: string) => `${pointer} 位于“${host}”`,
  absent: (pointer: string) => `没有 ${pointer}`,
} as const

const ARGUMENTS = '参数'
const UNREADABLE = '（无法读取）'
const SOME_VALUE = '某个值'
const not = (conditions: string): string => `不符合（${conditions}）`
const more = (count: number | string): string => `另有 ${count} 个条件`

function sentence(effect: Verdict, about: string, { tests, place }: RuleParts): string {
  const conditions = tests.length === 0 ? '' : `，条件是${joined(tests)}`
  return `${EFFECTS[effect]} ${about}${conditions}${place === undefined ? '' : `（${place}）`}`
}

interface RuleParts {
  readonly tests: readonly string[]
  readonly place: string | undefined
}

function conditionZh(condition: Condition, depth: number): string {
  if (condition.unreadable === true) return UNREADABLE
  const { is, oneOf, glob, under, host, absent, not: inner } = condition
  const pointer = condition.pointer === '' ? ARGUMENTS : shortName(condition.pointer)
  const tests = [
    is !== undefined && TESTS.is(pointer, valueZh(is)),
    oneOf !== undefined && TESTS.oneOf(pointer, String(oneOf.length)),
    glob !== undefined && TESTS.glob(pointer, shortName(glob)),
    under !== undefined && TESTS.under(pointer, shortName(under)),
    host !== undefined && TESTS.host(pointer, shortName(host)),
    absent === true && TESTS.absent(pointer),
    inner !== undefined && not(depth < 2 ? conditionZh(inner, depth + 1) : '……'),
  ]
  return joined(tests.filter((test) => test !== false)).trimStart()
}

/** A blank stands between a Chinese word and one of another script. */
function joined(tests: readonly string[]): string {
  return tests.map((test) => (/^[\p{Script=Han}（]/u.test(test) ? test : ` ${test}`)).join('，并且')
}

function valueZh(value: unknown): string {
  return typeof value === 'object' && value !== null ? SOME_VALUE : shortName(JSON.stringify(value))
}

/** Conditions that are joined by `and`, which may stand in what they compare with as well. Undefined for anything else. */
function testsIn(text: string): readonly string[] | undefined {
  const tests: string[] = []
  let open = ''
  for (const piece of text.split(' and ')) {
    open += open === '' ? piece : ` and ${piece}`
    const test = testIn(open)
    if (test === undefined) continue
    tests.push(test)
    open = ''
  }
  return open === '' ? tests : undefined
}

/** Values of texts and names stand in quotes, all else is one word. */
const TEST =
  /^(the arguments|\/.*?) (?:is one of (?<oneOf>\d+) values|is (?<is>"(?:.*"|.*…)|[^" ]+|a certain value)|like "(?<glob>.*)"|under "(?<under>.*)"|at "(?<host>.*)"|is (?<absent>absent))$/s

function testIn(text: string): string | undefined {
  if (text === 'a condition holds that cannot be read') return UNREADABLE
  if (text === 'not (…)') return not('……')
  const rest = /^(\d+) more$/.exec(text)?.[1]
  if (rest !== undefined) return more(rest)
  const inner = /^not \((.+)\)$/s.exec(text)?.[1]
  if (inner !== undefined) {
    const tests = testsIn(inner)
    return tests === undefined ? undefined : not(joined(tests).trimStart())
  }
  const found = TEST.exec(text)
  const pointer = found?.[1] === 'the arguments' ? ARGUMENTS : found?.[1]
  if (found === null || pointer === undefined) return undefined
  const { oneOf, is, glob, under, host } = found.groups ?? {}
  if (oneOf !== undefined) return TESTS.oneOf(pointer, oneOf)
  if (glob !== undefined) return TESTS.glob(pointer, glob)
  if (under !== undefined) return TESTS.under(pointer, under)
  if (host !== undefined) return TESTS.host(pointer, host)
  if (is === undefined || is === 'absent') return TESTS.absent(pointer)
  return TESTS.is(pointer, is === 'a certain value' ? SOME_VALUE : is)
}
