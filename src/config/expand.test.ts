import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import { expand, type Surroundings, type VariableSyntax } from './expand.ts'

const surroundings: Surroundings = {
  env: { A: 'one', EMPTY: '', TRICK: '${A}', __proto__x: 'y' },
  platform: 'linux',
  inputs: new Map([['key', 'typed']]),
  describedInputs: new Set(['key', 'other']),
  folders: new Map([['workspaceFolder', '/w']]),
}
const value = (raw: string, syntax?: VariableSyntax): unknown => {
  const result = expand(raw, surroundings, syntax)
  return result.ok ? result.value : result.kind
}

describe('variables in a text', () => {
  it('are filled in, alone and within', () => {
    expect(value('${A}')).toBe('one')
    expect(value('-${env:A}-${A}-')).toBe('-one-one-')
    expect(value('${input:key}@${workspaceFolder}')).toBe('typed@/w')
  })

  it('have a default for what is not set or empty', () => {
    expect(value('${NO:-x y}')).toBe('x y')
    expect(value('${EMPTY:-x}')).toBe('x')
    expect(value('${EMPTY}')).toBe('')
    expect(value('${NO:-}')).toBe('')
    expect(value('${NO:-${ALSO_NO:-${A}}!}')).toBe('one!')
  })

  it('are told of when they cannot be filled in', () => {
    expect(value('${NO}')).toBe('unset-variable')
    expect(value('${input:other}')).toBe('unset-input')
    expect(value('${input:unheard}')).toBe('unknown-input')
    expect(value('${A-B}')).toBe('bad-reference')
    expect(value('${command:x}')).toBe('bad-reference')
    expect(value('${toString}')).toBe('unset-variable')
    expect(value('${__proto__}')).toBe('unset-variable')
  })

  it('stay what they are without braces, when not closed, and behind a second dollar sign', () => {
    for (const raw of ['cost $5', '$A', '${A', '{env:A}', '{{A}}', '}{', '$']) {
      expect(value(raw)).toBe(raw)
    }
    expect(value('$${A}')).toBe('${A}')
  })

  it('are not looked for in the value of a variable', () => {
    expect(value('${TRICK}')).toBe('${A}')
  })

  it('have the spellings of a host where it is one of that host', () => {
    expect(value('$A $NO $5', { bare: true })).toBe('one $NO $5')
    expect(value('Bearer {env:A}', { braces: true })).toBe('Bearer one')
    expect(value('{file:~/key}', { braces: true })).toBe('file-reference')
    expect(value('{{USER}}', { placeholders: true })).toBe('placeholder')
  })

  it('tell where each part came from', () => {
    const result = expand('a${A}${NO:-d}${input:key}', surroundings)
    expect(result.ok && result.parts.map(({ source }) => source)).toEqual([
      { kind: 'literal' },
      { kind: 'variable', name: 'A' },
      { kind: 'default', name: 'NO' },
      { kind: 'input', id: 'key' },
    ])
  })

  it('are the same in any case on Windows', () => {
    const windows = { ...surroundings, platform: 'win32', env: { Path: 'p' } }
    expect(expand('${PATH}', windows)).toMatchObject({ ok: true, value: 'p' })
    expect(expand('${PATH}', { ...windows, platform: 'linux' })).toMatchObject({ ok: false })
  })

  it('never throw, and a text without dollar signs and braces stays as it is (seed 7)', () => {
    const piece = fc.constantFrom('${', '}', '$$', ':-', 'A', 'env:', 'input:', '{{', 'é', '{env:')
    const all = { bare: true, braces: true, placeholders: true } as const
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const raw = pieces.join('')
        expand(raw, surroundings, all)
        const plain = raw.replaceAll(/[${}]/g, '')
        expect(value(plain, all)).toBe(plain)
      }),
      { seed: 7, numRuns: 2000 },
    )
  })

  it('take time in proportion to the text, whatever it is', () => {
    const all = { bare: true, braces: true, placeholders: true } as const
    for (const piece of ['${', '{{', '{env:', '${A:-', '$${', '$A']) {
      const work = (size: number): void => void expand(piece.repeat(size), surroundings, all)
      expect(growthOf(work, 5000, 50_000), piece).toBeLessThan(50)
    }
  })
})
