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

/** The last line of stderr as a sentence, harmless to a terminal. */
export function lastWords(stderr: string): string {
  const line = stderr.trimEnd().split('\n').at(-1)?.trim() ?? ''
  if (line === '') return 'It wrote nothing to stderr; run its command by hand to see more.'
  const shown = line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}…` : line
  return `Its last words on stderr: ${shown.replace(UNSHOWABLE, '\uFFFD')}`
}

/** Controls, and what changes the direction of text or cannot be seen. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
