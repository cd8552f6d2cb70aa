import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { SchemaError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { compileSchema } from './check.ts'
import { checkStandard, isStandardSchema, jsonSchemaOf } from './standard.ts'
import type { InferInput, InferOutput, Schema, StandardSchema } from './standard.ts'

const search = z.object({ query: z.string().min(2), limit: z.number().int().default(10) })

/** A schema by the specification alone, as a library would make it. */
function handMade(vendor: string, jsonSchema?: unknown): StandardSchema<string, number> {
  const properties = {
    version: 1,
    vendor,
    validate: (value: unknown) =>
      typeof value === 'string'
        ? { value: value.length }
        : { issues: [{ message: 'no text', path: ['a/b', { key: 'c~d' }, 0] }] },
  } as const
  return {
    '~standard':
      jsonSchema === undefined ? properties : ({ ...properties, jsonSchema } as typeof properties),
  }
}

function thrownBy(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  return undefined
}

describe('recognising a schema of another library', () => {
  test('takes objects and functions that carry ~standard, version 1', () => {
    expect(isStandardSchema(search)).toBe(true)
    expect(isStandardSchema(Object.assign(() => true, handMade('callable')))).toBe(true)
    expect(isStandardSchema({ '~standard': { version: 2, validate: () => ({ value: 1 }) } })).toBe(
      false,
    )
    for (const other of [null, undefined, 'a', 1, {}, { type: 'object' }, { '~standard': null }]) {
      expect(isStandardSchema(other)).toBe(false)
    }
  })
})

describe('checking with another library', () => {
  test('answers with the value as the library made it', async () => {
    expect(await checkStandard(search, { query: 'abc' })).toEqual({
      valid: true,
      value: { query: 'abc', limit: 10 },
    })
  })

  test('answers with issues in our form', async () => {
    const verdict = await checkStandard(search, { query: 'a', limit: 'x' })
    expect(verdict).toMatchObject({
      valid: false,
      issues: [
        { pointer: '/query', keyword: 'too_small' },
        { pointer: '/limit', keyword: 'invalid_type' },
      ],
    })
  })

  test('escapes the keys of a path, whatever their kind, and names the library where there is no code', async () => {
    expect(await checkStandard(handMade('acme'), 1)).toEqual({
      valid: false,
      issues: [{ pointer: '/a~1b/c~0d/0', keyword: 'acme', message: 'no text' }],
    })
  })

  test('tells at most 20 issues, each of at most 300 characters', async () => {
    const wordy: StandardSchema = {
      '~standard': {
        version: 1,
        vendor: 'wordy',
        validate: () =>
          Promise.resolve({
            issues: Array.from({ length: 50 }, () => ({ message: 'x'.repeat(1_000) })),
          }),
      },
    }
    const verdict = await checkStandard(wordy, 1)
    expect(!verdict.valid && verdict.issues.map((issue) => issue.message.length)).toEqual(
      Array(20).fill(300),
    )
  })
})

describe('the JSON Schema of a schema', () => {
  test('is the plain one itself', () => {
    const plain = { type: 'object', 'x-mcp-header': 'a' }
    expect(jsonSchemaOf(plain, 'input')).toBe(plain)
  })

  test('is asked of the other library, each side on its own, and only once', async () => {
    const input = jsonSchemaOf(search, 'input')
    const output = jsonSchemaOf(search, 'output')
    expect(input['required']).toEqual(['query'])
    expect(output['required']).toEqual(['query', 'limit'])
    expect(jsonSchemaOf(search, 'input')).toBe(input)
    const ready = await compileSchema(input)
    expect(ready.kind === 'checkable' && ready.check({ query: 'abc' }).valid).toBe(true)
    expect(ready.kind === 'checkable' && ready.check({ query: 'a' }).valid).toBe(false)
  })

  test('comes in draft-07 where 2020-12 is not to be had', () => {
    const schema = handMade('old', {
      input: ({ target }: { target: string }) => {
        if (target !== 'draft-07') throw new Error('unsupported target')
        return { type: 'string' }
      },
    })
    expect(jsonSchemaOf(schema, 'input')).toEqual({ type: 'string' })
  })

  test.each([
    ['valibot', 'toStandardJsonSchema() of "@valibot/to-json-schema"'],
    ['zod', 'zod 4.2 or later'],
    ['arktype', 'schema.toJsonSchema()'],
    ['acme', 'or give JSON Schema itself'],
  ])('is missed with advice where %s offers none', (vendor, advice) => {
    const error = thrownBy(() => jsonSchemaOf(handMade(vendor), 'input'))
    expect(error).toBeInstanceOf(SchemaError)
    expect(String(error)).toContain(`the ${vendor} schema has no JSON Schema to show to a peer; `)
    expect(String(error)).toContain(advice)
  })

  test('is missed with the reason where the other library cannot write it', () => {
    const error = thrownBy(() => jsonSchemaOf(z.object({ when: z.date() }), 'input'))
    expect(error).toBeInstanceOf(SchemaError)
    expect(String(error)).toMatch(/the zod schema cannot be written as JSON Schema \(.*Date/)
    expect((error as SchemaError).cause).toBeInstanceOf(Error)
  })

  test('is missed where there is no schema at all', () => {
    expect(thrownBy(() => jsonSchemaOf('text' as unknown as Schema, 'input'))).toBeInstanceOf(
      SchemaError,
    )
  })
})

test('types come from either kind of schema', () => {
  expectTypeOf<InferInput<typeof search>>().toEqualTypeOf<{
    query: string
    limit?: number | undefined
  }>()
  expectTypeOf<InferOutput<typeof search>>().toEqualTypeOf<{ query: string; limit: number }>()
  expectTypeOf<InferOutput<{ type: 'object' }>>().toEqualTypeOf<JsonObject>()
  expectTypeOf<InferOutput<{ type: 'object' }, unknown>>().toEqualTypeOf<unknown>()
  const define = <In>(schema: Schema<In>, run: (given: In) => void): void => void [schema, run]
  define(search, (given) => expectTypeOf(given).toEqualTypeOf<{ query: string; limit: number }>())
  define({ type: 'object' }, (given) => expectTypeOf(given).toBeUnknown())
  expect(true).toBe(true)
})
