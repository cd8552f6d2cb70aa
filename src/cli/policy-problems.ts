/**
 * What is wrong with the policy of a configuration, in words and on stderr. Whoever goes by a policy tells its errors, as something
 * stricter than was written holds; remarks on what may not have been meant are for the commands that check.
 */

import { terminalText } from '../base/terminal-text.ts'
import type { Config } from '../config/config.ts'
import { whereText } from '../config/problem.ts'
import type { PolicyProblem } from '../policy/problem.ts'
import type { Invocation } from './invocation.ts'
import type { PolicyWords } from './messages/host-words.ts'

/** Where it stands, and a sentence; safe for a terminal. */
export function policyProblemText(
  { problems, problemAt }: PolicyWords,
  { kind, values, place, pointer }: PolicyProblem,
): string {
  const where = place === undefined ? terminalText(pointer) : whereText(place)
  return problemAt(where, problems[kind](values))
}

/** Each as a line on stderr, or as a JSON line where that is wanted. */
export function tellPolicyProblems(
  { output, json, mask }: Pick<Invocation, 'output' | 'json' | 'mask'>,
  words: PolicyWords,
  problems: readonly PolicyProblem[],
): void {
  for (const problem of problems) {
    if (json) output.noteJson(mask.json({ problem }))
    else output.note(mask.text(words.problem(problem.severity, policyProblemText(words, problem))))
  }
}

/** All of a configuration. Where it has no policy, nothing is loaded for it. */
export async function policyProblems(config: Config): Promise<readonly PolicyProblem[]> {
  if (config.policy === undefined && config.projectPolicy === undefined) return []
  const { policyOf } = await import('../host/config-policy.ts')
  return policyOf(config).problems
}

/** Those by which something else holds than was written. */
export async function policyErrors(config: Config): Promise<readonly PolicyProblem[]> {
  return (await policyProblems(config)).filter(({ severity }) => severity === 'error')
}
