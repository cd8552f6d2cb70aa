import { expect, it } from 'vitest'
import { en } from './messages/en.ts'
import { createOutput, type Output } from './output.ts'
import { showText } from './shown-text.ts'

function output(isTTY: boolean): { output: Output; stdout: () => string; stderr: () => string } {
  const texts = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof texts) => ({
    isTTY,
    columns: 80,
    write: (data: string | Uint8Array) => {
      texts[name] += String(data)
      return true
    },
    on: () => undefined,
  })
  const made = createOutput({ stdout: stream('stdout'), stderr: stream('stderr'), env: {} })
  return { output: made, stdout: () => texts.stdout, stderr: () => texts.stderr }
}

it('gives all of a text to a pipe', () => {
  const { output: out, stdout, stderr } = output(false)
  showText({ output: out, messages: en }, 'x'.repeat(1_000_000))
  expect(stdout().length).toBe(1_000_001)
  expect(stderr()).toBe('')
})

it('gives a terminal 200,000 characters, and says that there is more', () => {
  const { output: out, stdout, stderr } = output(true)
  showText({ output: out, messages: en }, 'x'.repeat(200_000))
  expect(stderr()).toBe('')
  showText({ output: out, messages: en }, 'y'.repeat(200_001))
  expect(stdout().replaceAll(/[^y]/g, '').length).toBe(200_000)
  expect(stderr()).toContain('200000 of 200001 characters are shown.')
})

it('breaks what is said beside it between words, and leaves coloured lines as they are', () => {
  const { output: out, stderr } = output(true)
  out.note('a word '.repeat(20).trim())
  expect(
    stderr()
      .split('\n')
      .every((line) => line.length <= 80),
  ).toBe(true)
  expect(stderr()).not.toMatch(/^(?:ord|rd|d)\b/m)
  const coloured = `\u001b[2m${'x '.repeat(60)}\u001b[0m`
  out.note(coloured)
  expect(stderr()).toContain(coloured)
})
