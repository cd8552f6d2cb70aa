/**
 * What differs from host to host in how a file of servers is written. One value a host; how an entry is read is the same for
 * all of them, in `read-entry`.
 */

import type { ConfigNode } from '../document.ts'
import type { EntryTimers, HostShape } from '../entry.ts'
import type { VariableSyntax } from '../expand.ts'

export type ConfigFormat = 'json' | 'yaml' | 'toml'

/** A member of an entry that sets timers. */
export interface TimerKey {
  /** Names from the entry on: `['timeout']`, `['timeout', 'startup']`. */
  readonly path: readonly string[]
  /** Milliseconds of one unit. */
  readonly unitMs: 1 | 1000
  readonly timers: readonly (keyof EntryTimers)[]
  /** The host ignores shorter ones, in milliseconds. */
  readonly leastMs?: number
}

/** A part of a file that names servers. */
export interface ServerGroup {
  /** What the file calls it, for people. */
  readonly key: string
  readonly node: ConfigNode
  readonly shape: Shape
  /** Descriptions of `${input:…}`. */
  readonly inputs?: ConfigNode
  /** Servers that the file switches off elsewhere. */
  readonly off?: (server: string) => boolean
}

export interface FileFacts {
  /** With forward slashes. */
  readonly path: string
  readonly format: ConfigFormat
  /** Folder of the project, where it is known. */
  readonly folder: string | undefined
}

export interface Shape {
  readonly name: HostShape
  /** The name of the host, for people. */
  readonly title: string
  /** Whether a file is this host's by its path, with forward slashes. */
  readonly owns: (path: string) => boolean
  readonly timers: readonly TimerKey[]
  readonly variables: VariableSyntax
  /** Members of entries that no other host writes. */
  readonly marks: readonly string[]
  /** Of several addresses the one that counts; elsewhere several are an error. */
  readonly addressOrder?: readonly string[]
  /** An entry as the rest of us writes it; nothing for what is no server at all. */
  readonly prepare?: (node: ConfigNode) => ConfigNode | undefined
  /**
   * Where its files are, the user's first. `~` is the home folder, `.` the project; `%NAME%` a variable of Windows. Those of
   * another system are left out by who looks.
   */
  readonly files: readonly KnownFile[]
}

export interface KnownFile {
  readonly path: string
  /** Default: any system. */
  readonly platform?: 'darwin' | 'linux' | 'win32'
}

/** Whether the path ends in these names. */
export function endsIn(path: string, ...ends: readonly string[]): boolean {
  return ends.some((end) => path === end || path.endsWith(`/${end}`))
}

/** A tool call is given this long by the host, whatever the server tells meanwhile. */
export function callTimer(
  path: string,
  unitMs: 1 | 1000,
  options: Pick<TimerKey, 'leastMs'> = {},
): TimerKey {
  return { path: [path], unitMs, timers: ['idle', 'total'], ...options }
}
