/**
 * Words that every part of the protocol uses: who speaks, what each side can do, marks on content.
 *
 * The neutral model is that of the newest revision, plus what only older ones have. Types describe what is meant;
 * peers are read leniently, so objects may hold more members than are named here.                          RPC-22
 */

import type { JsonObject } from '../../base/json.ts'

/** Members that no revision names may be present in any object. // RPC-22 */
export interface Open {
  readonly [member: string]: unknown
}

/** Ties progress notifications to a request; this package uses the id of the request. // PROG-01 */
export type ProgressToken = string | number

/** Names a place in a list. Opaque: an empty string is a cursor as well. // PAGE-02, PAGE-04 */
export type Cursor = string

export type Role = 'user' | 'assistant'

/** Severity in the words of RFC 5424, least first. // LOG-02 */
export const LOGGING_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const

export type LoggingLevel = (typeof LOGGING_LEVELS)[number]

export function isLoggingLevel(value: unknown): value is LoggingLevel {
  return LOGGING_LEVELS.some((level) => level === value)
}

/** How urgent a level is, 0 for `debug` to 7 for `emergency`. */
export function severityOf(level: LoggingLevel): number {
  return LOGGING_LEVELS.indexOf(level)
}

/** A picture for people. Hostile input: see ICON-03 and ICON-04 before fetching one. */
export interface Icon extends Open {
  /** `https:` or `data:`, nothing else. */
  readonly src: string
  readonly mimeType?: string
  /** `48x48`, or `any` for scalable formats. */
  readonly sizes?: readonly string[]
  readonly theme?: 'light' | 'dark'
}

/** What something is meant for. A hint of its sender. // RES-12 */
export interface Annotations extends Open {
  readonly audience?: readonly Role[]
  /** 0 (optional) to 1 (effectively required). */
  readonly priority?: number
  /** ISO 8601. */
  readonly lastModified?: string
}

/** Name and version of a client or server, by its own account. Display data only. // META-11 */
export interface Implementation extends Open {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description?: string
  readonly icons?: readonly Icon[]
  readonly websiteUrl?: string
}

/** What a client can do for a server. An empty object means: yes, without options. */
export interface ClientCapabilities extends Open {
  readonly experimental?: { readonly [name: string]: JsonObject }
  readonly roots?: RootsCapability
  readonly sampling?: SamplingCapability
  /** Empty means the form mode only. // ELIC-01 */
  readonly elicitation?: ElicitationCapability
  /** 2025-11-25 only. */
  readonly tasks?: ClientTasksCapability
  /** Extension identifier to its settings. // EXT-01 */
  readonly extensions?: { readonly [identifier: string]: JsonObject }
}

export interface RootsCapability extends Open {
  /** Until 2025-11-25. // ROOT-05 */
  readonly listChanged?: boolean
}

export interface SamplingCapability extends Open {
  readonly tools?: JsonObject
  readonly context?: JsonObject
}

export interface ElicitationCapability extends Open {
  readonly form?: JsonObject
  readonly url?: JsonObject
}

export interface ClientTasksCapability extends Open {
  readonly list?: JsonObject
  readonly cancel?: JsonObject
  readonly requests?: {
    readonly sampling?: { readonly createMessage?: JsonObject }
    readonly elicitation?: { readonly create?: JsonObject }
  }
}

/** What a server offers. An empty object means: yes, without options. */
export interface ServerCapabilities extends Open {
  readonly experimental?: { readonly [name: string]: JsonObject }
  readonly tools?: ListChangedCapability
  readonly prompts?: ListChangedCapability
  readonly resources?: ResourcesCapability
  readonly completions?: JsonObject
  readonly logging?: JsonObject
  /** 2025-11-25 only. */
  readonly tasks?: ServerTasksCapability
  /** Extension identifier to its settings. // EXT-01 */
  readonly extensions?: { readonly [identifier: string]: JsonObject }
}

export interface ListChangedCapability extends Open {
  readonly listChanged?: boolean
}

export interface ResourcesCapability extends ListChangedCapability {
  readonly subscribe?: boolean
}

export interface ServerTasksCapability extends Open {
  readonly list?: JsonObject
  readonly cancel?: JsonObject
  readonly requests?: { readonly tools?: { readonly call?: JsonObject } }
}

/** What every list result has. */
export interface PageResult extends Open {
  /** Absent on the last page. // PAGE-03 */
  readonly nextCursor?: Cursor
  /** Milliseconds the result may be cached; absent from older servers, which means stale at once. // CACHE-03 */
  readonly ttlMs?: number
  readonly cacheScope?: CacheScope
  readonly _meta?: JsonObject
}

/** Who may share a cached result: everyone, or only the same authorization. // CACHE-04 */
export type CacheScope = 'public' | 'private'

/** Progress of a request, as told by its receiver. */
export interface Progress extends Open {
  /** Grows with each notification; may be fractional. // PROG-03 */
  readonly progress: number
  readonly total?: number
  /** From 2025-03-26. // PROG-04 */
  readonly message?: string
}
