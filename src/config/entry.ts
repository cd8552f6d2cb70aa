/**
 * A server as a configuration file describes it, after every host's spelling was read and every variable filled in.
 *
 * Nothing here starts or reaches anything, and nothing here was approved by being here: see `approved`.
 */

import { canonicalJson, type JsonObject, type JsonValue } from '../base/json.ts'

/** A place in a configuration file. Line and column count from 1; values of TOML files have neither, only their pointer. */
export interface Place {
  readonly file: string
  readonly line?: number
  readonly column?: number
  /** JSON Pointer into the file. */
  readonly pointer: string
}

/**
 * Whose file it is: the user's own in the state folder, one that lies in a project, or one that was named by `--config` or
 * handed over in code. Decided by who found the file; a file never sets its own scope.
 */
export type Scope = 'user' | 'project' | 'given'

/** The hosts whose files are understood. `mcp-json` is `mcpServers` without a mark of any host. */
export type HostShape =
  | 'deep-pilot'
  | 'mcp-json'
  | 'claude-code'
  | 'claude-desktop'
  | 'vscode'
  | 'cursor'
  | 'codex'
  | 'opencode'
  | 'goose'
  | 'cline'
  | 'librechat'
  | 'windsurf'
  | 'gemini-cli'

/** A wait and where it was set: `default`, `FILE:LINE KEY`, or the name of a variable of the environment. */
export interface TimerValue {
  readonly ms: number
  readonly setBy: string
}

/** Timers that a file sets; what it does not set is left out. */
export interface EntryTimers {
  readonly probe?: TimerValue
  readonly start?: TimerValue
  readonly idle?: TimerValue
  readonly total?: TimerValue
}

/** What a server or tool does to the flow of data: reads what is private, brings in what strangers wrote, lets data out. */
export type FlowLabel = 'private-data' | 'untrusted-content' | 'external-sink'

/** When a server is started, and whether the host can do without it. */
export type StartMode = 'required' | 'optional' | 'lazy'

/** Where a part of a value came from. */
export type OriginSource =
  | { readonly kind: 'literal' }
  | { readonly kind: 'variable'; readonly name: string }
  /** The variable was not set, and the text wrote what to take then. */
  | { readonly kind: 'default'; readonly name: string }
  | { readonly kind: 'input'; readonly id: string }
  /** A folder that the host knows, as in `${workspaceFolder}`. */
  | { readonly kind: 'folder'; readonly name: string }
  /** A line of the file that `envFile` names. */
  | { readonly kind: 'file'; readonly file: string }

/** One value of an entry: where it stands, how it is written, and what its parts came from. `raw` may hold a literal secret. */
export interface Origin {
  /** Name of the value in the entry as understood: `command`, `args/0`, `env/TOKEN`, `headers/Authorization`, `url`, `cwd`. */
  readonly name: string
  readonly place: Place
  readonly raw: string
  readonly sources: readonly OriginSource[]
}

/** What every server has, however it is reached. */
export interface EntryBase {
  /** Name of the server in its file; its identity everywhere. */
  readonly key: string
  readonly scope: Scope
  readonly place: Place
  readonly shape: HostShape
  /** False for every entry of a project file whose bytes nobody approved: it is never started and never reached. */
  readonly approved: boolean
  readonly disabled: boolean
  /** Default `optional`. */
  readonly start: StartMode
  /** Whether what the server says of its own tools is believed. Default false, and never true by a project file. */
  readonly trusted: boolean
  readonly timeouts: EntryTimers
  /** Most calls at once; the host's default where it is left out. */
  readonly concurrency?: number
  /** Most calls that wait; the host's default where it is left out. */
  readonly queue?: number
  /** When there, no other tools are shown. */
  readonly onlyTools?: readonly string[]
  readonly withoutTools?: readonly string[]
  readonly labels: readonly FlowLabel[]
  readonly toolLabels: ReadonlyMap<string, readonly FlowLabel[]>
  /** Texts that must not be shown: values of variables, environment entries and headers that look like secrets. */
  readonly secrets: readonly string[]
  readonly origins: readonly Origin[]
  /** What starts or reaches the server as it is written, variables unexpanded. Part of what is approved. */
  readonly written: JsonObject
}

export interface StdioEntry extends EntryBase {
  readonly transport: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  /** Added to the few variables that every server is given. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
}

export interface UrlEntry extends EntryBase {
  readonly transport: 'auto' | 'streamable-http' | 'sse' | 'websocket'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export type ServerEntry = StdioEntry | UrlEntry

/**
 * What is approved for a server: the exact text that starts or reaches it, the same for equal entries. It holds environment
 * values and headers as written, hence perhaps secrets: keep its hash, do not show or store the text.
 */
export function launchText(entry: ServerEntry): string {
  const expanded: JsonObject =
    entry.transport === 'stdio'
      ? { command: entry.command, args: [...entry.args], ...cwdOf(entry) }
      : { url: entry.url, transport: entry.transport }
  return canonicalJson({ written: entry.written, expanded })
}

function cwdOf({ cwd }: StdioEntry): { readonly cwd?: JsonValue } {
  return cwd === undefined ? {} : { cwd }
}
