/**
 * Reads a policy as it is written: `allow`, `ask` and `deny` as lists of texts or objects, `rules` with an `effect` each, and the
 * settings. What cannot be read is reported and made into the strictest thing it could have meant: a mistake never allows.
 */

import { isJsonObject, type JsonObject } from '../base/json.ts'
import {
  DEFAULT_POLICY,
  MAX_BECAUSE,
  MAX_CONDITIONS,
  MAX_PATTERN,
  MAX_RULES,
  tightenPolicy,
  type Condition,
  type Policy,
  type PolicySetting,
  type Rule,
  type Verdict,
} from './policy.ts'
import { PolicyReport, type PolicyPlaces, type PolicyProblem } from './problem.ts'
import { readCondition, UNREADABLE } from './read-condition.ts'
import { allowFault } from './tool-pattern.ts'

export interface ReadPolicy {
  /** To judge by, whatever the problems are. */
  readonly policy: Policy
  readonly problems: readonly PolicyProblem[]
}

const VERDICTS: readonly Verdict[] = ['allow', 'ask', 'deny']
const SETTINGS = ['otherwise', 'readOnlyOfTrusted', 'flow', 'native'] as const
const KNOWN: readonly string[] = [...VERDICTS, 'rules', ...SETTINGS]
/** Keys that are for readers and editors. */
const IGNORED: readonly string[] = ['$schema', '$comment', 'description']
const RULE_KEYS: readonly string[] = ['tools', 'server', 'when', 'afterUntrusted', 'because']

/** Never throws. `where` says where the policy stands, as `Config.policy` does. */
export function readPolicy(value: unknown, where: PolicyPlaces = {}): ReadPolicy {
  const report = new PolicyReport(where)
  const policy = readWhole(value, DEFAULT_POLICY, report)
  if (policy.otherwise === 'allow') {
    const values = { key: 'otherwise' }
    report.add({ kind: 'allows-everything', pointer: '/otherwise', values, severity: 'warning' })
  }
  return { policy, problems: report.problems }
}

/** `policy` made stricter by what a project wrote, which counts where it asks and denies and is reported where it would allow. */
export function readProjectPolicy(
  policy: Policy,
  value: unknown,
  where: PolicyPlaces = {},
): ReadPolicy {
  const report = new PolicyReport(where)
  const other = readWhole(value, LAXEST, report)
  for (const { effect, tools, server } of other.rules) {
    if (effect !== 'allow') continue
    const values = { tools: server === undefined ? tools : `${server}: ${tools}` }
    report.add({ kind: 'project-allows', pointer: '', values, severity: 'warning' })
  }
  return { policy: tightenPolicy(policy, other), problems: report.problems }
}

/** What a project that says nothing comes to: nothing of it is stricter than anything. */
const LAXEST: Policy = {
  rules: [],
  otherwise: 'allow',
  readOnlyOfTrusted: 'allow',
  flow: 'off',
  native: 'allow',
}

function readWhole(value: unknown, defaults: Policy, report: PolicyReport): Policy {
  if (!isJsonObject(value)) {
    report.add({ kind: 'not-an-object', pointer: '' })
    return { ...defaults, rules: [everything('deny', report.placeText(''))] }
  }
  const unread: Partial<Record<PolicySetting, string>> = {}
  const options = { words: VERDICTS, defaults, report, unread }
  const policy: Policy = {
    rules: [...readUnknown(value, report), ...readRules(value, report)],
    otherwise: readWord(value, 'otherwise', options),
    readOnlyOfTrusted: readWord(value, 'readOnlyOfTrusted', options),
    flow: readWord(value, 'flow', { ...options, words: ['off', 'ask', 'deny'] }),
    native: readWord(value, 'native', options),
  }
  return Object.keys(unread).length === 0 ? policy : { ...policy, unread }
}

/** A misspelt list of rules must not vanish. */
function readUnknown(value: JsonObject, report: PolicyReport): readonly Rule[] {
  const unknown = Object.keys(value).filter((key) => !KNOWN.includes(key) && !IGNORED.includes(key))
  for (const key of unknown) {
    const values = { key, known: KNOWN.join(', ') }
    report.add({ kind: 'unknown-key', pointer: `/${escaped(key)}`, values })
  }
  const first = unknown[0]
  return first === undefined ? [] : [everything('ask', report.placeText(`/${escaped(first)}`))]
}

