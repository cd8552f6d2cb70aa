/**
 * The time limit of one start, and what the wait is for: a command that fetches its program first is told apart from one that
 * hangs, by what it writes to stderr, the work it does and the processes it has started. A fetch that goes on gets more time.
 */

import type { Clock, Timer } from '../base/clock.ts'
import type { NoStart } from '../base/error-detail.ts'
import { TimeoutError } from '../base/errors.ts'
import { createByteTail } from '../formats/byte-tail.ts'
import { showUtf8 } from '../formats/utf8.ts'
import type { TimerSetting } from '../jsonrpc/exchange.ts'
import { lastWords } from '../transport/node/stderr-lines.ts'
import type { GroupSight, LookAtProcess } from './group-sight.ts'

export interface StartWatchOptions {
  readonly clock: Clock
  readonly look: LookAtProcess
  /** Config key of the server. */
  readonly server: string
  readonly limit: TimerSetting
  /** The command if it may fetch its program first, as `npx` and `uvx` do. */
  readonly launcher: string | undefined
  /** Whether the limit grows while it fetches: when nobody set one. */
  readonly extends: boolean
  /** The limit has run out. Called once. */
  readonly onOver: (error: TimeoutError) => void
  /** It has begun to fetch, or does so no more. */
  readonly onDownloading: (downloading: boolean) => void
}

/** How often a launcher is looked at, in ms; the first look comes after this time as well. */
const LOOK_MS = 2000
/** A fetch that shows nothing for so long is none any more. */
const STALL_MS = 6000
/** What the program has at least to answer, from its own start on. */
const AFTER_FETCH_MS = 30_000
/** The longest that a fetch may take in all. */
export const MAX_FETCH_MS = 600_000
/** Less than this between two looks is what a process does that only waits. */
const LEAST_TICKS = 2
const LEAST_BYTES = 1024
const STDERR_BYTES = 2048

export class StartWatch {
  readonly #options: StartWatchOptions
  readonly #startedAt: number
  readonly #stderr = createByteTail(STDERR_BYTES)
  #pid: number | undefined
  #sight: GroupSight | undefined
  #wrote = false
  #activeAt: number
  #fetchedAt: number | undefined
  #programAt: number | undefined
  #downloading = false
  #limit: Timer
  #look: Timer | undefined
  #extended = false
  #ended = false

  constructor(options: StartWatchOptions) {
    this.#options = options
    const { clock, limit } = options
    this.#startedAt = clock.now()
    this.#activeAt = this.#startedAt
    this.#limit = clock.after(limit.ms, () => this.#expire())
  }

  /** A process was started; another one may follow it. */
  started(pid: number): void {
    this.#pid = pid
    this.#sight = undefined
    this.#programAt = undefined
    if (this.#options.launcher !== undefined && !this.#ended) this.#lookLater()
  }

  stderr(bytes: Uint8Array): void {
    this.#stderr.append(bytes)
    this.#wrote = true
    this.#activeAt = this.#options.clock.now()
  }

  /** The start is over, in whatever way. */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#limit.cancel()
    this.#look?.cancel()
  }

  #lookLater(): void {
    this.#look?.cancel()
    this.#look = this.#options.clock.after(LOOK_MS, () => void this.#lookNow())
  }

  async #lookNow(): Promise<void> {
    const { clock, look } = this.#options
    const pid = this.#pid
    if (pid === undefined) return
    const sight = await look(pid)
    if (this.#ended || pid !== this.#pid) return
    const worked = sight !== undefined && hasWorked(this.#sight, sight)
    if (worked) this.#activeAt = clock.now()
    if (worked || this.#wrote) this.#fetchedAt = clock.now()
    // What its own program writes and does, once that runs, is no fetch; and a fetch may stall for a moment.
    const alone = (sight?.children ?? 0) === 0
    if (!alone) this.#programAt ??= clock.now()
    this.#tell(alone && this.#fetchedAt !== undefined && clock.now() - this.#fetchedAt < STALL_MS)
    this.#sight = sight
    this.#wrote = false
    this.#lookLater()
  }

  #tell(downloading: boolean): void {
    if (downloading === this.#downloading) return
    this.#downloading = downloading
    this.#options.onDownloading(downloading)
  }

  #expire(): void {
    const { clock, limit } = this.#options
    const passed = clock.now() - this.#startedAt
    const more = this.#options.extends && passed < MAX_FETCH_MS ? this.#moreMs() : 0
    if (more > 0) {
      this.#limit = clock.after(more, () => this.#expire())
      this.#extended = true
      return
    }
    this.end()
    const ms = this.#extended ? Math.round(passed) : limit.ms
    const { server } = this.#options
    this.#options.onOver(
      new TimeoutError(this.#message(ms), {
        timer: 'start',
        ms,
        setBy: limit.setBy,
        server,
        sent: 'no',
        detail: { kind: 'no-start', why: this.#evidence(), launcher: this.#options.launcher },
      }),
    )
  }

  /** What a start that is at its limit gets on top: while it fetches, and when its program has only just begun. */
  #moreMs(): number {
    // Looked at again after the next look, whether it still goes on.
    if (this.#downloading) return 2 * LOOK_MS
    if (this.#programAt === undefined) return 0
    return this.#programAt + AFTER_FETCH_MS - this.#options.clock.now()
  }

  #message(ms: number): string {
    const { server, limit } = this.#options
    const stderr = showUtf8(this.#stderr.bytes())
    const words = stderr.trim() === '' ? 'It wrote nothing to stderr.' : lastWords(stderr)
    return `"${server}" ran into its start timer of ${ms} ms, set by ${limit.setBy}: ${this.#explained()} ${words}`
  }

  #evidence(): NoStart {
    if (this.#options.launcher === undefined || this.#pid === undefined) return 'silent'
    if (this.#downloading) return 'fetching'
    return (this.#sight?.children ?? 0) > 0 ? 'program-silent' : 'idle'
  }

  #explained(): string {
    const { launcher, clock } = this.#options
    const quiet = Math.round((clock.now() - this.#activeAt) / 1000)
    switch (this.#evidence()) {
      case 'fetching':
        return `"${launcher}" was still fetching its program. Raise the limit, or run the command once by hand.`
      case 'program-silent':
        return `"${launcher}" has started its program, which has not answered. Run the command by hand to see why.`
      case 'idle':
        return `"${launcher}" has done nothing for ${quiet} s: it hangs. Look at the network, or run the command by hand.`
      default:
        return 'it has not answered. If it needs longer, raise the limit; else run its command by hand.'
    }
  }
}

function hasWorked(before: GroupSight | undefined, now: GroupSight): boolean {
  const ticks = now.ticks - (before?.ticks ?? 0)
  const bytes = now.bytes - (before?.bytes ?? 0)
  return ticks >= LEAST_TICKS || bytes >= LEAST_BYTES
}
