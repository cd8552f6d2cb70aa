/**
 * The rule of data flow: after a session has read what strangers wrote, a call that could let data out is no matter of
 * course any more. No filter finds every injected instruction; this bounds what one could do.
 *
 * Labels are the user's word. What a server says of itself counts only where it is trusted.
 */

import type { FlowLabel } from '../config/entry.ts'
import type { ToolHints } from '../tools/display.ts'

/** What a session has read so far. Immutable; begin with `NO_FLOW`. */
export interface FlowState {
  /** Aliases of tools that brought in untrusted content, in the order they were first called. */
  readonly untrusted: readonly string[]
  /** Aliases of tools that read private data. */
  readonly private: readonly string[]
  /** Untrusted sources beyond those in the list. */
  readonly more: number
}

/** Nothing was read yet. */
export const NO_FLOW: FlowState = { untrusted: [], private: [], more: 0 }

/** Most sources that are named; later ones are only counted. */
export const MAX_SOURCES = 64

/** What the flow rule looks at in a call. */
export interface FlowSubject {
  /** Config key; undefined for a native tool. */
  readonly server: string | undefined
  readonly alias: string
  readonly hints: ToolHints | undefined
  readonly trusted: boolean
  /** Of the tool, those of its server included. */
  readonly labels: readonly FlowLabel[]
}

/** Where data came from and where it could go. */
export interface Flow {
  /** Aliases of the untrusted sources, joined for a sentence: the last ones first, the rest counted. */
  readonly source: string
  /** Alias of the tool that could let data out. */
  readonly sink: string
  /** Aliases of all sources that are known by name, for a grant. */
  readonly sources: readonly string[]
  /** Whether private data was read as well. */
  readonly private: boolean
}

/** Call it when a call was sent, whatever came of it: errors carry text of strangers as well. */
export function afterResult(
  state: FlowState,
  { alias, labels }: Pick<FlowSubject, 'alias' | 'labels'>,
): FlowState {
  const untrusted = labels.includes('untrusted-content') && !state.untrusted.includes(alias)
  const isPrivate =
    labels.includes('private-data') &&
    !state.private.includes(alias) &&
    state.private.length < MAX_SOURCES
  if (!untrusted && !isPrivate) return state
  const fits = state.untrusted.length < MAX_SOURCES
  return {
    untrusted: untrusted && fits ? [...state.untrusted, alias] : state.untrusted,
    private: isPrivate ? [...state.private, alias] : state.private,
    more: state.more + (untrusted && !fits ? 1 : 0),
  }
}

/** The flow that a call would make, or undefined when nothing untrusted was read or nothing can leave by it. */
export function flowOf(state: FlowState, subject: FlowSubject): Flow | undefined {
  if (state.untrusted.length === 0 || !isSink(subject)) return undefined
  return {
    source: sourceText(state),
    sink: subject.alias,
    sources: state.untrusted,
    private: state.private.length > 0,
  }
}

/** Whether the person who gave a grant was told of everything that was read since. */
export function isToldOf(state: FlowState, sources: readonly string[] | undefined): boolean {
  const told = new Set(sources)
  return state.more === 0 && state.untrusted.every((source) => told.has(source))
}

/**
 * Labels decide where there are any. A tool of a server without labels could let out anything, and only a trusted server is
 * believed that it does not: what an untrusted one says could otherwise lower caution. // TOOL-18
 */
function isSink({ server, hints, trusted, labels }: FlowSubject): boolean {
  if (labels.length > 0) return labels.includes('external-sink')
  if (server === undefined) return false
  return !(trusted && hints !== undefined && hints.readOnly && !hints.openWorld)
}

const NAMED_SOURCES = 3

function sourceText({ untrusted, more }: FlowState): string {
  const named = untrusted.slice(-NAMED_SOURCES).toReversed()
  const rest = untrusted.length - named.length + more
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
