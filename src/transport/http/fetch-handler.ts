/**
 * An endpoint behind `(Request) => Promise<Response>`, as runtimes beside Node and their frameworks want it.
 *
 * Streams of events become web streams here and nowhere else.
 */

import type { Clock } from '../../base/clock.ts'
import { ByteHold } from '../../formats/byte-hold.ts'
import { decodeUtf8 } from '../../formats/utf8.ts'
import type { Endpoint } from './endpoint.ts'
import type {
  HeaderFields,
  ReplyStream,
  RequestBody,
  ServerReply,
  ServerRequest,
} from './server-request.ts'

/** Longest wait for a body, in ms: nobody below counts here. */
const BODY_MS = 60_000

/** Answers requests until the endpoint is closed. The promise never rejects. */
export function fetchHandler(
  endpoint: Endpoint,
  clock: Clock,
): (request: Request) => Promise<Response> {
  return (request) =>
    new Promise((resolve) => {
      endpoint.handle(new FetchedRequest(request, clock), new FetchedReply(request, resolve))
    })
}

class FetchedRequest implements ServerRequest {
  readonly method: string
  readonly target: string
  readonly remote: undefined
  readonly port: undefined
  readonly #request: Request
  readonly #clock: Clock
  readonly #host: string

  constructor(request: Request, clock: Clock) {
    const { pathname, search, host } = new URL(request.url)
    this.method = request.method
    this.target = pathname + search
    this.#request = request
    this.#clock = clock
    this.#host = host
  }

  header(name: string): string | undefined {
    const value = this.#request.headers.get(name) ?? undefined
    if (name !== 'host' || value === this.#host) return value
    // The address says it too; where the two differ, neither can be believed.
    return value === undefined || this.#isSameHost(value) ? this.#host : `${value}, ${this.#host}`
  }

  /** Whether a Host differs in its spelling only: in case, or by a port that goes without saying. */
  #isSameHost(host: string): boolean {
    try {
      return new URL(`${new URL(this.#request.url).protocol}//${host}/`).host === this.#host
    } catch {
      return false // no host at all
    }
  }

  headersWith(prefix: string): Record<string, string> {
    const found: Record<string, string> = {}
    for (const [name, value] of this.#request.headers)
      if (name.startsWith(prefix)) found[name] = value
    return found
  }

  readBody(maxBytes: number, done: (body: RequestBody) => void): void {
    const { body, headers } = this.#request
    if (body === null) return done({ kind: 'text', text: '' })
    if (Number(headers.get('content-length') ?? 0) > maxBytes) return done({ kind: 'too-large' })
    const reader: BodyReader = body.getReader()
    let late = false
    const timer = this.#clock.after(BODY_MS, () => {
      late = true
      reader.cancel().catch(() => undefined) // the reading below hears of it
    })
    void collect(reader, maxBytes).then((read) => {
      timer.cancel()
      if (late) done({ kind: 'too-late' })
      else if (read !== undefined) done(read)
    })
  }
}

interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  cancel(): Promise<void>
}

/** The body, counted while it is read; nothing when it breaks off. */
async function collect(reader: BodyReader, maxBytes: number): Promise<RequestBody | undefined> {
  const held = new ByteHold()
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      const chunk = step.value ?? new Uint8Array()
      if (held.size + chunk.length > maxBytes) {
        await reader.cancel()
        return { kind: 'too-large' }
      }
      held.add(chunk)
    }
  } catch {
    return undefined // the far side went away, which is all there is to know
  }
  const text = held.use(decodeUtf8)
  return text === undefined ? { kind: 'not-utf8' } : { kind: 'text', text }
}

class FetchedReply implements ServerReply {
  readonly #request: Request
  readonly #resolve: (response: Response) => void
  #onGone: (() => void) | undefined

  constructor(request: Request, resolve: (response: Response) => void) {
    this.#request = request
    this.#resolve = resolve
  }

  answer(status: number, headers: HeaderFields, body?: string): void {
    this.#resolve(new Response(body ?? null, { status, headers }))
  }

  stream(status: number, headers: HeaderFields): ReplyStream {
    const stream = new WebStream(() => this.#onGone?.())
    this.#resolve(new Response(stream.readable, { status, headers }))
    return stream
  }

  onGone(listener: () => void): void {
    this.#onGone = listener
    const { signal } = this.#request
    if (signal.aborted) queueMicrotask(listener)
    else signal.addEventListener('abort', listener, { once: true })
  }
}

/** Text to a web stream. */
class WebStream implements ReplyStream {
  readonly readable: ReadableStream<Uint8Array>
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  readonly #encoder = new TextEncoder()

  constructor(gone: () => void) {
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        cancel: () => {
          this.#controller = undefined
          gone()
        },
      },
      // Sizes are counted in bytes, from nothing on.
      { highWaterMark: 0, size: (chunk) => chunk?.byteLength ?? 0 },
    )
  }

  get unsent(): number {
    return -(this.#controller?.desiredSize ?? 0)
  }

  write(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text))
  }

  end(): void {
    this.#controller?.close()
    this.#controller = undefined
  }

  cut(): void {
    this.#controller?.error(new Error('The stream was not read.'))
    this.#controller = undefined
  }
}
