/**
 * Calls to one server, and reads of its resources, through its lane: they wait while it starts or comes back, within their own
 * limits, and are made a second time at most, and only when the first surely did nothing or may be repeated.
 *
 * Whether a call may be made at all is decided before it gets here.
 */

import { asError, AuthError, RpcError, TimeoutError, TransportError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { Client } from '../client/client.ts'
import type { CallOptions } from '../client/options.ts'
import { isPassing } from '../client/loss.ts'
import type { ServerEntry } from '../config/entry.ts'
import type { TimerSetting } from '../jsonrpc/exchange.ts'
import type { CallToolResult, Tool } from '../protocol/types/tools.ts'
import { hintsOf } from '../tools/display.ts'
import { CallWait, cancelled } from './call-wait.ts'
import type { Lane, Leave } from './lane.ts'
import { asToolResult, READING, RESOURCES_READ } from './resource-reading.ts'
import type { ServerParts } from './server-parts.ts'
import type { Session } from './session.ts'

/** The server, as its calls see it. */
export interface CallOwner {
  readonly parts: ServerParts
  readonly entry: () => ServerEntry
  readonly session: () => Session | undefined
  readonly tool: (name: string) => Tool | undefined
  /** Why there is no hope; undefined where waiting makes sense. */
  readonly refusal: () => Error | undefined
  /** A call is there: a server that was not wanted before is now. */
  readonly wake: () => void
  /** What is waited for, as a sentence. */
  readonly why: () => string
  /** The server wants to know who asks. */
  readonly onSignIn: (error: AuthError) => void
}

const IDLE: TimerSetting = { ms: 60_000, setBy: 'default' }
const TOTAL: TimerSetting = { ms: 600_000, setBy: 'default' }

interface OneCall {
  readonly tool: string
  readonly args: JsonObject
  readonly options: CallOptions
  readonly idle: TimerSetting
  readonly total: TimerSetting
  readonly startedAt: number
}

export class Calls {
  readonly #owner: CallOwner
  readonly #lane: Lane
  readonly #waits = new Set<CallWait>()

  constructor(owner: CallOwner, lane: Lane) {
    this.#owner = owner
    this.#lane = lane
  }

  async send(tool: string, args: JsonObject, options: CallOptions): Promise<CallToolResult> {
    const call = this.#callOf(tool, args, options)
    const first = await this.#try(call, false)
    if ('result' in first) return first.result
    if (!(await this.#mayRepeat(call, first))) throw first.error
    const second = await this.#try(call, true).catch((thrown: unknown): Failed => {
      // Nothing more was sent: what the first try may have done is what counts.
      const surelyNot = first.error instanceof TransportError && first.error.sent === 'no'
      return { error: surelyNot ? asError(thrown) : first.error, session: undefined }
    })
    if ('result' in second) return second.result
    throw second.error
  }

  /** The server gave a sign of life: who waits for it goes on waiting. */
  touch(): void {
    for (const wait of this.#waits) wait.touch()
  }

  #callOf(tool: string, args: JsonObject, options: CallOptions): OneCall {
    const { timeoutMs, totalTimeoutMs, limitsSetBy } = options
    const { timeouts } = this.#owner.entry()
    const startedAt = this.#owner.parts.clock.now()
    const idle = limitOf(timeoutMs, limitsSetBy?.idle) ?? timeouts.idle ?? IDLE
    const total = limitOf(totalTimeoutMs, limitsSetBy?.total) ?? timeouts.total ?? TOTAL
    return { tool, args, options, idle, total, startedAt }
  }

  /** One try: its result, or the error and the session that it was made on. Rejects where it did not get that far. */
  async #try(call: OneCall, again: boolean): Promise<Tried> {
    const leave = await this.#place(call, again)
    const session = this.#owner.session()
    try {
      if (session === undefined) throw this.#unavailable()
      const result = await ask(session.client, call, this.#options(call, again))
      session.heard()
      if (saysUnknownTool(result)) session.poke()
      return { result }
    } catch (thrown) {
      const error = asError(thrown)
      this.#learn(error, session)
      return { error, session }
    } finally {
      leave()
      this.touch()
    }
  }

  /** What a failure tells of the server. */
  #learn(error: Error, session: Session | undefined): void {
    if (error instanceof AuthError && error.status === 401) this.#owner.onSignIn(error)
    else if (error instanceof RpcError) {
      session?.heard()
      if (namesNoTool(error.message)) session?.poke()
    } else if (error instanceof TimeoutError && error.timer === 'idle') session?.suspect()
  }

  async #place(call: OneCall, ahead: boolean): Promise<Leave> {
    const refusal = this.#owner.refusal()
    if (refusal !== undefined) throw refusal
    const { signal } = call.options
    const { key } = this.#owner.entry()
    if (signal?.aborted === true) throw cancelled(key, call.tool, signal)
    this.#owner.wake()
    return this.#lane.enter() ?? (await this.#wait(call, ahead))
  }

  async #wait(call: OneCall, ahead: boolean): Promise<Leave> {
    const { parts, entry, why } = this.#owner
    const ticket = this.#lane.queue(ahead)
    const wait = new CallWait({
      clock: parts.clock,
      server: entry().key,
      tool: call.tool,
      idle: call.idle,
      total: call.total,
      startedAt: call.startedAt,
      signal: call.options.signal,
      why,
      onOver: (error) => ticket.abandon(error),
    })
    this.#waits.add(wait)
    // The clock's timers let the process end, and then nobody would be left to start the server.
    const awake = setInterval(() => undefined, 1 << 30)
    try {
      return await ticket.place
    } finally {
      clearInterval(awake)
      wait.end()
      this.#waits.delete(wait)
    }
  }

  /** Those of the call, with the limits of the entry, and less the time that it has waited. */
  #options(call: OneCall, again: boolean): CallOptions {
    const { options, idle, total, startedAt } = call
    const waited = Math.round(this.#owner.parts.clock.now() - startedAt)
    const usual = idle === IDLE && total === TOTAL
    if (usual && waited < LEAST_WAIT_MS && !again) return options
    const less = waited < LEAST_WAIT_MS ? '' : `, less ${waited} ms of waiting`
    return {
      ...options,
      timeoutMs: idle.ms,
      totalTimeoutMs: Math.max(0, total.ms - waited),
      limitsSetBy: { idle: idle.setBy, total: `${total.setBy}${less}` },
      ...(again && { chain: { ...options.chain, attempt: (options.chain?.attempt ?? 1) + 1 } }),
    }
  }

  /** Looks at what is known of the first try; a client that opens its link again by itself has made the second one. */
  async #mayRepeat({ tool, options }: OneCall, { error, session }: Failed): Promise<boolean> {
    if (session === undefined || session.reopens || options.signal?.aborted === true) return false
    if (!isPassing(error)) return false
    const { trusted } = this.#owner.entry()
    const known = tool === RESOURCES_READ ? READING : this.#owner.tool(tool)
    const harmless = trusted && known !== undefined && hintsOf(known).idempotent // TOOL-18
    if (error.sent !== 'no' && !harmless) return false
    // The end of the connection is told a moment after that of the call.
    await Promise.race([session.client.closed, new Promise(setImmediate)])
    return this.#owner.session() !== session && this.#owner.refusal() === undefined
  }

  #unavailable(): Error {
    const { key } = this.#owner.entry()
    const message = `The call was not sent: "${key}" was lost at that moment.`
    const detail = { kind: 'closed' } as const
    return new TransportError('DP_TRANSPORT_CLOSED', message, { server: key, sent: 'no', detail })
  }
}

