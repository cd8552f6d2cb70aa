/** Acts and policies for tests: a call that nothing speaks for or against, and what a test changes of it. */

import type { Act } from '../../src/policy/act.ts'
import { NO_FLOW } from '../../src/policy/flow.ts'
import { DEFAULT_POLICY, type Policy, type Rule } from '../../src/policy/policy.ts'

/** A call of `write` of the untrusted server `files`, with an approved definition. */
export function act(changes: Partial<Act> = {}): Act {
  const { server = 'files', tool = 'write' } = changes
  return {
    server,
    tool,
    alias: `${server}__${tool}`,
    args: {},
    hints: undefined,
    trusted: false,
    labels: [],
    flow: NO_FLOW,
    pin: 'approved',
    ...changes,
  }
}

/** A call of a native tool. */
export function nativeAct(tool: string, changes: Partial<Act> = {}): Act {
  return { ...act({ ...changes, tool, alias: tool }), server: undefined }
}

export function policyOf(rules: readonly Rule[], changes: Partial<Policy> = {}): Policy {
  return { ...DEFAULT_POLICY, rules, ...changes }
}
