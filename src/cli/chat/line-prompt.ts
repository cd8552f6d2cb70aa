/**
 * Asks for one line at a terminal: draws what is being written, and lets a person change it until it is sent. The words of
 * the prompt are ours; what is written is drawn safe.
 */

import { cutToWidth } from '../../base/terminal-text.ts'
import { editorRows, type EditorRows } from './editor-view.ts'
import type { Keyboard } from './keyboard.ts'
import type { Key, LineEditor } from './line-editor.ts'

/** Where it is drawn. */
export interface DrawnOn {
  write(text: string): unknown
  readonly columns?: number | undefined
  readonly rows?: number | undefined
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

export interface LinePromptOptions {
  readonly keyboard: Pick<Keyboard, 'listen'>
  readonly screen: DrawnOn
  readonly editor: LineEditor
  /** Safe; stands before the line. */
  readonly prompt: string
  /** Wraps the prompt alone, as for colour. Default: as it is. */
  readonly style?: (prompt: string) => string
  /** Safe words for a first Ctrl-C, and for a text that has no room. */
  readonly words: { readonly againToEnd: string; readonly tooLong: string }
}

/** What a person wanted: to say this, or to end. */
export type Answer = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'end' }

/** Rows of the terminal that the line leaves alone. */
const MARGIN_ROWS = 3
/** Rows of a sent text that stay on the screen. */
const SENT_ROWS = 12

export class LinePrompt {
  readonly #options: LinePromptOptions
  /** What is on the screen, until it is taken away. */
  #drawn: (EditorRows & { readonly columns: number }) | undefined
  #warnedOfEnd = false
  #isAsking = false
  #isHidden = false

  constructor(options: LinePromptOptions) {
    this.#options = options
  }

  /** Asks once; when the signal aborts, that is the end. Keys that come after the answer are left for the next listener of the keyboard. */
  ask(signal: AbortSignal): Promise<Answer> {
    const { keyboard, screen } = this.#options
    const redraw = (): void => this.#draw()
    screen.on('resize', redraw)
    this.#warnedOfEnd = false
    this.#isAsking = true
    return new Promise((settle) => {
      const done = (answer: Answer): void => {
        this.#isAsking = false
        screen.off('resize', redraw)
        signal.removeEventListener('abort', giveUp)
        settle(answer)
      }
      const giveUp = (): void => {
        this.#leave()
        done({ kind: 'end' })
      }
      signal.addEventListener('abort', giveUp, { once: true })
      // Whoever sees the prompt types: by then each key must come as it is.
      keyboard.listen((key) => this.#press(key, done))
      this.#draw()
    })
  }

  /** Somebody is about to write a line where the prompt stands: it goes away, and comes back below at once. */
  stepAside(): void {
    if (this.#drawn === undefined) return
    this.#erase()
    queueMicrotask(() => {
      if (this.#drawn === undefined) this.#draw()
    })
  }

  /** Somebody else has the terminal for longer, as for a question: nothing is drawn until `show`. */
  hide(): void {
    if (this.#drawn !== undefined) this.#erase()
    this.#isHidden = true
  }

  show(): void {
    this.#isHidden = false
    this.#draw()
  }

  #press(key: Key, done: (answer: Answer) => void): void {
    const { editor, screen, words } = this.#options
    const pressed = editor.press(key)
    const warned = this.#warnedOfEnd
    this.#warnedOfEnd = false
    switch (pressed) {
      case 'submit':
        if (editor.text.trim() === '') return
        this.#leave()
        return done({ kind: 'line', text: editor.take() })
      case 'end':
        this.#leave()
        return done({ kind: 'end' })
      case 'interrupt':
        if (warned) {
          this.#erase()
          return done({ kind: 'end' })
        }
        editor.clear()
        this.#warnedOfEnd = true
        return this.#draw(words.againToEnd)
      case 'full':
        return this.#draw(words.tooLong)
      case 'clear-screen':
        screen.write('\u001b[2J\u001b[H')
        this.#drawn = undefined
        return this.#draw()
      case 'edited':
        return this.#draw()
      case 'nothing':
        return warned ? this.#draw() : undefined
      default:
        return pressed satisfies never
    }
  }

  /** Draws the line over what was drawn before, with a remark below it. */
  #draw(remark?: string): void {
    if (!this.#isAsking || this.#isHidden) return
    const { screen, editor, prompt } = this.#options
    const { columns, rows } = sizeOf(screen)
    const view = editorRows(editor, { prompt, columns, rows: rows - MARGIN_ROWS })
    const lines = view.rows.map((row) =>
      row.startsWith(prompt) ? this.#styled(prompt) + row.slice(prompt.length) : row,
    )
    if (remark !== undefined) lines.push(`\u001b[2m${cutToWidth(remark, columns - 1)}\u001b[0m`)
    const up = lines.length - 1 - view.cursorRow
    screen.write(
      this.#goneText() +
        lines.join('\r\n') +
        (up > 0 ? `\u001b[${up}A` : '') +
        `\r\u001b[${view.cursorColumn}C`,
    )
    this.#drawn = { ...view, columns }
  }

  /** Leaves what was sent on the screen, cut where it is long, and the cursor below it. */
  #leave(): void {
    const { screen, editor, prompt } = this.#options
    const { columns } = sizeOf(screen)
    const { rows } = editorRows({ text: editor.text, cursor: 0 }, { prompt, columns, rows: 10_000 })
    const shown = rows.length > SENT_ROWS ? [...rows.slice(0, SENT_ROWS - 1), '  …'] : rows
    const [first = prompt, ...rest] = shown
    const lines = [this.#styled(prompt) + first.slice(prompt.length), ...rest]
    screen.write(`${this.#goneText()}${lines.join('\r\n')}\r\n`)
    this.#drawn = undefined
  }

  #styled(prompt: string): string {
    const { style } = this.#options
    return style === undefined ? prompt : style(prompt)
  }

  #erase(): void {
    this.#options.screen.write(this.#goneText())
    this.#drawn = undefined
  }

  /** What takes away what is drawn. A terminal that became narrower has broken its rows. */
  #goneText(): string {
    const drawn = this.#drawn
    if (drawn === undefined) return '\r\u001b[J'
    const { columns } = sizeOf(this.#options.screen)
    const above = drawn.rows.slice(0, drawn.cursorRow)
    const broken = columns < drawn.columns ? Math.ceil(drawn.columns / columns) : 1
    const up = above.length * broken
    return `\r${up > 0 ? `\u001b[${up}A` : ''}\u001b[J`
  }
}

function sizeOf({ columns, rows }: DrawnOn): { readonly columns: number; readonly rows: number } {
  // A terminal that was never told its size says 0.
  return { columns: Math.max(columns || 80, 10), rows: Math.max(rows || 24, MARGIN_ROWS + 1) }
}
