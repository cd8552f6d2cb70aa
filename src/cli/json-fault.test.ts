import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonFault } from './json-fault.ts'

const SEED = 20_261_201

describe('jsonFault', () => {
  it.each([
    ['', { kind: 'empty', line: 1, column: 1 }],
    ['  \n ', { kind: 'empty', line: 2, column: 2 }],
    ['{"a":1', { kind: 'end', line: 1, column: 7 }],
    ['{"a":"b', { kind: 'end', column: 8 }],
    ['{a:1}', { kind: 'unexpected', expected: 'name', column: 2, found: 'a' }],
    ["{'a':1}", { kind: 'unexpected', expected: 'name', column: 2, found: "'" }],
    ['{"a" 1}', { kind: 'unexpected', expected: 'colon', column: 6, found: '1' }],
    ['{"a":}', { kind: 'unexpected', expected: 'value', column: 6, found: '}' }],
    ['{"a":hello}', { kind: 'unexpected', expected: 'value', column: 6, found: 'hello' }],
    ['{"a":1,}', { kind: 'unexpected', expected: 'name', column: 8, found: '}' }],
    ['[1,]', { kind: 'unexpected', expected: 'value', column: 4, found: ']' }],
    ['[1 2]', { kind: 'unexpected', expected: 'commaOrBracket', column: 4, found: '2' }],
    ['{"a":1 "b":2}', { kind: 'unexpected', expected: 'commaOrBrace', column: 8, found: '"' }],
    ['{} {}', { kind: 'unexpected', expected: 'nothingMore', column: 4, found: '{' }],
    ['{"a":\n  01}', { kind: 'unexpected', expected: 'value', line: 2, column: 3, found: '01' }],
    ['{"a":"x\ny"}', { kind: 'control', line: 1, column: 8 }],
    ['{"p":"C:\\Users"}', { kind: 'escape', column: 9 }],
    ['{"城":"京" x}', { kind: 'unexpected', column: 10, found: 'x' }],
    ['C:\\temp', { kind: 'unexpected', expected: 'value', column: 1, found: 'C' }],
  ] as const)('finds the fault of %j', (text, fault) => {
    expect(jsonFault(text)).toMatchObject(fault)
  })

  it('agrees with the parser about every damaged text', () => {
    const damaged = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', ']', ':', 'x', '\\', '\n', '-', '1'),
      )
      .map(([text, place, insert]) => {
        const at = place % (text.length + 1)
        return text.slice(0, at) + insert + text.slice(at + (place % 3))
      })
    fc.assert(
      fc.property(fc.oneof(fc.json(), damaged, fc.string()), (text) => {
        expect(jsonFault(text) === undefined).toBe(parses(text))
      }),
      { seed: SEED, numRuns: 1500 },
    )
  })

  it('takes a million open brackets without overflowing the stack', () => {
    expect(jsonFault('['.repeat(1_000_000))).toMatchObject({ kind: 'end' })
  })
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
