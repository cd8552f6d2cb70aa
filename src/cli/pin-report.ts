/** What servers offer now beside what was approved of them: as data, and as lines for people. Approves nothing. */

import { terminalText } from '../base/terminal-text.ts'
import type { ServerEntry } from '../config/entry.ts'
import type { Host } from '../host/host.ts'
import type { HostTool } from '../host/host-tool.ts'
import type { LockFile, PinRecord, ServerRecord } from '../host/lock-file.ts'
import { RESOURCES_READ } from '../host/resource-reading.ts'
import { takesCalls, type ServerStatus } from '../host/state.ts'
import { definitionDiff } from '../policy/definition-diff.ts'
import { hangingLines, markedLines } from './hanging-lines.ts'
import type { Invocation } from './invocation.ts'
import type { HostWords } from './messages/host-words.ts'
import type { Output } from './output.ts'
import { whyText } from './status-lines.ts'

export interface PinChange {
  readonly kind: 'new' | 'changed' | 'gone'
  readonly tool: string
  /** What is different, safe for a terminal; of a new tool all of its definition. */
  readonly diff: readonly string[]
  /** What is odd about the tool, one sentence each. */
  readonly warnings: readonly string[]
}

/** `same` as approved, `new` and never approved, `different`, or `away` and not to be compared. */
export type PinState = 'same' | 'new' | 'different' | 'away'

export interface PinReport {
  readonly server: string
  readonly state: PinState
  readonly status: ServerStatus
  /** How many tools it offers now. */
  readonly tools: number
  readonly changes: readonly PinChange[]
  readonly launchChanged: boolean
  /** There when the instructions are others than those approved; empty when there are none and never were. */
  readonly instructions?: readonly string[]
}

export interface PinSources {
  readonly host: Host
  readonly entries: readonly ServerEntry[]
  /** The records as they were before the servers were looked at. */
  readonly before: LockFile
  /** The records that the host wrote while it looked. */
  readonly after: LockFile
}

/** One report a server, in the order of the configuration. Call it when the servers are settled and a turn was taken. */
export function pinReports({ host, entries, before, after }: PinSources): readonly PinReport[] {
  const tools = host.tools()
  const readable = new Set(host.readable({ held: true }))
  return host.servers().flatMap((status): readonly PinReport[] => {
    const { key } = status
    const entry = entries.find((one) => one.key === key)
    if (entry === undefined) return []
    const offered = tools.filter(({ server }) => server === key)
    const now = after.servers.get(key)
    const isRead = takesCalls(status.state) && status.tools !== undefined && now !== undefined
    if (!isRead) return [awayReport(status)]
    const reads = readable.has(key)
    return [reportOf({ status, entry, offered, reads, now, before: before.servers.get(key) })]
  })
}

function awayReport(status: ServerStatus): PinReport {
  const { key: server } = status
  return { server, state: 'away', status, tools: 0, changes: [], launchChanged: false }
}

interface Compared {
  readonly status: ServerStatus
  readonly entry: ServerEntry
  readonly offered: readonly HostTool[]
  /** Whether its resources can be read. */
  readonly reads: boolean
  readonly before: ServerRecord | undefined
  readonly now: ServerRecord
}

function reportOf({ status, entry, offered, reads, before, now }: Compared): PinReport {
  const acts = reads ? [...offered, { name: RESOURCES_READ, warnings: [] }] : offered
  const present = acts.flatMap((tool): readonly PinChange[] => {
    const change = changeOf(before?.tools.get(tool.name), now.tools.get(tool.name))
    if (change === undefined) return []
    return [{ ...change, tool: tool.name, warnings: tool.warnings }]
  })
  const names = new Set(acts.map(({ name }) => name))
  const gone = [...(before?.tools ?? [])].flatMap(([tool, record]): readonly PinChange[] => {
    if (!record.approved || names.has(tool) || !isWanted(entry, tool)) return []
    return [{ kind: 'gone', tool, diff: [], warnings: [] }]
  })
  const launchChanged = before !== undefined && before.launch !== now.launch
  const said = changeOf(before?.instructions, now.instructions)
  const changes = [...present, ...gone]
  const differs = changes.length > 0 || launchChanged || said !== undefined
  return {
    server: status.key,
    state: before === undefined ? 'new' : differs ? 'different' : 'same',
    status,
    tools: offered.length,
    changes,
    launchChanged,
    ...(said !== undefined && { instructions: said.diff }),
  }
}

