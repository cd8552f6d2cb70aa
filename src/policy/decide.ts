/**
 * The judge: one act, one policy, one decision. Pure and total; nothing is remembered, asked or sent here.
 *
 * A forbidding rule beats all. A changed definition is held, whoever said yes. What is allowed is then made a question by data
 * flow, by an asking rule or by a definition that nobody looked at; nothing makes it laxer than the policy says, and a yes that
 * was given before answers a question and overrules no rule.
 */

import type { Act, Decision, ReasonKind } from './act.ts'
import { allHold } from './conditions.ts'
import { flowOf, isToldOf, type Flow } from './flow.ts'
import type { Judgement } from './judgement.ts'
import type { Policy, Rule } from './policy.ts'
import { becauseText, ruleText, sentenceOf, shortName } from './sentences.ts'
import { isAbout } from './tool-pattern.ts'

/** The verdict over a call and why. The same for the same act and policy, always. */
export function decide(policy: Policy, act: Act): Decision {
  const flow = policy.flow === 'off' ? undefined : flowOf(act.flow, act)
  const found = judge(policy, act, flow)
  const { verdict, reason, rule, lasting = false } = found
  return {
    verdict,
    reason,
    message: sentenceOf(found, act),
    ...ruleFacts(rule),
    ...(flow !== undefined && {
      flow: { source: flow.source, sink: flow.sink, sources: flow.sources },
    }),
    lasting,
  }
}

/** What nobody wrote is no rule to show. */
function ruleFacts(rule: Rule | undefined): Pick<Decision, 'rule' | 'because' | 'brokenAt'> {
  if (rule === undefined) return {}
  if (rule.unreadable === true)
    return rule.place === undefined ? {} : { brokenAt: shortName(rule.place) }
  const because = becauseText(rule)
  return { rule: ruleText(rule), ...(because !== undefined && { because }) }
}

function judge(policy: Policy, act: Act, flow: Flow | undefined): Judgement {
  const denies = firstRule(policy, 'deny', act)
  if (denies !== undefined) return { verdict: 'deny', reason: ruleReason(denies), rule: denies }
  if (act.pin === 'changed') return { verdict: 'deny', reason: 'changed-definition' }

  const [surelyAsks, allows] = [sureRule(policy, 'ask', act), sureRule(policy, 'allow', act)]
  const before = standingOf(policy, act, surelyAsks ?? allows)
  if (before.verdict === 'deny') return before
  const asks = surelyAsks ?? firstRule(policy, 'ask', act)
  const standing = asks === undefined ? before : standingOf(policy, act, asks)

  const grant = grantOf(act)
  if (flow !== undefined && policy.flow !== 'off' && allows?.afterUntrusted !== true) {
    const isAnswered =
      policy.flow === 'ask' && grant !== undefined && isToldOf(act.flow, grant.sources)
    const lasting = policy.flow === 'ask' && asks === undefined && act.flow.more === 0
    if (!isAnswered) return { verdict: policy.flow, reason: 'flow', rule: asks, flow, lasting }
  }
  if (asks !== undefined) return standing
  const isQuestion = standing.verdict === 'ask' || act.pin === 'new'
  if (!isQuestion) return standing
  if (grant !== undefined) return { verdict: 'allow', reason: 'grant' }
  if (act.pin === 'new') return { verdict: 'ask', reason: 'new-definition', lasting: true }
  return { lasting: true, ...standing }
}

/** What the policy says when nobody was asked yet and nothing was read. */
function standingOf(policy: Policy, act: Act, rule: Rule | undefined): Judgement {
  if (rule !== undefined) {
    return rule.effect === 'ask'
      ? { verdict: 'ask', reason: ruleReason(rule), rule }
      : { verdict: 'allow', reason: 'allow-rule', rule }
  }
  if (act.server === undefined) return bySetting(policy, 'native', 'native')
  // An untrusted server may say what it likes of its tools: it is not read here. // TOOL-18
  if (act.trusted && act.hints?.readOnly === true)
    return bySetting(policy, 'readOnlyOfTrusted', 'read-only')
  return bySetting(policy, 'otherwise', 'otherwise')
}

/** One that could not be read is not what the policy says. */
function bySetting(
  policy: Policy,
  setting: 'native' | 'readOnlyOfTrusted' | 'otherwise',
  reason: ReasonKind,
): Judgement {
  const { [setting]: verdict, unread = {} } = policy
  const place = unread[setting]
  if (place === undefined) return { verdict, reason }
  const rule: Rule = {
    effect: verdict,
    tools: '*',
    unreadable: true,
    ...(place !== '' && { place }),
  }
  return { verdict, reason: 'broken-policy', rule }
}

function ruleReason({ effect, unreadable }: Rule): ReasonKind {
  return unreadable === true ? 'broken-policy' : `${effect}-rule`
}

/** A rule that may be about the call: enough to make it stricter. One that was written tells more than one that stands for another. */
function firstRule(policy: Policy, effect: 'deny' | 'ask', act: Act): Rule | undefined {
  const mayFit = (rule: Rule): boolean =>
    rule.effect === effect && isAbout(rule, act) && allHold(rule.when, act.args) !== 'no'
  return (
    policy.rules.find((rule) => rule.unreadable !== true && mayFit(rule)) ??
    policy.rules.find((rule) => rule.unreadable === true && mayFit(rule))
  )
}

/** A rule that is surely about the call and may take the place of what else holds; best one that does so after untrusted content. */
function sureRule(policy: Policy, effect: 'ask' | 'allow', act: Act): Rule | undefined {
  let first: Rule | undefined
  for (const rule of policy.rules) {
    if (rule.effect !== effect || rule.onlyStricter === true) continue
    if (!isAbout(rule, act) || allHold(rule.when, act.args) !== 'yes') continue
    if (rule.afterUntrusted === true) return rule
    first ??= rule
  }
  return first
}

/** A grant for another tool is none. Its hash, time and arguments were compared by `matches`, which has what it takes. */
function grantOf({ grant, server, tool }: Act): Act['grant'] {
  return grant?.server === server && grant?.tool === tool ? grant : undefined
}
