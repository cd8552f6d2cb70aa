/**
 * One start of one server, from its entry to a client that is ready, within the limit of the start. What it leaves behind when
 * it fails is told apart from its failure: a process that hangs takes its time to be ended.
 */

import { asError, CancelledError } from '../base/errors.ts'
import type { Client } from '../client/client.ts'
import { connect } from '../client/connect.ts'
import type { ClientOptions, LinkChange } from '../client/options.ts'
import type { ServerEntry } from '../config/entry.ts'
import type { TimerSetting } from '../jsonrpc/exchange.ts'
import type { Transport } from '../jsonrpc/link.ts'
import { startTimeoutFor } from '../transport/node/process.ts'
import type { GroupWatch } from '../transport/node/server-process.ts'
import { hostWatchdog } from '../transport/node/watchdog.ts'
import { Allowance } from './allowance.ts'
import type { ServerParts } from './server-parts.ts'
import { StartWatch } from './start-watch.ts'
import { transportOf } from './targets.ts'
import { countUnasked } from './unasked.ts'

export interface Opened {
  readonly client: Client
  /** Whether the client opens its link again by itself, and repeats calls that surely did nothing. */
  readonly reopens: boolean
}

/** Who hears what happens while a server starts, and afterwards. None of it may throw. */
export interface OpeningEars {
  /** A process was started, or nobody is left of it. */
  readonly onProcess: (pid: number | undefined) => void
  readonly onDownloading: (downloading: boolean) => void
  /** So many bytes came on stderr. */
  readonly onStderr: (bytes: number) => void
  /** So many bytes came that are no message. */
  readonly onStray: (bytes: number) => void
  /** The server said something that nobody asked for. */
  readonly onNotice: (method: string) => void
  readonly onLink: (change: LinkChange) => void
}

export class Opening {
  /** The client, or why there is none: also as soon as the limit has run out, or it was given up. */
  readonly opened: Promise<Opened>
  /** Settles when nothing is left of this start but the client that it gave, if it gave one; never rejects. */
  readonly gone: Promise<void>
  readonly #entry: ServerEntry
  readonly #parts: ServerParts
  readonly #ears: OpeningEars
  readonly #stop = new AbortController()
  #watch: StartWatch | undefined
  #leader: number | undefined
  #fail: (error: Error) => void = () => undefined

  constructor(entry: ServerEntry, parts: ServerParts, ears: OpeningEars) {
    this.#entry = entry
    this.#parts = parts
    this.#ears = ears
    const failed = new Promise<never>((_, reject) => (this.#fail = reject))
    const connected = this.#run()
    this.opened = Promise.race([connected, failed])
    this.opened.catch(() => undefined) // whoever started it looks at it, perhaps later
    this.gone = connected.then(
      ({ client }) => (this.#stop.signal.aborted ? client.close() : undefined),
      () => undefined,
    )
  }

  /** Ends the start. Does nothing once there is a client. */
  giveUp(): void {
    const { key } = this.#entry
    this.#abandon(new CancelledError(`Starting "${key}" was given up.`, { server: key }))
  }

  #abandon(error: Error): void {
    this.#watch?.end()
    this.#stop.abort()
    this.#fail(error)
  }

  async #run(): Promise<Opened> {
    const { key } = this.#entry
    try {
      const target = this.#parts.transport(this.#entry) ?? this.#target()
      const watch = this.#watchFor(target)
      this.#watch = watch
      const transport = this.#parts.seal(key, target)
      const client = await connect(transport, this.#clientOptions())
      return { client, reopens: transport.reopens === true }
    } catch (error) {
      throw asError(error)
    } finally {
      this.#watch?.end()
    }
  }

  #target(): Transport {
    const { clock, random, logger } = this.#parts
    const allowance = new Allowance(clock, STDERR_LIMITS)
    const transport = transportOf(this.#entry, {
      clock,
      random,
      logger,
      watch: this.#groupWatch(hostWatchdog(logger)),
      onStderr: (bytes) => {
        this.#watch?.stderr(bytes)
        this.#ears.onStderr(bytes.length)
        return allowance.spend(bytes.length)
      },
    })
    if (this.#entry.transport !== 'stdio') return transport
    return countUnasked(transport, {
      clock,
      onStray: (bytes) => this.#ears.onStray(bytes),
      onRequest: () => this.#ears.onNotice('request'),
    })
  }

  #groupWatch(watchdog: GroupWatch): GroupWatch {
    const { jobs } = this.#parts
    const { key } = this.#entry
    const command = this.#entry.transport === 'stdio' ? this.#entry.command : ''
    return {
      prepare: () => watchdog.prepare?.(),
      add: (leader) => {
        watchdog.add(leader)
        jobs?.started(key, leader, command)
        this.#watch?.started(leader)
        this.#leader = leader
        this.#ears.onProcess(leader)
      },
      remove: (leader) => {
        watchdog.remove(leader)
        jobs?.ended(leader)
        // A second process may have followed the first.
        if (this.#leader === leader) this.#ears.onProcess(undefined)
      },
    }
  }

  #watchFor(transport: Transport): StartWatch {
    const { clock, look } = this.#parts
    const { key, timeouts } = this.#entry
    const usual: TimerSetting = { ms: transport.startTimeoutMs ?? START_MS, setBy: 'default' }
    return new StartWatch({
      clock,
      look,
      server: key,
      limit: timeouts.start ?? usual,
      launcher: launcherOf(this.#entry),
      extends: timeouts.start === undefined,
      onOver: (error) => this.#abandon(error),
      onDownloading: (downloading) => this.#ears.onDownloading(downloading),
    })
  }

  #clientOptions(): ClientOptions {
    const { clock, random, logger, wire } = this.#parts
    const { key, trusted, timeouts } = this.#entry
    const { probe, idle, total } = timeouts
    const answers = this.#parts.answers(this.#entry)
    return {
      clock,
      random,
      logger,
      trusted,
      signal: this.#stop.signal,
      ...(wire !== undefined && { wire }),
      ...(answers !== undefined && { answers }),
      timeouts: {
        // The watch of the start has the limit, and knows more of what is waited for.
        startMs: Number.POSITIVE_INFINITY,
        ...(probe !== undefined && { probeMs: probe.ms }),
        ...(idle !== undefined && { idleMs: idle.ms }),
        ...(total !== undefined && { totalMs: total.ms }),
        setBy: {
          ...(idle !== undefined && { idle: idle.setBy }),
          ...(total !== undefined && { total: total.setBy }),
        },
      },
      onLink: (change) => this.#ears.onLink(change),
      onNotification: (method) => this.#ears.onNotice(method),
      onLog: ({ level, data }) => {
        this.#ears.onNotice('notifications/message')
        logger.module('server').debug(`${key} says ${level}`, { data })
      },
    }
  }
}

/** Words of a server to its own log are read generously, but not faster than others can bear. */
const STDERR_LIMITS = { messages: Number.POSITIVE_INFINITY, bytes: 256 * 1024 }

/** The limit of a start where neither the entry nor the transport knows better. */
const START_MS = 30_000

/** The name of a command that may fetch its program first. */
function launcherOf(entry: ServerEntry): string | undefined {
  if (entry.transport !== 'stdio') return undefined
  const { command, args } = entry
  if (startTimeoutFor(command, args) <= START_MS) return undefined
  return command.slice(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1)
}
