/**
 * The process of a stdio server: how it is started, how it ends, and that nothing of it is left.
 *
 * It owns the process group and knows nothing of the streams' contents. Stopping goes from asking to
 * forcing: the end of input, `SIGTERM`, `SIGKILL`, each with its time, and the whole group each time.
 */

import type { SpawnOptions } from 'node:child_process'
import type { Clock, Timer } from '../../base/clock.ts'
import { trySignal, type PipedProcess, type ProcessPort } from './process-group.ts'

/** What must hear of every group that is started, so that none outlives this process. */
export interface GroupWatch {
  /** A group is about to be started: whoever watches may need a moment before that. */
  prepare?(): void
  add(leader: number): void
  /** Nobody is left in the group. */
  remove(leader: number): void
}

export interface ServerProcessOptions {
  readonly processes: ProcessPort
  readonly clock: Clock
  /** Knows of the process already, and is told when nobody is left. */
  readonly watch: GroupWatch | undefined
  /** Milliseconds between the end of input and `SIGTERM`. */
  readonly stopEofMs: number
  /** Milliseconds between `SIGTERM` and `SIGKILL`. */
  readonly stopTermMs: number
  /** The leader has ended; others of its group may live. Called once. */
  onExit(exit: ProcessExit): void
  /** Asking was not enough. `left` says that even `SIGKILL` did not end it in time. */
  onForce(step: 'SIGTERM' | 'SIGKILL' | 'left'): void
}

export interface ProcessExit {
  readonly exitCode: number | undefined
  readonly signal: string | undefined
}

export interface ProgramStart {
  readonly file: string
  readonly args: readonly string[]
  readonly options: SpawnOptions
}

/** When a group without a leader is looked at again: nobody tells when its last process ends. */
const FIRST_LOOK_MS = 10
const LAST_LOOK_MS = 160
/** How long those may take that are left when the leader ended by itself. */
const FOLLOWERS_MS = 200
/** How long a killed process may take to vanish; longer only in the depths of the system. */
const KILL_MS = 2000

export interface StartedProcess {
  readonly child: PipedProcess
  readonly pid: number
}

/**
 * Starts a process, or rejects with the system's own error and leaves nothing behind. The watch knows of it before anything
 * else happens: this process may be killed while others are being started.
 */
export function startProcess(
  processes: ProcessPort,
  start: ProgramStart,
  watch?: GroupWatch,
): Promise<StartedProcess> {
  return new Promise((resolve, reject) => {
    watch?.prepare?.()
    const child = processes.start(start.file, start.args, start.options)
    // Stays on: an `error` event that nobody hears would end this process.
    child.on('error', reject)
    const { pid } = child
    if (pid === undefined) return
    watch?.add(pid)
    resolve({ child, pid })
  })
}

/** The life of a started process. Make it before any event of the child can come. */
export class ServerProcess {
  readonly pid: number
  readonly #child: PipedProcess
  readonly #options: ServerProcessOptions
  #exit: ProcessExit | undefined
  #gone = false
  #stopping: Promise<void> | undefined
  #onExited: (() => void) | undefined

  constructor({ child, pid }: StartedProcess, options: ServerProcessOptions) {
    this.pid = pid
    this.#child = child
    this.#options = options
    child.once('exit', (code, signal) => {
      this.#exit = { exitCode: code ?? undefined, signal: signal ?? undefined }
      options.onExit(this.#exit)
      this.#onExited?.()
    })
  }

  /** How the leader ended, once it has. */
  get exit(): ProcessExit | undefined {
    return this.#exit
  }

  /**
   * Ends the whole group; the caller has ended its input. Settles when nobody is left, or when nothing more
   * can be done. May be called more than once. // STDIO-08, STDIO-09
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    if (this.#isGone()) return
    // The clock's timers let this process end, and then nobody would be left to do the forcing.
    const awake = setInterval(() => {}, 1 << 30)
    try {
      const { stopEofMs, stopTermMs } = this.#options
      if (await this.#goesWithin(stopEofMs, FOLLOWERS_MS)) return
      this.#force('SIGTERM')
      if (await this.#goesWithin(stopTermMs)) return
      this.#force('SIGKILL')
      if (await this.#goesWithin(KILL_MS)) return
      this.#options.onForce('left')
      this.#child.unref()
    } finally {
      clearInterval(awake)
    }
  }

  #force(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#options.onForce(signal)
    trySignal(this.#options.processes, this.pid, signal)
  }

  /** Waits at most `ms` for all, and at most `followersMs` from the end of the leader on. */
  #goesWithin(ms: number, followersMs: number = ms): Promise<boolean> {
    if (this.#isGone()) return Promise.resolve(true)
    const { clock } = this.#options
    return new Promise((resolve) => {
      const timers: Record<'end' | 'look', Timer | undefined> = { end: undefined, look: undefined }
      const done = (gone: boolean): void => {
        timers.end?.cancel()
        timers.look?.cancel()
        this.#onExited = undefined
        resolve(gone)
      }
      const look = (nextMs: number): void => {
        if (this.#isGone()) return done(true)
        timers.look = clock.after(nextMs, () => look(Math.min(nextMs * 2, LAST_LOOK_MS)))
      }
      const followers = (): void => {
        if (followersMs < ms) {
          timers.end?.cancel()
          timers.end = clock.after(followersMs, () => done(false))
        }
        look(FIRST_LOOK_MS)
      }
      timers.end = clock.after(ms, () => done(this.#isGone()))
      if (this.#exit === undefined) this.#onExited = followers
      else followers()
    })
  }

  /** Once true it stays so: a number that is free again may soon be somebody else's. */
  #isGone(): boolean {
    if (this.#gone) return true
    if (this.#exit === undefined || this.#options.processes.isGroupAlive(this.pid)) return false
    this.#gone = true
    this.#options.watch?.remove(this.pid)
    return true
  }
}
