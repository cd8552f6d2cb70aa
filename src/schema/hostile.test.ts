/**
 * Schemas and values made to take for ever. What is asserted is steps and answers; the time limit of the test runner is the
 * only clock, as a guard against a hang.
 */

import { describe, expect, test } from 'vitest'
import { compileSchema } from './check.ts'
import type { SchemaVerdict } from './check.ts'
import { MAX_STEPS, stepsUsed } from './meter.ts'

async function verdictOf(schema: unknown, value: unknown): Promise<SchemaVerdict> {
  const ready = await compileSchema(schema)
  return ready.kind === 'checkable'
    ? ready.check(value)
    : { valid: 'unknown', because: ready.because }
}

async function becauseOf(schema: unknown, value: unknown): Promise<string> {
  const verdict = await verdictOf(schema, value)
  return verdict.valid === 'unknown' ? verdict.because : `it is ${String(verdict.valid)}`
}

/** Text of a length that ends in a surprise. */
function run(unit: string, length: number): string {
  return `${unit.repeat(Math.ceil(length / unit.length))}!`
}

describe('sizes of a schema', () => {
  test('more than 20,000 parts are refused, a million alternatives among them [JSON-06]', async () => {
    const branch = { type: 'string' }
    const anyOf = Array.from({ length: 1_000_000 }, () => branch)
    expect(await becauseOf({ anyOf }, 1)).toContain('more than 20,000 parts')
    expect(
      await becauseOf({ enum: Array.from({ length: 100_001 }, (_, i) => `v${i}`) }, 1),
    ).toContain('more than')
    expect(
      (await verdictOf({ enum: Array.from({ length: 19_000 }, (_, i) => i) }, 18_000)).valid,
    ).toBe(true)
  })

  test('more than 128 levels are refused [JSON-06]', async () => {
    const nested = (levels: number): object => {
      let schema: object = { type: 'string' }
      for (let level = 0; level < levels; level += 1) schema = { not: schema }
      return schema
    }
    expect(await becauseOf(nested(100_000), 'a')).toContain('deeper than 128')
    expect((await verdictOf(nested(60), 'a')).valid).toBe(true)
  })

  test('an object that contains itself is refused', async () => {
    const schema: Record<string, unknown> = { type: 'object' }
    schema['properties'] = { a: schema }
    expect(await becauseOf(schema, {})).toContain('deeper than 128')
  })

  test('an object that is used twice on every level is refused before it unfolds', async () => {
    let schema: object = { type: 'string' }
    for (let level = 0; level < 50; level += 1) schema = { anyOf: [schema, schema] }
    expect(await becauseOf(schema, 1)).toContain('more than 20,000 parts')
  })
})

