/**
 * A server that is a script: what it answers to which method, and a record of what it saw. For tests of clients.
 *
 * It shakes hands by itself and knows nothing else: it checks nothing that a client sends, and says wrong things when it is told to.
 */

import { systemClock, type Clock, type Timer } from '../base/clock.ts'
import { describeError, UsageError } from '../base/errors.ts'
import type { JsonObject, JsonText, JsonValue } from '../base/json.ts'
import type { Link, LinkPort, Transport } from '../jsonrpc/link.ts'
import {
  INTERNAL_ERROR,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  readMessage,
  writeError,
  writeRequest,
  writeResult,
  type ErrorObject,
  type ErrorResponse,
  type Message,
  type Notification,
  type Request,
  type ResultResponse,
} from '../jsonrpc/message.ts'
import { dialectFor, NEWEST_MODERN } from '../protocol/dialects/index.ts'
import type { Revision } from '../protocol/revision.ts'
import type { ServerCapabilities } from '../protocol/types/common.ts'
import { memoryWire } from '../transport/memory.ts'

/** What becomes of a request. `result` and `error` go on the wire as they stand; `afterMs` by the clock of the options. */
export type ScriptedAnswer =
  | { readonly result: JsonObject; readonly afterMs?: number }
  | { readonly error: ErrorObject; readonly afterMs?: number }
  | 'silence'

/**
 * An answer, or who gives it: a function is called for each request and each notification of its method. Undefined is silence;
 * what it throws is answered with -32603 and its message.
 */
export type ScriptedStep =
  | ScriptedAnswer
  | ((
      message: Request | Notification,
      server: ScriptedServer,
    ) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>)

/** Steps by method. What has none is answered with -32601, the handshake and `ping` apart. */
export interface Script {
  readonly [method: string]: ScriptedStep
}

export interface ScriptedServerOptions {
  /** The one revision it shakes hands in. Default: the newest. */
  readonly revision?: Revision
  /** What it declares. Default `{ tools: {} }`. */
  readonly capabilities?: ServerCapabilities
  /** Counts `afterMs`. Default: the system's. */
  readonly clock?: Clock
  /** Messages it takes before it breaks the connection. Default 10,000. */
  readonly maxSeen?: number
}

/** A transport to give to `connect`. Opened again, it goes on with its script and its record. */
export interface ScriptedServer extends Transport {
  /** Every message that came, in order; what was none is only in `texts`. */
  readonly seen: readonly Message[]
  /** Every text that came, exactly. */
  readonly texts: readonly string[]
  /** The next message of this method that no earlier `next` gave. Rejects when the connection ends without one. */
  next(method: string): Promise<Request | Notification>
  /** Says something unasked: a text as it stands, whatever it is, or a value as JSON. */
  say(message: string | JsonValue): void
  /** Asks the client, and gives its answer as it came. Rejects when the connection ends without one. */
  ask(method: string, params?: JsonObject): Promise<ResultResponse | ErrorResponse>
  /** Ends the connection: in order after what was said, or at once with a reason. */
  end(reason?: Error): void
}

/** Makes a server of a script. Nothing happens until a client opens it. */
export function scriptedServer(
  script: Script,
  options: ScriptedServerOptions = {},
): ScriptedServer {
  return new Scripted(script, options)
}

interface Waiting {
  readonly what: string
  readonly fits: (message: Message) => boolean
  readonly resolve: (message: Message) => void
  readonly reject: (error: Error) => void
}

class Scripted implements ScriptedServer {
  readonly name = 'scripted'
  readonly seen: Message[] = []
  readonly texts: string[] = []
  readonly #script: Script
  readonly #options: ScriptedServerOptions
  readonly #given = new Map<string, number>()
  readonly #timers = new Set<Timer>()
  #waiting: Waiting[] = []
  #link: Link | undefined
  #cut: ((reason?: Error) => void) | undefined
  #asked = 0

  constructor(script: Script, options: ScriptedServerOptions) {
    this.#script = script
    this.#options = options
  }

