/**
 * The words of the interop matrix: what is done with a peer, how each of it may turn out, and a row of the table. No
 * process and no connection here.
 */
import { eraOf, REVISIONS, type Revision } from '../src/protocol/revision.ts'

/** In the order in which they are done. */
export const STEPS = [
  'connect',
  'list',
  'call',
  'fail',
  'progress',
  'resources',
  'prompts',
  'ask',
  'sample',
  'cancel',
  'close',
] as const
export type Step = (typeof STEPS)[number]

/** What the peer is. */
export type Role = 'server' | 'client'
export const WAYS = ['stdio', 'http', 'sse'] as const
export type Way = (typeof WAYS)[number]
/** A revision that is asked for, or none, so that the two sides find one. */
export type Wanted = Revision | 'auto'

export const WAY_NAMES: Readonly<Record<Way, string>> = {
  stdio: 'stdio',
  http: 'Streamable HTTP',
  sse: 'HTTP+SSE',
}

/**
 * `absent`: the peer, or the revision, has no such thing. `known`: it failed as it is known to, by a fault of the peer that
 * `why` names.
 */
export type Outcome =
  | { readonly kind: 'ok' | 'absent' }
  | { readonly kind: 'known' | 'wrong'; readonly why: string }

/** A fault of a peer that is known: there it is no difference, and when it is gone the line must go. */
export interface KnownFault {
  readonly step: Step
  readonly role: Role
  readonly ways?: readonly Way[]
  readonly wanted?: readonly Wanted[]
  /** It shows in some runs only, so that neither outcome tells anything. */
  readonly sometimes?: boolean
  readonly why: string
}

/** What was seen of one peer in one role over one transport in one revision. */
export interface Row {
  readonly peer: string
  readonly version: string
  readonly role: Role
  readonly way: Way
  readonly wanted: Wanted
  /** What was agreed on; absent when nothing was. */
  readonly revision?: string | undefined
  /** The peer does not speak the revision, and says so as it should. */
  readonly spoken: boolean
  readonly steps: ReadonlyMap<Step, Outcome>
  /** Messages of ours that break the official schema. */
  readonly ours: readonly string[]
  /** Messages of the peer that do. */
  readonly theirs: readonly string[]
  readonly judged: number
  readonly ms: number
}

export interface RowPlan {
  readonly peer: string
  readonly version: string
  readonly role: Role
  readonly way: Way
  readonly wanted: Wanted
  /** Whether it is expected to be spoken. */
  readonly spoken: boolean
  readonly faults: readonly KnownFault[]
}

/** Rows of a peer in one role over one transport: what it is to find by itself, then each revision by name. */
export function wantedOver(way: Way): readonly Wanted[] {
  return [
    ...(way === 'sse' ? [] : ['auto' as const]),
    ...REVISIONS.filter((revision) => isOver(way, revision)),
  ]
}

/** Which revisions a transport belongs to; the old one is of the handshake era, Streamable HTTP came with the second. */
function isOver(way: Way, revision: Revision): boolean {
  if (way === 'sse') return eraOf(revision) === 'legacy'
  return way === 'stdio' || revision !== REVISIONS[0]
}

/** Questions as a form came with this revision. */
const FORMS_SINCE = '2025-06-18'

export function canAsk(revision: string | undefined): boolean {
  return revision !== undefined && revision >= FORMS_SINCE
}

/** A failure, unless it is known; a success where one is known is told as wrong, so that the list stays true. */
export function settle(plan: RowPlan, step: Step, why: string | undefined): Outcome {
  const fault = plan.faults.find(
    (one) =>
      one.step === step &&
      one.role === plan.role &&
      (one.ways?.includes(plan.way) ?? true) &&
      (one.wanted?.includes(plan.wanted) ?? true),
  )
  if (why === undefined && (fault === undefined || fault.sometimes === true)) return { kind: 'ok' }
  if (why === undefined)
    return { kind: 'wrong', why: `works, though it is known not to: ${fault?.why}` }
  return fault === undefined ? { kind: 'wrong', why } : { kind: 'known', why: fault.why }
}

/** Whether nothing in it differs from what is expected. */
export function isAsExpected(row: Row): boolean {
  return row.ours.length === 0 && [...row.steps.values()].every(({ kind }) => kind !== 'wrong')
}