interface WordOptions<Word> {
  /** From lax to strict. */
  readonly words: readonly Word[]
  readonly defaults: Policy
  readonly report: PolicyReport
  /** Hears of what could not be read. */
  readonly unread: Partial<Record<PolicySetting, string>>
}

function readWord<Key extends PolicySetting>(
  value: JsonObject,
  key: Key,
  { words, defaults, report, unread }: WordOptions<Policy[Key]>,
): Policy[Key] {
  const written = value[key]
  if (written === undefined) return defaults[key]
  const word = words.find((known) => known === written)
  if (word !== undefined) return word
  const taken = words.at(-1) ?? defaults[key]
  const values = { key, words: words.map((known) => `"${known}"`).join(', '), taken }
  report.add({ kind: 'bad-word', pointer: `/${key}`, values })
  unread[key] = report.placeText(`/${key}`) ?? ''
  return taken
}

/** A rule as it stands in the file. `effect` is undefined under `rules`, where each has its own. */
interface Written {
  readonly value: unknown
  readonly effect: Verdict | undefined
  readonly pointer: string
}

/** Of a list that is too long the strictest are read first. */
const IN_ORDER = ['deny', 'ask', undefined, 'allow'] as const

function readRules(value: JsonObject, report: PolicyReport): Rule[] {
  const written = IN_ORDER.flatMap((effect) => readList(value, effect, report))
  const rules = written.slice(0, MAX_RULES).map((one) => readRule(one, report))
  const rest = written.slice(MAX_RULES)
  const [first] = rest
  if (first !== undefined) {
    const strict = effectOf(rest)
    const values = { most: MAX_RULES, effect: untilThen(strict) }
    report.add({ kind: 'too-many-rules', pointer: first.pointer, values })
    rules.push(strictest(strict, report.placeText(first.pointer)))
  }
  return rules.filter((rule) => rule !== undefined)
}

/** The strictest that unread rules could be. */
function effectOf(rest: readonly Written[]): Verdict {
  if (rest.some(({ effect }) => effect === 'deny' || effect === undefined)) return 'deny'
  return rest.some(({ effect }) => effect === 'ask') ? 'ask' : 'allow'
}

function readList(
  value: JsonObject,
  effect: Verdict | undefined,
  report: PolicyReport,
): readonly Written[] {
  const key = effect ?? 'rules'
  const list = value[key]
  if (list === undefined) return []
  if (Array.isArray(list))
    return list.map((item, index) => ({ value: item, effect, pointer: `/${key}/${index}` }))
  report.add({
    kind: 'not-a-list',
    pointer: `/${key}`,
    values: { key, effect: untilThen(effect ?? 'deny') },
  })
  return [{ value: UNREAD, effect: effect ?? 'deny', pointer: `/${key}` }]
}

/** Stands for rules that were reported already. */
const UNREAD: unique symbol = Symbol('unread')

function readRule(written: Written, report: PolicyReport): Rule | undefined {
  const { value, pointer } = written
  const effect = written.effect ?? ownEffect(written, report)
  const place = report.placeText(pointer)
  if (value === UNREAD) return strictest(effect, place)
  if (typeof value !== 'string' && !isJsonObject(value)) {
    report.add({ kind: 'bad-rule', pointer, values: { effect: untilThen(effect) } })
    return strictest(effect, place)
  }
  const parts: JsonObject = typeof value === 'string' ? { tools: value } : value
  const target = readTarget(parts)
  if (target === undefined) {
    const values = { effect: untilThen(effect), most: MAX_PATTERN }
    report.add({ kind: 'bad-tools', pointer, values })
    return strictest(effect, place)
  }
  const context: RuleContext = { effect, pointer, report, hasEffect: written.effect === undefined }
  const because = readBecause(parts, context)
  const when = [...readConditions(parts, context), ...unknownKeys(parts, context)]
  const rule: Rule = {
    effect,
    ...target,
    ...(when.length > 0 && { when }),
    ...(isAfterUntrusted(parts, context) && { afterUntrusted: true }),
    ...(because !== undefined && { because }),
    ...(place !== undefined && { place }),
  }
  return checkAllow(rule, context) ? rule : undefined
}

function ownEffect({ value, pointer }: Written, report: PolicyReport): Verdict {
  const written = isJsonObject(value) ? value['effect'] : undefined
  const effect = VERDICTS.find((verdict) => verdict === written)
  const isRule = isJsonObject(value) || typeof value === 'string'
  if (effect === undefined && isRule) report.add({ kind: 'bad-effect', pointer })
  return effect ?? 'deny'
}

