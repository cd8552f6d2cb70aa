/** `deep-pilot policy check`: every rule, the tools it is about, and what is wrong with the policy. Starts nothing. */

import { terminalText } from '../../base/terminal-text.ts'
import { policyOf } from '../../host/config-policy.ts'
import type { LockFile } from '../../host/lock-file.ts'
import { readingName, RESOURCES_READ } from '../../host/resource-reading.ts'
import { DEFAULT_POLICY, type Policy, type PolicySetting, type Rule } from '../../policy/policy.ts'
import { isAbout, type NamedTool } from '../../policy/tool-pattern.ts'
import { EXIT } from '../exit-codes.ts'
import { hangingLines, hangingRows } from '../hanging-lines.ts'
import { lookedAtLock } from '../host-lock.ts'
import {
  loadServers,
  tellConfigProblems,
  type HostCommandOptions,
  type HostRun,
} from '../host-session.ts'
import { tellPolicyProblems } from '../policy-problems.ts'

/** Tools of a rule that are named. */
const NAMED = 5

export async function checkPolicy(run: HostRun, options: HostCommandOptions): Promise<void> {
  const { invocation, words } = run
  const { output, json, mask } = invocation
  const config = await loadServers(run, options, { start: false, checksPolicy: true })
  const { policy, problems } = policyOf(config)
  if (problems.some(({ severity }) => severity === 'error')) invocation.finish(EXIT.mismatch)
  const { file } = await lookedAtLock(invocation, config)
  const known = knownTools(file)
  if (json) {
    const rules = policy.rules.map((rule) => ({
      ...rule,
      tools: rule.tools,
      about: about(rule, known),
    }))
    output.json(mask.json({ policy: { ...policy, rules }, problems }))
    return
  }
  const { columns } = output
  for (const rule of policy.rules)
    for (const [head, text] of ruleParts(rule, known, run))
      for (const line of hangingLines(head, text, columns)) output.line(line)
  for (const line of hangingRows(settingRows(policy, run), columns).flat()) output.line(line)
  if (known.length === 0 && policy.rules.length > 0) output.note(words.policy.noneKnown)
  await tellConfigProblems(run, config, { starts: false })
  tellPolicyProblems(invocation, words.policy, problems)
}

/** Tools that were seen of servers, by the lock file. */
function knownTools(lock: LockFile): readonly NamedTool[] {
  return [...lock.servers].flatMap(([server, { tools }]) =>
    [...tools].map(([tool, { alias }]) => ({ server, tool, alias })),
  )
}

function about(rule: Rule, known: readonly NamedTool[]): readonly string[] {
  return known
    .filter((tool) => isAbout(rule, tool))
    .map(({ server, tool, alias }) => (tool === RESOURCES_READ ? readingName(server ?? '') : alias))
}

/** Beginnings and ends of lines. */
function ruleParts(
  rule: Rule,
  known: readonly NamedTool[],
  { words: { policy: words } }: HostRun,
): readonly (readonly [string, string])[] {
  const tools = about(rule, known)
  const named = tools.slice(0, NAMED).map((alias) => terminalText(alias))
  const which = tools.length === 0 ? words.aboutNone : words.about(named, tools.length)
  if (rule.unreadable === true) return [['', words.unreadable(rule.effect, rule.place ?? '')]]
  return [
    ['', words.rule(rule)],
    ...(rule.because === undefined
      ? []
      : [['    ', words.because(terminalText(rule.because))] as const]),
    ...(known.length === 0 ? [] : [['    ', which] as const]),
  ]
}

/** What holds where no rule does. */
function settingRows(
  policy: Policy,
  { words: { policy: words } }: HostRun,
): readonly (readonly string[])[] {
  const row = (setting: PolicySetting, about: string): readonly string[] => {
    const verdict = policy[setting]
    const place = policy.unread?.[setting]
    const mark = place === undefined ? '' : words.isUnread(place)
    const usual = verdict === DEFAULT_POLICY[setting] ? words.isDefault : ''
    return [words.verdicts[verdict], about + (mark === '' ? usual : mark)]
  }
  return [
    row('otherwise', words.otherwise),
    row('readOnlyOfTrusted', words.readOnly),
    row('flow', words.flow),
    row('native', words.native),
  ]
}
