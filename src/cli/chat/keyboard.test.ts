import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { keyOf, Keyboard } from './keyboard.ts'
import type { Key } from './line-editor.ts'

/** A terminal's input that remembers its mode. */
class FakeTerminal extends PassThrough {
  raw = false
  setRawMode(mode: boolean): void {
    this.raw = mode
  }
}

function opened(): {
  source: FakeTerminal
  keyboard: Keyboard
  keys: Key[]
  written: string[]
} {
  const source = new FakeTerminal()
  const written: string[] = []
  const keyboard = new Keyboard({ source, write: (sequence) => void written.push(sequence) })
  const keys: Key[] = []
  keyboard.listen((key) => void keys.push(key))
  return { source, keyboard, keys, written }
}

/** Sends bytes, and settles when they were decoded. */
const send = (source: FakeTerminal, bytes: string): Promise<void> =>
  new Promise((settle) => {
    source.once('keypress', () => setImmediate(settle))
    source.write(bytes)
  })

describe('the keyboard', () => {
  it('tells keys, with the text that they write', async () => {
    const { source, keys } = opened()
    await send(source, 'a天\r\u001b[D')
    expect(keys).toMatchObject([
      { name: 'a', text: 'a' },
      { text: '天' },
      { name: 'return' },
      { name: 'left' },
    ])
    expect(keys[3]).not.toHaveProperty('text')
  })

  it('tells where a paste begins and ends', async () => {
    const { source, keys } = opened()
    await send(source, '\u001b[200~a\nb\u001b[201~')
    expect(keys.map(({ name }) => name)).toEqual(['paste-start', 'a', 'enter', 'b', 'paste-end'])
  })

  it('gives the terminal back as it was, and takes it again', () => {
    const { source, keyboard, written } = opened()
    expect([source.raw, written.join('')]).toEqual([true, '\u001b[?2004h'])
    keyboard.pause()
    keyboard.pause()
    expect([source.raw, source.isPaused(), source.listenerCount('keypress')]).toEqual([
      false,
      true,
      0,
    ])
    keyboard.resume()
    expect([source.raw, source.isPaused()]).toEqual([true, false])
    keyboard.close()
    keyboard.resume()
    expect(source.raw).toBe(false)
    expect(written).toEqual(['\u001b[?2004h', '\u001b[?2004l', '\u001b[?2004h', '\u001b[?2004l'])
  })

  it('hears nothing while others have the terminal', async () => {
    const { source, keyboard, keys } = opened()
    keyboard.pause()
    source.resume()
    await send(source, 'a\r\u001b[B\u0003')
    expect(keys).toEqual([])
    keyboard.close()
    expect(source.listenerCount('keypress')).toBe(0)
  })

  it('tells each listener that the terminal went away, once', async () => {
    const { source, keyboard, keys } = opened()
    source.end()
    await new Promise((settle) => source.once('close', settle))
    expect(keys).toEqual([{ name: 'hang-up' }])
    const next = await new Promise((settle) => keyboard.listen(settle))
    expect(next).toEqual({ name: 'hang-up' })
  })

  it('knows Shift-Enter where a terminal tells it', () => {
    expect(keyOf(undefined, { sequence: '\u001b[13;2u' })).toEqual({ name: 'enter' })
  })

  it('writes nothing for keys with Ctrl or Alt', () => {
    expect(keyOf('\u0001', { name: 'a', ctrl: true })).not.toHaveProperty('text')
    expect(keyOf('b', { name: 'b', meta: true })).not.toHaveProperty('text')
  })
})
