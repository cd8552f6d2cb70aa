/** `deep-pilot policy test CAPTURE`: what the policy would say to each recorded call of a tool. Starts and sends nothing. */

import { terminalText } from '../../base/terminal-text.ts'
import type { Config } from '../../config/config.ts'
import { modelNameOf } from '../../host/resource-reading.ts'
import { policyOf } from '../../host/config-policy.ts'
import type { Act, Decision } from '../../policy/act.ts'
import { decide } from '../../policy/decide.ts'
import { afterResult, NO_FLOW, type FlowState } from '../../policy/flow.ts'
import type { Policy, Verdict } from '../../policy/policy.ts'
import { ruleText } from '../../policy/sentences.ts'
import { sha256 } from '../../host/judged-arguments.ts'
import { RecordedCalls, type RecordedCall } from '../recorded-calls.ts'
import { hangingRows } from '../hanging-lines.ts'
import {
  loadServers,
  serversNamed,
  type HostCommandOptions,
  type HostRun,
} from '../host-session.ts'
import { readToldCapture } from '../told-capture.ts'

export interface PolicyTestOptions extends HostCommandOptions {
  readonly server?: string
}

interface Judged {
  readonly call: RecordedCall
  readonly server: string
  readonly decision: Decision
}

export async function testPolicy(
  run: HostRun,
  path: string,
  options: PolicyTestOptions,
): Promise<void> {
  const { invocation, words } = run
  const { output, json, mask } = invocation
  const config = await loadServers(run, options, { start: false })
  if (options.server !== undefined) serversNamed(run, config, options.server)
  const calls = await recordedCalls(run, path)
  const { policy } = policyOf(config)
  const judged = judgeAll(calls, { config, policy, server: options.server })
  const counts: Record<Verdict, number> = { allow: 0, ask: 0, deny: 0 }
  for (const { decision } of judged) counts[decision.verdict] += 1
  if (json) {
    const records = judged.map(({ call: { tool, args }, server, decision }) => ({
      server,
      tool,
      args,
      ...decision,
    }))
    output.json(mask.json({ counts, calls: records }))
    return
  }
  const rows = judged.map(({ call, server, decision }) => [
    words.policy.verdicts[decision.verdict],
    `${terminalText(server)}.${terminalText(call.tool)}`,
    mask.text(reasonText(decision, policy, run)),
  ])
  for (const line of hangingRows(rows, output.columns).flat()) output.line(line)
  const strangers = new Set(
    judged
      .map(({ server }) => server)
      .filter((key) => !config.entries.some((one) => one.key === key)),
  )
  for (const key of strangers) output.note(words.policy.unknownServer(terminalText(key)))
  output.note(judged.length === 0 ? words.policy.noCalls : words.policy.calls(counts))
}

/** The rule where there is one, else why; and where data could go. */
function reasonText(
  { reason, rule, because, brokenAt, flow }: Decision,
  { rules }: Policy,
  { words }: HostRun,
): string {
  const decided = rules.find((one) => ruleText(one) === rule)
  const facts = [
    decided === undefined ? words.policy.reasons[reason] : words.policy.rule(decided),
    ...(because === undefined ? [] : [words.policy.because(terminalText(because))]),
    ...(brokenAt === undefined ? [] : [terminalText(brokenAt)]),
  ]
  if (flow !== undefined)
    facts.push(words.consent.flowText(terminalText(flow.source), terminalText(flow.sink)))
  return facts.join(' · ')
}

/** The calls of a capture, in order. */
async function recordedCalls(
  { invocation }: HostRun,
  path: string,
): Promise<readonly RecordedCall[]> {
  const calls = new RecordedCalls()
  for await (const item of readToldCapture(invocation, path))
    if (item.kind === 'event') calls.push(item.event)
  return calls.all()
}

interface Judging {
  readonly config: Config
  readonly policy: Policy
  readonly server: string | undefined
}

/** Each call as if it were made now, by someone who has read what the calls before it brought in. */
function judgeAll(calls: readonly RecordedCall[], judging: Judging): readonly Judged[] {
  let flow: FlowState = NO_FLOW
  return calls.map((call) => {
    const server = judging.server ?? call.server
    const act = actOf(call, { ...judging, key: server, flow })
    const decision = decide(judging.policy, act)
    flow = afterResult(flow, act)
    return { call, server, decision }
  })
}

function actOf(
  { tool, args, hints }: RecordedCall,
  { config, key, flow }: Judging & { readonly key: string; readonly flow: FlowState },
): Act {
  const entry = config.entries.find((one) => one.key === key)
  const labels = [...(entry?.labels ?? []), ...(entry?.toolLabels.get(tool) ?? [])]
  return {
    server: key,
    tool,
    alias: modelNameOf(key, tool, sha256),
    args,
    hints,
    trusted: entry?.trusted ?? false,
    labels: [...new Set(labels)],
    flow,
    pin: 'approved',
  }
}
