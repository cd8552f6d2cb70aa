import { expect, it } from 'vitest'
import { parseEnvFile } from './env-file.ts'

it('reads a variable a line, quoted or not', () => {
  const text =
    '\ufeff# c\r\nA=1\n export B = two words # c\nC="x\\ny" # c\nD=\'$A #\'\nE=\nno line\nF=a#b\nA=3'
  expect(parseEnvFile(text)).toEqual([
    ['A', '1'],
    ['B', 'two words'],
    ['C', 'x\ny'],
    ['D', '$A #'],
    ['E', ''],
    ['F', 'a#b'],
    ['A', '3'],
  ])
})
