/**
 * Opens a transport, finds out how the server speaks, and hands over a client that is ready.
 *
 * What fails on the way leaves nothing behind: no process, no connection, no timer.
 */

import {
  describeError,
  ProtocolError,
  RpcError,
  RpcRefusal,
  TimeoutError,
  TransportError,
} from '../base/errors.ts'
import type { Timer } from '../base/clock.ts'
import type { JsonObject } from '../base/json.ts'
import { Channel } from '../jsonrpc/channel.ts'
import type { TimerSetting } from '../jsonrpc/exchange.ts'
import type { InboundRequest } from '../jsonrpc/inbound-request.ts'
import type { Transport } from '../jsonrpc/link.ts'
import {
  INTERNAL_ERROR,
  METHOD_NOT_FOUND,
  type Notification,
  type Request,
} from '../jsonrpc/message.ts'
import { Peer, type Answer, type EncodedError } from '../jsonrpc/peer.ts'
import type { Dialect, Opening } from '../protocol/dialect.ts'
import { cancellationOf } from '../protocol/cancellation.ts'
import { extend } from '../protocol/extension.ts'
import { negotiate } from '../protocol/negotiate.ts'
import type { Era } from '../protocol/revision.ts'
import { isLoggingLevel } from '../protocol/types/common.ts'
import type { AnswerTasks } from './answer-tasks.ts'
import { call } from './call.ts'
import type { Caller } from './request.ts'
import { Client } from './client.ts'
import { Connection, type Reopen } from './connection.ts'
import { FirstWords } from './first-words.ts'
import { neitherWay, refusesHandshake, wentAway } from './fallback.ts'
import { settingsOf, type AnswerContext, type ClientOptions, type Settings } from './options.ts'
import { Standing, type Opened } from './standing.ts'

/** Connects to one server. Rejects with the error that stood in the way, with exit code and stderr where there was a process. */
export async function connect(transport: Transport, options: ClientOptions = {}): Promise<Client> {
  const standing = new Standing(settingsOf(options))
  const opened = await openFirst(transport, options, standing)
  const { reconnect = opened.transport.reopens === true } = options
  const reopen: Reopen = (era, signal) =>
    openAgain(opened.transport, { ...options, signal }, { standing, era })
  return new Client(new Connection(opened, standing, reconnect ? reopen : undefined))
}

async function openFirst(
  transport: Transport,
  options: ClientOptions,
  standing: Standing,
): Promise<Opened> {
  const first = new Attempt(transport, options, standing)
  try {
    return await first.run(options.era ?? 'auto')
  } catch (error) {
    if (options.signal?.aborted === true) throw error
    // Some old servers end at the first request they do not know: they get one more start and the handshake alone.
    if (first.lostWhileProbing && wentAway(error))
      return openFirst(transport, { ...options, era: 'legacy' }, standing)
    const { fallback } = transport
    if (fallback === undefined || !first.triedHandshake || !refusesHandshake(error)) throw error
    try {
      return await new Attempt(fallback, options, standing).run('legacy') // VERS-17
    } catch (second) {
      throw neitherWay(error, second)
    }
  }
}

/** The same server, which may be a newer one by now: the era that it spoke is tried without asking for it. */
async function openAgain(
  transport: Transport,
  options: ClientOptions,
  { standing, era }: { readonly standing: Standing; readonly era: Era },
): Promise<Opened> {
  if (era === 'modern') return openFirst(transport, options, standing)
  try {
    return await new Attempt(transport, options, standing).run('legacy')
  } catch (error) {
    const refused = error instanceof RpcError || error instanceof ProtocolError
    if (!refused && !refusesHandshake(error)) throw error
    return openFirst(transport, options, standing)
  }
}

/** One way through opening and negotiation; holds what the peer's callbacks need before there is a client. */
class Attempt {
  readonly #transport: Transport
  readonly #options: ClientOptions
  readonly #standing: Standing
  readonly #settings: Settings
  readonly #start: TimerSetting
  readonly #waits = new Set<Timer>()
  readonly #words: FirstWords
  #dialect: Dialect | undefined
  #asking: string | undefined
  #tasks: Promise<AnswerTasks> | undefined