/** A judged act, sent in its own way. */
async function ask(
  client: Client,
  { tool, args }: OneCall,
  options: CallOptions,
): Promise<CallToolResult> {
  if (tool !== RESOURCES_READ) return client.callTool(tool, args, options)
  const { uri } = args
  return asToolResult(await client.readResource(typeof uri === 'string' ? uri : '', options))
}

interface Failed {
  readonly error: Error
  readonly session: Session | undefined
}

type Tried = { readonly result: CallToolResult } | Failed

/** Waiting for less than this changes no limit. */
const LEAST_WAIT_MS = 5

function limitOf(ms: number | undefined, setBy: string = 'call'): TimerSetting | undefined {
  return ms === undefined ? undefined : { ms, setBy }
}

/** Many servers say so in a result, and not in an error. */
function saysUnknownTool({ isError, content }: CallToolResult): boolean {
  const [first] = content
  return isError === true && first?.type === 'text' && namesNoTool(first.text)
}

/** Words of no standard, by which servers say that they have no such tool: their list may be another one by now. */
function namesNoTool(text: string): boolean {
  const words = text.slice(0, 300).toLowerCase()
  if (!words.includes('tool')) return false
  return ['unknown tool', 'not found', 'no such tool', 'does not exist'].some((one) =>
    words.includes(one),
  )
}
