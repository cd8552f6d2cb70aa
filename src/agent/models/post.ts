/**
 * A model behind an endpoint of HTTP: sends what its codec writes, hands the answer to the codec as it comes, and repeats what
 * may be repeated.
 *
 * It knows no provider's words. Redirects are not followed, and the key is in the headers of requests and nowhere else.
 */

import { systemClock, systemRandom, type Clock, type Random } from '../../base/clock.ts'
import { asError, describeError, ModelError, UsageError } from '../../base/errors.ts'
import type { SchemaDialect } from '../../schema/project/dialect.ts'
import type { HeaderLookup, HttpExchange, HttpRequest } from '../../transport/http/exchange.ts'
import { mediaType, retryAfter } from '../../transport/http/refusal.ts'
import type {
  Model,
  ModelDelta,
  ModelReply,
  ModelRequest,
  ModelTraits,
  ReplyOptions,
} from '../model.ts'
import { AskedWindow, type WindowFacts } from './asked-window.ts'
import { objectIn } from './chat-words.ts'
import type { Codec, EncodedRequest } from './codec.ts'
import { attempt, type BodyReader } from './post-attempt.ts'
import { gather, Overheard } from './post-body.ts'
import { SecretKey, type KeyHeader } from './post-key.ts'
import { readModelNames } from './post-names.ts'
import { withRepeats } from './retry.ts'
import type { WindowWay } from './window-ways.ts'

/** Bounds of one reply. */
export interface ModelLimits {
  /** Longest wait for the first byte of an answer, in ms: a request may wait in a queue. Default 10 minutes. */
  readonly firstByteMs: number
  /** Longest silence within an answer, in ms; comments of an event stream are no silence. Default 2 minutes. */
  readonly idleMs: number
  /** Longest time for a reply with all its tries, in ms. Default 30 minutes. */
  readonly totalMs: number
  /** Most bytes of an answer. Default 16 MiB. */
  readonly maxReplyBytes: number
  /** Most tries, the first one counted. Default 3. */
  readonly tries: number
}

export const MODEL_LIMITS: ModelLimits = {
  firstByteMs: 600_000,
  idleMs: 120_000,
  totalMs: 1_800_000,
  maxReplyBytes: 16 * 1024 * 1024,
  tries: 3,
}

export interface Endpoint {
  /** As `deepseek`; it stands in errors. */
  readonly provider: string
  /** Absolute, `http:` or `https:`, without credentials. A query is kept. */
  readonly baseUrl: string
  /** Blanks around it do not count. */
  readonly key?: string | undefined
  readonly keyHeader: KeyHeader
  /** More headers for each request, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly codec: Codec
  readonly exchange: HttpExchange
  readonly clock?: Clock
  readonly random?: Random
  readonly limits?: Partial<ModelLimits>
}

export interface ModelFacts {
  /** As the provider calls it. */
  readonly name: string
  readonly dialect: SchemaDialect
  readonly traits: ModelTraits
  /** Below the base URL, as `/models`. Without it the model has no `names`. */
  readonly namesPath?: string
  /** How the server is asked for the window of the model, where it can be. */
  readonly window?: WindowFacts
}

/** Throws `UsageError` for a base URL that cannot be used, `DP_MODEL_KEY` for a key that no header can hold. */
export function modelAt(endpoint: Endpoint, facts: ModelFacts): Model {
  const post = new Post(endpoint)
  const { namesPath, window } = facts
  const ask = (way: WindowWay, signal: AbortSignal | undefined): Promise<unknown> =>
    post.windowBy(way, facts.name, signal)
  const asked = window && new AskedWindow({ ...window, ask })
  return {
    provider: endpoint.provider,
    name: facts.name,
    dialect: facts.dialect,
    traits: facts.traits,
    async reply(request, options = {}) {
      const reply = await post.reply(request, options)
      return asked === undefined ? reply : await asked.watched(request, reply, options.signal)
    },
    ...(asked !== undefined && { prepare: (signal) => asked.prepare(signal) }),
    ...(namesPath !== undefined && { names: (signal) => post.names(namesPath, signal) }),
    close: () => endpoint.exchange.close?.(),
  }
}

/** Most bytes of an answer of failure that are looked at. */
const MAX_ERROR_BYTES = 64 * 1024

/** Of an answer about a window; with the text of a licence in it, it may be long. */
const MAX_WINDOW_BYTES: number = 4 * 1024 * 1024
/** Longest wait for it. */
const WINDOW_MS = 2_000

