/** `deep-pilot call SERVER.TOOL` without a server: one call through the gate of the host, with whoever is there asked first. */

import { PolicyError, TransportError, UsageError } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { terminalText } from '../../base/terminal-text.ts'
import { ToolChecks } from '../../client/tools.ts'
import type { Config } from '../../config/config.ts'
import { whereText } from '../../config/problem.ts'
import type { Host } from '../../host/host.ts'
import type { HostTool } from '../../host/host-tool.ts'
import type { LockFile } from '../../host/lock-file.ts'
import type { ServerStatus } from '../../host/state.ts'
import { personAsked } from '../person-asked.ts'
import { EXIT } from '../exit-codes.ts'
import { lookedAtLock } from '../host-lock.ts'
import {
  loadServers,
  narrowed,
  settle,
  tellConfigProblems,
  unbound,
  withHost,
  type HostCommandOptions,
  type HostRun,
} from '../host-session.ts'
import { unansweredAdvice } from '../refusal-advice.ts'
import { similarNames } from '../similar.ts'
import { isLeftOut, leftOutText } from '../servers-away.ts'
import { buildArguments } from '../tool-arguments.ts'
import { progressLine, showToolResult, type Wish } from '../tool-result.ts'

export interface HostCallTimes extends HostCommandOptions {
  readonly timeout?: number
  readonly totalTimeout?: number
}

/** Starts the servers that can be meant, finds the tool, and calls it by the policy. */
export async function callOnHost(run: HostRun, wish: Wish, options: HostCallTimes): Promise<void> {
  const { invocation } = run
  const all = unbound(await loadServers(run, options, { start: true }), { lazy: true })
  const { file } = await lookedAtLock(invocation, all)
  const config = narrowed(all, entriesFor(wish.name, all, file))
  const { interrupt } = invocation
  const { consent, answers } = await personAsked(run, options, { interrupt, isOneCall: true })
  await withHost(run, { config, options, host: { consent, answers } }, async (host) => {
    await settle(run, host)
    const tool = findTool(run, host.tools(), wish.name)
    if (tool === undefined) await tellMissing(run, host, { name: wish.name, config })
    else await callTool(run, host, { tool, wish, options })
  })
}

/** The servers that a word can mean: those whose name it begins with, that of a known alias, else all. */
function entriesFor(name: string, config: Config, lock: LockFile): Config['entries'] {
  const named = config.entries.filter(({ key }) => name.startsWith(`${key}.`))
  if (named.length > 0) return named
  const known = [...lock.servers].filter(([, { tools }]) =>
    [...tools.values()].some(({ alias }) => alias === name),
  )
  const keys = new Set(known.map(([key]) => key))
  const owners = config.entries.filter(({ key }) => keys.has(key))
  return owners.length > 0 ? owners : config.entries
}

/** By alias or as `server.tool`. Throws `UsageError` where that is two tools. */
function findTool(
  { words }: HostRun,
  tools: readonly HostTool[],
  name: string,
): HostTool | undefined {
  const found = tools.filter(
    (tool) =>
      tool.alias === name || (tool.server !== undefined && `${tool.server}.${tool.name}` === name),
  )
  if (found.length > 1)
    throw new UsageError(
      words.faults.twoTools(
        terminalText(name),
        found.map(({ alias }) => alias),
      ),
    )
  return found[0]
}

interface Call {
  readonly tool: HostTool
  readonly wish: Wish
  readonly options: HostCallTimes
}

async function callTool({ invocation, words }: HostRun, host: Host, call: Call): Promise<void> {
  const { messages, output, signal } = invocation
  const { tool, wish, options } = call
  const { pairs, base, name } = wish
  const schema = tool.held === undefined ? tool.inputSchema : undefined
  const args = buildArguments({ base, pairs, schema }, messages.faults)
  if (schema !== undefined) await checkFirst(tool, args)
  try {
    const result = await host.callTool(tool.alias, args, {
      signal,
      onProgress: (progress) => output.progress(progressLine(name, progress)),
      ...(options.timeout !== undefined && { timeoutMs: options.timeout }),
      ...(options.totalTimeout !== undefined && { totalTimeoutMs: options.totalTimeout }),
    })
    output.progress()
    showToolResult(invocation, result)
  } catch (error) {
    output.progress()
    const advice = unansweredAdvice(error)
    if (advice === undefined || signal.aborted) throw error
    invocation.fail(error)
    // Advice stands behind what it is about.
    if (!invocation.json) output.note(words.notes.advice[advice])
  }
}

/** Nobody is asked about a call that would not be sent. What is sent is checked once more, by the client of the server. */
async function checkFirst({ name, inputSchema }: HostTool, args: JsonObject): Promise<void> {
  const checks = new ToolChecks()
  checks.learn([{ name, inputSchema }])
  await checks.checkArguments(name, args)
}

/** Why there is no such tool: its server is not there, or does not have it. */
async function tellMissing(
  run: HostRun,
  host: Host,
  { name, config }: { readonly name: string; readonly config: Config },
): Promise<void> {
  const { invocation, words } = run
  const { output, mask } = invocation
  const away = host.servers().filter(isLeftOut)
  const owner = away.find(({ key }) => name.startsWith(`${key}.`))
  if (owner !== undefined) throw absence(run, owner, config)
  if (!invocation.json) {
    for (const status of away) output.note(mask.text(leftOutText(status, words)))
    await tellConfigProblems(run, config)
  }
  const tools = host.tools()
  const names = tools.flatMap(({ alias, server, name: own }) =>
    server === undefined ? [alias] : [alias, `${server}.${own}`],
  )
  const near = similarNames(name, names).map(terminalText)
  const fault = words.faults.unknownTool(
    terminalText(name),
    near,
    config.entries.length === 0 ? undefined : tools.length,
  )
  invocation.fail(new UsageError(fault, { method: 'tools/call' }), EXIT.tool)
}

/** The error for a call to a server that takes none. */
export function absence(
  { words }: Pick<HostRun, 'words'>,
  status: ServerStatus,
  config: Config,
): Error {
  const { key: server, whyKind } = status
  const shown = terminalText(server)
  if (whyKind === 'unapproved') {
    const place = config.entries.find(({ key }) => key === server)?.place
    const file = place === undefined ? '' : whereText(place)
    return new PolicyError('DP_POLICY_UNAPPROVED', words.faults.unapproved(shown, file), {
      server,
      detail: { kind: 'told' },
    })
  }
  if (whyKind === 'switched-off')
    return new TransportError('DP_TRANSPORT_UNAVAILABLE', words.faults.disabled(shown), {
      server,
      sent: 'no',
      detail: { kind: 'told' },
    })
  return (
    status.error ??
    new TransportError('DP_TRANSPORT_UNAVAILABLE', leftOutText(status, words), {
      server,
      sent: 'no',
      detail: { kind: 'told' },
    })
  )
}