interface RuleContext {
  readonly effect: Verdict
  readonly pointer: string
  readonly report: PolicyReport
  readonly hasEffect: boolean
}

/** Blanks around a name are taken for a slip. A server alone means all of its tools. */
function readTarget({ tools, server }: JsonObject): Pick<Rule, 'tools' | 'server'> | undefined {
  if (!isName(tools) && tools !== undefined) return undefined
  if (server === undefined) return tools === undefined ? undefined : { tools: tools.trim() }
  return isName(server) ? { server, tools: tools?.trim() ?? '*' } : undefined
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_PATTERN
}

function readBecause({ because }: JsonObject, context: RuleContext): string | undefined {
  if (because === undefined) return undefined
  if (typeof because === 'string') return because.slice(0, MAX_BECAUSE)
  return ignored('because', context)
}

/** Only `true` is heard, and only where it allows something; all else is stricter. */
function isAfterUntrusted({ afterUntrusted }: JsonObject, context: RuleContext): boolean {
  if (afterUntrusted === undefined || afterUntrusted === false) return false
  if (afterUntrusted === true && context.effect === 'allow') return true
  ignored('afterUntrusted', context)
  return false
}

function ignored(key: string, { pointer, report }: RuleContext): undefined {
  report.add({
    kind: 'ignored-key',
    pointer: `${pointer}/${key}`,
    values: { key },
    severity: 'warning',
  })
}

function readConditions({ when }: JsonObject, context: RuleContext): readonly Condition[] {
  if (when === undefined) return []
  const { pointer, report, effect } = context
  const list = Array.isArray(when) ? when : [when]
  if (list.length > MAX_CONDITIONS) {
    const values = { most: MAX_CONDITIONS, effect: unjudged(effect) }
    report.add({ kind: 'too-many-conditions', pointer: `${pointer}/when`, values })
    return [UNREADABLE]
  }
  return list.map((value, index) => {
    const at = Array.isArray(when) ? `${pointer}/when/${index}` : `${pointer}/when`
    return readCondition(value, {
      pointer: at,
      report,
      effect: unjudged(effect),
      isAllow: effect === 'allow',
    })
  })
}

/** A key that is not known may have been a condition. */
function unknownKeys(parts: JsonObject, context: RuleContext): readonly Condition[] {
  const { report, pointer, effect, hasEffect } = context
  const known = hasEffect ? [...RULE_KEYS, 'effect'] : RULE_KEYS
  const unknown = Object.keys(parts).filter((key) => !known.includes(key) && !IGNORED.includes(key))
  for (const key of unknown) {
    const values = { key, known: known.join(', '), effect: unjudged(effect) }
    report.add({ kind: 'unknown-rule-key', pointer: `${pointer}/${escaped(key)}`, values })
  }
  return unknown.length > 0 ? [UNREADABLE] : []
}

function checkAllow({ effect, tools, server }: Rule, { pointer, report }: RuleContext): boolean {
  if (effect !== 'allow' || server !== undefined) return true
  const fault = allowFault(tools)
  if (fault === undefined) return true
  const kind = fault === 'ambiguous' ? 'ambiguous-allow' : 'allow-needs-server'
  report.add({ kind, pointer, values: { tools } })
  return false
}

/** What takes the place of rules that could not be read; of those that would allow, nothing does. */
function strictest(effect: Verdict, place: string | undefined): Rule | undefined {
  return effect === 'allow' ? undefined : everything(effect, place)
}

function everything(effect: 'ask' | 'deny', place: string | undefined): Rule {
  const all = { effect, tools: '*', onlyStricter: true, unreadable: true } as const
  return { ...all, ...(place !== undefined && { place }) }
}

/** For sentences about rules that could not be read. */
function untilThen(effect: Verdict): string {
  if (effect === 'allow') return 'it allows nothing'
  return effect === 'deny' ? 'everything is denied' : 'everything is asked'
}

/** For sentences about rules with a condition that could not be read. */
function unjudged(effect: Verdict): string {
  if (effect === 'allow') return 'the rule allows nothing'
  return effect === 'deny'
    ? 'the rule denies whatever the arguments are'
    : 'the rule asks whatever the arguments are'
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
