/**
 * An endpoint behind Node's own HTTP server, alone or under a framework that hands on its request and reply.
 *
 * One write for a JSON answer, nothing but what `node:http` has at hand anyway, and no web streams.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { ByteHold } from '../../formats/byte-hold.ts'
import { decodeUtf8 } from '../../formats/utf8.ts'
import type {
  HeaderFields,
  ReplyStream,
  RequestBody,
  ServerReply,
  ServerRequest,
} from '../http/server-request.ts'

/** What takes requests: an endpoint, or whatever stands before one. */
export interface RequestTaker {
  handle(request: ServerRequest, reply: ServerReply): void
}

export interface NodeListenerOptions {
  /** How long a reply may wait for a reader that takes nothing of it, in ms. Default 30 s. */
  readonly stallMs?: number | undefined
}

const STALL_MS = 30_000

/**
 * A listener for `http.createServer`, or for a route of express and the like. A body that a framework has parsed is taken
 * from `request.body`.
 */
export function nodeListener(
  taker: RequestTaker,
  { stallMs = STALL_MS }: NodeListenerOptions = {},
): RequestListener {
  return (incoming, outgoing) => {
    const request = new NodeRequest(incoming)
    taker.handle(request, new NodeReply(request, outgoing, stallMs))
  }
}

/** Headers of which Node keeps the first and drops the others; a second one is somebody's attempt to be read two ways. */
const KEPT_FIRST: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'content-type',
  'host',
])

class NodeRequest implements ServerRequest {
  readonly #incoming: IncomingMessage & { readonly body?: unknown }
  /** Whether all of the body has been read, by us or by a framework. */
  #isRead = false

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming
  }

  get method(): string {
    return this.#incoming.method ?? ''
  }

  get target(): string {
    return this.#incoming.url ?? ''
  }

  get remote(): string | undefined {
    return this.#incoming.socket.remoteAddress
  }

  get port(): number | undefined {
    return this.#incoming.socket.localPort
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name]
    if (typeof value !== 'string') return value?.join(', ')
    return KEPT_FIRST.has(name) ? this.#all(name) : value
  }

  headersWith(prefix: string): Record<string, string> {
    const found: Record<string, string> = {}
    const { headers } = this.#incoming
    for (const name of Object.keys(headers)) {
      const value = name.startsWith(prefix) ? headers[name] : undefined
      if (value !== undefined) found[name] = typeof value === 'string' ? value : value.join(', ')
    }
    return found
  }

  readBody(maxBytes: number, done: (body: RequestBody) => void): void {
    const incoming = this.#incoming
    if (incoming.body !== undefined) {
      this.#isRead = true
      return done(parsedBody(incoming.body, maxBytes))
    }
    if (this.#length > maxBytes) return done({ kind: 'too-large' })
    this.#collect(maxBytes, done)
  }

  /** Whether the connection can carry another request after a reply now: what is left of this one is bounded. */
  get canGoOn(): boolean {
    return this.#isRead || this.#announced <= MAX_SKIPPED
  }

  /** Bytes that the body has at most; Infinity when they are told piece by piece. */
  get #announced(): number {
    const isChunked = this.#incoming.headers['transfer-encoding'] !== undefined
    return isChunked ? Number.POSITIVE_INFINITY : this.#length
  }

  /** Bytes of the body as its head says, 0 when it does not. */
  get #length(): number {
    return Number(this.#incoming.headers['content-length'] ?? 0)
  }

  #collect(maxBytes: number, done: (body: RequestBody) => void): void {
    const incoming = this.#incoming
    let first: Buffer | undefined
    let held: ByteHold | undefined
    let size = 0
    const add = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= maxBytes) {
        if (first === undefined) first = chunk
        else (held ??= startedBy(first)).add(chunk)
        return
      }
      held = undefined
      incoming.off('data', add)
      incoming.off('end', end)
      incoming.pause()
      done({ kind: 'too-large' })
    }
    const end = (): void => {
      this.#isRead = true
      const text = held === undefined ? decodeUtf8(first ?? EMPTY) : held.use(decodeUtf8)
      done(text === undefined ? { kind: 'not-utf8' } : { kind: 'text', text })
    }
    // A far side that goes away ends neither: Node says so by an error only to whoever listens for one.
    incoming.on('data', add)
    incoming.on('end', end)
  }

  #all(name: string): string {
    const { rawHeaders } = this.#incoming
    let all: string | undefined
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      const raw = rawHeaders[at] ?? ''
      if (raw.length !== name.length || raw.toLowerCase() !== name) continue
      const value = rawHeaders[at + 1] ?? ''
      all = all === undefined ? value : `${all}, ${value}`
    }
    return all ?? ''
  }
}

