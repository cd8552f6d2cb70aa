import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { displayWidth } from '../base/terminal-text.ts'
import {
  choose,
  isInterrupt,
  keyGate,
  labelText,
  type PressedKey,
  type Terminal,
} from './choose.ts'

const LETTERS = 'a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9'.split(' ')

/** Which of these keys a list of so many entries gets. */
function passed(entries: number, ...keys: readonly (string | PressedKey)[]): readonly boolean[] {
  const gate = keyGate(entries)
  return keys.map((key) => gate(typeof key === 'string' ? { name: key } : key))
}

describe('the keys that a list of answers gets', () => {
  it('are no letters, digits, blanks or tabs', () => {
    const names = [...LETTERS, 'space', 'tab', 'enter', 'backspace']
    expect(passed(6, ...names)).toEqual(names.map(() => false))
  })

  it('are neither left nor right, nor up and down with another key held', () => {
    const held = [
      { name: 'down', shift: true },
      { name: 'down', meta: true },
      { name: 'down', ctrl: true },
      { name: 'n', ctrl: true },
      { name: 'j', ctrl: true },
    ]
    expect(passed(6, 'left', 'right', ...held)).toEqual(Array(7).fill(false))
  })

  it('go no further up than the first entry', () => {
    expect(passed(3, 'up', 'down', 'up', 'up')).toEqual([false, true, true, false])
  })

  it('go no further down than the last entry', () => {
    expect(passed(3, 'down', 'down', 'down', 'up')).toEqual([true, true, false, true])
  })

  it('are told apart where they are Ctrl-C', () => {
    expect(isInterrupt({ name: 'c', ctrl: true })).toBe(true)
    for (const key of [{ name: 'c' }, { name: 'escape' }, { name: 'd', ctrl: true }])
      expect(isInterrupt(key)).toBe(false)
  })

  it('are Enter, and Ctrl-C and Escape, which give up', () => {
    expect(passed(3, 'return', { name: 'c', ctrl: true }, 'escape')).toEqual([true, true, true])
    expect(passed(3, { name: 'escape', meta: true })).toEqual([true])
    expect(passed(3, {})).toEqual([false])
  })
})

describe('the label of an answer', () => {
  it('is one row where there is room', () => {
    expect(labelText('Yes, this tool until the session ends', 80)).toBe(
      'Yes, this tool until the session ends',
    )
  })

  it('goes on below itself in even rows, in either language', () => {
    expect(labelText('Yes, this tool until the session ends', 40)).toBe(
      'Yes, this tool until\n  the session ends',
    )
    expect(labelText('是，参数完全相同时总是允许', 40)).toBe('是，参数完全相\n  同时总是允许')
  })

  it('has no row that is wider than the library leaves, whatever the terminal', () => {
    for (let columns = 23; columns < 60; columns += 1)
      for (const row of labelText('是，总是 允许 a-very-long-word-that-is-one', columns).split(
        '\n',
      ))
        expect(displayWidth(row.trim())).toBeLessThanOrEqual(columns - 15)
  })
})

describe('a question that is given up', () => {
  /** A terminal of which it is known what was written, with the part of it that is used. */
  function terminal(): { readonly ends: Terminal; readonly written: () => string } {
    let text = ''
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 60, rows: 30 })
    output.on('data', (chunk: unknown) => void (text += String(chunk)))
    return { ends: { input, output } as unknown as Terminal, written: () => text }
  }
  const options = [
    { value: 'no', label: 'No' },
    { value: 'yes', label: 'Yes, of course' },
  ] as const

  it('leaves no list on the screen that looks as if it could be chosen from', async () => {
    const { ends, written } = terminal()
    const stop = new AbortController()
    const asked = choose(ends, { message: 'Well?', options, signal: stop.signal })
    await expect.poll(written).toContain('Yes, of course')
    const before = written().length
    stop.abort()
    expect(await asked).toBeUndefined()
    const after = written().slice(before)
    // Up to where it began, and everything below is drawn anew.
    expect(after).toContain('\u001b[J')
    expect(stripVTControlCharacters(after)).not.toContain('Yes, of course')
  })

  it('is not asked at all where that was before', async () => {
    const { ends, written } = terminal()
    const signal = AbortSignal.abort()
    expect(await choose(ends, { message: 'Well?', options, signal })).toBeUndefined()
    expect(written()).toBe('')
  })
})
