/**
 * A whole configuration: the servers of all its files, what is wrong with them, and the settings of the host.
 * Types only; files are read by `parseConfig`, found and put together by `node/load`.
 */

import type { JsonValue } from '../base/json.ts'
import type { EntryTimers, Place, Scope, ServerEntry } from './entry.ts'
import type { Problem } from './problem.ts'

/** One file that was read. */
export interface ConfigFile {
  readonly path: string
  readonly scope: Scope
  /** Of the bytes of the file, in hexadecimal digits. */
  readonly sha256: string
  /** Whether its servers may be started. Always true outside of a project. */
  readonly approved: boolean
}

/** A value and where it stands, for who checks it further. */
export interface PlacedValue {
  readonly value: JsonValue
  readonly place: Place
  /** Places of the values inside, by their pointer from `value` on. */
  readonly places: ReadonlyMap<string, Place>
}

/** How definitions of tools are held to what was approved. */
export type PinningMode = 'off' | 'first-use' | 'frozen'

/** What `deepPilot` says about the host itself; what it does not say is left out. */
export interface HostSettings {
  /** For servers that set none themselves. */
  readonly timeouts: EntryTimers
  readonly concurrency?: number
  readonly queue?: number
  /** Most calls at once over all servers. */
  readonly totalConcurrency?: number
  /** A project file can only ask for `frozen`. */
  readonly pinning?: PinningMode
}

export interface Config {
  /** In the order of the files and within them; no two have the same key. */
  readonly entries: readonly ServerEntry[]
  readonly problems: readonly Problem[]
  readonly files: readonly ConfigFile[]
  /** `deepPilot.policy` of the user's own or of a given file. */
  readonly policy: PlacedValue | undefined
  /** The same of a project file, which may only make the policy stricter. */
  readonly projectPolicy: PlacedValue | undefined
  readonly settings: HostSettings
}

/** A configuration made in code: `entries` and nothing else. */
export function configOf(entries: readonly ServerEntry[]): Config {
  return {
    entries,
    problems: [],
    files: [],
    policy: undefined,
    projectPolicy: undefined,
    settings: { timeouts: {} },
  }
}