const EMPTY = Buffer.alloc(0)

/** For bodies in several pieces: as many tiny ones as a stranger likes cost what their bytes cost. */
function startedBy(first: Buffer): ByteHold {
  const held = new ByteHold()
  held.add(first)
  return held
}

/** An unread body of up to so many bytes is skipped after its reply; for more the connection ends. */
const MAX_SKIPPED = 64 * 1024

/** What a framework has made of the body, as the text that it was. */
function parsedBody(body: unknown, maxBytes: number): RequestBody {
  const bytes = body instanceof Uint8Array ? body : undefined
  let text: string | undefined
  try {
    text = bytes === undefined ? textOf(body) : decodeUtf8(bytes)
  } catch {
    return { kind: 'not-utf8' } // an object that is no JSON: nobody can say what was sent
  }
  if (text === undefined) return { kind: 'not-utf8' }
  if (Buffer.byteLength(text) > maxBytes) return { kind: 'too-large' }
  return { kind: 'text', text }
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

class NodeReply implements ServerReply {
  readonly #request: NodeRequest
  readonly #outgoing: ServerResponse
  readonly #stallMs: number

  constructor(request: NodeRequest, outgoing: ServerResponse, stallMs: number) {
    this.#request = request
    this.#outgoing = outgoing
    this.#stallMs = stallMs
  }

  answer(status: number, headers: HeaderFields, body?: string): void {
    const outgoing = this.#outgoing
    if (outgoing.headersSent || outgoing.destroyed) return
    // Node would copy a text twice more: to put the head in front of it, and to encode it.
    const sent = body !== undefined && body.length > MAX_JOINED ? Buffer.from(body) : body
    const length = sent === undefined ? lengthOfNothing(status) : Buffer.byteLength(sent)
    const whole: Record<string, string | number> = { ...headers }
    if (length !== undefined) whole['content-length'] = length
    if (!this.#request.canGoOn) whole['connection'] = 'close'
    outgoing.writeHead(status, whole)
    outgoing.end(sent)
    // What fits into the buffers of the system needs no reader; more must not wait for one that never comes.
    if (outgoing.writableLength > 0) outgoing.setTimeout(this.#stallMs, () => outgoing.destroy())
  }

  stream(status: number, headers: HeaderFields): ReplyStream {
    const outgoing = this.#outgoing
    outgoing.on('error', ignore) // told by `close` as well
    if (!outgoing.headersSent && !outgoing.destroyed) {
      outgoing.writeHead(status, headers)
      outgoing.flushHeaders()
    }
    return new NodeStream(outgoing)
  }

  onGone(listener: () => void): void {
    if (this.#outgoing.closed) queueMicrotask(listener)
    else this.#outgoing.on('close', listener)
  }
}

/** Characters of a body up to which it is written in one piece with its head. */
const MAX_JOINED = 64 * 1024

/** A status that has no body has no length either. // RFC 9110 §8.6 */
function lengthOfNothing(status: number): 0 | undefined {
  return status === 204 ? undefined : 0
}

class NodeStream implements ReplyStream {
  readonly #outgoing: ServerResponse

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing
  }

  get unsent(): number {
    return this.#outgoing.writableLength
  }

  write(text: string): void {
    if (!this.#outgoing.destroyed) this.#outgoing.write(text)
  }

  end(): void {
    this.#outgoing.end()
  }

  cut(): void {
    this.#outgoing.destroy()
  }
}

function ignore(): void {}
