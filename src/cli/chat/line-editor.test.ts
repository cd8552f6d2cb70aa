import { describe, expect, it } from 'vitest'
import { LineEditor, MAX_HISTORY, type EditorOptions, type Key } from './line-editor.ts'

/** An editor in which these keys were pressed: a text is typed, `<left>` is a key, `<c-a>` with Ctrl, `<m-b>` with Alt. */
function pressed(keys: string, options?: EditorOptions): LineEditor {
  const editor = new LineEditor(options)
  press(editor, keys)
  return editor
}

function press(editor: LineEditor, keys: string): readonly string[] {
  return [...keys.matchAll(/<([^>]+)>|[^]/gu)].map(([all, name]) =>
    editor.press(name === undefined ? { name: all, text: all } : keyNamed(name)),
  )
}

function keyNamed(name: string): Key {
  const [, modifier, bare] = /^(?:([cm])-)?(.+)$/.exec(name) ?? []
  return { name: bare, ctrl: modifier === 'c', meta: modifier === 'm' }
}

/** The text with `|` where the cursor stands. */
const shown = ({ text, cursor }: LineEditor): string =>
  `${text.slice(0, cursor)}|${text.slice(cursor)}`

describe('the line editor', () => {
  it.each([
    ['types where the cursor stands', 'ac<left>b', 'ab|c'],
    ['erases before and behind the cursor', 'abcd<left><left><backspace><delete>', 'a|d'],
    ['goes to both ends of a line', 'bc<home>a<end>d', 'abcd|'],
    ['goes by words', 'one two three<m-b><c-left>x', 'one x|two three'],
    ['goes forward by words', 'one two<home><m-f>x', 'onex| two'],
    ['erases the word before', 'one two  <c-w>', 'one |'],
    ['erases to the start and writes it again', 'one two<c-u>x <c-y>', 'x one two|'],
    ['erases to the end', 'one two<m-b><c-k>', 'one |'],
    ['joins lines at the end of one', 'one<enter>two<up><end><c-k>', 'one|two'],
    ['begins a new line with Ctrl-J', 'one<c-j>two', 'one\ntwo|'],
    ['begins a new line with Alt-Enter', 'one<m-return>two', 'one\ntwo|'],
    ['begins a new line with a backslash', 'one\\<return>two', 'one\ntwo|'],
    ['moves up and down in the same column', 'abc<enter>d<enter>efg<up><up><down>', 'abc\nd|\nefg'],
    ['ignores what it does not know', 'a<f5><c-t><m-z>', 'a|'],
  ])('%s', (_title, keys, expected) => {
    expect(shown(pressed(keys))).toBe(expected)
  })

  it('steps over whole graphemes', () => {
    const family = '👨‍👩‍👧'
    expect(shown(pressed(`a${family}<left>`))).toBe(`a|${family}`)
    expect(shown(pressed(`天气e\u0301<backspace>`))).toBe('天气|')
    expect(shown(pressed(`${family}好<home><right>`))).toBe(`${family}|好`)
    expect(shown(pressed(`abc<enter>a${family}<up><end><down>`))).toBe(
      `abc\n|a${family}`.replace('|a', 'a|'),
    )
  })

  it('sends with Enter, ends with Ctrl-D where nothing is written, and tells Ctrl-C', () => {
    expect(press(new LineEditor(), 'a<return>').at(-1)).toBe('submit')
    expect(press(new LineEditor(), '<c-d>')).toEqual(['end'])
    expect(press(new LineEditor(), 'ab<left><c-d>').at(-1)).toBe('edited')
    expect(press(new LineEditor(), 'a<c-c>').at(-1)).toBe('interrupt')
  })

  it('goes through the past and comes back to what was being written', () => {
    const editor = pressed('new<up>', { history: ['first', 'second'] })
    expect(editor.text).toBe('second')
    press(editor, '<up><up>')
    expect(editor.text).toBe('first')
    press(editor, '<down><down>')
    expect(editor.text).toBe('new')
  })

  it('keeps what was sent, once where it is the same, and no more than its limit', () => {
    const editor = new LineEditor()
    for (let sent = 0; sent < MAX_HISTORY + 20; sent += 1) {
      press(editor, String(sent))
      expect(editor.take()).toBe(String(sent))
    }
    press(editor, `${MAX_HISTORY + 19}`)
    editor.take()
    press(editor, '<c-p>'.repeat(MAX_HISTORY + 100))
    expect(editor.text).toBe('20')
  })

  it('completes what only one word begins with, and else as far as all agree', () => {
    const complete = (beginning: string): readonly string[] =>
      ['/cost', '/compact', '/exit'].filter((word) => word.startsWith(beginning))
    expect(pressed('/e<tab>', { complete }).text).toBe('/exit ')
    expect(pressed('/c<tab>', { complete }).text).toBe('/co')
    expect(pressed('/co<tab>', { complete }).text).toBe('/co')
    expect(pressed('/x<tab>', { complete }).text).toBe('/x')
  })
})

describe('a paste', () => {
  const paste = '<paste-start>one<return>two<tab>x<enter><return><enter>end<paste-end>'

  it('is text and nothing else, with its lines and tabs', () => {
    const editor = pressed(paste)
    expect(editor.text).toBe('one\ntwo\tx\n\nend')
    expect(editor.pasting).toBe(false)
  })

  it('has no keys, controls or escapes in it', () => {
    const editor = new LineEditor()
    editor.press({ name: 'paste-start' })
    for (const name of ['up', 'escape', 'f1']) editor.press({ name })
    editor.press({ name: 'd', ctrl: true, text: '\u0004' })
    editor.press({ text: '\u001b[2Ja\u0007' })
    editor.press({ name: 'paste-end' })
    expect(editor.text).toBe('[2Ja')
  })

  it('that never ends is ended by Ctrl-C, and what came is kept', () => {
    const editor = pressed('<paste-start>abc<return>def<c-c>')
    expect([editor.text, editor.pasting]).toEqual(['abc\ndef', false])
    expect(press(editor, '<return>')).toEqual(['submit'])
  })

  it('that is too long is told of and leaves the line as it is', () => {
    const editor = pressed('abc', { maxLength: 10 })
    expect(press(editor, '<paste-start>12345678<paste-end>').at(-1)).toBe('full')
    expect(editor.text).toBe('abc')
    expect(press(editor, '<paste-start>123456789012<paste-end>').at(-1)).toBe('full')
    expect(press(editor, '<paste-start>1234567<paste-end>x').at(-1)).toBe('full')
    expect(editor.text).toBe('abc1234567')
  })
})
