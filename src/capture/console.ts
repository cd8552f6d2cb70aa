/**
 * The wire as lines for people: `→ #1 tools/call {…}` and `← #1 tools/call ok 12 ms 345 B {…}`.
 *
 * What goes out has `→`, what comes in has `←`. Only this view cuts; a capture holds everything. Text of peers is
 * escaped, secrets are replaced. Where lines go, and whether colour is wanted (NO_COLOR), the caller decides.
 */

import { cutToWidth, displayWidth, terminalText } from '../base/terminal-text.ts'
import type { Reading, RequestId } from '../jsonrpc/message.ts'
import { readingsOf } from '../jsonrpc/wire.ts'
import type {
  Direction,
  WireEvent,
  WireMessageEvent,
  WireNoteEvent,
  WireSink,
} from '../jsonrpc/wire.ts'
import { utf8Length } from './checksum.ts'
import { agentPieces, type DecisionWords } from './console-agent.ts'
import { byteCount, dim, milliseconds, plain, type Piece, type Style } from './console-pieces.ts'
import { CONSOLE_WORDS } from './console-words.ts'
import type { ConsoleLanguage, ConsoleWords } from './console-words.ts'
import { PendingRequests } from './pending.ts'
import { previewJson } from './preview.ts'
import { redactedSink } from './redact-event.ts'
import type { RedactRules } from './redact.ts'

export interface ConsoleViewOptions {
  /** Takes one line without its line end. Must not throw. */
  write(line: string): void
  readonly language: ConsoleLanguage
  /** Columns of a line; longer ones end in `…`. Default 120. */
  readonly columns?: number
  /** Whether to add colours. Default false. */
  readonly color?: boolean
  /** Words for the codes of decisions. Default: the codes. */
  readonly decisions?: DecisionWords
  /** Rules beside the built-in ones, or `false` to show secrets. */
  readonly redact?: RedactRules | false
}

/** A sink that writes a line for every event. Names connections once it has seen two. */
export function consoleView(options: ConsoleViewOptions): WireSink {
  const view = new ConsoleView(options)
  const sink: WireSink = (event) => view.show(event)
  return options.redact === false ? sink : redactedSink(sink, options.redact)
}

const SGR: Readonly<Record<Style, string>> = {
  dim: '2',
  green: '32',
  red: '31',
  yellow: '33',
  cyan: '36',
  none: '0',
}
/** Characters looked at for each column: a long emoji has eleven in two columns. */
const REACH = 16
const DEFAULT_COLUMNS = 120
const MAX_CONNECTIONS = 256

class ConsoleView {
  readonly #write: (line: string) => void
  readonly #words: ConsoleWords
  readonly #columns: number
  readonly #color: boolean
  readonly #decisions: DecisionWords
  readonly #connections = new Set<string>()
  readonly #pending = new PendingRequests()

  constructor(options: ConsoleViewOptions) {
    this.#write = (line) => options.write(line)
    this.#words = CONSOLE_WORDS[options.language]
    this.#columns = options.columns ?? DEFAULT_COLUMNS
    this.#color = options.color === true
    this.#decisions = options.decisions ?? { reasons: {}, by: {} }
  }

