/** Waits that a file sets, in the unit of its host, as milliseconds that remember where they were set. */

import type { EntryDraft } from './draft.ts'
import { numberOf, type ConfigNode } from './document.ts'
import type { EntryTimers, Place, TimerValue } from './entry.ts'
import type { TimerKey } from './imports/shape.ts'
import { whereText, type ProblemKind, type ProblemValues } from './problem.ts'

/** Longest wait; timers of the system take no more. */
export const MAX_TIMER_MS: number = 24 * 24 * 60 * 60 * 1000

/** Who is told of a value that cannot be. */
export interface FaultSink {
  error(kind: ProblemKind, place: Place, values?: ProblemValues): undefined
}

/** Our own names for them, below `deepPilot`. */
const OWN: readonly (readonly [string, keyof EntryTimers])[] = [
  ['probeTimeoutMs', 'probe'],
  ['startTimeoutMs', 'start'],
  ['idleTimeoutMs', 'idle'],
  ['totalTimeoutMs', 'total'],
]

export const OWN_TIMER_KEYS: readonly string[] = OWN.map(([key]) => key)

/** Those of `deepPilot`. */
export function ownTimers(block: ConfigNode, faults: FaultSink): EntryTimers {
  const timers: Partial<Record<keyof EntryTimers, TimerValue>> = {}
  for (const [key, timer] of OWN) {
    const node = block.members.get(key)
    if (node === undefined || node.kind === 'null') continue
    const ms = milliseconds(node, 1)
    if (ms === undefined) faults.error('bad-timer', node.place, { key })
    else timers[timer] = { ms, setBy: setBy(node.place, key) }
  }
  return timers
}

/** Those of the host whose file it is. What the host itself ignores is ignored with a warning. */
export function hostTimers(entry: ConfigNode, draft: EntryDraft): EntryTimers {
  const timers: Partial<Record<keyof EntryTimers, TimerValue>> = {}
  for (const wish of draft.context.shape.timers) {
    const node = at(entry, wish.path)
    if (node === undefined || node.kind === 'null') continue
    // A wait may be one number or an object of several, by version of the host.
    if (node.kind === 'object' && node.members.size > 0) continue
    const key = wish.path.join('.')
    const ms = milliseconds(node, wish.unitMs)
    if (ms === undefined) draft.error('bad-timer', node.place, { key })
    else if (ms < (wish.leastMs ?? 0)) draft.warn('short-timer', node.place, { key, ms })
    else for (const timer of wish.timers) timers[timer] = { ms, setBy: setBy(node.place, key) }
  }
  return timers
}

function at(entry: ConfigNode, path: TimerKey['path']): ConfigNode | undefined {
  let node: ConfigNode | undefined = entry
  for (const name of path) node = node?.members.get(name)
  return node
}

function milliseconds(node: ConfigNode, unitMs: number): number | undefined {
  const value = numberOf(node)
  if (value === undefined) return undefined
  const ms = Math.round(value * unitMs)
  return ms >= 1 && ms <= MAX_TIMER_MS ? ms : undefined
}

function setBy(place: Place, key: string): string {
  return place.line === undefined ? whereText(place) : `${whereText(place)} ${key}`
}
