/**
 * Text of a model as it comes, made into lines of a terminal: safe, broken by us between words, and never at the left edge,
 * where only this program writes. A word is shown when it is whole, so that no escape, emoji or half of a character is ever
 * looked at in pieces.
 */

import { displayWidth, terminalText } from '../../base/terminal-text.ts'
import { breakText } from '../break-text.ts'

export interface TextFlowOptions {
  /** Takes what is to be written next; safe, line ends among it. */
  readonly write: (text: string) => void
  /** Columns of the terminal at this moment. */
  readonly columns: () => number
  /** Safe; begins each line. Default two blanks. */
  readonly margin?: string
  /** Wraps what is written of the text itself, as for colour. Default: as it is. */
  readonly style?: (text: string) => string
}

/** Characters of one word that are waited for; longer ones are shown in parts. */
const MAX_WORD = 512
/** Empty lines in a row that are shown. */
const MAX_EMPTY = 2
const TAB = 4
/** Begins a point of a list; what is broken of it goes on below its text. */
const BULLET = /^(?:[-*+•]|\d{1,3}[.)])$/
const MIN_ROOM = 8

/** A line end, blanks, one wide character with the closing marks behind it, or a word. */
const UNIT =
  /\r\n|[\n\r]|[ \t]+|[“（《「『]*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][，。、；：）》”？！」』]*|[“（《「『]*[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}“（《「『]+|[^]/gu

export class TextFlow {
  readonly #options: TextFlowOptions
  readonly #margin: string
  readonly #style: (text: string) => string
  /** What came and is not shown yet. */
  #held = ''
  /** Columns used of the line that is open; undefined where none is. */
  #column: number | undefined
  /** Blanks that are shown when something follows them on the line. */
  #blanks = ''
  #emptyLines = 0
  #hasText = false
  /** Blanks that begin what is broken of the line that comes. */
  #hang = 0
  /** Words of that line so far; of interest up to two. */
  #words = 0
  #isPoint = false

  constructor(options: TextFlowOptions) {
    this.#options = options
    this.#margin = options.margin ?? '  '
    this.#style = options.style ?? ((text) => text)
  }

  /** Whether a line is open that something else must not write into. */
  get isOpen(): boolean {
    return this.#column !== undefined
  }

  push(text: string): void {
    this.#held += text
    const units = [...this.#held.matchAll(UNIT)].map(([unit]) => unit)
    // More of the last one may come.
    const last = units.pop() ?? ''
    for (const unit of units) this.#show(unit)
    this.#held = last
    if (last.length <= MAX_WORD) return
    // A pair of surrogates stays together.
    const end = /[\ud800-\udbff]$/.test(last) ? last.length - 1 : last.length
    this.#show(last.slice(0, end))
    this.#held = last.slice(end)
  }

  /** Shows all that came, and ends the line. The next text begins anew. */
  end(): void {
    for (const [unit] of this.#held.matchAll(UNIT)) this.#show(unit)
    this.#held = ''
    this.#blanks = ''
    this.#closeLine()
    this.#emptyLines = 0
    this.#hasText = false
    this.#words = 0
  }

  #show(unit: string): void {
    if (unit === '\n' || unit === '\r\n' || unit === '\r') return this.#newLine()
    if (/^[ \t]/.test(unit)) {
      // A flood of blanks is cut at what a line could hold.
      this.#blanks = (this.#blanks + unit.replaceAll('\t', ' '.repeat(TAB))).slice(0, this.#room())
      return
    }
    this.#word(terminalText(unit))
  }

  #word(word: string): void {
    const room = this.#room()
    const width = displayWidth(word)
    this.#measure(word, room)
    const used = (this.#column ?? 0) + this.#blanks.length
    if (used + width <= room) return this.#put(this.#blanks + word, used + width)
    if (this.#column !== undefined) this.#goOnBelow()
    // At the start of a line blanks mean something, as in code; where one is broken they do not.
    else if (this.#blanks.length + Math.min(width, MIN_ROOM) <= room) this.#put(this.#blanks, used)
    this.#blanks = ''
    const start = this.#column ?? 0
    const [first = '', ...rest] = start + width <= room ? [word] : breakText(word, room - start)
    this.#put(first, start + displayWidth(first))
    for (const part of rest.flatMap((one) => breakText(one, room - this.#hang))) {
      this.#goOnBelow()
      this.#put(part, this.#hang + displayWidth(part))
    }
  }

  /** Where the text of a line begins: behind its blanks, and behind the mark of a point. */
  #measure(word: string, room: number): void {
    if (this.#words > 1) return
    const blanks = this.#blanks.length
    const start = this.#words === 0 ? blanks : (this.#column ?? 0) + blanks
    if (this.#words === 0 || this.#isPoint) this.#hang = start <= room / 3 ? start : 0
    this.#isPoint = this.#words === 0 && BULLET.test(word)
    this.#words += 1
  }

  #goOnBelow(): void {
    this.#closeLine()
    if (this.#hang > 0) this.#put(' '.repeat(this.#hang), this.#hang)
  }

  #put(text: string, column: number): void {
    const { write } = this.#options
    if (this.#column === undefined) {
      if (this.#hasText && this.#emptyLines > 0)
        write('\n'.repeat(Math.min(this.#emptyLines, MAX_EMPTY)))
      write(this.#margin)
    }
    write(this.#style(text))
    this.#column = column
    this.#blanks = ''
    this.#emptyLines = 0
    this.#hasText = true
  }

  /** Empty lines are written when text follows: those at the end of a reply are nothing. */
  #newLine(): void {
    this.#blanks = ''
    this.#words = 0
    if (this.#column === undefined) this.#emptyLines += 1
    else this.#closeLine()
  }

  #closeLine(): void {
    if (this.#column !== undefined) this.#options.write('\n')
    this.#column = undefined
  }

  #room(): number {
    return Math.max(MIN_ROOM, this.#options.columns() - displayWidth(this.#margin))
  }
}
