/**
 * One request at an endpoint together with its reply: what every reply has in common is added here, and it is known when
 * the request is over, however it ends.
 */

import type { RequestId } from '../../jsonrpc/message.ts'
import { INVALID_REQUEST, writeError } from '../../jsonrpc/message.ts'
import type { AuthFacts } from '../../jsonrpc/wire.ts'
import type { HeaderFields, ReplyStream, ServerReply, ServerRequest } from './server-request.ts'

/** A reply without a JSON-RPC answer of a link. */
export interface Refusal {
  readonly status: number
  /** For people: what is wrong, and what to do. */
  readonly reason: string
  /** The JSON-RPC code in the body. Default -32600. */
  readonly code?: number
  /** The request at fault, where its id could be read. */
  readonly id?: RequestId | undefined
  readonly headers?: HeaderFields
}

const JSON_HEADERS: HeaderFields = { 'content-type': 'application/json' }
const EVENT_HEADERS: HeaderFields = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no', // HTTP-79
}

/** How many requests wait for the end of their reply. */
export interface Load {
  open: number
}

/** Who answers a visit that goes on. */
export interface Host {
  /** The far side has gone before its reply was whole. Called once at most. */
  gone(): void
}

export class Visit {
  readonly request: ServerRequest
  /** Who asks, once that was looked at. */
  auth: AuthFacts | undefined = undefined
  readonly #reply: ServerReply
  readonly #cors: HeaderFields | undefined
  #over = false
  #load: Load | undefined
  #host: Host | undefined

  constructor(request: ServerRequest, reply: ServerReply, cors: HeaderFields | undefined) {
    this.request = request
    this.#reply = reply
    this.#cors = cors
  }

  /** Answers whole: a JSON text, or no body at all. */
  answer(status: number, body?: string, headers?: HeaderFields): void {
    if (this.#over) return
    this.finish()
    const own = body === undefined ? headers : { ...JSON_HEADERS, ...headers }
    this.#reply.answer(status, this.#with(own), body)
  }

  /** The common case, without a copy of anything. */
  json(status: number, body: string): void {
    if (this.#over) return
    this.finish()
    this.#reply.answer(status, this.#with(JSON_HEADERS), body)
  }

  refuse({ status, reason, code = INVALID_REQUEST, id, headers }: Refusal): void {
    this.answer(status, writeError(id, { code, message: reason }), headers)
  }

  /** Begins a stream of events. Whoever ends it says so by `finish`. */
  stream(): ReplyStream {
    return this.#reply.stream(200, this.#with(EVENT_HEADERS))
  }

  /** There is a whole reply, or nobody to give one to. */
  get over(): boolean {
    return this.#over
  }

  /** The reply takes its time: it counts until it is over, and the host that was named last hears when nobody waits for it. */
  wait(load: Load, host: Host): void {
    this.#host = host
    if (this.#load !== undefined) return
    this.#load = load
    load.open += 1
    this.#reply.onGone(() => {
      if (this.#over) return
      this.finish()
      this.#host?.gone()
    })
  }

  /** The reply is whole, or will never be. */
  finish(): void {
    if (this.#over) return
    this.#over = true
    if (this.#load !== undefined) this.#load.open -= 1
  }

  #with(headers: HeaderFields = {}): HeaderFields {
    return this.#cors === undefined ? headers : { ...headers, ...this.#cors }
  }
}
