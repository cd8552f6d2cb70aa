/**
 * One of several answers, chosen at a terminal with ↑, ↓ and Enter, and with nothing else: the library would move the cursor
 * at letters as well, and from the first entry up to the last, so that words typed before the question could be a yes.
 *
 * It lets through the keys that count. What the entries are, and what they mean, is the caller's.
 */

import { emitKeypressEvents } from 'node:readline'
import { PassThrough } from 'node:stream'
import { displayWidth, terminalText } from '../base/terminal-text.ts'
import { fitText } from './wrap-text.ts'

/** The part of a terminal's two ends that is used. */
export interface Terminal {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
}

export interface Choice<Value extends string> {
  /** Safe for a terminal. */
  readonly message: string
  /** The first is where the cursor stands: the answer of a stray Enter. */
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly signal: AbortSignal
  /** Hears of Ctrl-C, before nothing is chosen. */
  readonly onInterrupt?: (() => void) | undefined
}

/** What was chosen; undefined for Ctrl-C, Escape or an abort. The terminal is given back as it was found. */
export async function choose<Value extends string>(
  { input, output }: Terminal,
  { message, options, signal, onInterrupt }: Choice<Value>,
): Promise<Value | undefined> {
  const { isCancel, select } = await import('@clack/prompts')
  if (signal.aborted) return undefined
  const keys = new PassThrough()
  const letThrough = keyGate(options.length)
  const press = (text: string | undefined, key: PressedKey): void => {
    if (isInterrupt(key)) onInterrupt?.()
    if (letThrough(key)) keys.emit('keypress', text, key)
  }
  // Aborted by a signal the library would leave the list as it is, as if it could still be chosen from.
  const giveUp = (): void => void keys.emit('keypress', ESCAPE, { name: 'escape' })
  // Adds a decoder to the stream once, however often it is called.
  emitKeypressEvents(input)
  input.setRawMode(true)
  input.on('keypress', press)
  input.resume()
  try {
    const asked = select<string>({
      message: `${message} (↑ ↓ Enter)`,
      showInstructions: false,
      options: options.map(({ value, label }) => ({
        value,
        // Looked at whenever the list is drawn, which a terminal that changes its size has done anew.
        get label() {
          return labelText(terminalText(label), output.columns)
        },
      })),
      input: keys,
      output,
    })
    signal.addEventListener('abort', giveUp, { once: true })
    const chosen = await asked
    return isCancel(chosen) ? undefined : options.find(({ value }) => value === chosen)?.value
  } finally {
    signal.removeEventListener('abort', giveUp)
    input.off('keypress', press)
    input.setRawMode(false)
    input.pause()
    keys.destroy()
  }
}

const ESCAPE = '\u001b'

/** Columns of a line that the library takes for its marks, escapes for colour counted as columns. */
const MARKS = 15
const MIN_LABEL = 8

/** A label in as few rows as it needs, about as long as each other and below one another. */
export function labelText(label: string, columns: number): string {
  const room = Math.max(MIN_LABEL, columns - MARKS)
  const rows = fitText(label, room)
  for (let width = Math.ceil(displayWidth(label) / rows.length); width < room; width += 1) {
    const even = fitText(label, width)
    if (even.length === rows.length) return even.join(BELOW)
  }
  return rows.join(BELOW)
}

/** Under the text of a label, behind the mark of an entry. */
const BELOW = '\n  '

/** As Node's decoder tells it. */
export interface PressedKey {
  readonly name?: string | undefined
  readonly ctrl?: boolean
  readonly meta?: boolean
  readonly shift?: boolean
}

/** Ctrl-C, and no other way to give up. */
export function isInterrupt({ name, ctrl = false }: PressedKey): boolean {
  return ctrl && name === 'c'
}

/**
 * Tells of each key whether a list of so many entries may have it. It counts along where the cursor is: at either end there
 * is no way on.
 */
export function keyGate(entries: number): (key: PressedKey) => boolean {
  let at = 0
  return ({ name, ctrl = false, meta = false, shift = false }) => {
    if (ctrl) return name === 'c'
    if (name === 'escape') return true
    if (meta || shift) return false
    if (name === 'return') return true
    const next = name === 'up' ? at - 1 : name === 'down' ? at + 1 : -1
    if (next < 0 || next >= entries) return false
    at = next
    return true
  }
}

/**
 * Asks with a signal that aborts no longer than the question lasts: the library would take the terminal away from whoever has
 * it by then.
 */
export async function whileAsked<Answer>(
  signal: AbortSignal,
  ask: (asked: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await ask(controller.signal)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
