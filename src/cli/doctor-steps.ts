/**
 * One server examined step by step, as far as it gets: its entry, its program, the start, the handshake, the lists and a sign
 * of life. Starts it once, apart from any host, and ends it.
 */

import { AuthError, describeError, PilotError, RpcError, TransportError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import type { Client } from '../client/client.ts'
import { connect } from '../client/connect.ts'
import type { ClientTimeouts } from '../client/options.ts'
import type { EntryTimers, ServerEntry } from '../config/entry.ts'
import { whereText } from '../config/problem.ts'
import { transportOf } from '../host/targets.ts'
import { joinSinks, type WireEvent, type WireSink } from '../jsonrpc/wire.ts'
import { findCommand, isFolder } from './find-command.ts'
import type { Invocation } from './invocation.ts'
import type { DoctorStep, DoctorWords } from './messages/host-words.ts'
import { noteSink } from './note-log.ts'

export type CheckVerdict = 'ok' | 'warning' | 'error' | 'skipped'

/** What one step came to. Texts are safe for a terminal. */
export interface Check {
  readonly step: DoctorStep
  readonly verdict: CheckVerdict
  readonly ms?: number
  readonly text: string
  /** What to do. */
  readonly advice?: string
  /** Lines of the server's own. */
  readonly lines?: readonly string[]
}

export interface ExamineOptions {
  readonly invocation: Invocation
  readonly words: DoctorWords
  /** Hears the wire as well, as for `--trace`. */
  readonly wire: WireSink | undefined
  /** What is wrong with the entry, one sentence each, and whether that is more than a warning. */
  readonly problems: readonly { readonly isError: boolean; readonly text: string }[]
}

/** Lines of stderr that are shown. */
const SHOWN_LINES = 5
/** Longest line of stderr that is shown, in characters. */
const MAX_LINE = 300

/** All steps in order; those after one that failed are `skipped`. Never rejects but for an interrupt. */
export async function examine(
  entry: ServerEntry,
  options: ExamineOptions,
): Promise<readonly Check[]> {
  const checks: Check[] = [configCheck(entry, options)]
  if (isGood(checks) && !entry.disabled) checks.push(await placeCheck(entry, options))
  if (isGood(checks) && !entry.disabled) checks.push(...(await liveChecks(entry, options)))
  return withSkipped(entry, checks, options.words)
}

function isGood(checks: readonly Check[]): boolean {
  return checks.every(({ verdict }) => verdict !== 'error')
}

/** A checklist has every step, also those that nothing came to. */
function withSkipped(
  { transport, disabled }: ServerEntry,
  checks: readonly Check[],
  words: DoctorWords,
): readonly Check[] {
  const steps: readonly DoctorStep[] =
    transport === 'stdio'
      ? ['config', 'command', 'start', 'stderr', 'handshake', 'era', 'lists', 'ping']
      : ['config', 'address', 'handshake', 'era', 'lists', 'ping']
  if (disabled) return checks
  return steps.map(
    (step) =>
      checks.find((check) => check.step === step) ?? {
        step,
        verdict: 'skipped',
        text: words.skipped,
      },
  )
}

function configCheck(entry: ServerEntry, { words, problems }: ExamineOptions): Check {
  const where = whereText(entry.place)
  if (entry.disabled) return { step: 'config', verdict: 'skipped', text: words.off }
  if (!entry.approved)
    return { step: 'config', verdict: 'error', text: words.project, advice: words.projectDo }
  if (problems.length === 0) return { step: 'config', verdict: 'ok', text: where }
  const isError = problems.some((problem) => problem.isError)
  return {
    step: 'config',
    verdict: isError ? 'error' : 'warning',
    text: where,
    lines: problems.map(({ text }) => text),
    ...(isError && { advice: words.mend }),
  }
}

/** Whether the program is there, or where the address leads. */
async function placeCheck(
  entry: ServerEntry,
  { words, invocation: { env } }: ExamineOptions,
): Promise<Check> {
  if (entry.transport !== 'stdio')
    return { step: 'address', verdict: 'ok', text: terminalText(entry.url) }
  const { command, cwd = process.cwd(), env: own } = entry
  const step = 'command'
  if (!(await isFolder(cwd))) {
    const text = words.noFolder(terminalText(cwd))
    return { step, verdict: 'error', text, advice: words.noFolderDo }
  }
  const path = await findCommand(command, { cwd, env: { ...env, ...own } })
  if (path !== undefined) return { step, verdict: 'ok', text: terminalText(path) }
  const text = words.missing(terminalText(command))
  return { step, verdict: 'error', text, advice: words.missingDo }
}

/** What the wire told beside the messages. */
interface Heard {
  pid?: number
  spawnedMs?: number
  hasSpoken: boolean
  stderr: string[]
  stderrCount: number
}

async function liveChecks(entry: ServerEntry, options: ExamineOptions): Promise<readonly Check[]> {
  const { invocation, wire, words } = options
  const { logger, signal } = invocation
  const begin = performance.now()
  const heard: Heard = { hasSpoken: false, stderr: [], stderrCount: 0 }
  const tap = joinSinks((event) => hear(heard, event, begin), wire, noteSink(logger))
  let client: Client
  try {
    client = await connect(transportOf(entry, { logger }), {
      logger,
      signal,
      reconnect: false,
      timeouts: timeoutsOf(entry.timeouts),
      ...(tap !== undefined && { wire: tap }),
    })
  } catch (error) {
    signal.throwIfAborted()
    return failedStart(entry, { error, heard, ms: since(begin) }, options)
  }
  const handshakeMs = since(begin) - (heard.spawnedMs ?? 0)
  try {
    const { info, era, revision } = client.server
    const name = info === undefined ? words.nothing : `${info.name} ${info.version}`
    return [
      ...startChecks(entry, heard, words),
      { step: 'handshake', verdict: 'ok', ms: handshakeMs, text: terminalText(name) },
      { step: 'era', verdict: 'ok', text: words.era(era, revision) },
      await timed('lists', words.listsDo, options, () => countLists(client, options)),
      await pingCheck(client, options),
    ]
  } finally {
    await client.close()
  }
}

function hear(heard: Heard, event: WireEvent, begin: number): void {
  if (event.type === 'message' && event.direction === 'in') heard.hasSpoken = true
  if (event.type !== 'note') return
  const { kind, text, data } = event.note
  const pid = data?.['pid']
  if (kind === 'spawn') {
    heard.spawnedMs ??= since(begin)
    if (typeof pid === 'number') heard.pid = pid
  }
  if (kind !== 'stderr' || text === undefined) return
  heard.stderrCount += 1
  heard.stderr.push(text.slice(0, MAX_LINE))
  if (heard.stderr.length > SHOWN_LINES) heard.stderr.shift()
}

/** Start and stderr of a process; an address has neither. */
function startChecks(entry: ServerEntry, heard: Heard, words: DoctorWords): readonly Check[] {
  if (entry.transport !== 'stdio') return []
  const { spawnedMs = 0, pid } = heard
  return [
    {
      step: 'start',
      verdict: 'ok',
      ms: spawnedMs,
      text: pid === undefined ? '' : words.process(pid),
    },
    stderrCheck(heard, words),
  ]
}

function stderrCheck({ stderr, stderrCount }: Heard, words: DoctorWords): Check {
  if (stderrCount === 0) return { step: 'stderr', verdict: 'ok', text: words.nothing }
  const before = stderrCount - stderr.length
  const lines = stderr.map((line) => terminalText(line))
  return {
    step: 'stderr',
    verdict: 'ok',
    text: words.stderrLines(stderrCount),
    lines: before === 0 ? lines : [words.stderrMore(before), ...lines],
  }
}

/** Which step it was that failed: the start of a process that said nothing before it went, else the handshake. */
function failedStart(
  entry: ServerEntry,
  { error, heard, ms }: { readonly error: unknown; readonly heard: Heard; readonly ms: number },
  { words, invocation }: ExamineOptions,
): readonly Check[] {
  const text = errorText(error, invocation)
  const isProcess = entry.transport === 'stdio'
  const code = error instanceof TransportError ? error.code : undefined
  const isStart =
    code === 'DP_TRANSPORT_SPAWN' || (code === 'DP_TRANSPORT_EXIT' && !heard.hasSpoken)
  if (isProcess && isStart) {
    const check: Check = { step: 'start', verdict: 'error', ms, text, advice: words.startDo }
    return heard.stderrCount === 0 ? [check] : [check, stderrCheck(heard, words)]
  }
  const advice =
    error instanceof AuthError ? words.authDo : isProcess ? words.handshakeDo : words.reachDo
  return [
    ...startChecks(entry, heard, words),
    { step: 'handshake', verdict: 'error', ms: ms - (heard.spawnedMs ?? 0), text, advice },
  ]
}

/** Asks for every list that is declared, and for no other. */
async function countLists(
  client: Client,
  { invocation: { signal }, words }: ExamineOptions,
): Promise<string> {
  const { tools, resources, prompts } = client.server.capabilities
  const counts = [
    ...(tools === undefined
      ? []
      : [{ list: 'tools' as const, count: (await client.listTools({ signal })).length }]),
    ...(resources === undefined
      ? []
      : [{ list: 'resources' as const, count: (await client.listResources({ signal })).length }]),
    ...(prompts === undefined
      ? []
      : [{ list: 'prompts' as const, count: (await client.listPrompts({ signal })).length }]),
  ]
  return counts.length === 0 ? words.noLists : words.lists(counts)
}

/** An error is an answer too, though not the one that every server owes. */
async function pingCheck(client: Client, options: ExamineOptions): Promise<Check> {
  const { invocation, words } = options
  let odd: string | undefined
  const check = await timed('ping', words.pingDo, options, async () => {
    try {
      await client.ping({ signal: invocation.signal })
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      odd = errorText(error, invocation)
    }
    return ''
  })
  return odd === undefined
    ? check
    : { ...check, verdict: 'warning', text: odd, advice: words.pingOdd }
}

async function timed(
  step: DoctorStep,
  advice: string,
  { invocation }: ExamineOptions,
  act: () => Promise<string>,
): Promise<Check> {
  const begin = performance.now()
  try {
    const text = await act()
    return { step, verdict: 'ok', ms: since(begin), text }
  } catch (error) {
    invocation.signal.throwIfAborted()
    const text = errorText(error, invocation)
    return { step, verdict: 'error', ms: since(begin), text, advice }
  }
}

function errorText(error: unknown, { messages }: Invocation): string {
  return terminalText(
    error instanceof PilotError ? messages.told(error, { advice: false }) : describeError(error),
  )
}

function since(begin: number): number {
  return Math.round(performance.now() - begin)
}

function timeoutsOf({ probe, start, idle, total }: EntryTimers): ClientTimeouts {
  return {
    ...(probe !== undefined && { probeMs: probe.ms }),
    ...(start !== undefined && { startMs: start.ms }),
    ...(idle !== undefined && { idleMs: idle.ms }),
    ...(total !== undefined && { totalMs: total.ms }),
  }
}
