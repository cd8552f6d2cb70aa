/**
 * The line that a person writes: its text, its cursor and its past, changed key by key. It may have several lines. Pure: keys
 * go in, and what became of them comes out; no terminal, no clock.
 *
 * How it is drawn is in `editor-view`, where keys come from in `keyboard`.
 */

import { graphemeBefore, graphemeAfter, wordBefore, wordAfter } from './text-places.ts'

/** A key as Node's decoder tells it. */
export interface Key {
  /** As `return`, `left`, `a`; undefined for what has no name. */
  readonly name?: string | undefined
  /** What is to be written, where the key writes something. */
  readonly text?: string | undefined
  readonly ctrl?: boolean | undefined
  readonly meta?: boolean | undefined
}

/** What a key came to. `edited` wants a redraw; `full` means that there was no room for it. */
export type Pressed =
  | 'edited'
  | 'nothing'
  | 'full'
  | 'submit'
  | 'interrupt'
  | 'end'
  | 'clear-screen'

export interface EditorOptions {
  /** What was written before, the newest last. Default nothing. */
  readonly history?: readonly string[]
  /** All that a beginning can become; the first column of a line only. Default nothing. */
  readonly complete?: (beginning: string) => readonly string[]
  /** Most characters of a text. Default 262,144. */
  readonly maxLength?: number
}

/** Entries of the past that are kept. */
export const MAX_HISTORY = 500

const DEFAULT_LENGTH = 262_144

/** What nobody can have meant to write; line ends and tabs stay. */
const CONTROLS = /[^\P{Cc}\n\t]/gu

/** Keys that are text within a paste. */
const PASTED_KEYS: ReadonlyMap<string, string> = new Map([
  ['return', '\r'],
  ['enter', '\n'],
  ['tab', '\t'],
])

export class LineEditor {
  readonly #complete: (beginning: string) => readonly string[]
  readonly #maxLength: number
  readonly #history: string[]
  #text = ''
  #cursor = 0
  /** Place in the past; its length is the line that is being written. */
  #place: number
  /** What was being written before the past was looked at. */
  #draft = ''
  #cut = ''
  /** What a paste brought so far; written as one when it ends. */
  #pasted: string[] | undefined
  #pastedLength = 0

  constructor(options: EditorOptions = {}) {
    this.#complete = options.complete ?? (() => [])
    this.#maxLength = options.maxLength ?? DEFAULT_LENGTH
    this.#history = [...(options.history ?? [])].slice(-MAX_HISTORY)
    this.#place = this.#history.length
  }

  get text(): string {
    return this.#text
  }

  /** Place of the cursor in the text, in UTF-16 units; never inside of a grapheme. */
  get cursor(): number {
    return this.#cursor
  }

  /** Whether keys are those of a paste now, in which no key means anything but itself. */
  get pasting(): boolean {
    return this.#pasted !== undefined
  }