  show(event: WireEvent): void {
    if (this.#connections.size < MAX_CONNECTIONS) this.#connections.add(event.connection)
    switch (event.type) {
      case 'message':
        this.#message(event)
        break
      case 'note':
        this.#note(event)
        break
      case 'open':
        this.#line(event, [dim(`· ${this.#words.opened} `), plain(this.#peer(event.transport))])
        break
      case 'close':
        this.#pending.forget(event.connection)
        this.#line(event, [
          dim(`· ${this.#words.closed}`),
          ...(event.reason === undefined
            ? []
            : [{ text: ` ${this.#peer(event.reason.message)}`, style: 'red' as const }]),
        ])
        break
      default:
        event satisfies never
    }
  }

  #message(event: WireMessageEvent): void {
    const [reading, ...more] = readingsOf(event)
    const words = this.#words
    if (reading === undefined || more.length > 0) {
      this.#frame(event, words.notification, [
        { text: `${words.batch} `, style: 'cyan' },
        dim(this.#peer(event.text)),
      ])
      return
    }
    switch (reading.kind) {
      case 'request':
        this.#pending.asked(event, reading.message.id, reading.message.method)
        this.#frame(event, words.request, [
          plain(`${this.#id(reading.message.id)} `),
          { text: this.#peer(reading.message.method), style: 'cyan' },
          ...this.#payload(reading.message.params),
        ])
        break
      case 'notification':
        this.#frame(event, words.notification, [
          { text: this.#peer(reading.message.method), style: 'cyan' },
          ...this.#payload(reading.message.params),
        ])
        break
      case 'result':
      case 'error':
        this.#answer(event, reading)
        break
      case 'malformed':
        this.#frame(event, '', [
          {
            text: `${words.malformed} (${this.#peer(words.fault(reading.reason))}) `,
            style: 'red',
          },
          dim(this.#peer(event.text)),
        ])
        break
      default:
        reading satisfies never
    }
  }

  #answer(event: WireMessageEvent, reading: Extract<Reading, { kind: 'result' | 'error' }>): void {
    const id = reading.message.id ?? undefined
    const asked = id === undefined ? undefined : this.#pending.answered(event, id)
    const took = asked === undefined ? '' : ` ${milliseconds(event.at - asked.at)}`
    const method = asked === undefined ? ` ${this.#words.unasked}` : ` ${this.#peer(asked.method)}`
    const verdict =
      reading.kind === 'error'
        ? this.#failure(reading.message.error)
        : this.#verdict(reading.message.result)
    this.#frame(event, this.#words.response, [
      plain(id === undefined ? '#-' : this.#id(id)),
      { text: `${method} `, style: 'cyan' },
      verdict,
      plain(`${took} ${byteCount(utf8Length(event.text))}`),
      ...(reading.kind === 'error'
        ? this.#payload(reading.message.error.data)
        : this.#payload(reading.message.result)),
    ])
  }

  #verdict(result: object): Piece {
    if ('isError' in result && result.isError === true)
      return { text: this.#words.toolError, style: 'red' }
    if ('resultType' in result && result.resultType === 'input_required') {
      return { text: this.#words.inputRequired, style: 'yellow' }
    }
    return { text: this.#words.ok, style: 'green' }
  }

  #failure(error: { readonly code: number; readonly message: string }): Piece {
    return { text: `${this.#words.error} ${error.code} ${this.#peer(error.message)}`, style: 'red' }
  }

  #note(event: WireNoteEvent): void {
    const agent = agentPieces(event, {
      words: this.#words,
      peer: (text) => this.#peer(text),
      pending: this.#pending,
      decisions: this.#decisions,
    })
    if (agent !== undefined) return this.#line(event, agent)
    const { note } = event
    const { notes } = this.#words
    const name = Object.hasOwn(notes, note.kind)
      ? (notes[note.kind] ?? note.kind)
      : this.#peer(note.kind)
    const text = note.text ?? (note.bytes === undefined ? '' : hex(note.bytes, this.#columns))
    const data = note.data === undefined ? '' : previewJson(note.data, this.#columns * REACH)
    const shown = [text, data].filter((part) => part !== '').join(' ')
    const style = note.kind === 'stderr' || note.kind === 'spawn' ? 'dim' : 'yellow'
    this.#line(event, [
      { text: `· ${name}`, style },
      plain(shown === '' ? '' : `: ${this.#peer(shown)}`),
    ])
  }

  #frame(event: WireMessageEvent, word: string, pieces: readonly Piece[]): void {
    this.#line(event, [plain(`${arrow(event.direction)} ${word}`), ...pieces])
  }

  #payload(value: unknown): Piece[] {
    if (value === undefined) return []
    return [dim(` ${this.#peer(previewJson(value, this.#columns * REACH))}`)]
  }

  #id(id: RequestId): string {
    return typeof id === 'number' ? `#${id}` : `#${cutToWidth(this.#peer(JSON.stringify(id)), 24)}`
  }

  /** Text of a stranger, no longer than could be shown. */
  #peer(text: string): string {
    return terminalText(text.slice(0, this.#columns * REACH))
  }

  #line(event: WireEvent, pieces: readonly Piece[]): void {
    const name = this.#connections.size > 1 ? [dim(`[${this.#peer(event.connection)}] `)] : []
    let left = this.#columns
    let out = ''
    const all = [...name, ...pieces].filter((piece) => piece.text !== '')
    for (const [n, piece] of all.entries()) {
      // One column is kept for the mark of a cut, unless nothing follows.
      const room = n === all.length - 1 ? left : left - 1
      const near = piece.text.slice(0, left * REACH)
      const fits = near.length === piece.text.length && displayWidth(near) <= room
      const text = fits ? near : cutToWidth(`${near}  `, left)
      out +=
        this.#color && piece.style !== 'none' ? `\u001b[${SGR[piece.style]}m${text}\u001b[0m` : text
      left -= displayWidth(text)
      if (!fits) break
    }
    this.#write(out)
  }
}

function arrow(direction: Direction): string {
  return direction === 'out' ? '→' : '←'
}

function hex(bytes: Uint8Array, most: number): string {
  return Array.from(bytes.subarray(0, most), (byte) => byte.toString(16).padStart(2, '0')).join(' ')
}