  constructor(transport: Transport, options: ClientOptions, standing: Standing) {
    this.#transport = transport
    this.#options = options
    this.#standing = standing
    this.#settings = standing.settings
    this.#words = new FirstWords(transport.name)
    const startMs = options.timeouts?.startMs
    this.#start =
      startMs === undefined
        ? { ms: transport.startTimeoutMs ?? 30_000, setBy: 'default' }
        : { ms: startMs, setBy: options.timeouts?.setBy?.start ?? 'client' }
  }

  /** True when the server went away over the probe, before the handshake was tried. */
  get lostWhileProbing(): boolean {
    return (
      this.#dialect === undefined &&
      this.#asking === 'server/discover' &&
      (this.#options.era ?? 'auto') === 'auto'
    )
  }

  /** True when the handshake was the last that was tried. */
  get triedHandshake(): boolean {
    return this.#dialect === undefined && this.#asking === 'initialize'
  }

  async run(era: 'auto' | 'legacy' | 'modern'): Promise<Opened> {
    const { wire, maxMessageBytes, signal } = this.#options
    const { clock } = this.#settings
    const channel = await Channel.open(this.#transport, { wire, maxMessageBytes, clock, signal })
    const peer = this.#makePeer(channel)
    const abort = (): void =>
      void channel.close(
        new TransportError('DP_TRANSPORT_CLOSED', 'Connecting was given up.', {
          detail: { kind: 'given-up' },
        }),
      )
    if (signal?.aborted === true) abort()
    else signal?.addEventListener('abort', abort, { once: true })
    try {
      const caller = await this.#negotiate(peer, channel, era)
      await this.#setLogLevel(caller)
      return { caller, transport: this.#transport }
    } catch (error) {
      await peer.close(error instanceof Error ? error : undefined)
      throw this.#dialect === undefined ? this.#words.explain(error) : error
    } finally {
      for (const wait of this.#waits) wait.cancel()
      signal?.removeEventListener('abort', abort)
    }
  }

  async #negotiate(
    peer: Peer,
    channel: Channel,
    era: 'auto' | 'legacy' | 'modern',
  ): Promise<Caller> {
    const { identity } = this.#settings
    const { revisions, timeouts } = this.#options
    const opening: Opening = {
      ask: (method, params, headers) => {
        this.#asking = method
        const timer = {
          idle: this.#start,
          total: this.#start,
          timer: 'start',
          uncancellable: true,
          // Over a pipe there are no headers, and none are shown.
          facts: headers === undefined || !channel.perRequest ? undefined : { headers },
        } as const // LIFE-09
        const { id, result } = peer.request(method, params, timer)
        this.#words.asked(id, method)
        return result
      },
      tell: (method, params) => peer.notify(method, params),
      wait: (ms) =>
        new Promise((resolve) => void this.#waits.add(this.#settings.clock.after(ms, resolve))),
      note: (kind, data) => channel.note({ kind, data }),
    }
    const wish = {
      era,
      probeMs: timeouts?.probeMs ?? 1000,
      ...(revisions === undefined ? {} : { revisions }),
    }
    const agreed = await negotiate(opening, identity, wish)
    const { server } = agreed
    const dialect = extend(agreed.dialect, this.#settings.extensions)
    this.#dialect = dialect
    channel.settle(dialect.link)
    return {
      channel,
      peer,
      dialect,
      server,
      settings: this.#settings,
      allowed: new Set(),
      mirrors: channel.perRequest && dialect.traits.mirrorsHeaders,
      rescue: (failed) => this.#standing.rescue(failed),
    }
  }

  #makePeer(channel: Channel): Peer {
    const { clock, logger } = this.#settings
    const peer = new Peer(channel, {
      clock,
      logger,
      maxPending: this.#options.maxPending,
      onRequest: (request, inbound) => this.#answer(request, inbound, { peer, channel }),
      onStray: (text) => {
        if (this.#dialect === undefined) end(channel, this.#words.stray(text))
      },
      onNotification: (notification) => this.#hear(notification),
      belongsTo: (notification) => this.#dialect?.exchangeOf(notification),
      cancels: cancellationOf,
      cancel: (id, reason) => peer.notify('notifications/cancelled', { requestId: id, reason }),
      answersRequests: () => this.#dialect?.traits.serverAsks !== 'result', // RPC-17
      answersMalformed: ({ id }) =>
        id !== undefined && this.#dialect?.traits.serverAsks === 'request',
      encodeError: (error) => this.#encodeError(error),
    })
    return peer
  }

  #answer(
    request: Request,
    inbound: InboundRequest,
    { peer, channel }: { readonly peer: Peer; readonly channel: Channel },
  ): Answer | Promise<Answer> {
    if (request.method === 'ping') return {} // PING-01
    const [settings, dialect] = [this.#settings, this.#dialect]
    if (dialect === undefined) {
      end(channel, this.#words.echoIn(request))
      throw new RpcRefusal(METHOD_NOT_FOUND, `Not before the handshake: ${request.method}`)
    }
    return import('./answers.ts').then(async ({ answerQuestion }) => {
      const { name: server } = this.#transport
      const answer = ({ signal }: Pick<AnswerContext, 'signal'>): Promise<JsonObject> =>
        answerQuestion({ settings, dialect }, request, { signal, server })
      const tasks = await this.#answerTasks(dialect, peer)
      const asked = { request, inbound, dialect, peer, answer }
      const result = await (tasks === undefined ? answer(inbound) : tasks.answer(asked))
      return dialect.encodeResult(request.method, { kind: 'complete', result }) // SAMP-10
    })
  }

  /** Who answers questions as tasks, where that was declared and the revision has it. // TASK-01 */
  #answerTasks(dialect: Dialect, peer: Peer): Promise<AnswerTasks | undefined> {
    const { answers, clock } = this.#settings
    if (answers.tasks !== true || dialect.traits.tasks !== 'core') return Promise.resolve(undefined)
    this.#tasks ??= import('./answer-tasks.ts').then(({ AnswerTasks: Tasks }) => {
      const tasks = new Tasks({ clock })
      void peer.ended.then(() => tasks.close())
      return tasks
    })
    return this.#tasks
  }

  #encodeError(error: unknown): EncodedError {
    const encoded = this.#dialect?.encodeError(error)
    if (encoded !== undefined) return encoded
    return error instanceof RpcRefusal
      ? { error: { code: error.rpcCode, message: error.message } }
      : { error: { code: INTERNAL_ERROR, message: 'Internal error' } }
  }

  #hear(notification: Notification): void {
    const { method, params } = notification
    const broadcasts = this.#dialect?.traits.changes !== 'listen'
    if (this.#standing.hear(notification, { server: this.#transport.name, broadcasts })) return
    if (method === 'notifications/message' && isLoggingLevel(params?.['level'])) {
      this.#options.onLog?.({ ...params, level: params['level'], data: params['data'] ?? null })
    } else this.#options.onNotification?.(method, params)
  }

  async #setLogLevel(caller: Caller): Promise<void> {
    const level = this.#settings.logLevel
    if (level === undefined || caller.dialect.traits.logLevel !== 'session') return
    if (caller.server.capabilities.logging === undefined) return
    try {
      await call(caller, 'logging/setLevel', { level }) // LOG-03
    } catch (error) {
      if (error instanceof TimeoutError || error instanceof TransportError) throw error
      this.#settings.logger.warn('the server refused the log level', {
        level,
        error: describeError(error),
      })
    }
  }
}

function end(channel: Channel, reason: Error | undefined): void {
  if (reason !== undefined) void channel.close(reason)
}
