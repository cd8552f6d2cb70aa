/**
 * Hears when the files of a configuration change, and brings a running host in line with them.
 *
 * It decides nothing: a file that cannot be read leaves everything as it is, and what is not approved is not started by the
 * host. The system's notices make it quick; looking now and then makes it sure, for notices are lost on some file systems.
 */

import { watch, type FSWatcher } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemClock, type Clock, type Timer } from '../base/clock.ts'
import { asError, UsageError } from '../base/errors.ts'
import type { Config } from '../config/config.ts'
import type { ReloadReport } from './registry.ts'

export interface ConfigWatchOptions {
  /** The files, also those that are not there yet. At most 100. */
  readonly files: readonly string[]
  /** Reads the configuration anew. A rejection keeps the old one. */
  readonly load: () => Promise<Config>
  /** Goes over to it: `Host.reload`. */
  readonly reload: (config: Config) => Promise<ReloadReport>
  /** Hears what came of a change. */
  readonly onReload?: (report: ReloadReport, config: Config) => void
  /** Hears why a change was not taken over. */
  readonly onFailure?: (error: Error) => void
  /** How long a file must have been left alone, in ms: editors write more than once. Default 250. */
  readonly quietMs?: number
  /** How often the files are looked at whatever the system says, in ms. Default 2,000. */
  readonly lookMs?: number
  readonly clock?: Clock
}

export interface ConfigWatch {
  /** A reload under way is finished, and none begins any more. May be called more than once. */
  close(): Promise<void>
}

const MAX_FILES = 100

/** Begins to watch; settles when it knows what the files are like now. Throws `UsageError` for more than 100 files. */
export async function watchConfig(options: ConfigWatchOptions): Promise<ConfigWatch> {
  const watching = new Watching(options)
  await watching.begin()
  return watching
}

class Watching implements ConfigWatch {
  readonly #options: ConfigWatchOptions
  readonly #clock: Clock
  readonly #watchers: FSWatcher[] = []
  #seen = ''
  #quiet: Timer | undefined
  #look: Timer | undefined
  #work: Promise<void> | undefined
  #again = false
  #closed = false

  constructor(options: ConfigWatchOptions) {
    if (options.files.length > MAX_FILES) {
      throw new UsageError(
        `${options.files.length} files are too many to watch: at most ${MAX_FILES} make up a configuration.`,
      )
    }
    this.#options = options
    this.#clock = options.clock ?? systemClock
  }

  async begin(): Promise<void> {
    this.#seen = await this.#looks()
    // Folders: an editor puts another file in the place of the old one, and a watch on the old one hears nothing more.
    for (const folder of new Set(this.#options.files.map((file) => dirname(file)))) {
      this.#watchFolder(folder)
    }
    this.#lookLater()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#quiet?.cancel()
    this.#look?.cancel()
    for (const watcher of this.#watchers.splice(0)) watcher.close()
    await this.#work
  }

  #watchFolder(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#touched())
      watcher.on('error', () => watcher.close()) // looking now and then goes on
      this.#watchers.push(watcher)
    } catch {
      // No such folder, or no such notices here: looking now and then has to do.
    }
  }

  /** Something in a folder changed; whether it was one of the files shows when it has become quiet. */
  #touched(): void {
    if (this.#closed) return
    this.#quiet?.cancel()
    this.#quiet = this.#clock.after(this.#options.quietMs ?? 250, () => this.#check())
  }

  #lookLater(): void {
    this.#look = this.#clock.after(this.#options.lookMs ?? 2000, () => {
      this.#check()
      this.#lookLater()
    })
  }

  /** One check at a time; one more when something was touched meanwhile. */
  #check(): void {
    if (this.#closed) return
    if (this.#work !== undefined) {
      this.#again = true
      return
    }
    this.#work = this.#takeOver().finally(() => {
      this.#work = undefined
      if (!this.#again) return
      this.#again = false
      this.#check()
    })
  }

  async #takeOver(): Promise<void> {
    const { load, reload, onReload, onFailure } = this.#options
    const looks = await this.#looks()
    if (looks === this.#seen || this.#closed) return
    // Before reading: what changes from here on is a change of its own.
    this.#seen = looks
    try {
      const config = await load()
      if (this.#closed) return
      const report = await reload(config)
      onReload?.(report, config)
    } catch (error) {
      onFailure?.(asError(error))
    }
  }

  /** What the files are like, as one text: it differs when one was written, replaced, made or taken away. */
  async #looks(): Promise<string> {
    const looks = this.#options.files.map(async (file) => {
      try {
        const { ino, size, mtimeMs, ctimeMs } = await stat(file)
        return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
      } catch {
        return 'none' // not there, or not to be read: reading tells which
      }
    })
    return (await Promise.all(looks)).join('\n')
  }
}
