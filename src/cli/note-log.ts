/**
 * Remarks of the wire as records of the log: what a server writes to stderr, and what it gets wrong without failing. They hold facts;
 * `wire-remark.ts` makes sentences of them.
 */

import type { JsonObject } from '../base/json.ts'
import type { Logger } from '../base/log.ts'
import { isBatch, readText } from '../jsonrpc/channel.ts'
import type { WireNote, WireNoteEvent, WireSink } from '../jsonrpc/wire.ts'
import { ListedNames } from './listed-names.ts'

/** Remarks that only tell how things went. */
const ORDINARY: ReadonlySet<string> = new Set([
  'spawn',
  'exit',
  'probe',
  'timeout',
  // What it answers was given up before, which was told then.
  'late',
  'stop',
  // Each of these is followed by an error when it matters.
  'close-frame',
  'refused',
  'reopen',
  'resuming',
  // The same bytes are told of as an answer or as stray text.
  'not-utf8',
  // Event streams may have events of other kinds; some servers use them to keep the connection.
  'sse-event',
  // A refusal is told as the error of its call.
  'decision',
  // What an agent does is shown by itself.
  'model-request',
  'model-reply',
  'model-retry',
  'tool-call',
  'tool-result',
])
/** Longest text of a remark, in characters. */
const MAX_TEXT = 500

/** Warnings of one kind that are logged of one connection. */
const MAX_LIKE = 20

/**
 * A sink that logs notes: lines of stderr as `info`, ordinary remarks as `debug`, all others as warnings. Of those, 20 of a kind
 * from one connection; a capture has all.
 */
export function noteSink(logger: Logger): WireSink {
  const wire = logger.module('wire')
  const server = logger.module('server')
  const warned = new Map<string, Map<string, number>>()
  const names = new ListedNames()
  return (event) => {
    if (event.type === 'message') return names.hear(event)
    if (event.type === 'close') {
      warned.delete(event.connection)
      names.forget(event.connection)
    }
    if (event.type !== 'note') return
    const { connection, transport, note } = event
    const shown = note.text === undefined ? '' : note.text.slice(0, MAX_TEXT)
    if (note.kind === 'stderr') return server.info(shown)
    const facts = {
      server: transport,
      ...note.data,
      ...nameIn(event, names),
      ...(shown === '' ? {} : { text: shown }),
    }
    if (isOrdinary(note)) return wire.debug(note.kind, facts)
    const before = countOf(warned, connection, note.kind)
    if (before < MAX_LIKE) wire.warn(note.kind, facts)
    else if (before === MAX_LIKE)
      wire.warn(`${note.kind}: more of these are not told`, { server: transport, told: before })
  }
}

function isOrdinary({ kind, text = '', bytes, data }: WireNote): boolean {
  switch (kind) {
    // The request that it was to answer fails, and says why.
    case 'malformed':
      return text === '' || namesRequest(text)
    // Only one that names no request is skipped in silence.
    case 'too-large':
      return data?.['id'] !== undefined || data?.['size'] === undefined
    // A binary frame ends the connection.
    case 'stray':
      return bytes !== undefined
    default:
      return ORDINARY.has(kind)
  }
}

function namesRequest(text: string): boolean {
  const reading = readText(text)
  return !isBatch(reading) && reading.kind === 'malformed' && reading.id !== undefined
}

/** Remarks on a schema say only where in the list its tool stands. */
function nameIn({ connection, note }: WireNoteEvent, names: ListedNames): JsonObject {
  const { index, problem } = note.data ?? {}
  if (typeof index !== 'number' || typeof problem !== 'string') return {}
  const member = /^its (\w+) is no object$/.exec(problem)?.[1]
  if (member === undefined) return {}
  const name = names.nameOf(connection, note.kind.slice('bad-'.length), { index, member })
  return name === undefined ? {} : { name: name.slice(0, MAX_TEXT) }
}

/** How many of this kind came before, this one not counted. */
function countOf(
  counts: Map<string, Map<string, number>>,
  connection: string,
  kind: string,
): number {
  const kinds = counts.get(connection) ?? new Map<string, number>()
  counts.set(connection, kinds)
  const before = kinds.get(kind) ?? 0
  kinds.set(kind, before + 1)
  return before
}
