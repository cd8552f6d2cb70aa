import { expect, it } from 'vitest'
import { nearNames } from './near-names.ts'

const NAMES = ['fs__read_file', 'fs__write_file', 'web__search', 'zip']

it.each([
  ['read_file', 'fs__read_file'],
  ['readFile', 'fs__read_file'],
  ['fs.read_file', 'fs__read_file'],
  ['FS__READ_FILE', 'fs__read_file'],
  ['mcp__fs__read_file', 'fs__read_file'],
  ['fs__raed_file', 'fs__read_file'],
  ['websearch', 'web__search'],
])('finds for %s first %s', (wrong, right) => {
  expect(nearNames(wrong, NAMES)[0]).toBe(right)
})

it.each(['', 'x', 'weather', '你好', 'z'.repeat(1_000_000)])('finds nothing for %.20s', (name) => {
  expect(nearNames(name, NAMES)).toEqual([])
})

it('gives at most three', () => {
  expect(
    nearNames(
      'tool',
      Array.from({ length: 9 }, (_, at) => `s${at}__tool`),
    ),
  ).toHaveLength(3)
})
