import { expect, it } from 'vitest'
import { shellWord } from './shell-word.ts'

it('leaves a plain path as it is', () => {
  expect(shellWord('/home/zoe/.deep-pilot/a-1.jsonl', 'linux')).toBe(
    '/home/zoe/.deep-pilot/a-1.jsonl',
  )
  expect(shellWord('C:\\Users\\zoe\\a.jsonl', 'win32')).toBe('C:\\Users\\zoe\\a.jsonl')
})

it('puts quotes around what a shell would take apart or run', () => {
  expect(shellWord('/my files/a', 'darwin')).toBe("'/my files/a'")
  expect(shellWord("/it's $(HOME)", 'linux')).toBe("'/it'\\''s $(HOME)'")
  expect(shellWord('', 'linux')).toBe("''")
  expect(shellWord('C:\\my files\\a', 'win32')).toBe('"C:\\my files\\a"')
})
