import { describe, expect, it } from 'vitest'
import { displayWidth } from '../../base/terminal-text.ts'
import { LineEditor, type Key } from './line-editor.ts'
import { LinePrompt, type Answer, type DrawnOn } from './line-prompt.ts'

/** Up, right, clear, colour, or a character. */
const SEQUENCE = new RegExp(
  ['(\\d+)A', '(\\d+)C', '(J)', '([\\d;]*m)'].map((end) => `\u001b\\[${end}`).join('|') + '|([^])',
  'gu',
)

/** As much of a terminal as the prompt uses: rows of cells, a cursor, and clearing. */
class Screen implements DrawnOn {
  columns: number
  readonly rows: number = 24
  readonly lines: string[][] = [[]]
  row = 0
  column = 0
  #resized: (() => void) | undefined

  constructor(columns: number) {
    this.columns = columns
  }

  write(text: string): void {
    for (const [, up, right, clear, colour, char] of text.matchAll(SEQUENCE)) {
      if (up !== undefined) this.row = Math.max(0, this.row - Number(up))
      else if (right !== undefined) this.column += Number(right)
      else if (clear !== undefined) {
        this.lines.length = this.row + 1
        this.lines[this.row] = (this.lines[this.row] ?? []).slice(0, this.column)
      } else if (colour === undefined) this.#put(char ?? '')
    }
  }

  on(_event: 'resize', listener: () => void): void {
    this.#resized = listener
  }

  off(): void {
    this.#resized = undefined
  }

  resize(columns: number): void {
    this.columns = columns
    this.#resized?.()
  }

  get shown(): readonly string[] {
    return this.lines.map((line) => line.join('').trimEnd())
  }

  #put(char: string): void {
    if (char === '\r') this.column = 0
    else if (char === '\n') {
      this.row += 1
      this.lines[this.row] ??= []
    } else {
      const width = displayWidth(char)
      if (this.column + width > this.columns) throw new Error('A row is wider than the terminal.')
      const line = (this.lines[this.row] ??= [])
      while (line.length < this.column) line.push(' ')
      line[this.column] = char
      // A wide character takes the cell behind it.
      for (let more = 1; more < width; more += 1) line[this.column + more] = ''
      this.column += width
    }
  }
}

interface Asked {
  readonly screen: Screen
  readonly answer: Promise<Answer>
  readonly press: (...keys: readonly (Key | string)[]) => void
  readonly controller: AbortController
}

function asked(columns = 30): Asked & { readonly prompt: LinePrompt } {
  const screen = new Screen(columns)
  let onKey: (key: Key) => void = () => {}
  const keyboard = { listen: (listener: (key: Key) => void) => void (onKey = listener) }
  const prompt = new LinePrompt({
    keyboard,
    screen,
    editor: new LineEditor(),
    prompt: '› ',
    words: { againToEnd: 'again', tooLong: 'too long' },
  })
  const controller = new AbortController()
  const answer = prompt.ask(controller.signal)
  const press = (...keys: readonly (Key | string)[]): void => {
    for (const key of keys) {
      if (typeof key !== 'string') onKey(key)
      else for (const char of key) onKey({ name: char, text: char })
    }
  }
  return { screen, answer, press, controller, prompt }
}

const RETURN: Key = { name: 'return' }
const CTRL_C: Key = { name: 'c', ctrl: true }

