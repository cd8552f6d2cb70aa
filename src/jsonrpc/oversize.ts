/**
 * Finds out whose message it was when a line cannot be read: too long to be kept, nested too deep, not JSON, not UTF-8.
 *
 * A guess by design: it reads an `id` of the outermost object where one can be told apart, and nothing else.
 */

import { isRequestId, type RequestId } from './message.ts'

const ID = '"id":'

/** What the remains tell. `answer` is true when they look like a result or an error rather than a request. */
export interface Remains {
  readonly id: RequestId | undefined
  readonly answer: boolean
}

/** How much of each end is looked at. */
const EDGE = 64 * 1024

/** Reads the id from the first and last bytes of a message that was skipped. */
export function identifyRemains(head: Uint8Array, tail: Uint8Array): Remains {
  const decoder = new TextDecoder()
  return identify(decoder.decode(head), decoder.decode(tail))
}

/**
 * Which request of ours an unreadable text was to answer, so that it fails at once and not by its timer. Undefined for
 * anything that does not look like a whole JSON-RPC answer: banners, logs, lines cut off by an exit.
 */
export function answeredBy(text: string): RequestId | undefined {
  const start = text.slice(0, EDGE)
  const whole = text.trimEnd().endsWith('}') && start.trimStart().startsWith('{')
  if (!whole || !start.includes('"jsonrpc"')) return undefined
  const { id, answer } = identify(start, text.slice(-EDGE))
  return answer ? id : undefined
}

function identify(start: string, end: string): Remains {
  const id = idAtStart(start) ?? idAtEnd(end)
  return { id, answer: !nameAtStart(start, '"method"') && !end.includes('"method":') }
}

/** An id among the members before the first nested value: what most writers put there. */
function idAtStart(text: string): RequestId | undefined {
  const nested = Math.min(indexOrEnd(text, '{', text.indexOf('{') + 1), indexOrEnd(text, '[', 0))
  const at = text.slice(0, nested).indexOf(ID)
  return at < 0 ? undefined : readId(text.slice(at + ID.length, at + ID.length + 256))
}

/** An id after the last nested value, for writers that put it at the end. */
function idAtEnd(text: string): RequestId | undefined {
  const body = text.trimEnd().slice(0, -1)
  const after = body.slice(Math.max(body.lastIndexOf('}'), body.lastIndexOf(']')) + 1)
  const at = after.lastIndexOf(ID)
  return at < 0 ? undefined : readId(`${after.slice(at + ID.length)},`)
}

function readId(text: string): RequestId | undefined {
  const trimmed = text.trimStart()
  const end = trimmed.startsWith('"') ? trimmed.indexOf('"', 1) + 1 : indexOfEnd(trimmed)
  if (end <= 0) return undefined
  try {
    const value: unknown = JSON.parse(trimmed.slice(0, end))
    return isRequestId(value) ? value : undefined
  } catch {
    return undefined // not an id after all: the message stays nobody's
  }
}

function indexOfEnd(text: string): number {
  const comma = indexOrEnd(text, ',', 0)
  return Math.min(comma, indexOrEnd(text, '}', 0))
}

function nameAtStart(text: string, name: string): boolean {
  const nested = Math.min(indexOrEnd(text, '{', text.indexOf('{') + 1), indexOrEnd(text, '[', 0))
  return text.slice(0, nested).includes(name)
}

function indexOrEnd(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at
}
