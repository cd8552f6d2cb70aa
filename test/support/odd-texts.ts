/** Texts that a stream cut anywhere may break: several bytes or units a character, joined emoji, what JSON escapes, what SSE reads. */
import type { Dice } from './seeded.ts'

const PIECES = [
  'a',
  'ü',
  '你好',
  '☃️',
  '👩‍👩‍👧',
  '\n',
  '"',
  '\\',
  '\u2028',
  '{"x":1}',
  ' ',
  'data: ',
  '\r\n',
]

/** Up to four of them in a row; may be empty or blank. */
export function oddText(chance: Dice): string {
  return Array.from({ length: chance.between(0, 4) }, () => chance.pick(PIECES)).join('')
}