/** One try at a reply. */
interface Try {
  readonly request: ModelRequest
  readonly encoded: EncodedRequest
  /** From 1. */
  readonly number: number
  readonly until: number
  readonly options: ReplyOptions
}

interface Asking<Value> {
  readonly until: number
  readonly signal: AbortSignal | undefined
  /** A reader whose value is an error is for answers that are one, however little of it came. */
  open(status: number, header: HeaderLookup): BodyReader<Value | ModelError>
}

class Post {
  readonly #endpoint: Endpoint
  readonly #base: URL
  readonly #key: SecretKey
  readonly #clock: Clock
  readonly #limits: ModelLimits

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
    this.#base = baseOf(endpoint.baseUrl)
    this.#key = new SecretKey(endpoint.key, endpoint.provider)
    this.#clock = endpoint.clock ?? systemClock
    this.#limits = { ...MODEL_LIMITS, ...endpoint.limits }
  }

  async reply(request: ModelRequest, options: ReplyOptions): Promise<ModelReply> {
    const { onLeg, onDelta, signal, leftMs = Number.POSITIVE_INFINITY } = options
    const encoded = this.#endpoint.codec.encode(request)
    const began = this.#clock.now()
    const until = began + this.#limits.totalMs
    let shown = false
    const key = this.#key
    const watched: ReplyOptions = {
      ...options,
      onDelta(delta: ModelDelta) {
        if (delta.kind !== 'waiting') shown = true
        onDelta?.(key.maskDelta(delta))
      },
    }
    const once = (number: number): Promise<ModelReply> =>
      this.#once({ request, encoded, number, until, options: watched })
    const came = await withRepeats(once, {
      tries: this.#limits.tries,
      clock: this.#clock,
      random: this.#endpoint.random ?? systemRandom,
      until: Math.min(until, began + leftMs),
      signal,
      unfinished: ({ finish }) => (finish === 'interrupted' ? this.#interrupted() : undefined),
      onRepeat: ({ attempt: number, delayMs, error, value }) => {
        const why = key.mask(describeError(error))
        onLeg?.({
          kind: 'retry',
          attempt: number,
          delayMs,
          why,
          error: asError(key.maskError(error)),
          ...(value?.usage !== undefined && { usage: value.usage }),
        })
        if (shown) onDelta?.({ kind: 'restart' })
        shown = false
      },
    })
    const reply = key.maskReply(came)
    if (encoded.warnings.length === 0) return reply
    return { ...reply, warnings: [...encoded.warnings, ...reply.warnings] }
  }

  async names(path: string, signal: AbortSignal | undefined): Promise<readonly string[]> {
    const { provider } = this.#endpoint
    const url = this.#url(path)
    const headers = this.#headers({ accept: 'application/json' })
    return await this.#ask<readonly string[]>(
      { method: 'GET', url, headers },
      {
        until: this.#clock.now() + this.#limits.totalMs,
        signal,
        open: (status, header) =>
          status === 200
            ? {
                ...gather(this.#limits.maxReplyBytes, (body) =>
                  readModelNames(this.#key.mask(body), provider),
                ),
                cut: (cause) => this.#cut(cause),
              }
            : this.#failure(status, header),
      },
    )
  }

  /** What the server says of the window of its model; undefined where it does not. Never rejects. */
  async windowBy(
    { path, besideVersion = false, body, read }: WindowWay,
    model: string,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const url = this.#url(path, besideVersion)
    const text = body === undefined ? undefined : JSON.stringify(body(model))
    const headers = this.#headers({
      accept: 'application/json',
      ...(text !== undefined && { 'content-type': 'application/json' }),
    })
    const method = text === undefined ? 'GET' : 'POST'
    try {
      const { provider, exchange } = this.#endpoint
      return await attempt<unknown>(
        { method, url, headers, ...(text !== undefined && { body: text }) },
        {
          provider,
          exchange,
          clock: this.#clock,
          limits: { firstByteMs: WINDOW_MS, idleMs: WINDOW_MS, maxBytes: MAX_WINDOW_BYTES },
          until: this.#clock.now() + WINDOW_MS,
          totalMs: WINDOW_MS,
          signal,
          open: (status) =>
            gather(status === 200 ? MAX_WINDOW_BYTES : 1, (answer) => {
              const value = objectIn(answer)
              return value === undefined ? undefined : read(value, model)
            }),
        },
      )
    } catch {
      return undefined // the window stays unknown, and whatever is wrong shows when the model is asked
    }
  }

  async #once({ request, encoded, number, until, options }: Try): Promise<ModelReply> {
    const { onLeg, signal } = options
    const url = this.#url(encoded.path)
    const body = encoded.text
    const headers = this.#headers({
      accept: request.stream === false ? 'application/json' : 'text/event-stream, application/json',
      'content-type': 'application/json',
      ...encoded.headers,
    })
    onLeg?.({ kind: 'request', attempt: number, url: shownUrl(url), body: this.#key.mask(body) })
    const heard = new Overheard()
    try {
      return await this.#ask<ModelReply>(
        { method: 'POST', url, headers, body },
        {
          until,
          signal,
          open: (status, header) => {
            heard.status = status
            heard.contentType = mediaType(header('content-type'))
            const reader: BodyReader<ModelReply | ModelError> =
              status === 200
                ? this.#reader(request, heard.contentType, options)
                : this.#failure(status, header)
            return onLeg === undefined ? reader : heard.listen(reader)
          },
        },
      )
    } finally {
      const { status, contentType } = heard
      if (status !== undefined && onLeg !== undefined)
        onLeg({
          kind: 'reply',
          attempt: number,
          status,
          contentType,
          body: this.#key.mask(heard.text()),
        })
    }
  }

  async #ask<Value>(request: HttpRequest, asking: Asking<Value>): Promise<Value> {
    const { provider, exchange } = this.#endpoint
    const { firstByteMs, idleMs, totalMs, maxReplyBytes } = this.#limits
    try {
      const value = await attempt<Value | ModelError>(request, {
        provider,
        exchange,
        clock: this.#clock,
        limits: { firstByteMs, idleMs, maxBytes: maxReplyBytes },
        until: asking.until,
        totalMs,
        signal: asking.signal,
        open: (status, header) => asking.open(status, header),
      })
      if (value instanceof ModelError) throw value
      return value
    } catch (error) {
      throw this.#key.maskError(error)
    }
  }

  #reader(
    request: ModelRequest,
    contentType: string,
    { onDelta }: ReplyOptions,
  ): BodyReader<ModelReply> {
    const reader = this.#endpoint.codec.reader({
      contentType,
      request,
      maxBytes: this.#limits.maxReplyBytes,
      ...(onDelta !== undefined && { onDelta }),
    })
    return {
      push(bytes) {
        reader.push(bytes)
        return false
      },
      end: () => reader.end(),
      cut: (cause) => this.#cut(cause),
    }
  }

  #cut(cause: Error): ModelError {
    const { provider } = this.#endpoint
    return new ModelError(
      'DP_MODEL_CUT',
      `The connection to ${provider} broke in the midst of its answer. Ask again.`,
      { provider, retryable: true, cause, detail: { kind: 'model-cut', kept: false } },
    )
  }

  #failure(status: number, header: HeaderLookup): BodyReader<ModelError> {
    const retryAfterMs = retryAfter(header('retry-after'), this.#clock.wall())
    return gather(MAX_ERROR_BYTES, (text) =>
      this.#endpoint.codec.readError({ status, body: this.#key.mask(text), retryAfterMs }),
    )
  }

  #interrupted(): ModelError {
    const { provider } = this.#endpoint
    return new ModelError('DP_MODEL_CUT', `${provider} broke off its reply.`, {
      provider,
      detail: { kind: 'model-cut', kept: false },
    })
  }

  #url(path: string, besideVersion = false): string {
    const url = new URL(this.#base)
    const base = url.pathname.replace(/\/+$/, '')
    url.pathname = `${besideVersion ? base.replace(/\/v1$/, '') : base}${path}`
    return url.href
  }

  #headers(own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const { keyHeader, headers } = this.#endpoint
    return {
      'user-agent': 'deep-pilot',
      'accept-encoding': 'identity',
      ...headers,
      ...own,
      ...this.#key.headers(keyHeader),
    }
  }
}

function baseOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !(url.protocol === 'http:' || url.protocol === 'https:'))
    throw new UsageError(
      'The base URL of the model is no URL of http: or https:. Write it whole, as in "http://127.0.0.1:8000/v1".',
      { detail: { kind: 'model-bad-url', why: 'no-url' } },
    )
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      'The base URL of the model has credentials in it. Give the key by its variable, and the URL without it.',
      { detail: { kind: 'model-bad-url', why: 'credentials' } },
    )
  url.hash = ''
  return url
}

/** A query may hold what is secret. */
function shownUrl(text: string): string {
  const { origin, pathname, search } = new URL(text)
  return `${origin}${pathname}${search === '' ? '' : '?…'}`
}
