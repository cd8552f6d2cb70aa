/**
 * One server of a host, from its attachment to its end: its state, its starts and restarts, and the calls to it. Whatever goes
 * wrong with the server ends here, in its status and in its calls; nothing of it reaches another server.
 */

import type { Timer } from '../base/clock.ts'
import { asError, describeError, PolicyError, TransportError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { Client } from '../client/client.ts'
import type { CallOptions, LinkChange } from '../client/options.ts'
import type { ServerEntry } from '../config/entry.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import { Calls } from './calls.ts'
import { FloodMeter } from './flood.ts'
import { Lane } from './lane.ts'
import { Opening } from './opening.ts'
import { ReadyWait } from './ready-wait.ts'
import * as reasons from './reasons.ts'
import { judge, RestartPolicy } from './restart.ts'
import type { Offer, RuntimeLimits, ServerParts } from './server-parts.ts'
import { Session, type TroubleKind } from './session.ts'
import {
  applies,
  mayBecomeReady,
  nextState,
  takesCalls,
  type ServerEvent,
  type ServerState,
  type ServerStatus,
} from './state.ts'

export type { Offer } from './server-parts.ts'

type Trouble = reasons.Reason & { readonly kind: TroubleKind }

/** Made by a registry, which starts it. */
export class AttachedServer {
  readonly #parts: ServerParts
  readonly #lane: Lane
  readonly #calls: Calls
  readonly #restarts: RestartPolicy
  readonly #readyWait: ReadyWait
  readonly #troubles = new Map<TroubleKind, Trouble>()
  #entry: ServerEntry
  #state: ServerState = 'idle'
  #reason: reasons.Reason = reasons.REASONS.starting
  #since: number
  #error: Error | undefined
  #opening: Opening | undefined
  #session: Session | undefined
  #flood: FloodMeter | undefined
  #offer: Offer | undefined
  #lists = 0
  #pid: number | undefined
  #downloading = false
  #readySince: number | undefined
  #retry: Timer | undefined
  #retryAt: number | undefined
  /** Settles when nothing is left of what was started before. */
  #leaving: Promise<unknown>

  /** Its first start waits for `after`: for the end of the server in whose place it is. */
  constructor(entry: ServerEntry, parts: ServerParts, after: Promise<void> = Promise.resolve()) {
    this.#leaving = after
    this.#entry = entry
    this.#parts = parts
    this.#since = parts.clock.wall()
    this.#restarts = new RestartPolicy(parts.random)
    this.#lane = new Lane({ server: entry.key, pool: parts.pool, ...laneOf(entry, parts.limits) })
    this.#calls = new Calls(this.#callOwner(), this.#lane)
    this.#readyWait = new ReadyWait(entry.key)
    const first = reasons.firstState(entry)
    if (first === undefined) return
    this.#state = first.state
    this.#reason = first.reason
  }

  get entry(): ServerEntry {
    return this.#entry
  }

  /** The state alone, for whoever asks often. */
  get state(): ServerState {
    return this.#state
  }

  /** A snapshot. */
  get status(): ServerStatus {
    const { clock } = this.#parts
    const error = this.#error ?? this.#reason.error
    const up = this.#session !== undefined || this.#opening !== undefined
    const server = this.#session?.client.server
    const wait = this.#retryAt === undefined ? undefined : this.#retryAt - clock.now()
    return {
      key: this.#entry.key,
      state: this.#state,
      since: this.#since,
      why: this.#reason.text,
      whyKind: this.#reason.kind,
      crashes: this.#restarts.count(clock.now()),
      waiting: this.#lane.waiting,
      running: this.#lane.running,
      ...(error !== undefined && { error }),
      ...(wait !== undefined && { nextTryMs: Math.max(0, Math.round(wait)) }),
      ...(up && this.#pid !== undefined && { pid: this.#pid }),
      ...(server !== undefined && { revision: server.revision, era: server.era }),
      ...(server?.info !== undefined && { info: server.info }),
      ...(this.#offer !== undefined && { tools: this.#offer.tools.length }),
      ...(this.#downloading && { downloading: true }),
    }
  }

  /** What it offered last; kept while it is away for a moment, gone when it is given up. */
  get offer(): Offer | undefined {
    return this.#offer
  }

  /** The client while there is a connection. Calls of tools go by `send`. */
  client(): Client | undefined {
    return takesCalls(this.#state) ? this.#session?.client : undefined
  }

  /** Starts it if it waits to be. */
  start(): void {
    if (this.#move('start', reasons.REASONS.starting)) this.#open()
  }

  /**
   * Settles when it takes calls, starting it if it is lazy. Rejects when that will not come by itself, with the reason, and
   * when the signal aborts. Keeps the process alive meanwhile.
   */
  async ready(signal?: AbortSignal): Promise<void> {
    this.start()
    if (takesCalls(this.#state)) return
    if (!mayBecomeReady(this.#state)) throw this.#unavailable()
    await this.#readyWait.wait(signal)
  }

  /**
   * Sends a call that was judged, its arguments as they are. It waits while the server comes up, within its own limits.
   * Rejects with `DP_TRANSPORT_UNAVAILABLE` at once when there is no hope. For the gate of the host alone.
   */
  send(tool: string, args: JsonObject, options: CallOptions = {}): Promise<CallToolResult> {
    return this.#calls.send(tool, args, options)
  }

  /** A new beginning, whatever the state; crashes so far are forgotten. Not for one that is disabled. */
  restart(): void {
    if (!applies(this.#state, 'restart')) return
    this.#restarts.reset()
    this.#leave()
    this.#error = undefined
    this.#move('restart', reasons.REASONS.asked)
    this.#open()
  }

  /** Settings that need no new start. The registry decides which those are. */
  update(entry: ServerEntry): void {
    this.#entry = entry
    this.#lane.resize(laneOf(entry, this.#parts.limits))
  }

  /** Ends it for good; settles when nothing of it is left. May be called more than once. */
  async stop(): Promise<void> {
    this.#leave()
    this.#move('stop', reasons.REASONS.detached)
    await this.#leaving
  }

  #open(): void {
    const { key } = this.#entry
    this.#run('starting', async () => {
      await this.#leaving
      if (this.#state !== 'connecting' || this.#opening !== undefined) return
      const opening = new Opening(this.#entry, this.#parts, {
        onProcess: (pid) => this.#onProcess(pid),
        onDownloading: (is) => this.#onDownloading(is),
        onStderr: (bytes) => this.#onStderr(bytes),
        onStray: (bytes) => this.#flood?.count('stray', bytes),
        onNotice: (method) => this.#onNotice(method),
        onLink: (change) => this.#onLink(change),
      })
      this.#opening = opening
      this.#flood = new FloodMeter({
        clock: this.#parts.clock,
        onFlood: (text) => this.#onTrouble({ kind: 'flood', text }),
        onCalm: () => this.#onWell('flood'),
      })
      try {
        const session = this.#sessionOf(await opening.opened)
        if (this.#opening !== opening) {
          await session.close()
          return
        }
        this.#session = session
        this.#say(reasons.REASONS.reading)
        await session.begin()
        if (this.#opening !== opening) return
        this.#opening = undefined
        this.#onReady()
      } catch (error) {
        if (this.#opening === opening) this.#broke(asError(error))
        else this.#parts.logger.debug('a start that nobody waits for', { server: key })
      }
    })
  }

  #sessionOf(opened: ConstructorParameters<typeof Session>[0]): Session {
    const session: Session = new Session(opened, {
      entry: this.#entry,
      parts: this.#parts,
      known: this.#offer,
      owner: {
        onTrouble: (kind, text, error) =>
          this.#onTrouble({ kind, text, ...(error !== undefined && { error }) }),
        onWell: (kind) => this.#onWell(kind),
        onOffer: (offer, changed) => this.#onOffer(offer, changed),
        onDead: (error) => this.#broke(error),
        onOver: (error) => (this.#session === session ? this.#broke(error) : undefined),
        busy: () => this.#lane.running > 0,
      },
    })
    return session
  }

  #onReady(): void {
    this.#readySince = this.#parts.clock.now()
    this.#error = undefined
    this.#downloading = false
    this.#move('opened', reasons.REASONS.connected)
    this.#showTroubles()
  }

  /** It is gone, or did not come up. */
  #broke(error: Error): void {
    const { nature, whyKind } = judge(error)
    const wasReady = this.#readySince
    this.#leave()
    this.#error = error
    if (nature === 'sign-in') return void this.#move('refused', reasons.givenUp(whyKind, error))
    if (nature === 'lasting') return void this.#move('gave-up', reasons.givenUp(whyKind, error))
    const now = this.#parts.clock.now()
    const verdict = this.#restarts.crashed({ now, readySince: wasReady, error })
    if (verdict.kind === 'give-up')
      return void this.#move('gave-up', reasons.givenUp(verdict.whyKind, error))
    this.#retryAt = now + verdict.ms
    this.#retry = this.#parts.clock.after(verdict.ms, () => {
      this.#retryAt = undefined
      if (this.#move('retry', reasons.REASONS.starting)) this.#open()
    })
    this.#move('broke', reasons.retrying(whyKind, error, verdict.ms))
  }

  /** Lets go of what there is of it; what is left then takes its time to end. */
  #leave(): void {
    this.#retry?.cancel()
    this.#retryAt = undefined
    this.#flood?.stop()
    this.#troubles.clear()
    this.#downloading = false
    this.#readySince = undefined
    const [opening, session] = [this.#opening, this.#session]
    this.#opening = undefined
    this.#session = undefined
    opening?.giveUp()
    const before = this.#leaving
    this.#leaving = Promise.all([before, opening?.gone, session?.close()]).catch((error: unknown) =>
      this.#parts.logger.warn('a server was not ended in order', {
        server: this.#entry.key,
        error: describeError(error),
      }),
    )
  }

  #onProcess(pid: number | undefined): void {
    this.#pid = pid
  }

  #onDownloading(is: boolean): void {
    if (this.#opening === undefined || this.#session !== undefined) return
    this.#downloading = is
    const { entry } = this
    const command = entry.transport === 'stdio' ? entry.command : entry.key
    this.#say(is ? reasons.downloading(command) : reasons.REASONS.starting)
  }

  #onStderr(bytes: number): void {
    this.#flood?.count('stderr', bytes)
    this.#calls.touch()
  }

  #onNotice(method: string): void {
    this.#flood?.count('notices', 1)
    if (method === 'notifications/tools/list_changed') this.#session?.poke()
  }

  /** Of a client that opens its link again by itself. */
  #onLink(change: LinkChange): void {
    const session = this.#session
    if (session === undefined || this.#opening !== undefined) return
    if (change.kind === 'lost') {
      this.#error = change.reason
      this.#move('broke', reasons.reopening(change.reason))
    } else {
      this.#error = undefined
      this.#move('opened', reasons.REASONS.connected)
      this.#showTroubles()
      session.poke()
    }
  }

  #onTrouble(trouble: Trouble): void {
    this.#troubles.set(trouble.kind, trouble)
    this.#showTroubles()
  }

  #onWell(kind: TroubleKind): void {
    if (!this.#troubles.delete(kind)) return
    if (this.#troubles.size > 0) this.#showTroubles()
    else this.#move('well', reasons.REASONS.connected)
  }

  /** The first of the troubles is told; a server that does not take calls yet shows them when it does. */
  #showTroubles(): void {
    for (const trouble of this.#troubles.values()) {
      if (!takesCalls(this.#state)) return
      if (!this.#move('trouble', trouble)) this.#say(trouble)
      return
    }
  }

  #onOffer(offer: Omit<Offer, 'count'>, changed: boolean): void {
    this.#lists += 1
    this.#offer = { ...offer, count: this.#lists }
    this.#calls.touch()
    if (changed) this.#tellOffer()
  }

  /** Takes the way of an event, if there is one. */
  #move(event: ServerEvent, reason: reasons.Reason): boolean {
    if (!applies(this.#state, event)) return false
    const next = nextState(this.#state, event)
    if (next !== this.#state) this.#since = this.#parts.clock.wall()
    this.#state = next
    this.#reason = reason
    this.#settle()
    this.#tellStatus()
    return true
  }

  /** Another reason for the same state. */
  #say(reason: reasons.Reason): void {
    if (reason.text === this.#reason.text) return
    this.#reason = reason
    this.#calls.touch()
    this.#tellStatus()
  }

  /** Everything that waits learns of the new state. */
  #settle(): void {
    if (takesCalls(this.#state)) {
      this.#readyWait.resolve()
      this.#lane.open()
    } else if (mayBecomeReady(this.#state)) this.#lane.hold()
    else {
      this.#readyWait.reject(() => this.#unavailable())
      this.#lane.refuse(() => this.#unavailable())
      if (this.#offer === undefined) return
      this.#offer = undefined
      this.#tellOffer()
    }
    this.#calls.touch()
  }

  #unavailable(): Error {
    const { key: server } = this.#entry
    const cause = this.#error
    const why = `"${server}" takes no calls: ${this.#reason.text}`
    if (this.#reason.kind === 'unapproved')
      return new PolicyError('DP_POLICY_UNAPPROVED', why, {
        server,
        detail: { kind: 'unapproved', place: reasons.placeText(this.#entry.place) },
      })
    return new TransportError('DP_TRANSPORT_UNAVAILABLE', why, {
      server,
      sent: 'no',
      cause,
      detail: { kind: 'unavailable', why: this.#reason.kind },
    })
  }

  #callOwner(): ConstructorParameters<typeof Calls>[0] {
    return {
      parts: this.#parts,
      entry: () => this.#entry,
      session: () => this.#session,
      tool: (name) => this.#offer?.tools.find((tool) => tool.name === name),
      refusal: () =>
        takesCalls(this.#state) || mayBecomeReady(this.#state) ? undefined : this.#unavailable(),
      wake: () => this.start(),
      why: () => `It is ${this.#state}: ${this.#reason.text}`,
      onSignIn: (error) => this.#broke(error),
    }
  }

  #tellStatus(): void {
    this.#guard('a listener for states', () => this.#parts.onStatus(this.status))
  }

  #tellOffer(): void {
    const { key } = this.#entry
    this.#guard('a listener for offers', () => this.#parts.onOffer(key, this.#offer))
  }

  /** What throws here is a fault of ours or of a listener, and costs this one server at most. */
  #guard(what: string, run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#parts.logger.error(`${what} failed`, {
        server: this.#entry.key,
        error: describeError(error),
      })
    }
  }

  #run(what: string, run: () => Promise<void>): void {
    run().catch((error: unknown) => {
      this.#parts.logger.error(`${what} failed`, {
        server: this.#entry.key,
        error: describeError(error),
      })
      this.#broke(asError(error))
    })
  }
}

function laneOf(
  { transport, concurrency, queue }: ServerEntry,
  limits: RuntimeLimits,
): { readonly concurrency: number; readonly queue: number } {
  const usual = transport === 'stdio' ? limits.stdioConcurrency : limits.urlConcurrency
  return { concurrency: concurrency ?? usual, queue: queue ?? limits.queue }
}
