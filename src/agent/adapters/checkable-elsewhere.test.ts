import { validate } from '@cfworker/json-schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { checkableElsewhere } from './checkable-elsewhere.ts'

describe('a schema for another checker', () => {
  it('keeps what is plain', () => {
    const plain: JsonObject = {
      type: 'object',
      properties: { city: { type: 'string', minLength: 1, description: 'A place' } },
      required: ['city'],
      additionalProperties: false,
    }
    expect(checkableElsewhere(plain)).toEqual(plain)
  })

  it('tells a model in words of the patterns and formats that it leaves out', () => {
    const schema = {
      type: 'object',
      properties: {
        day: { type: 'string', format: 'date', description: 'A day' },
        code: { type: 'string', pattern: '^(a+)+$' },
      },
    }
    expect(checkableElsewhere(schema)['properties']).toEqual({
      day: { type: 'string', description: 'A day (format: date)' },
      code: { type: 'string', description: '(pattern: ^(a+)+$)' },
    })
  })

  it('leaves members alone that are called like a keyword', () => {
    const schema = {
      type: 'object',
      properties: {
        pattern: { type: 'string' },
        $ref: { type: 'string' },
        not: { type: 'number' },
      },
      required: ['pattern'],
      enum: [{ $ref: 'a', pattern: 'b' }],
    }
    expect(checkableElsewhere(schema)).toEqual(schema)
  })

  it('gives nothing to follow: no reference is left, in no depth', () => {
    const bomb = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' }, b: { allOf: [{ $ref: 'http://169.254.169.254/' }] } },
      $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] } },
    }
    expect(JSON.stringify(checkableElsewhere(bomb))).not.toContain('$')
    expect(validate({ a: 1, b: 2 }, checkableElsewhere(bomb)).valid).toBe(true)
  })

  it('opens an object whose members only a pattern let in', () => {
    const schema = {
      type: 'object',
      patternProperties: { '^a': true },
      additionalProperties: false,
    }
    expect(checkableElsewhere(schema)).toEqual({ type: 'object' })
  })

  it('makes no setter of a name', () => {
    const schema: unknown = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}}}',
    )
    const copy = checkableElsewhere(schema as JsonObject)
    expect(JSON.stringify(copy)).toBe(JSON.stringify(schema))
  })

  const SEED = 20261202
  // In text: an object with a member `then` in code looks like a promise.
  const conditional = JSON.parse(
    '{"if":{"type":"string"},"then":{"minLength":1},"else":{"minimum":0}}',
  ) as JsonObject
  it(`never refuses what the whole schema lets through (seed ${SEED})`, () => {
    const leaf = fc.oneof(
      fc.constantFrom<JsonValue>(
        { type: 'string' },
        { type: 'string', pattern: '^a' },
        { type: 'number', minimum: 1 },
        { format: 'date' },
        { const: 1 },
        { enum: ['a', 2] },
        true,
        { not: { type: 'string' } },
        { patternProperties: { '^a': { type: 'number' } }, additionalProperties: false },
        { contains: { type: 'number' } },
        { items: { type: 'string' }, uniqueItems: true },
        conditional,
      ),
    )
    const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'schema' },
        leaf,
        fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((list) => ({ anyOf: list })),
        fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((list) => ({ oneOf: list })),
        fc
          .tuple(tie('schema'), tie('schema'))
          .map(([one, other]) => ({ oneOf: [one, other], anyOf: [one, true] })),
        fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((list) => ({ allOf: list })),
        fc
          .tuple(tie('schema'), tie('schema'))
          .map(([a, rest]) => ({ properties: { a }, additionalProperties: rest })),
        tie('schema').map((items) => ({ items })),
      ),
    }))
    const value = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 2, depthIdentifier: 'value' },
        fc.constantFrom<JsonValue>('a', 'b', '', 0, 1, 2, null, true),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', 'ab', 'c'), tie('value'), { maxKeys: 2 }),
      ),
    })).value
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    fc.assert(
      fc.property(schema, value, (inner, data) => {
        const whole = { type: 'object', properties: { v: inner } }
        if (!ajv.validate(whole, { v: data })) return
        expect(validate({ v: data }, checkableElsewhere(whole), '2020-12').valid).toBe(true)
      }),
      { seed: SEED, numRuns: 800 },
    )
  })
})
