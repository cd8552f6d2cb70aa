/** Remarks of the wire as lines of the log: what a server writes to stderr, and what it gets wrong without failing. */

import type { Logger } from '../base/log.ts'
import type { WireSink } from '../jsonrpc/wire.ts'

/** Remarks that only tell how things went. */
const ORDINARY: ReadonlySet<string> = new Set([
  'spawn',
  'exit',
  'probe',
  'timeout',
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

/** A sink that logs notes: lines of stderr as `info`, ordinary remarks as `debug`, all others as warnings. */
export function noteSink(logger: Logger): WireSink {
  const wire = logger.module('wire')
  const server = logger.module('server')
  return (event) => {
    if (event.type !== 'note') return
    const { kind, text, data } = event.note
    const shown = text === undefined ? '' : text.slice(0, MAX_TEXT)
    if (kind === 'stderr') return server.info(shown)
    const facts = { ...data, ...(shown === '' ? {} : { text: shown }) }
    if (ORDINARY.has(kind)) wire.debug(kind, facts)
    else wire.warn(kind, facts)
  }
}
