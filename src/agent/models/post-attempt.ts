/**
 * One HTTP exchange with a provider, from the request to the value that was read of its answer, with a bound on each wait and
 * on the bytes. It knows nothing of models, and repeats nothing.
 */

import type { Clock, Timer } from '../../base/clock.ts'
import { asError, CancelledError, ModelError, TimeoutError } from '../../base/errors.ts'
import { watchAbort } from '../../jsonrpc/abort-watch.ts'
import type {
  HeaderLookup,
  HttpExchange,
  HttpFlight,
  HttpRequest,
  HttpSink,
} from '../../transport/http/exchange.ts'

/** Takes the body of one answer. */
export interface BodyReader<Value> {
  /** True: what came is enough, and the rest is not waited for. */
  push(bytes: Uint8Array): boolean
  /** Called once, also when the body broke off: it gives a value only when what came is whole. */
  end(): Value
  /**
   * What it is called that the connection broke before what came was whole: an answer that breaks off is one that was cut, however
   * it did. Default: what the carrier calls it.
   */
  cut?(cause: Error): Error
}

export interface AttemptLimits {
  /** Longest wait for the first byte of the body, in ms. */
  readonly firstByteMs: number
  /** Longest silence after it, in ms. */
  readonly idleMs: number
  /** Most bytes of a body. */
  readonly maxBytes: number
}

export interface AttemptOptions<Value> {
  /** As `deepseek`, for errors. */
  readonly provider: string
  readonly exchange: HttpExchange
  readonly clock: Clock
  readonly limits: AttemptLimits
  /** By the clock's `now`: when all of it must be over. */
  readonly until: number
  /** The whole span that ends then, in ms, for the error. */
  readonly totalMs: number
  readonly signal: AbortSignal | undefined
  /** What reads the body of an answer with this status. */
  open(status: number, header: HeaderLookup): BodyReader<Value>
}

/** Rejects with what a reader threw, a `TransportError`, a `TimeoutError`, or the reason of the signal. */
export function attempt<Value>(
  request: HttpRequest,
  options: AttemptOptions<Value>,
): Promise<Value> {
  const { signal } = options
  if (signal?.aborted === true) return Promise.reject(reasonOf(signal))
  return new Promise((resolve, reject) => {
    new Attempt(options, { resolve, reject }).start(request)
  })
}

/** The reason of an abort as an error. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  if (reason instanceof Error) return reason
  return new CancelledError('The request to the model was cancelled.', { reason })
}

interface Settle<Value> {
  resolve(value: Value): void
  reject(error: Error): void
}

class Attempt<Value> implements HttpSink {
  readonly #options: AttemptOptions<Value>
  readonly #settle: Settle<Value>
  readonly #began: number
  #flight: HttpFlight | undefined
  #reader: BodyReader<Value> | undefined
  #timer: Timer | undefined
  #unwatch: () => void = () => undefined
  #lastByte: number | undefined
  #bytes = 0
  #over = false

  constructor(options: AttemptOptions<Value>, settle: Settle<Value>) {
    this.#options = options
    this.#settle = settle
    this.#began = options.clock.now()
  }

  start(request: HttpRequest): void {
    const { exchange, signal } = this.#options
    if (signal !== undefined) this.#unwatch = watchAbort(signal, () => this.#fail(reasonOf(signal)))
    this.#arm()
    this.#flight = exchange(request, this)
  }

  head(status: number, header: HeaderLookup): void {
    this.#guard(() => {
      this.#reader = this.#options.open(status, header)
    })
  }

  data(bytes: Uint8Array): void {
    const { clock, limits, provider } = this.#options
    const isFirst = this.#lastByte === undefined
    this.#lastByte = clock.now()
    this.#bytes += bytes.length
    // Silence is counted from here on, and its bound is the shorter one.
    if (isFirst) this.#arm()
    if (this.#bytes > limits.maxBytes) return this.#fail(tooLarge(provider, limits.maxBytes))
    this.#guard(() => {
      if (this.#reader?.push(bytes) === true) this.end()
    })
  }

  end(): void {
    this.#guard(() => this.#finish(this.#reader))
  }

  failed(error: Error): void {
    if (!this.#over) this.#breakOff(this.#reader?.cut?.(error) ?? error)
  }

  /** What came may be whole all the same: a far side need not hang up in good manners. */
  #breakOff(error: Error): void {
    if (this.#over) return
    try {
      this.#finish(this.#reader)
    } catch {
      // That it is not whole has the reason that is known already.
    }
    this.#fail(error)
  }

  #finish(reader: BodyReader<Value> | undefined): void {
    if (reader === undefined || this.#over) return
    const value = reader.end()
    this.#close()
    this.#settle.resolve(value)
  }

  #guard(step: () => void): void {
    if (this.#over) return
    try {
      step()
    } catch (error) {
      this.#fail(asError(error))
    }
  }

  #fail(error: Error): void {
    if (this.#over) return
    this.#close()
    this.#settle.reject(error)
  }

  #close(): void {
    this.#over = true
    this.#timer?.cancel()
    this.#unwatch()
    this.#flight?.abort()
  }

  /** One timer for all: what comes in between only moves the moment at which it looks again. */
  #arm(): void {
    this.#timer?.cancel()
    const { clock, until } = this.#options
    const next = Math.min(until, this.#silentUntil())
    this.#timer = clock.after(Math.max(1, next - clock.now()), () => this.#look())
  }

  #look(): void {
    const { clock, until } = this.#options
    if (this.#over) return
    const now = clock.now()
    if (now < until && now < this.#silentUntil()) return this.#arm()
    this.#breakOff(now >= until ? this.#tooLong() : this.#tooSilent())
  }

  #silentUntil(): number {
    const { firstByteMs, idleMs } = this.#options.limits
    return this.#lastByte === undefined ? this.#began + firstByteMs : this.#lastByte + idleMs
  }

  #tooSilent(): TimeoutError {
    const { provider, limits } = this.#options
    const sent = 'maybe'
    const setBy = 'default'
    if (this.#lastByte === undefined)
      return new TimeoutError(
        `${provider} gave no answer within ${limits.firstByteMs} ms. Try again, or with another model.`,
        {
          timer: 'start',
          ms: limits.firstByteMs,
          setBy,
          sent,
          detail: { kind: 'model-silent', provider, why: 'no-byte' },
        },
      )
    return new TimeoutError(
      `The answer of ${provider} stopped: nothing came for ${limits.idleMs} ms.`,
      {
        timer: 'idle',
        ms: limits.idleMs,
        setBy,
        sent,
        detail: { kind: 'model-silent', provider, why: 'stopped' },
      },
    )
  }

  #tooLong(): TimeoutError {
    const { provider, totalMs } = this.#options
    return new TimeoutError(
      `The answer of ${provider} was not whole within ${totalMs} ms. Ask for less at a time.`,
      {
        timer: 'total',
        ms: totalMs,
        setBy: 'default',
        sent: 'maybe',
        detail: { kind: 'model-silent', provider, why: 'too-slow' },
      },
    )
  }
}

function tooLarge(provider: string, maxBytes: number): ModelError {
  return new ModelError(
    'DP_MODEL_UNREADABLE',
    `The answer of ${provider} has more than the ${maxBytes} bytes that are accepted.`,
    { provider, detail: { kind: 'model-too-large', limit: maxBytes } },
  )
}