describe('steps of a check', () => {
  test('references that double the work end after 200,000 steps [JSON-06]', async () => {
    const $defs: Record<string, unknown> = { d0: { type: 'string' } }
    for (let level = 1; level <= 60; level += 1) {
      const $ref = `#/$defs/d${String(level - 1)}`
      $defs[`d${String(level)}`] = { allOf: [{ $ref }, { $ref }] }
    }
    expect(await becauseOf({ $defs, $ref: '#/$defs/d60' }, 'a')).toContain(
      'more than 200,000 steps',
    )
    expect(stepsUsed()).toBeGreaterThanOrEqual(MAX_STEPS)
  })

  test('a loop that only some values enter ends in no verdict', async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema, no function
    const schema = { if: { minLength: 1 }, then: { $ref: '#' } }
    expect(await verdictOf(schema, '')).toEqual({ valid: true })
    expect((await verdictOf(schema, 'a')).valid).toBe('unknown')
  })

  test.each([
    ['alternatives that count members', { additionalProperties: false }],
    ['alternatives that name members', { propertyNames: { maxLength: 1 } }],
    ['alternatives that look for items', { contains: false }],
  ])('%s end after 200,000 steps, however wide the value [JSON-06]', async (_name, branch) => {
    const wide =
      'contains' in branch
        ? Array.from({ length: 10_000 }, () => 1)
        : Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key ${i}`, i]))
    const schema = {
      allOf: [
        { not: { allOf: Array.from({ length: 5_000 }, () => ({ ...branch, minProperties: 0 })) } },
      ],
    }
    await verdictOf(schema, wide)
    expect(stepsUsed()).toBeGreaterThan(MAX_STEPS / 10)
    const many = { anyOf: Array.from({ length: 5_000 }, () => ({ ...branch, title: 'x' })) }
    expect((await verdictOf(many, wide)).valid).toBe('unknown')
  })

  test('a long enum costs by its length at every item', async () => {
    const values = Array.from({ length: 5_000 }, (_, i) => `value number ${i}`)
    const schema = { items: { not: { enum: values } } }
    const ones = (length: number): readonly number[] => Array.from({ length }, () => 1)
    expect((await verdictOf(schema, ones(20_000))).valid).toBe('unknown')
    expect(await verdictOf(schema, ones(100))).toEqual({ valid: true })
  })

  test('fewer steps can be asked for', async () => {
    const ready = await compileSchema({ items: { not: { type: 'null' } } }, { maxSteps: 100 })
    const items = (length: number): readonly number[] => Array.from({ length }, () => 1)
    expect(ready.kind === 'checkable' && ready.check(items(10)).valid).toBe(true)
    expect(ready.kind === 'checkable' && ready.check(items(1_000)).valid).toBe('unknown')
  })

  test('a value deeper than the stack has no verdict, and one within it has', async () => {
    const schema = { properties: { a: { $ref: '#' } }, not: { type: 'null' } }
    const nested = (levels: number): unknown => {
      let value: unknown = 1
      for (let level = 0; level < levels; level += 1) value = { a: value }
      return value
    }
    expect((await verdictOf(schema, nested(100_000))).valid).toBe('unknown')
    expect((await verdictOf(schema, nested(100))).valid).toBe(true)
  })
})

describe('uniqueItems', () => {
  const schema = { properties: { list: { uniqueItems: true } } }

  test('compares 1,000 items and no more [JSON-06]', async () => {
    const numbers = Array.from({ length: 1_001 }, (_, i) => i)
    expect(await becauseOf(schema, { list: numbers })).toContain(
      '"uniqueItems" meets more than 1,000 items',
    )
    expect(await verdictOf(schema, { list: numbers.slice(1) })).toEqual({ valid: true })
    expect((await verdictOf(schema, { list: [...numbers.slice(2), 5] })).valid).toBe(false)
  })

  test('does not mind a long array elsewhere, or a long text in its place', async () => {
    expect(
      await verdictOf(schema, { list: [1, 2], other: Array.from({ length: 5_000 }, () => 1) }),
    ).toEqual({ valid: true })
    expect(await verdictOf(schema, { list: 'x'.repeat(5_000) })).toEqual({ valid: true })
  })

  test('charges for large items and for many arrays', async () => {
    const item = (last: number): unknown =>
      Array.from({ length: 1_000 }, (_, i) => (i === 999 ? last : i))
    const list = Array.from({ length: 1_000 }, (_, i) => item(i + 1_000))
    expect((await verdictOf(schema, { list })).valid).toBe('unknown')
    const often = { allOf: Array.from({ length: 5_000 }, () => ({ uniqueItems: true })) }
    expect(
      (
        await verdictOf(
          often,
          Array.from({ length: 1_000 }, (_, i) => i),
        )
      ).valid,
    ).toBe('unknown')
  })

  test('lets a thousand records through that have unique tags', async () => {
    const records = { items: { properties: { tags: { uniqueItems: true } } } }
    const value = Array.from({ length: 1_000 }, (_, i) => ({
      id: i,
      name: `n${i}`,
      tags: ['a', 'b', 'c'],
    }))
    expect(await verdictOf(records, value)).toEqual({ valid: true })
  })
})

describe('patterns', () => {
  test.each([
    ['^(a+)+$', 'a'],
    ['^(a|a)*$', 'a'],
    ['^(a|aa)+$', 'a'],
    ['(a*)*b', 'a'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
    [
      '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
      'a',
    ],
    ['(.*)*,(.*)*', 'x'],
    ['^(\\w+\\s?)*$', 'word '],
    ['^(.+)+(.+)+(.+)+$', 'ab'],
    ['(x+x+)+y', 'x'],
    ['^\\s*(\\S+\\s*)+:$', 'a '],
    ['([^/]+(?:,[^/]+)*)#', ','],
    ['^(?:a?){30}a{30}$', 'a'],
    ['(a{0,30}){0,30}b', 'a'],
    ['^(\\d+)*x', '1'],
    ['((a+)(b+))+c', 'ab'],
    ['^(?:[^"\\\\]|\\\\.)*"$', '\\a'],
    ['(?:a|b|ab)*c', 'ab'],
    ['\\s+$', ' '],
    ['[a-z]+[0-9]+[a-z]+$', 'a1'],
  ])('%s over 100,000 characters ends within the budget [JSON-06]', async (pattern, unit) => {
    const ready = await compileSchema({ type: 'string', pattern })
    expect(ready.kind).toBe('checkable')
    for (const length of [28, 1_000, 30_000, 100_000]) {
      const verdict = ready.kind === 'checkable' ? ready.check(run(unit, length)).valid : 'unknown'
      // What would cost more is not begun.
      expect(stepsUsed() > MAX_STEPS && verdict !== 'unknown').toBe(false)
    }
    expect(ready.kind === 'checkable' && ready.check(run(unit, 1_000)).valid).not.toBe('unknown')
  })

  test('matched by a thousand alternatives are charged for each', async () => {
    const anyOf = Array.from({ length: 200 }, (_, i) => ({ pattern: `^(a+)+b{${String(i + 1)}}$` }))
    expect((await verdictOf({ anyOf }, run('a', 100_000))).valid).toBe('unknown')
  })

  test('longer than 1,000 characters, or too many, are refused', async () => {
    expect(await becauseOf({ pattern: 'a'.repeat(1_001) }, 'a')).toContain(
      'longer than 1,000 characters',
    )
    const anyOf = Array.from({ length: 200 }, (_, i) => ({
      pattern: `^((a|b){0,500}){0,2}${String(i)}$`,
    }))
    expect(await becauseOf({ anyOf }, 'a')).toContain('too large in sum')
  })

  test('with look-around or back-references that could go back and forth are refused', async () => {
    expect(await becauseOf({ pattern: '^(?=.*\\d)(?=.*[a-z]).+$' }, 'a1')).toContain(
      'has no look-around',
    )
    expect(await becauseOf({ pattern: '^(a+)(b+)\\1\\2$' }, 'ab')).toContain(
      'has no back-references',
    )
    expect(await verdictOf({ pattern: '^(?!admin$)[a-z]+$' }, 'user')).toEqual({ valid: true })
    expect((await verdictOf({ pattern: '^(?!admin$)[a-z]+$' }, 'admin')).valid).toBe(false)
  })

  test('of property names run over names of up to 1,000 characters, and are charged for each', async () => {
    const schema = { patternProperties: { '^x-[a-z]+$': { type: 'string' } } }
    expect((await verdictOf(schema, { 'x-a': 1 })).valid).toBe(false)
    expect(await verdictOf(schema, { 'x-a': 'a', y: 1 })).toEqual({ valid: true })
    expect(await becauseOf(schema, { ['x'.repeat(1_001)]: 1 })).toContain('over 1,000 characters')
    const many = {
      patternProperties: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`^k${i}$`, {}])),
    }
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`name${i}`, 1]))
    expect((await verdictOf(many, wide)).valid).toBe('unknown')
  })
})

test('a schema that is hostile does not spoil the next check', async () => {
  await verdictOf(
    {
      $defs: { a: { items: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] } } },
      $ref: '#/$defs/a',
    },
    [[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]],
  )
  expect(await verdictOf({ type: 'object', not: { required: ['a'] } }, {})).toEqual({ valid: true })
})
