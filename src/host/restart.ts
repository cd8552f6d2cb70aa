/**
 * When a server that was lost is tried again, and when no more: pauses that double, with full jitter, and an end to a loop of
 * crashes. Decides and counts; it starts nothing and sets no timer.
 */

import type { Random } from '../base/clock.ts'
import {
  AuthError,
  CapabilityError,
  ConfigError,
  HttpError,
  PolicyError,
  ProtocolError,
  RpcError,
  SchemaError,
  TimeoutError,
  TransportError,
  UsageError,
} from '../base/errors.ts'
import { HEALTHY_MS, pauseMs } from '../client/backoff.ts'
import { isPassing, waitAsked } from '../client/loss.ts'
import type { WhyKind } from './state.ts'

/** So many crashes within this time are a loop. */
export const MAX_CRASHES = 5
export const CRASH_WINDOW_MS = 180_000

/** What is done about a server that is gone. */
export type Verdict =
  | { readonly kind: 'restart'; readonly ms: number }
  | { readonly kind: 'give-up'; readonly whyKind: 'crash-loop' | 'start-loop' }

export interface Crash {
  /** By a monotonic clock. */
  readonly now: number
  /** When it last became ready; undefined when this start never did. */
  readonly readySince: number | undefined
  readonly error: Error
}

/** The crashes of one server. */
export class RestartPolicy {
  readonly #random: Random
  #crashes: number[] = []
  /** Crashes since it was last healthy; the pauses grow with it. */
  #tries = 0
  /** Starts in a row that came to nothing. */
  #barren = 0

  constructor(random: Random) {
    this.#random = random
  }

  /** It is gone, and may be tried again. */
  crashed({ now, readySince, error }: Crash): Verdict {
    if (readySince !== undefined && now - readySince >= HEALTHY_MS) this.#tries = 0
    this.#tries += 1
    this.#barren = readySince === undefined ? this.#barren + 1 : 0
    this.#crashes = [...this.#crashes.filter((at) => now - at < CRASH_WINDOW_MS), now]
    if (this.#crashes.length >= MAX_CRASHES) return { kind: 'give-up', whyKind: 'crash-loop' }
    // Starts that take long never come close enough to each other to be counted as a loop.
    if (this.#barren >= MAX_CRASHES) return { kind: 'give-up', whyKind: 'start-loop' }
    return { kind: 'restart', ms: waitAsked(error, pauseMs(this.#tries, this.#random)) }
  }

  /** Crashes that count at this time. */
  count(now: number): number {
    return this.#crashes.filter((at) => now - at < CRASH_WINDOW_MS).length
  }

  /** Somebody asked for a new beginning. */
  reset(): void {
    this.#crashes = []
    this.#tries = 0
    this.#barren = 0
  }
}

/** What a failure means for whether to try again: `passing` may help, `lasting` cannot, `sign-in` is up to a person. */
export interface Judgement {
  readonly nature: 'passing' | 'lasting' | 'sign-in'
  readonly whyKind: WhyKind
}

const PASSING = 'passing'
const LASTING = 'lasting'

/** Judges what stood in the way of a server, or ended it. */
export function judge(error: Error): Judgement {
  if (error instanceof AuthError) return { nature: 'sign-in', whyKind: 'sign-in' }
  if (error instanceof TimeoutError)
    return {
      nature: PASSING,
      whyKind: error.timer === 'start' ? 'start-timeout' : 'no-sign-of-life',
    }
  if (error instanceof HttpError) return judgeStatus(error)
  if (error instanceof TransportError) return judgeCarrier(error)
  if (SAID_NO.some((kind) => error instanceof kind))
    return { nature: LASTING, whyKind: 'handshake-refused' }
  if (CANNOT_WORK.some((kind) => error instanceof kind))
    return { nature: LASTING, whyKind: 'cannot-start' }
  return { nature: LASTING, whyKind: 'bug' }
}

/** The server answered, and would answer the same again. */
const SAID_NO = [RpcError, ProtocolError, CapabilityError, SchemaError]
/** What is configured can never be carried out. */
const CANNOT_WORK = [UsageError, ConfigError, PolicyError]

function judgeStatus(error: HttpError): Judgement {
  const { status } = error
  if (status === 401 || status === 403) return { nature: 'sign-in', whyKind: 'sign-in' }
  if (isPassing(error)) return { nature: PASSING, whyKind: 'unreachable' }
  return { nature: LASTING, whyKind: 'handshake-refused' }
}

function judgeCarrier(error: TransportError): Judgement {
  switch (error.code) {
    case 'DP_TRANSPORT_SPAWN':
      return { nature: isShortage(error.cause) ? PASSING : LASTING, whyKind: 'cannot-start' }
    case 'DP_TRANSPORT_ORIGIN':
      return { nature: LASTING, whyKind: 'cannot-start' }
    case 'DP_TRANSPORT_CONNECT':
      return { nature: PASSING, whyKind: 'unreachable' }
    default:
      return { nature: PASSING, whyKind: 'crashed' }
  }
}

/** The system has no room just now. */
const SHORTAGES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'])

function isShortage(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && SHORTAGES.has(cause.code)
}
