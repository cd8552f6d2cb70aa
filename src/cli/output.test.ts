import { describe, expect, it } from 'vitest'
import { createOutput, safeLines, visibleJson, type Output } from './output.ts'

interface Sheet {
  readonly output: Output
  readonly stdout: { text: string; fail(error: Error): void }
  readonly stderr: { text: string }
}

function sheet(isTTY: boolean, env: Record<string, string> = {}, columns = 40): Sheet {
  const stream = () => {
    let hear: (error: Error) => void = () => {}
    const it = {
      isTTY,
      columns,
      text: '',
      write: (text: string) => {
        it.text += text
        return true
      },
      on: (_event: 'error', listener: (error: Error) => void) => void (hear = listener),
      fail: (error: Error) => hear(error),
    }
    return it
  }
  const [stdout, stderr] = [stream(), stream()]
  return { output: createOutput({ stdout, stderr, env }), stdout, stderr }
}

describe('output', () => {
  it('makes a result safe on a terminal and keeps its lines and tabs', () => {
    const { output, stdout } = sheet(true)
    output.result('a\u001b[2Jb\tc\nd\u202e')
    expect(stdout.text).toBe('a\\u001b[2Jb\tc\nd\\u202e\n')
  })

  it('hands a result on exactly where no terminal shows it', () => {
    const { output, stdout } = sheet(false)
    output.result('a\u001b[2Jb\r\n')
    expect(stdout.text).toBe('a\u001b[2Jb\r\n')
  })

  it('ends a result with one line end, and writes nothing for an empty one', () => {
    const { output, stdout } = sheet(false)
    output.result('')
    output.result('a')
    expect(stdout.text).toBe('a\n')
  })

  it('is quiet when the reader of a pipe has gone', () => {
    const { stdout } = sheet(false)
    expect(() =>
      stdout.fail(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    ).not.toThrow()
    expect(() => stdout.fail(Object.assign(new Error('full'), { code: 'ENOSPC' }))).toThrow('full')
  })

  it('shows progress on a terminal only, and takes it away before the next line', () => {
    const silent = sheet(false)
    silent.output.progress('1/2')
    expect(silent.stderr.text).toBe('')
    const { output, stderr, stdout } = sheet(true)
    output.progress(`1/2 ${'x'.repeat(100)}`)
    output.result('done')
    expect(stderr.text).toBe(`\r\u001b[K1/2 ${'x'.repeat(34)}…\r\u001b[K`)
    expect(stdout.text).toBe('done\n')
  })

  it('is coloured on a terminal, unless NO_COLOR or a dumb terminal says no', () => {
    expect(sheet(true).output.color).toBe(true)
    expect(sheet(false).output.color).toBe(false)
    expect(sheet(true, { NO_COLOR: '1' }).output.color).toBe(false)
    expect(sheet(true, { NO_COLOR: '' }).output.color).toBe(true)
    expect(sheet(true, { TERM: 'dumb' }).output.color).toBe(false)
  })

  it('knows columns only of a terminal', () => {
    expect(sheet(true).output.columns).toBe(40)
    expect(sheet(false).output.columns).toBeUndefined()
  })
})

describe('visibleJson', () => {
  it('escapes what cannot be seen and changes no value', () => {
    const value = { a: 'x\u202ey\u200b\u009b2J\ufeff', b: '👩‍👩‍👧', c: String.fromCodePoint(0xe0041) }
    const text = visibleJson(value)
    expect(text).not.toMatch(/[\u007f-\u009f\p{Cf}\p{Default_Ignorable_Code_Point}]/u)
    expect(JSON.parse(text)).toEqual(value)
  })

  it('says null for what JSON cannot hold', () => {
    expect(visibleJson(undefined)).toBe('null')
  })
})

it('safeLines keeps line ends of both kinds as one', () => {
  expect(safeLines('a\r\nb\rc')).toBe('a\nb\\rc')
})