  async open(port: LinkPort, signal?: AbortSignal): Promise<Link> {
    const { first, second, cut } = memoryWire({ name: this.name })
    this.#cut = cut
    this.#link = await second.open({
      maxMessageBytes: Number.POSITIVE_INFINITY,
      text: (text) => this.#hear(text),
      unreadable: () => undefined,
      failed: () => undefined,
      note: () => undefined,
      closed: () => this.#ended(),
    })
    return first.open(port, signal)
  }

  async next(method: string): Promise<Request | Notification> {
    const given = this.#given.get(method) ?? 0
    this.#given.set(method, given + 1)
    const fits = (message: Message): boolean => 'method' in message && message.method === method
    const found = this.seen.filter(fits)[given] ?? (await this.#wait(method, fits))
    return found as Request | Notification // `fits` saw its method
  }

  say(message: string | JsonValue): void {
    this.#open().write({ text: typeof message === 'string' ? message : JSON.stringify(message) })
  }

  async ask(method: string, params?: JsonObject): Promise<ResultResponse | ErrorResponse> {
    this.#asked += 1
    const id = `scripted-${this.#asked}`
    const answer = this.#wait(
      `an answer to ${method}`,
      (message) => !('method' in message) && message.id === id,
    )
    this.say(writeRequest(id, method, params))
    return (await answer) as ResultResponse | ErrorResponse // no method, the id of a request
  }

  end(reason?: Error): void {
    if (reason === undefined) void this.#link?.close()
    else this.#cut?.(reason)
  }

  #open(): Link {
    if (this.#link !== undefined) return this.#link
    throw new UsageError('Nobody has opened this scripted server: connect a client to it first.')
  }

  #wait(what: string, fits: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve, reject) => this.#waiting.push({ what, fits, resolve, reject }))
  }

  #ended(): void {
    for (const timer of this.#timers) timer.cancel()
    this.#timers.clear()
    const waiting = this.#waiting
    this.#waiting = []
    for (const { what, reject } of waiting)
      reject(new UsageError(`The connection ended, and ${what} had not come.`))
  }

  #hear(text: string): void {
    const { maxSeen = 10_000 } = this.#options
    if (this.texts.length >= maxSeen) {
      const message = `The scripted server has seen ${maxSeen} messages. Raise maxSeen if there are to be more.`
      return this.end(new UsageError(message))
    }
    this.texts.push(text)
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return this.say(writeError(undefined, { code: PARSE_ERROR, message: 'Not JSON' }))
    }
    for (const one of Array.isArray(value) ? value : [value]) this.#take(one)
  }

  #take(value: unknown): void {
    const reading = readMessage(value)
    if (reading.kind === 'malformed') {
      if (reading.answer === true) return
      return this.say(writeError(reading.id, { code: reading.code, message: reading.reason }))
    }
    const { message } = reading
    this.seen.push(message)
    const waiting = this.#waiting.findIndex(({ fits }) => fits(message))
    if (waiting >= 0) this.#waiting.splice(waiting, 1)[0]?.resolve(message)
    if (reading.kind === 'request' || reading.kind === 'notification')
      void this.#play(reading.message)
  }

  async #play(message: Request | Notification): Promise<void> {
    const answer = await this.#stepFor(message)
    if (!('id' in message) || answer === undefined || answer === 'silence') return
    const text =
      'error' in answer
        ? writeError(message.id, answer.error)
        : writeResult(message.id, answer.result)
    if (answer.afterMs === undefined) return this.say(text)
    const timer = (this.#options.clock ?? systemClock).after(answer.afterMs, () => {
      this.#timers.delete(timer)
      this.say(text)
    })
    this.#timers.add(timer)
  }

  async #stepFor(message: Request | Notification): Promise<Answered> {
    const { method } = message
    const step = Object.hasOwn(this.#script, method) ? this.#script[method] : undefined
    if (step === undefined) return this.#unscripted(method)
    if (typeof step !== 'function') return step
    try {
      return await step(message, this)
    } catch (error) {
      return { error: { code: INTERNAL_ERROR, message: describeError(error) } }
    }
  }

  #unscripted(method: string): Answered {
    const { revision = NEWEST_MODERN.revision, capabilities = { tools: {} } } = this.#options
    const dialect = dialectFor(revision)
    if (method === (dialect.era === 'modern' ? 'server/discover' : 'initialize')) {
      const info = { name: this.name, version: '1.0.0' }
      const self = {
        info,
        capabilities,
        revisions: [revision],
        ttlMs: 0,
        cacheScope: 'private',
      } as const
      const outcome = { kind: 'complete', result: dialect.welcome(self) } as const
      return { result: dialect.encodeResult(method, outcome, self) }
    }
    if (method === 'ping' && dialect.methods.has(method)) return { result: {} }
    return { error: { code: METHOD_NOT_FOUND, message: `The script has no ${method}` } }
  }
}

type Answered =
  | ScriptedAnswer
  | { readonly result: JsonObject | JsonText; readonly afterMs?: undefined }
  | undefined