/** What is there now beside what was approved; nothing when that is the same. */
function changeOf(
  before: PinRecord | undefined,
  now: PinRecord | undefined,
): Pick<PinChange, 'kind' | 'diff'> | undefined {
  // What differs was set aside by the host; the definition itself is then still the approved one.
  const seen = now?.suspect ?? now
  if (seen === undefined) return undefined
  const approved = before?.approved === true ? before : undefined
  const nothing = typeof seen.definition === 'string' ? '' : {}
  if (approved === undefined) return { kind: 'new', diff: definitionDiff(nothing, seen.definition) }
  if (approved.sha256 === seen.sha256) return undefined
  return { kind: 'changed', diff: definitionDiff(approved.definition, seen.definition) }
}

/** A tool that the configuration hides is not gone. */
function isWanted({ onlyTools, withoutTools }: ServerEntry, tool: string): boolean {
  return onlyTools?.includes(tool) !== false && withoutTools?.includes(tool) !== true
}

/** Whether anything that was approved is different now. */
export function hasDrifted({ state, changes, launchChanged, instructions }: PinReport): boolean {
  if (state !== 'different') return false
  return launchChanged || instructions !== undefined || changes.some(({ kind }) => kind !== 'new')
}

/** Whether all that was approved is the same, and something is there that nobody approved. */
export function isFresh(report: PinReport): boolean {
  const { state } = report
  return state === 'new' || (state === 'different' && !hasDrifted(report))
}

/** Whether its user wants it off: then there is nothing to compare, and nothing amiss. */
export function isSwitchedOff({ state, status }: PinReport): boolean {
  return state === 'away' && status.whyKind === 'switched-off'
}

/** Whether it stands in a file of the project that nobody approved here, so that it was not started. */
export function isUnapproved({ state, status }: PinReport): boolean {
  return state === 'away' && status.whyKind === 'unapproved'
}

/** What of an invocation is used to show one. */
export type ReportView = Pick<Invocation, 'mask'> & { readonly output: Pick<Output, 'columns'> }

/** A report for people. Lines are broken to fit, never cut: what is not shown cannot be approved. */
export function reportLines(
  report: PinReport,
  words: HostWords,
  { output: { columns }, mask }: ReportView,
): readonly string[] {
  const { pins } = words
  const { server, changes, launchChanged, instructions } = report
  const rows: readonly Row[] = [
    ...(launchChanged ? [{ mark: '  ! ', text: pins.launchChanged }] : []),
    ...(instructions === undefined ? [] : [{ mark: '  ~ ', text: pins.instructions }]),
    ...(instructions ?? []).map(diffRow),
    ...changes.flatMap((change) => changeRows(change, words)),
  ]
  const name = mask.text(terminalText(server))
  // Masked first: of a secret that is broken nothing would be found.
  return [
    ...hangingLines(`${name}  `, mask.text(headline(report, words)), columns),
    ...rows.flatMap(({ mark, text }) => markedLines(mark, mask.text(text), columns)),
  ]
}

interface Row {
  readonly mark: string
  readonly text: string
}

function headline(report: PinReport, words: HostWords): string {
  const { state, tools, status, changes } = report
  if (isSwitchedOff(report)) return words.pins.off
  if (state === 'away') return words.pins.unreached(whyText(status, words))
  if (state === 'new') return words.pins.neverPinned(tools)
  if (state === 'same') return words.pins.same(tools)
  return hasDrifted(report) ? words.pins.different : words.pins.onlyNew(changes.length)
}

const MARKS: Readonly<Record<PinChange['kind'], string>> = { new: '+', changed: '~', gone: '-' }

function changeRows({ kind, tool, diff, warnings }: PinChange, words: HostWords): readonly Row[] {
  const { pins } = words
  const kinds = { new: pins.newTool, changed: pins.changedTool, gone: pins.goneTool }
  return [
    { mark: `  ${MARKS[kind]} `, text: pins.change(terminalText(tool), kinds[kind]) },
    ...diff.map(diffRow),
    ...warnings.map((text) => ({ mark: '      ! ', text: pins.warning(terminalText(text)) })),
  ]
}

/** A line of a difference behind its own mark, so that what goes on below it looks like none. */
function diffRow(line: string): Row {
  const [own = ''] = /^(?:[-+] | {2})/.exec(line) ?? []
  return { mark: `      ${own}`, text: line.slice(own.length) }
}

/** A report for `--json`. */
export function reportRecord({ status, ...report }: PinReport): object {
  return { ...report, status: { state: status.state, why: status.why, whyKind: status.whyKind } }
}
