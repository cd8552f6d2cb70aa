/**
 * HTTP exchanges by `fetch`: for browsers, and for wherever else there is one. No cookies, no cache, no redirects.
 *
 * `fetch` does not tell when a request has left, so that it counts as left when it is made. On Node the exchange of
 * `transport/node/http-exchange.ts` does the same at a fraction of the cost, and its streams may be silent for longer.
 */

import { asError, describeError, TransportError, type Sent } from '../../base/errors.ts'
import type { HttpExchange, HttpFlight, HttpRequest, HttpSink } from './exchange.ts'

/** Reasons that Node's `fetch` gives when nothing was sent. */
const NOT_REACHED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Default: the `fetch` of the platform, looked up at each request. */
export function fetchExchange(fetchFunction?: typeof fetch): HttpExchange {
  return (request, sink) => new FetchFlight(request, sink, fetchFunction ?? fetch)
}

class FetchFlight implements HttpFlight {
  readonly #sink: HttpSink
  readonly #origin: string
  readonly #controller = new AbortController()
  #sent: Sent = 'no'
  #over = false
  #room: Promise<void> | undefined
  #makeRoom: (() => void) | undefined

  constructor(request: HttpRequest, sink: HttpSink, fetchFunction: typeof fetch) {
    this.#sink = sink
    this.#origin = new URL(request.url).origin
    void this.#run(request, fetchFunction)
  }

  abort(): void {
    if (this.#over) return
    this.#over = true
    this.#controller.abort()
    this.resume()
  }

  pause(): void {
    if (this.#over || this.#room !== undefined) return
    this.#room = new Promise((resolve) => {
      this.#makeRoom = resolve
    })
  }

  resume(): void {
    this.#makeRoom?.()
    this.#room = undefined
    this.#makeRoom = undefined
  }

  /** Never rejects. */
  async #run(request: HttpRequest, fetchFunction: typeof fetch): Promise<void> {
    // Not now: the sink is told nothing before the flight is in its hands.
    await Promise.resolve()
    if (this.#over) return
    try {
      const response = await this.#fetch(request, fetchFunction)
      if (this.#over) return
      this.#sent = 'yes'
      if (response.type === 'opaqueredirect') return this.#fail(this.#hiddenRedirect())
      const { headers } = response
      this.#sink.head(response.status, (name) => headers.get(name) ?? undefined)
      // A DELETE that nobody reads further, for example: the sink may have gone.
      if (this.#gone()) return
      if (response.body !== null) await this.#read(response.body)
      if (this.#gone()) return
      this.#over = true
      this.#sink.end()
    } catch (error) {
      this.#fail(this.#explain(asError(error)))
    }
  }

  #fetch(request: HttpRequest, fetchFunction: typeof fetch): Promise<Response> {
    const { method, url, headers, body } = request
    const init = {
      method,
      headers: { ...headers },
      signal: this.#controller.signal,
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      ...(body === undefined ? {} : { body }),
    } as const
    const answer = fetchFunction(url, init)
    this.#sent = 'maybe'
    this.#sink.sending?.()
    this.#sink.left?.()
    return answer
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done || this.#over) return
      this.#sink.data(value)
      await this.#room
    }
  }

  /** A method, so that the checker does not think it knows what a sink may have changed. */
  #gone(): boolean {
    return this.#over
  }

  #fail(error: Error): void {
    if (this.#over) return
    this.#over = true
    this.#controller.abort()
    this.#sink.failed(error)
  }

  /** `fetch` says little about what went wrong; the reason behind its error says more, where there is one. */
  #explain(error: Error): Error {
    const why = describeError(error.cause ?? error)
    const because = { sent: this.#sent, cause: error }
    const said = { address: this.#origin, reason: why }
    if (this.#sent === 'yes') {
      const message = `The answer of ${this.#origin} broke off: ${why}`
      const detail = { kind: 'broke-off', ...said } as const
      return new TransportError('DP_TRANSPORT_CLOSED', message, { ...because, detail })
    }
    if (NOT_REACHED.has(codeOf(error.cause))) {
      const message = `${this.#origin} was not reached: ${why}`
      return new TransportError('DP_TRANSPORT_CONNECT', message, {
        ...because,
        sent: 'no',
        detail: { kind: 'not-reached', ...said },
      })
    }
    // A browser keeps the reason to itself, also when it only withholds the answer from this page.
    const message = `${this.#origin} gave no answer that could be read: ${why}`
    const detail = { kind: 'no-answer', ...said } as const
    return new TransportError('DP_TRANSPORT_CLOSED', message, { ...because, detail })
  }

  #hiddenRedirect(): TransportError {
    const message = `${this.#origin} sends requests on to another address, which a browser does not show. Give that address in place of this one.`
    const detail = { kind: 'redirect', why: 'hidden', from: this.#origin } as const
    return new TransportError('DP_TRANSPORT_ORIGIN', message, { sent: 'yes', detail })
  }
}

function codeOf(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
}
