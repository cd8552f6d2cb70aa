/**
 * Where words go: standard output carries the result and nothing else, everything said beside it goes to stderr.
 *
 * What a terminal shows is made safe first; what goes into a pipe or a file is the exact text. JSON is harmless in both,
 * as whatever is not plainly visible is escaped in it, which changes no value.
 */

import { cutToWidth, terminalText } from '../base/terminal-text.ts'
import { wrapText } from './wrap-text.ts'

/** The part of a stream that is used. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  write(data: string | Uint8Array): boolean
  on(event: 'error', listener: (error: Error) => void): unknown
}

export interface OutputOptions {
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Output {
  /** Columns of the terminal that gets the result, or `undefined` where there is none: then nothing is cut. */
  readonly columns: number | undefined
  /** The same for stderr. */
  readonly noteColumns: number | undefined
  /** Whether the result may be coloured. */
  readonly color: boolean
  /** The same for stderr. */
  readonly noteColor: boolean
  /** Text of a peer, of any number of lines, as the result. */
  result(text: string): void
  /** Bytes as the result. Never for a terminal. */
  bytes(data: Uint8Array): void
  /** A line of ours as a part of the result; safe text only. */
  line(text: string): void
  /** A part of a line of the result, of which more may follow; safe text only where a terminal gets it. */
  piece(text: string): void
  /** A value as the result. */
  json(value: unknown): void
  /** The same on one line, for a result of many values. */
  jsonLine(value: unknown): void
  /** A line of ours on stderr; safe text only. */
  note(text: string): void
  /** The same as a part of a line. */
  notePiece(text: string): void
  /** One JSON line on stderr. */
  noteJson(value: unknown): void
  /** Before each whole line, calls whoever has a line open and must end it, until what it gives is called. It may write pieces alone. */
  beforeLine(end: () => void): () => void
  /** Shows a line that the next one replaces, on a terminal only; without text it goes away. */
  progress(text?: string): void
}

/** Shortest time between two redraws of the progress line. */
const REDRAW_MS = 100

const BROKEN_PIPE: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET', 'EOF'])

/** Prepares both streams. A reader that has gone is no error: what nobody reads is dropped quietly. */
export function createOutput({ stdout, stderr, env }: OutputOptions): Output {
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error) => {
      if (!('code' in error) || !BROKEN_PIPE.has(error.code)) throw error
    })
  }
  let [shown, shownAt] = [false, Number.NEGATIVE_INFINITY]
  const { endOpen, beforeLine } = openLines()
  const clear = (): void => {
    if (shown) stderr.write('\r\u001b[K')
    shown = false
  }
  // Both may be the same terminal.
  const pieceTo = (stream: OutputStream, text: string): void => {
    clear()
    stream.write(text)
  }
  const toStdout = (text: string): void => {
    endOpen()
    pieceTo(stdout, text)
  }
  const toStderr = (text: string): void => {
    endOpen()
    pieceTo(stderr, text)
  }
  return {
    // A terminal may become wider or narrower meanwhile.
    get columns() {
      return columnsOf(stdout)
    },
    get noteColumns() {
      return columnsOf(stderr)
    },
    color: stdout.isTTY === true && wantsColor(env),
    noteColor: stderr.isTTY === true && wantsColor(env),
    result(text) {
      const safe = stdout.isTTY === true ? safeLines(text) : text
      toStdout(safe.endsWith('\n') || safe === '' ? safe : `${safe}\n`)
    },
    bytes(data) {
      clear()
      stdout.write(data)
    },
    line: (text) => toStdout(`${text}\n`),
    piece: (text) => pieceTo(stdout, text),
    json: (value) => toStdout(`${visibleJson(value, 2)}\n`),
    jsonLine: (value) => toStdout(`${visibleJson(value)}\n`),
    note: (text) => toStderr(`${broken(text, columnsOf(stderr))}\n`),
    notePiece: (text) => pieceTo(stderr, text),
    beforeLine,
    noteJson: (value) => toStderr(`${visibleJson(value)}\n`),
    progress(text) {
      if (stderr.isTTY !== true) return
      if (text === undefined) return clear()
      // A flood of reports is no reason for a flood of redraws.
      const now = performance.now()
      if (shown && now - shownAt < REDRAW_MS) return
      shownAt = now
      stderr.write(`\r\u001b[K${cutToWidth(text, (columnsOf(stderr) ?? 80) - 1)}`)
      shown = true
    },
  }
}

/** Who has a line open that must end before another one. */
function openLines(): Pick<Output, 'beforeLine'> & { readonly endOpen: () => void } {
  const ends = new Set<() => void>()
  return {
    endOpen() {
      for (const end of ends) end()
    },
    beforeLine(end) {
      ends.add(end)
      return () => void ends.delete(end)
    },
  }
}

/** A remark broken between words where a terminal would break it anywhere. Coloured lines are made to fit by who colours them. */
function broken(text: string, columns: number | undefined): string {
  return columns === undefined || text.includes('\u001b') ? text : wrapText(text, columns)
}

/** A peer's text of several lines, every line safe for a terminal; line ends and tabs stay. */
export function safeLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.split('\t').map(terminalText).join('\t'))
    .join('\n')
}

/** What is drawn as nothing, moves a cursor or turns text around. Line ends and tabs are escaped by JSON itself. */
const UNSEEN = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** JSON with every invisible character escaped; the value it stands for is the same. */
export function visibleJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent) ?? 'null'
  return text.replace(UNSEEN, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

function columnsOf({ isTTY, columns }: OutputStream): number | undefined {
  return isTTY === true ? Math.max(columns ?? 80, 20) : undefined
}

/** Colours are for people who did not refuse them. */
function wantsColor(env: OutputOptions['env']): boolean {
  const { NO_COLOR, TERM } = env
  return (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb'
}
