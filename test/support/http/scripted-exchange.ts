/** An HTTP exchange without a network: a test sees each request and says what becomes of it, step by step. */
import { TransportError } from '../../../src/base/errors.ts'
import type {
  HttpExchange,
  HttpFlight,
  HttpRequest,
  HttpSink,
} from '../../../src/transport/http/exchange.ts'

/** One request, and the hand that answers it. Steps after `abort` reach nobody, as the port promises. */
export class ScriptedCall implements HttpFlight {
  readonly request: HttpRequest
  aborted = false
  /** Pauses minus resumes. */
  paused = 0
  readonly #sink: HttpSink
  #over = false

  constructor(request: HttpRequest, sink: HttpSink) {
    this.request = request
    this.#sink = sink
  }

  get header(): Readonly<Record<string, string>> {
    return this.request.headers
  }

  /** The message that was posted. */
  get message(): { readonly id?: unknown; readonly method?: string; readonly result?: unknown } {
    return JSON.parse(this.request.body ?? 'null')
  }

  abort(): void {
    if (!this.#over) this.aborted = true
    this.#over = true
  }

  pause(): void {
    this.paused += 1
  }

  resume(): void {
    this.paused -= 1
  }

  sending(): this {
    return this.#step(() => this.#sink.sending?.())
  }

  left(): this {
    return this.#step(() => this.#sink.left?.())
  }

  head(status: number, headers: Readonly<Record<string, string>> = {}): this {
    return this.#step(() => this.#sink.head(status, (name) => headers[name]))
  }

  /** Bytes of the body, or text for them. */
  data(data: string | Uint8Array): this {
    return this.#step(() =>
      this.#sink.data(typeof data === 'string' ? new TextEncoder().encode(data) : data),
    )
  }

  end(): this {
    return this.#step(() => {
      this.#over = true
      this.#sink.end()
    })
  }

  fail(
    error: Error = new TransportError('DP_TRANSPORT_CLOSED', 'It broke.', { sent: 'maybe' }),
  ): this {
    return this.#step(() => {
      this.#over = true
      this.#sink.failed(error)
    })
  }

  /** A whole answer of JSON. */
  json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): this {
    const type = { 'content-type': 'application/json', ...headers }
    return this.sending().left().head(status, type).data(JSON.stringify(value)).end()
  }

  /** A whole answer without a body. */
  empty(status: number, headers: Readonly<Record<string, string>> = {}): this {
    return this.sending().left().head(status, headers).end()
  }

  /** The answer to the request that was posted. */
  result(result: unknown = {}, headers: Readonly<Record<string, string>> = {}): this {
    return this.json(answerTo(this, result), 200, headers)
  }

  /** The head of an event stream, and perhaps its first events. */
  stream(...events: readonly string[]): this {
    this.sending().left().head(200, { 'content-type': 'text/event-stream' })
    for (const event of events) this.data(event)
    return this
  }

  #step(step: () => void): this {
    if (!this.#over) step()
    return this
  }
}

export class ScriptedExchange {
  readonly calls: ScriptedCall[] = []
  closed = 0
  readonly exchange: HttpExchange
  #watchers: (() => void)[] = []

  constructor() {
    const exchange = (request: HttpRequest, sink: HttpSink): HttpFlight => {
      const call = new ScriptedCall(request, sink)
      this.calls.push(call)
      const watchers = this.#watchers
      this.#watchers = []
      for (const watcher of watchers) watcher()
      return call
    }
    this.exchange = Object.assign(exchange, {
      close: () => {
        this.closed += 1
      },
    })
  }

  /** The requests of one method so far. */
  of(method: 'GET' | 'POST' | 'DELETE'): readonly ScriptedCall[] {
    return this.calls.filter(({ request }) => request.method === method)
  }

  /** The request number `at`, from 0 on, once it has been made. */
  async call(at: number): Promise<ScriptedCall> {
    for (;;) {
      const call = this.calls[at]
      if (call !== undefined) return call
      await new Promise<void>((resolve) => this.#watchers.push(resolve))
    }
  }
}

/** A JSON-RPC answer to what a call posted. */
export function answerTo(call: ScriptedCall, result: unknown = {}): object {
  return { jsonrpc: '2.0', id: call.message.id, result }
}

/** The text of one event that carries a message. */
export function eventOf(message: object, fields = ''): string {
  return `${fields}event: message\ndata: ${JSON.stringify(message)}\n\n`
}
