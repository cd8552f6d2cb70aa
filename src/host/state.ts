/**
 * The states of one server in a host and the ways between them. Pure: it opens, waits for and ends nothing.
 *
 * What does not apply in a state changes nothing, so that an event that comes late is harmless.
 */

import type { Implementation } from '../protocol/types/common.ts'
import type { Era, Revision } from '../protocol/revision.ts'

/**
 * `idle` is lazy and not asked for yet; `connecting` a start is under way; `restarting` it was lost, and is tried again by itself;
 * `degraded` it takes calls, and something about it is wrong; `failed` and `needs-auth` end only when somebody asks for a
 * restart; `disabled` never ends.
 */
export type ServerState =
  | 'disabled'
  | 'idle'
  | 'connecting'
  | 'needs-auth'
  | 'ready'
  | 'degraded'
  | 'restarting'
  | 'failed'

export const SERVER_STATES: readonly ServerState[] = Object.freeze([
  'disabled',
  'idle',
  'connecting',
  'needs-auth',
  'ready',
  'degraded',
  'restarting',
  'failed',
])

/**
 * `start` it is wanted; `opened` it can be spoken with; `broke` it is gone, and is to be tried again; `gave-up` no try would
 * help; `refused` it wants to know who asks; `retry` the pause is over; `trouble` and `well` something is wrong with it, or
 * nothing any more; `restart` somebody asked for a new beginning; `stop` it is not wanted any more.
 */
export type ServerEvent =
  | 'start'
  | 'opened'
  | 'broke'
  | 'gave-up'
  | 'refused'
  | 'retry'
  | 'trouble'
  | 'well'
  | 'restart'
  | 'stop'

export const SERVER_EVENTS: readonly ServerEvent[] = Object.freeze([
  'start',
  'opened',
  'broke',
  'gave-up',
  'refused',
  'retry',
  'trouble',
  'well',
  'restart',
  'stop',
])

type Ways = Readonly<Partial<Record<ServerEvent, ServerState>>>

const STOPPABLE: Ways = { restart: 'connecting', stop: 'disabled' }
const BREAKABLE: Ways = {
  ...STOPPABLE,
  broke: 'restarting',
  'gave-up': 'failed',
  refused: 'needs-auth',
}

const WAYS: Readonly<Record<ServerState, Ways>> = {
  disabled: {},
  idle: { ...STOPPABLE, start: 'connecting' },
  connecting: { ...BREAKABLE, opened: 'ready' },
  'needs-auth': STOPPABLE,
  ready: { ...BREAKABLE, trouble: 'degraded' },
  degraded: { ...BREAKABLE, well: 'ready' },
  // A client that opens its link again by itself comes back without a start of ours.
  restarting: { ...BREAKABLE, retry: 'connecting', opened: 'ready' },
  failed: STOPPABLE,
}

/** The state after an event; the same one where the event does not apply. */
export function nextState(state: ServerState, event: ServerEvent): ServerState {
  return WAYS[state][event] ?? state
}

/** Whether an event means anything in a state, also where the state stays the same. */
export function applies(state: ServerState, event: ServerEvent): boolean {
  return WAYS[state][event] !== undefined
}

/** Whether calls go out now. */
export function takesCalls(state: ServerState): boolean {
  return state === 'ready' || state === 'degraded'
}

/** Whether it can come to take calls by itself, so that waiting makes sense. */
export function mayBecomeReady(state: ServerState): boolean {
  return state === 'idle' || state === 'connecting' || state === 'restarting'
}

/** Why a server is in its state, to switch on and to translate. A word is never renamed. */
export type WhyKind =
  | 'switched-off'
  | 'unapproved'
  | 'detached'
  | 'lazy'
  | 'starting'
  | 'downloading'
  | 'reading-lists'
  | 'connected'
  | 'lists-failed'
  | 'no-sign-of-life'
  | 'flood'
  | 'crashed'
  | 'unreachable'
  | 'start-timeout'
  | 'reopening'
  | 'restart-asked'
  | 'crash-loop'
  | 'start-loop'
  | 'cannot-start'
  | 'handshake-refused'
  | 'sign-in'
  | 'bug'

/** One server at one moment. */
export interface ServerStatus {
  readonly key: string
  readonly state: ServerState
  /** Since when it is in this state, in milliseconds since 1970. */
  readonly since: number
  /** An English sentence; may hold peer text, which is not escaped. */
  readonly why: string
  readonly whyKind: WhyKind
  /** What it failed with last. */
  readonly error?: Error
  /** Times that it was lost or did not start within the last three minutes. */
  readonly crashes: number
  /** Milliseconds until it is tried again. */
  readonly nextTryMs?: number
  /** The process that was started, which leads a group of its own. */
  readonly pid?: number
  readonly revision?: Revision
  readonly era?: Era
  /** What the server says of itself. */
  readonly info?: Implementation
  /** How many tools it offers; left out until its list was read. */
  readonly tools?: number
  /** Calls that wait to be sent. */
  readonly waiting: number
  /** Calls that were sent and have no answer yet. */
  readonly running: number
  /** The command fetches its program first, and the limit of the start is longer for that. */
  readonly downloading?: boolean
}
