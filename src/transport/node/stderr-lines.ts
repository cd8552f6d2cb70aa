/** What a server writes to stderr, as notes on the wire and as words for people. Any text is fine. // STDIO-06 */

import { createLineReader, type LineReader } from '../../formats/ndjson.ts'
import { showUtf8 } from '../../formats/utf8.ts'
import type { LinkPort } from '../../jsonrpc/link.ts'

/** Longest line that becomes a note whole, in bytes. */
const MAX_LINE_BYTES = 16 * 1024
const MAX_WORDS = 300

/** One note a line. Of a line that is too long the note has the beginning, and says how long it was. */
export function createStderrLines(port: LinkPort): LineReader {
  return createLineReader({
    maxBytes: MAX_LINE_BYTES,
    onText: (text) => port.note({ kind: 'stderr', text }),
    onUnreadable: ({ reason, size, head }) => {
      const bytes = new Uint8Array(head.subarray(0, MAX_LINE_BYTES))
      port.note({
        kind: 'stderr',
        text: showUtf8(bytes),
        ...(reason === 'not-utf8' ? { bytes } : {}),
        data: { size, cut: size > bytes.length },
      })
    },
  })
}

/** What stderr says at its end as a sentence, harmless to a terminal: the line that names an error, else the last few. */
export function lastWords(stderr: string): string {
  const words = tellingWords(stderr)
  return words === ''
    ? 'It wrote nothing to stderr; run its command by hand to see more.'
    : `Its last words on stderr: ${words}`
}

/** The words themselves, on one line; empty where nothing was written. */
export function tellingWords(stderr: string): string {
  const lines = stderr
    .slice(-MAX_LOOKED_AT)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !NODE_VERSION.test(line))
    .slice(-LINES_LOOKED_AT)
  const telling = lines.findLast((line) => TELLING.test(line))
  const words =
    telling ??
    lines
      .slice(-LAST_LINES)
      .map((line) => line.trim())
      .join(' / ')
  const shown = words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS)}…` : words
  return shown.replace(UNSHOWABLE, '\uFFFD')
}

/** Of the end of stderr, in UTF-16 units. */
const MAX_LOOKED_AT = 16 * 1024
/** As many as an error with its stack has. */
const LINES_LOOKED_AT = 40
/** Where no line names an error. */
const LAST_LINES = 3
/** An error by its name, at the beginning of a line: what is indented belongs to a stack or is its cause. */
const TELLING =
  /^(?:Uncaught )?(?:[\w.]{0,80}(?:Error|Exception)(?: \[\w+\])?|error|ERROR|fatal|FATAL|panic): ?\S/
/** What Node ends with when it crashes. */
const NODE_VERSION = /^Node\.js v\d/

/** Controls, and what changes the direction of text or cannot be seen. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
