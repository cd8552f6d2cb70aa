import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeBase64, encodeBase64 } from './base64.ts'

it('writes and reads all bytes as Node does (seed 4648)', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const text = encodeBase64(bytes)
      expect(text).toBe(Buffer.from(bytes).toString('base64'))
      expect(decodeBase64(text)).toEqual(bytes)
    }),
    { seed: 4648, numRuns: 1000 },
  )
})

it.each([
  ['', ''],
  ['f', 'Zg=='],
  ['fo', 'Zm8='],
  ['foo', 'Zm9v'],
  ['foobar', 'Zm9vYmFy'],
])('writes %j as %j, as RFC 4648 §10 has it', (text, base64) => {
  expect(encodeBase64(new TextEncoder().encode(text))).toBe(base64)
})

it.each([
  'Zg',
  'Zg=',
  'Zg===',
  '=Zg=',
  'Z===',
  '====',
  'Z=g=',
  'Zg==Zg==',
  'Zm9v\n',
  'Zm 9',
  'Zm9-',
  'Zm9_',
  'Zm9é',
  'Zm9\u0141',
  '\0\0\0\0',
])('does not read %j [HTTP-63]', (text) => {
  expect(decodeBase64(text)).toBeUndefined()
})

it('takes a part of a buffer for what it is', () => {
  expect(encodeBase64(new Uint8Array([0, 1, 2, 3, 4, 5]).subarray(1, 5))).toBe('AQIDBA==')
})

it('writes 16 MiB in well under a second', () => {
  const started = process.cpuUsage()
  encodeBase64(new Uint8Array(16 * 1024 * 1024))
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000)
})
