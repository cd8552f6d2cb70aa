/**
 * Which failures of a provider are worth another try, and after how long. It counts and waits; what a try is, it does not know.
 *
 * To ask a model changes nothing in the world: what may be repeated is a question of use and cost alone.
 */

import type { Clock, Random } from '../../base/clock.ts'
import { ModelError, TimeoutError, TransportError } from '../../base/errors.ts'
import { pause } from '../../client/backoff.ts'
import { reasonOf } from './post-attempt.ts'

const FIRST_MS = 1_000
const LONGEST_MS = 30_000
/** Longest wait that a provider may ask for, in ms; who asks for more is not asked again. */
const MAX_ASKED_MS = 300_000
/** Whatever a body says: the same words will not do better. */
const FINAL: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 413, 422])
/** Carriers' failures that another connection may not have. */
const PASSING: ReadonlySet<string> = new Set(['DP_TRANSPORT_CLOSED', 'DP_TRANSPORT_CONNECT'])

/** Whether asking again may help. */
function mayRepeat(error: unknown): boolean {
  if (error instanceof ModelError) {
    if (error.code === 'DP_MODEL_CUT') return true
    return error.retryable && (error.status === undefined || !FINAL.has(error.status))
  }
  if (error instanceof TransportError) return PASSING.has(error.code)
  // Who gave no sign for ten minutes is not asked again; a stream that stopped is like one that was cut.
  return error instanceof TimeoutError && error.timer === 'idle'
}

/** The wait after this many tries, in ms: doubling with full jitter, and no less than was asked for. */
function repeatAfterMs(tries: number, error: unknown, random: Random): number {
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1))
  const [a = 0, b = 0] = random(2)
  const drawn = Math.round((most * (a * 256 + b)) / 65_535)
  return Math.max(askedMs(error), drawn)
}

function askedMs(error: unknown): number {
  return error instanceof ModelError ? (error.retryAfterMs ?? 0) : 0
}

export interface RepeatOptions<Value> {
  /** Most tries, the first one counted. */
  readonly tries: number
  readonly clock: Clock
  readonly random: Random
  /** By the clock's `now`: no try begins after it, and no wait that would last longer. */
  readonly until: number
  readonly signal: AbortSignal | undefined
  /** What is wrong with a value that another try may mend. The last value is given as it is. */
  unfinished(value: Value): Error | undefined
  /** Before the wait. `value` is there where one came that was unfinished. */
  onRepeat(failed: {
    attempt: number
    delayMs: number
    error: unknown
    value: Value | undefined
  }): void
}

/** Runs until there is a value, or a failure that is final. `run` gets the number of the try, from 1. */
export async function withRepeats<Value>(
  run: (attempt: number) => Promise<Value>,
  options: RepeatOptions<Value>,
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tryOnce(() => run(attempt), options)
    if (outcome.kind === 'done') return outcome.value
    const { error } = outcome
    const delayMs = delayOf(attempt, error, options)
    if (delayMs === undefined) {
      if (outcome.kind === 'unfinished') return outcome.value
      throw error
    }
    const value = outcome.kind === 'unfinished' ? outcome.value : undefined
    options.onRepeat({ attempt, delayMs, error, value })
    await wait(delayMs, options)
  }
}

type Outcome<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'unfinished'; readonly value: Value; readonly error: Error }
  | { readonly kind: 'failed'; readonly error: unknown }

async function tryOnce<Value>(
  run: () => Promise<Value>,
  options: RepeatOptions<Value>,
): Promise<Outcome<Value>> {
  try {
    const value = await run()
    const error = options.unfinished(value)
    return error === undefined ? { kind: 'done', value } : { kind: 'unfinished', value, error }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

/** Undefined when there is no other try. */
function delayOf<Value>(
  attempt: number,
  error: unknown,
  { tries, clock, random, until, signal }: RepeatOptions<Value>,
): number | undefined {
  if (attempt >= tries || signal?.aborted === true || !mayRepeat(error)) return undefined
  if (askedMs(error) > MAX_ASKED_MS) return undefined
  const delayMs = repeatAfterMs(attempt, error, random)
  return clock.now() + delayMs < until ? delayMs : undefined
}

const NEVER: AbortSignal = new AbortController().signal

async function wait<Value>(ms: number, { clock, signal }: RepeatOptions<Value>): Promise<void> {
  await pause(clock, ms, signal ?? NEVER)
  if (signal?.aborted === true) throw reasonOf(signal)
}