describe('the prompt', () => {
  it('shows what is written, with the cursor where it stands', () => {
    const { screen, press } = asked()
    press('天气 ok', { name: 'left' })
    expect(screen.shown).toEqual(['› 天气 ok'])
    expect([screen.row, screen.column]).toEqual([0, 8])
  })

  it('is drawn over itself when it grows, shrinks and breaks', () => {
    const { screen, press } = asked(20)
    press('one', { name: 'enter' }, 'two', { name: 'enter' }, 'a line that is broken')
    expect(screen.shown).toEqual(['› one', '  two', '  a line that is br', '  oken'])
    press({ name: 'up' }, { name: 'up' }, { name: 'k', ctrl: true }, { name: 'u', ctrl: true })
    expect(screen.shown).toEqual(['› two', '  a line that is br', '  oken'])
    press({ name: 'k', ctrl: true }, { name: 'k', ctrl: true }, { name: 'k', ctrl: true })
    expect(screen.shown).toEqual(['›'])
  })

  it('goes away for a line of somebody else and comes back below it, with what is written', async () => {
    const { screen, answer, press, prompt } = asked()
    press('hel')
    prompt.stepAside()
    screen.write('warn: a line\r\n')
    prompt.stepAside()
    screen.write('warn: another\r\n')
    await Promise.resolve()
    press('lo')
    expect(screen.shown).toEqual(['warn: a line', 'warn: another', '› hello'])
    press(RETURN)
    await answer
    prompt.stepAside()
    await Promise.resolve()
    expect(screen.shown).toEqual(['warn: a line', 'warn: another', '› hello', ''])
  })

  it('is away while somebody else asks, and back with what was written', async () => {
    const { screen, press, prompt } = asked()
    press('hel')
    prompt.hide()
    prompt.stepAside()
    screen.write('Which one?\r\n')
    screen.resize(40)
    await Promise.resolve()
    expect(screen.shown).toEqual(['Which one?', ''])
    prompt.show()
    press('lo')
    expect(screen.shown).toEqual(['Which one?', '› hello'])
  })

  it('gives what was sent, and leaves it on the screen with the cursor below', async () => {
    const { screen, answer, press } = asked()
    press('hello', RETURN)
    expect(await answer).toEqual({ kind: 'line', text: 'hello' })
    expect(screen.shown).toEqual(['› hello', ''])
  })

  it('sends nothing that is empty', () => {
    const { screen, press } = asked()
    press('  ', RETURN)
    expect(screen.shown).toEqual(['›'])
  })

  it('leaves the beginning of a long text on the screen, and sends all of it', async () => {
    const { screen, answer, press } = asked()
    const text = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n')
    press({ name: 'paste-start' })
    for (const char of text) press(char === '\n' ? { name: 'enter' } : char)
    press({ name: 'paste-end' }, RETURN)
    expect(await answer).toEqual({ kind: 'line', text })
    expect(screen.shown.slice(-3)).toEqual(['  line 10', '  …', ''])
  })

  it('ends with Ctrl-C only when it comes twice, and forgets the text at the first', async () => {
    const { screen, answer, press } = asked()
    press('half a thought', CTRL_C)
    expect(screen.shown).toEqual(['›', 'again'])
    press('x', { name: 'backspace' })
    expect(screen.shown).toEqual(['›'])
    press(CTRL_C, CTRL_C)
    expect(await answer).toEqual({ kind: 'end' })
    expect(screen.shown).toEqual([''])
  })

  it('ends with Ctrl-D on an empty line, when the terminal goes away, and with its signal', async () => {
    const one = asked()
    one.press({ name: 'd', ctrl: true })
    expect(await one.answer).toEqual({ kind: 'end' })
    const two = asked()
    two.press('text', { name: 'hang-up' })
    expect(await two.answer).toEqual({ kind: 'end' })
    const three = asked()
    three.controller.abort()
    expect(await three.answer).toEqual({ kind: 'end' })
  })

  it('is drawn anew when the terminal becomes narrower, wider than no row', () => {
    const { screen, press } = asked(40)
    press('a text that is a little longer than half')
    screen.resize(20)
    press('!')
    expect(screen.shown.at(-1)).toMatch(/half!$/)
  })

  it('says when there is no room for a paste', () => {
    const { screen, press } = asked()
    press({ name: 'paste-start' })
    for (let count = 0; count < 3; count += 1) press({ text: 'x'.repeat(100_000) })
    press({ name: 'paste-end' })
    expect(screen.shown).toEqual(['›', 'too long'])
  })
})