  press(key: Key): Pressed {
    const { name, ctrl, meta } = key
    if (name === 'hang-up') return 'end'
    if (name === 'paste-start') {
      this.#pasted = []
      this.#pastedLength = 0
      return 'nothing'
    }
    if (name === 'paste-end') return this.#endPaste()
    if (this.#pasted !== undefined) return this.#paste(this.#pasted, key)
    if (ctrl === true) return this.#control(name ?? '')
    if (meta === true) return this.#meta(name ?? '')
    return this.#plain(key)
  }

  /** Writes at the cursor, as a paste does. */
  insert(text: string): Pressed {
    const written = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replace(CONTROLS, '')
    if (written === '') return 'nothing'
    if (this.#text.length + written.length > this.#maxLength) return 'full'
    this.#text = this.#text.slice(0, this.#cursor) + written + this.#text.slice(this.#cursor)
    this.#cursor += written.length
    return 'edited'
  }

  /** Takes the text away, as when it was sent; it becomes the newest of the past. */
  take(): string {
    const text = this.#text
    if (text.trim() !== '' && this.#history.at(-1) !== text) this.#history.push(text)
    if (this.#history.length > MAX_HISTORY) this.#history.shift()
    this.clear()
    return text
  }

  /** Forgets the text. */
  clear(): void {
    this.#set('', 0)
    this.#draft = ''
    this.#place = this.#history.length
  }

  /** Ctrl-C ends a paste whose end never comes. */
  #paste(pasted: string[], { name, text, ctrl }: Key): Pressed {
    if (ctrl === true && name === 'c') return this.#endPaste()
    const brought = PASTED_KEYS.get(name ?? '') ?? text ?? ''
    this.#pastedLength += brought.length
    if (this.#pastedLength <= this.#maxLength) pasted.push(brought)
    return 'nothing'
  }

  #endPaste(): Pressed {
    const pasted = this.#pasted ?? []
    this.#pasted = undefined
    return this.#pastedLength > this.#maxLength ? 'full' : this.insert(pasted.join(''))
  }

  #plain({ name, text }: Key): Pressed {
    switch (name) {
      case 'return':
        return this.#return()
      case 'enter': // Ctrl-J, and Shift-Enter where the terminal tells it
        return this.insert('\n')
      case 'backspace':
        return this.#erase(graphemeBefore(this.#text, this.#cursor), this.#cursor)
      case 'delete':
        return this.#erase(this.#cursor, graphemeAfter(this.#text, this.#cursor))
      case 'left':
        return this.#go(graphemeBefore(this.#text, this.#cursor))
      case 'right':
        return this.#go(graphemeAfter(this.#text, this.#cursor))
      case 'home':
        return this.#go(this.#lineStart())
      case 'end':
        return this.#go(this.#lineEnd())
      case 'up':
        return this.#lineStart() > 0 ? this.#vertical(-1) : this.#past(-1)
      case 'down':
        return this.#lineEnd() < this.#text.length ? this.#vertical(1) : this.#past(1)
      case 'tab':
        return this.#completed()
      default:
        return this.insert(text ?? '')
    }
  }

  #control(name: string): Pressed {
    switch (name) {
      case 'c':
        return 'interrupt'
      case 'd':
        if (this.#text === '') return 'end'
        return this.#erase(this.#cursor, graphemeAfter(this.#text, this.#cursor))
      case 'a':
        return this.#go(this.#lineStart())
      case 'e':
        return this.#go(this.#lineEnd())
      case 'b':
        return this.#go(graphemeBefore(this.#text, this.#cursor))
      case 'f':
        return this.#go(graphemeAfter(this.#text, this.#cursor))
      case 'p':
        return this.#past(-1)
      case 'n':
        return this.#past(1)
      case 'h':
        return this.#erase(graphemeBefore(this.#text, this.#cursor), this.#cursor)
      case 'j':
        return this.insert('\n')
      case 'k':
        return this.#kill(this.#cursor, Math.max(this.#lineEnd(), this.#next()))
      case 'u':
        return this.#kill(this.#lineStart(), this.#cursor)
      case 'w':
      case 'backspace':
        return this.#kill(wordBefore(this.#text, this.#cursor), this.#cursor)
      case 'y':
        return this.insert(this.#cut)
      case 'l':
        return 'clear-screen'
      case 'left':
        return this.#go(wordBefore(this.#text, this.#cursor))
      case 'right':
        return this.#go(wordAfter(this.#text, this.#cursor))
      default:
        return 'nothing'
    }
  }

  #meta(name: string): Pressed {
    switch (name) {
      case 'return':
      case 'enter':
        return this.insert('\n')
      case 'b':
      case 'left':
        return this.#go(wordBefore(this.#text, this.#cursor))
      case 'f':
      case 'right':
        return this.#go(wordAfter(this.#text, this.#cursor))
      case 'd':
        return this.#kill(this.#cursor, wordAfter(this.#text, this.#cursor))
      case 'backspace':
        return this.#kill(wordBefore(this.#text, this.#cursor), this.#cursor)
      default:
        return 'nothing'
    }
  }

  /** A backslash before it makes it a line end, for terminals that know no other way to write one. */
  #return(): Pressed {
    if (this.#text.charAt(this.#cursor - 1) !== '\\') return 'submit'
    this.#erase(this.#cursor - 1, this.#cursor)
    return this.insert('\n')
  }

  #completed(): Pressed {
    if (this.#cursor !== this.#text.length) return 'nothing'
    const all = this.#complete(this.#text)
    const shared = sharedBeginning(all)
    if (shared.length <= this.#text.length) return 'nothing'
    this.#set(all.length === 1 ? `${shared} ` : shared)
    return 'edited'
  }

  #past(step: number): Pressed {
    const place = this.#place + step
    if (place < 0 || place > this.#history.length) return 'nothing'
    if (this.#place === this.#history.length) this.#draft = this.#text
    this.#place = place
    this.#set(this.#history[place] ?? this.#draft)
    return 'edited'
  }

  /** To the same place in the line above or below, or to its end. */
  #vertical(step: number): Pressed {
    const start = this.#lineStart()
    const column = this.#cursor - start
    const from = step < 0 ? this.#text.lastIndexOf('\n', start - 2) + 1 : this.#lineEnd() + 1
    const end = this.#text.indexOf('\n', from)
    const wanted = Math.min(from + column, end < 0 ? this.#text.length : end)
    if (wanted === this.#text.length) return this.#go(wanted)
    // A place that is inside of a grapheme here becomes the one before it.
    return this.#go(graphemeBefore(this.#text, graphemeAfter(this.#text, wanted)))
  }

  #go(cursor: number): Pressed {
    if (cursor === this.#cursor) return 'nothing'
    this.#cursor = cursor
    return 'edited'
  }

  #kill(from: number, to: number): Pressed {
    if (from < to) this.#cut = this.#text.slice(from, to)
    return this.#erase(from, to)
  }

  #erase(from: number, to: number): Pressed {
    if (from >= to) return 'nothing'
    this.#set(this.#text.slice(0, from) + this.#text.slice(to), from)
    return 'edited'
  }

  #set(text: string, cursor: number = text.length): void {
    this.#text = text
    this.#cursor = cursor
  }

  #lineStart(): number {
    return this.#cursor === 0 ? 0 : this.#text.lastIndexOf('\n', this.#cursor - 1) + 1
  }

  #lineEnd(): number {
    const end = this.#text.indexOf('\n', this.#cursor)
    return end < 0 ? this.#text.length : end
  }

  /** Behind a line end that the cursor stands at; killing at the end of a line joins it with the next. */
  #next(): number {
    return this.#text.charAt(this.#cursor) === '\n' ? this.#cursor + 1 : this.#cursor
  }
}

/** What all texts begin with; empty where there is none. */
function sharedBeginning(texts: readonly string[]): string {
  const [first = '', ...others] = texts
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}
