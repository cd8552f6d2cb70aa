/** What is kept of a schema, and changed, for dialects without a list of words. Whether a value fits is judged by ajv. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../base/json.ts'
import type { SchemaDialect } from './dialect.ts'
import { projectSchema, type Projection } from './project.ts'

const ajv = new Ajv2020({ strict: false })

function projectionOf(schema: unknown, dialect: SchemaDialect): Projection {
  const projected = projectSchema(schema, dialect)
  if (projected.kind === 'refused') throw new Error(projected.reason)
  return projected.projection
}

describe('a schema for a provider that reads all of JSON Schema', () => {
  /** What the providers check as JSON Schema and hand to the model as it is written. */
  const told: readonly (readonly [string, JsonObject])[] = [
    ['const', { properties: { a: { const: 'x' } } }],
    [
      'if, then and else',
      // As text: an object of code with a member "then" is taken for a promise.
      JSON.parse(
        '{"properties":{"a":{"type":"string"}},"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}',
      ) as JsonObject,
    ],
    ['dependentRequired', { properties: {}, dependentRequired: { a: ['b'] } }],
    ['dependentSchemas', { properties: {}, dependentSchemas: { a: { required: ['b'] } } }],
    ['not', { properties: { a: { type: 'string', not: { const: '' } } } }],
    ['patternProperties', { properties: {}, patternProperties: { '^x-': { type: 'number' } } }],
    [
      'prefixItems',
      {
        properties: {
          at: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
        },
      },
    ],
    ['unevaluatedProperties', { properties: {}, unevaluatedProperties: false }],
    [
      'unevaluatedItems',
      { properties: { at: { type: 'array', items: {}, unevaluatedItems: false } } },
    ],
  ]

  it.each(told)('keeps %s for providers that have the model read the schema itself', (_, words) => {
    const schema: JsonObject = { type: 'object', ...words }
    for (const dialect of ['deepseek', 'openai', 'anthropic'] as const)
      expect(projectionOf(schema, dialect)).toMatchObject({ parameters: schema, losses: [] })
  })

  it('says of a closed tuple that it is closed where items have to be told', () => {
    const at = { type: 'array', prefixItems: [{ type: 'string' }], unevaluatedItems: false }
    const { parameters, losses } = projectionOf({ type: 'object', properties: { at } }, 'deepseek')
    const model = ajv.compile(parameters)
    expect([{ at: ['a'] }, { at: ['a', 1] }].map((value) => model(value))).toEqual([true, false])
    expect(losses).toEqual([])
  })

  it('tells that items are no longer told apart beside other conditions on them', () => {
    const at = { type: 'array', contains: { type: 'string' }, unevaluatedItems: false }
    const { parameters, losses } = projectionOf({ type: 'object', properties: { at } }, 'openai')
    expect(ajv.compile(parameters)({ at: ['a', 1] })).toBe(true)
    expect(losses).toContainEqual(
      expect.objectContaining({ pointer: '/properties/at', keyword: 'unevaluatedItems' }),
    )
  })
})
