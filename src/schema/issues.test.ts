import { describe, expect, test } from 'vitest'
import { checkValue } from './check.ts'

async function issuesOf(schema: unknown, value: unknown): Promise<readonly unknown[]> {
  const verdict = await checkValue(schema, value)
  return verdict.valid === false
    ? verdict.issues.map((issue) => `${issue.pointer} ${issue.keyword}: ${issue.message}`)
    : [verdict]
}

describe('issues', () => {
  test('tell each fault once, with its place and what would fit', async () => {
    const schema = {
      type: 'object',
      properties: {
        limit: { type: 'integer', minimum: 1 },
        mode: { enum: ['fit', 'raw'] },
        name: { $ref: '#/$defs/name' },
        'a/b~c': { type: 'boolean' },
      },
      required: ['limit', 'mode'],
      additionalProperties: false,
      $defs: { name: { type: 'string', minLength: 3, pattern: '^[a-z]+$' } },
    }
    expect(await issuesOf(schema, { limit: 0, name: 'A1', 'a/b~c': 1, zz: 1 })).toEqual([
      ' required: lacks the property "mode"',
      '/limit minimum: must be 1 or more, not 0',
      '/name minLength: must have at least 3 characters, has 2',
      '/name pattern: must match the pattern "^[a-z]+$"',
      '/a~1b~0c type: must be boolean, not number',
      '/zz additionalProperties: is not a property of this object; it may have "limit", "mode", "name", "a/b~c"',
    ])
  })

  test('carry the same in facts, without texts of the value', async () => {
    const schema = {
      properties: { n: { type: ['integer', 'null'] }, s: { minLength: 3 }, m: { maximum: 5 } },
      required: ['q'],
      additionalProperties: false,
    }
    const verdict = await checkValue(schema, { n: 'secret', s: 'ab', m: 7, zz: 1 })
    const issues = verdict.valid === false ? verdict.issues : []
    expect(Object.fromEntries(issues.map(({ pointer, facts }) => [pointer, facts]))).toEqual({
      '': { name: '"q"' },
      '/n': { expected: 'integer, null', found: 'string' },
      '/s': { expected: '3', found: '2' },
      '/m': { expected: '5', found: '7' },
      '/zz': { expected: '"n", "s", "m"' },
    })
  })

  test('tell why none of several alternatives fits', async () => {
    const schema = {
      items: {
        anyOf: [
          { type: 'integer' },
          { type: 'object', required: ['x'], properties: { y: { const: 1 } } },
        ],
      },
    }
    expect(await issuesOf(schema, [1, { y: 2 }, 'a'])).toEqual([
      '/1 anyOf: fits none of 2 alternatives: it must be integer, not object, or it lacks the property "x"',
      '/2 anyOf: fits none of 2 alternatives: it must be integer, not string, or it must be object, not string',
    ])
    expect(await issuesOf({ oneOf: [{ type: 'number' }, { minimum: 1 }] }, 2)).toEqual([
      ' oneOf: must fit exactly one of 2 alternatives, fits 2',
    ])
  })

  test.each([
    [{ const: 'a' }, 'b', ' const: must be "a"'],
    [{ const: { a: 1 } }, {}, ' const: must be {"a":1}'],
    [{ maximum: 3 }, 4, ' maximum: must be 3 or less, not 4'],
    [{ exclusiveMinimum: 3 }, 3, ' exclusiveMinimum: must be more than 3, not 3'],
    [{ exclusiveMaximum: 3 }, 3, ' exclusiveMaximum: must be less than 3, not 3'],
    [{ multipleOf: 2 }, 3, ' multipleOf: must be a multiple of 2, not 3'],
    [{ maxLength: 1 }, '😀😀', ' maxLength: must have at most 1 character, has 2'],
    [{ minItems: 1 }, [], ' minItems: must have at least 1 item, has 0'],
    [{ maxItems: 1 }, [1, 2], ' maxItems: must have at most 1 item, has 2'],
    [{ minProperties: 2 }, { a: 1 }, ' minProperties: must have at least 2 properties, has 1'],
    [{ maxProperties: 0 }, { a: 1 }, ' maxProperties: must have at most 0 properties, has 1'],
    [{ uniqueItems: true }, [1, 2, 1], ' uniqueItems: must not hold an item twice (items 0 and 2)'],
    [{ not: { type: 'null' } }, null, ' not: must not fit what the schema excludes ("not")'],
    [
      { contains: { const: 1 } },
      [2],
      ' contains: must hold an item of the kind that "contains" describes',
    ],
    [
      { contains: { const: 1 }, minContains: 2 },
      [1, 2],
      ' minContains: must hold at least 2 items of the kind that "contains" describes',
    ],
    [
      { contains: { const: 1 }, maxContains: 1 },
      [1, 1],
      ' maxContains: must hold at most 1 item of the kind that "contains" describes',
    ],
    [
      { dependentRequired: { a: ['b', 'c'] } },
      { a: 1, b: 1 },
      ' dependentRequired: has "a" and so needs the property "c"',
    ],
    [
      { dependencies: { a: ['b'] } },
      { a: 1 },
      ' dependentRequired: has "a" and so needs the property "b"',
    ],
    [
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
      '/ab maxLength: has a name that is not allowed: must have at most 1 character, has 2',
    ],
    [{ prefixItems: [{}], items: false }, [1, 2], '/1 items: is one item too many (index "1")'],
    [{ properties: { a: false } }, { a: 1 }, '/a properties: is not allowed here'],
    [
      { properties: { a: {} }, unevaluatedProperties: false },
      { b: 1 },
      '/b unevaluatedProperties: is not a property of this object; it may have "a"',
    ],
    [
      // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema, no function
      { if: { type: 'string' }, then: { minLength: 2 } },
      'a',
      ' minLength: must have at least 2 characters, has 1',
    ],
    [{ type: ['string', 'null'] }, 1, ' type: must be string or null, not number'],
    [false, 1, ' not: is not allowed here'],
  ])('say of %j what is wrong with %j', async (schema, value, issue) => {
    expect(await issuesOf(schema, value)).toEqual([issue])
  })

  test('do not repeat texts of the value, which may be secrets', async () => {
    const secret = 'hunter2-hunter2'
    const schema = {
      properties: {
        p: { type: 'string', maxLength: 3, pattern: '^a$', enum: ['b'], not: { const: secret } },
      },
    }
    expect(JSON.stringify(await checkValue(schema, { p: secret }))).not.toContain('hunter2')
  })

  test('are at most 20, each of at most 300 characters', async () => {
    const name = 'n'.repeat(400)
    const schema = {
      additionalProperties: {
        type: 'string',
        enum: Array.from({ length: 50 }, (_, i) => `${name}${i}`),
      },
    }
    const value = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${name}${i}`, i]))
    const verdict = await checkValue(schema, value)
    expect(verdict.valid).toBe(false)
    const issues = verdict.valid === false ? verdict.issues : []
    expect(issues).toHaveLength(20)
    for (const issue of issues) {
      expect(issue.message.length).toBeLessThanOrEqual(300)
      expect(issue.pointer.length).toBeLessThanOrEqual(300)
    }
  })
})
