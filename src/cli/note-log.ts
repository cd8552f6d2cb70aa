/** Remarks of the wire as lines of the log: what a server writes to stderr, and what it gets wrong without failing. */

import type { Logger } from '../base/log.ts'
import type { WireSink } from '../jsonrpc/wire.ts'

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
  return (event) => {
    if (event.type === 'close') warned.delete(event.connection)
    if (event.type !== 'note') return
    const { kind, text, data } = event.note
    if (kind !== 'stderr' && !ORDINARY.has(kind)) {
      const before = countOf(warned, event.connection, kind)
      if (before === MAX_LIKE) wire.warn(`${kind}: more of these are not told`)
      if (before >= MAX_LIKE) return
    }
    const shown = text === undefined ? '' : text.slice(0, MAX_TEXT)
    if (kind === 'stderr') return server.info(shown)
    const facts = { ...data, ...(shown === '' ? {} : { text: shown }) }
    if (ORDINARY.has(kind)) wire.debug(kind, facts)
    else wire.warn(kind, facts)
  }
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
