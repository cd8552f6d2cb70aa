/**
 * Decisions and rules in English, safe for a terminal and bounded: what strangers named is escaped and cut. Who speaks another
 * language goes by `reason`.
 */

import { terminalText } from '../base/terminal-text.ts'
import type { Act } from './act.ts'
import type { Judgement } from './judgement.ts'
import { MAX_BECAUSE, type Condition, type Rule } from './policy.ts'

/** Longest name or value in a sentence, in characters. */
const MAX_SHOWN_NAME = 120
/** Conditions of a rule that are written out. */
const MAX_SHOWN_CONDITIONS = 4

/** Why, in one or two sentences. */
export function sentenceOf(found: Judgement, act: Act): string {
  return found.verdict === 'allow'
    ? `The call of ${toolText(act)} is allowed: ${becauseOf(found, act)}.`
    : `The call of ${toolText(act)} ${found.verdict === 'deny' ? 'is denied' : 'needs a yes'}: ${becauseOf(found, act)}.${todoOf(found)}`
}

function becauseOf({ reason, rule, flow, verdict }: Judgement, act: Act): string {
  const because = rule === undefined ? undefined : becauseText(rule)
  switch (reason) {
    case 'deny-rule':
    case 'ask-rule':
    case 'allow-rule':
      return rule === undefined
        ? 'a rule says so'
        : `the rule "${ruleText(rule)}" says so${because === undefined ? '' : `, because: ${because}`}`
    case 'broken-policy': {
      const where = rule?.place === undefined ? '' : ` (${shortName(rule.place)})`
      const until = verdict === 'deny' ? 'calls like this are denied' : 'calls like this are asked'
      return `a part of the policy cannot be read${where}, and until that is mended ${until}`
    }
    case 'changed-definition':
      return 'its definition, or the instructions of its server, are not what was approved'
    case 'new-definition':
      return 'nobody has approved its definition yet, which came after its server was approved'
    case 'flow':
      return `what strangers wrote was read (by ${flow?.source ?? 'another tool'}), and by ${flow?.sink ?? act.alias} data could leave${flow?.private === true ? ', private data that was read as well' : ''}`
    case 'grant':
      return 'a person said yes to it before'
    case 'read-only':
      return `it says that it only reads, its server is trusted, and the policy has "readOnlyOfTrusted": "${verdict}"`
    case 'native':
      return `the policy has "native": "${verdict}"`
    case 'otherwise':
      break
  }
  return `no rule is about it, and the policy has "otherwise": "${verdict}"`
}

/** What to do about it, behind a blank. */
function todoOf({ reason, verdict }: Judgement): string {
  if (reason === 'changed-definition')
    return ' Look at the difference with "deep-pilot verify", then approve it with "deep-pilot pin".'
  if (reason === 'flow' && verdict === 'ask')
    return ' Say yes only if the arguments hold nothing that must stay here.'
  if (reason === 'flow')
    return ' A rule with "afterUntrusted" allows it, or "flow": "ask" makes it a question.'
  if (reason === 'broken-policy') return ' "deep-pilot policy check" tells what is wrong with it.'
  if (verdict === 'deny') return ' Change the policy if it should be possible.'
  // What would allow a question without asking is no matter of the model, which is told this sentence after a no.
  return ''
}

/** A rule as it is written, with its place. */
export function ruleText(rule: Rule): string {
  const about = rule.server === undefined ? '' : `${shortName(rule.server)}: `
  const when = rule.when ?? []
  const texts = [...new Set(when.map((condition) => conditionText(condition, 0)))]
  const shown = texts.slice(0, MAX_SHOWN_CONDITIONS)
  if (texts.length > shown.length) shown.push(`${texts.length - shown.length} more`)
  const conditions = shown.length === 0 ? '' : ` when ${shown.join(' and ')}`
  const place = rule.place === undefined ? '' : ` (${shortName(rule.place)})`
  return `${rule.effect} ${about}${shortName(rule.tools)}${conditions}${place}`
}

/** `read_file of filesystem`, in quotes, or the native name alone. */
function toolText({ server, tool }: Pick<Act, 'server' | 'tool'>): string {
  return server === undefined
    ? `the tool "${shortName(tool)}"`
    : `"${shortName(tool)}" of the server "${shortName(server)}"`
}

/** Escaped for a terminal and cut to a line's worth. */
export function shortName(text: string): string {
  const safe = terminalText(text.slice(0, MAX_SHOWN_NAME))
  return text.length > MAX_SHOWN_NAME ? `${safe}…` : safe
}

/** Why there is a rule, in the words of who wrote it: escaped for a terminal, and bounded. */
export function becauseText({ because }: Rule): string | undefined {
  return because === undefined ? undefined : terminalText(because.slice(0, MAX_BECAUSE))
}

function conditionText(condition: Condition, depth: number): string {
  if (condition.unreadable === true) return 'a condition holds that cannot be read'
  const { is, oneOf, glob, under, host, absent, not } = condition
  const pointer = condition.pointer === '' ? 'the arguments' : shortName(condition.pointer)
  const tests = [
    is !== undefined && `${pointer} is ${shortValue(is)}`,
    oneOf !== undefined && `${pointer} is one of ${oneOf.length} values`,
    glob !== undefined && `${pointer} like "${shortName(glob)}"`,
    under !== undefined && `${pointer} under "${shortName(under)}"`,
    host !== undefined && `${pointer} at "${shortName(host)}"`,
    absent === true && `${pointer} is absent`,
    not !== undefined && (depth < 2 ? `not (${conditionText(not, depth + 1)})` : 'not (…)'),
  ]
  return tests.filter((test) => test !== false).join(' and ')
}

/** Scalars as they are; a value that nests is not written out. */
function shortValue(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? 'a certain value'
    : shortName(JSON.stringify(value))
}
