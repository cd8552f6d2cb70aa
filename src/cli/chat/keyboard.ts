/**
 * The keys of a terminal, one by one: nothing is echoed, and Ctrl-C is a key like others. Whoever listens gives them back with
 * `pause` before somebody else reads from the terminal, as a question does.
 */

import { emitKeypressEvents } from 'node:readline'
import type { Key } from './line-editor.ts'

/** The part of standard input that is used. */
export interface KeySource {
  readonly isTTY?: boolean
  setRawMode?(mode: boolean): unknown
  resume(): unknown
  pause(): unknown
  on(event: 'keypress', listener: KeyListener): unknown
  off(event: 'keypress', listener: KeyListener): unknown
  on(event: 'end' | 'close', listener: () => void): unknown
  off(event: 'end' | 'close', listener: () => void): unknown
}

type KeyListener = (text: string | undefined, key: NodeKey) => void

/** As Node's decoder tells it. */
export interface NodeKey {
  readonly name?: string | undefined
  readonly ctrl?: boolean
  readonly meta?: boolean
  readonly shift?: boolean
  readonly sequence?: string
}

export interface KeyboardOptions {
  readonly source: KeySource
  /** Gets what switches the marks around a paste on and off; the terminal of `source`. */
  readonly write: (sequence: string) => void
}

/** Stands for a terminal that is gone; each new listener is told again. */
const HANG_UP: Key = { name: 'hang-up' }

/** Marks around pastes: on and off. */
const MARK_PASTES = '\u001b[?2004h'
const UNMARK_PASTES = '\u001b[?2004l'

export class Keyboard {
  readonly #source: KeySource
  readonly #write: (sequence: string) => void
  #onKey: ((key: Key) => void) | undefined
  #listening = false
  #closed = false
  /** The terminal went away. */
  #gone = false
  readonly #press: KeyListener = (text, key) => this.#onKey?.(keyOf(text, key))
  readonly #hungUp = (): void => {
    if (this.#gone) return
    this.#gone = true
    this.#onKey?.(HANG_UP)
  }

  constructor({ source, write }: KeyboardOptions) {
    this.#source = source
    this.#write = write
    // Adds a decoder to the stream once, however often it is called.
    emitKeypressEvents(source as unknown as NodeJS.ReadableStream) // only its `on` is used, which a source has
  }

  /** Gives all keys to this listener from now on, in place of the one before. */
  listen(onKey: (key: Key) => void): void {
    this.#onKey = onKey
    if (this.#gone) queueMicrotask(() => onKey(HANG_UP))
    else this.resume()
  }

  /** Leaves the terminal as it was found, for others to read from it. May be called twice. */
  pause(): void {
    if (!this.#listening) return
    this.#listening = false
    this.#source.off('keypress', this.#press)
    this.#source.off('end', this.#hungUp)
    this.#source.off('close', this.#hungUp)
    this.#write(UNMARK_PASTES)
    this.#source.setRawMode?.(false)
    this.#source.pause()
  }

  /** Takes the terminal back for the same listener. */
  resume(): void {
    if (this.#closed || this.#gone || this.#listening) return
    this.#listening = true
    this.#source.setRawMode?.(true)
    this.#write(MARK_PASTES)
    this.#source.on('keypress', this.#press)
    this.#source.on('end', this.#hungUp)
    this.#source.on('close', this.#hungUp)
    this.#source.resume()
  }

  /** Gives the terminal back for good. */
  close(): void {
    this.pause()
    this.#closed = true
  }
}

/** What a key means to the editor. Text that came with an escape or a control key writes nothing. */
export function keyOf(text: string | undefined, key: NodeKey): Key {
  const { name, ctrl, meta, sequence } = key
  // Terminals that tell Shift-Enter and Ctrl-Enter apart write them so.
  if (sequence !== undefined && NEW_LINES.has(sequence)) return { name: 'enter' }
  const writes = ctrl !== true && meta !== true && text !== undefined
  return { name, ctrl, meta, ...(writes && { text }) }
}

const NEW_LINES: ReadonlySet<string> = new Set([
  '\u001b[13;2u',
  '\u001b[13;5u',
  '\u001b[27;2;13~',
  '\u001b[27;5;13~',
])
