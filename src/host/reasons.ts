/** Why a server is in its state, in words. English sentences; what a peer said in them is not escaped. */

import { describeError } from '../base/errors.ts'
import type { Place, ServerEntry } from '../config/entry.ts'
import { CRASH_WINDOW_MS, MAX_CRASHES } from './restart.ts'
import type { ServerState, WhyKind } from './state.ts'

export interface Reason {
  readonly kind: WhyKind
  readonly text: string
  /** What went wrong, where it goes on all the same. */
  readonly error?: Error
}

/** The state that a server begins in, and why; undefined for one that is started at once. */
export function firstState(
  entry: ServerEntry,
): { readonly state: ServerState; readonly reason: Reason } | undefined {
  if (entry.disabled) {
    const text = `It is switched off in ${placeText(entry.place)}.`
    return { state: 'disabled', reason: { kind: 'switched-off', text } }
  }
  if (!entry.approved) {
    const text = `Nobody has approved ${placeText(entry.place)}, so it is not started. Read the file, then approve it.`
    return { state: 'disabled', reason: { kind: 'unapproved', text } }
  }
  if (entry.start !== 'lazy') return undefined
  return { state: 'idle', reason: { kind: 'lazy', text: 'It is started when it is first needed.' } }
}

export const REASONS: Readonly<
  Record<'starting' | 'reading' | 'connected' | 'detached' | 'asked', Reason>
> = {
  starting: { kind: 'starting', text: 'It is being started.' },
  reading: { kind: 'reading-lists', text: 'It is connected, and its list of tools is being read.' },
  connected: { kind: 'connected', text: 'It is connected.' },
  detached: { kind: 'detached', text: 'It was detached.' },
  asked: { kind: 'restart-asked', text: 'It is being started anew, as somebody asked for.' },
}

export function downloading(command: string): Reason {
  return { kind: 'downloading', text: `"${command}" is fetching its program first.` }
}

export function reopening(cause: Error | undefined): Reason {
  const why = cause === undefined ? '' : ` ${sentence(cause)}`
  return { kind: 'reopening', text: `Its connection was lost and is being opened again.${why}` }
}

/** It is gone, and tried again after a pause. */
export function retrying(kind: WhyKind, error: Error, ms: number): Reason {
  return { kind, text: `${sentence(error)} It is tried again in ${ms} ms.` }
}

/** It is given up. `loop` says that it was tried too often. */
export function givenUp(kind: WhyKind, error: Error): Reason {
  if (kind !== 'crash-loop' && kind !== 'start-loop') return { kind, text: sentence(error) }
  const loop =
    kind === 'crash-loop'
      ? `It was lost ${MAX_CRASHES} times within ${CRASH_WINDOW_MS / 60_000} minutes`
      : `It did not come up ${MAX_CRASHES} times in a row`
  return {
    kind,
    text: `${loop} and is not tried any more. Mend it, then ask for a restart. Last: ${sentence(error)}`,
  }
}

function sentence(error: Error): string {
  const text = describeError(error).trim()
  return /[.!?\u3002]$/.test(text) ? text : `${text}.`
}

/** A file and its line, or its pointer. */
export function placeText({ file, line, pointer }: Place): string {
  return line === undefined ? `${file} (${pointer})` : `${file}:${line}`
}
