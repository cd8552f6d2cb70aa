/**
 * Schemas in the words of each dialect. What a provider takes is judged by a checker that was written from what is known of providers;
 * whether a schema is one at all, and what fits it, by ajv.
 */
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { limitFaults } from '../../../test/support/dialect-limits.ts'
import {
  isMisjudged,
  randomReferring,
  randomSchemas,
  randomValue,
} from '../../../test/support/random-schemas.ts'
import { HOSTILE_SCHEMAS, officialTools } from '../../../test/support/tool-schemas.ts'
import type { SchemaDialect } from './dialect.ts'
import { projectSchema, withoutSyntheticNulls, type Projection } from './project.ts'

const DIALECTS: readonly SchemaDialect[] = [
  'deepseek',
  'openai',
  'anthropic',
  'gemini',
  'llamacpp',
  'plain',
]
const SEED = 20_261_202
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 60)

const OPTIONS = {
  strict: false,
  validateFormats: false,
  logger: false,
  ownProperties: true,
  addUsedSchema: false,
} as const
const ajv = new Ajv2020(OPTIONS)

function projectionOf(schema: unknown, dialect: SchemaDialect, strict = false): Projection {
  const projected = projectSchema(schema, dialect, { strict })
  if (projected.kind === 'refused') throw new Error(projected.reason)
  return projected.projection
}

/** What is wrong with a projection, for ajv and for the provider. */
function faultsOf({ parameters, strict }: Projection, dialect: SchemaDialect): readonly string[] {
  const faults = [...limitFaults(parameters, dialect, { strict })]
  try {
    if (ajv.validateSchema(parameters) !== true) faults.push(ajv.errorsText())
    ajv.compile(parameters)
  } catch (error) {
    faults.push(String(error))
  }
  return faults
}

/** In the words of JSON Schema, where that is "or null" in words of OpenAPI. */
function withNulls(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(withNulls)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([name, part = null]) => [name, withNulls(part)])
  const { nullable, ...rest } = Object.fromEntries(entries) as JsonObject // its own members again
  return nullable === true
    ? { anyOf: [rest, { type: 'null' }] }
    : { ...rest, ...(nullable !== undefined && { nullable }) }
}

describe.each(DIALECTS)('the schema that %s gets', (dialect) => {
  it('is one that it takes, of every tool of the official servers', async () => {
    let count = 0
    for (const tools of (await officialTools()).values()) {
      for (const { name, inputSchema } of tools) {
        count += 1
        for (const strict of [false, true]) {
          const faults = faultsOf(projectionOf(inputSchema, dialect, strict), dialect)
          expect({ name, strict, faults }).toEqual({ name, strict, faults: [] })
        }
      }
    }
    expect(count).toBeGreaterThan(20)
  }, 60_000)

  it.each([...HOSTILE_SCHEMAS])('is one that it takes, or none at all, of %s', (name, schema) => {
    const made = [false, true].map((strict) =>
      projectSchema(asCleaned(name, schema), dialect, { strict }),
    )
    const faults = made.flatMap((one) =>
      one.kind === 'refused' ? [] : faultsOf(one.projection, dialect),
    )
    expect(faults).toEqual([])
    const isRefused = made.some(({ kind }) => kind === 'refused')
    expect(isRefused && !REFUSED.includes(name)).toBe(false)
  })

  it('takes the arguments that the server takes, and others only where a loss is told', () => {
    // Dialects of few words want types: what names none is taken for what it is about, which is told.
    const isPartial = dialect === 'gemini' || dialect === 'llamacpp'
    process.stdout.write(`random schemas for ${dialect}: seed ${SEED}, ${RUNS} runs\n`)
    let fits = 0
    fc.assert(
      fc.property(
        fc.oneof(randomSchemas(true), randomReferring),
        fc.array(randomValue, { minLength: 1, maxLength: 8 }),
        (schema, values) => {
          if (isMisjudged(schema)) return
          const projected = projectSchema(schema, dialect)
          if (projected.kind === 'refused') return
          const { parameters, losses } = projected.projection
          expect(faultsOf(projected.projection, dialect)).toEqual([])
          const server = ajv.compile(schema as object) // made by the generator
          const model = ajv.compile(withNulls(parameters) as JsonObject) // as that was one
          for (const value of values) {
            if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
            const isFine = server(value)
            if (isFine) fits += 1
            if (model(value) === isFine) continue
            const kinds = losses.map(({ kind }) => kind)
            const isTold = isFine ? isPartial && kinds.includes('changed') : kinds.length > 0
            expect({ schema, value, parameters, losses, isTold }).toMatchObject({ isTold: true })
          }
        },
      ),
      { seed: SEED, numRuns: RUNS * 4 },
    )
    expect(fits).toBeGreaterThan(10)
  }, 60_000)
})

/** Hostile schemas of which nothing can be offered, some of them only by dialects without definitions. */
const REFUSED = [
  'false',
  'a number',
  'a text',
  'a list',
  'one member that 10,000 lie below',
  'choices 1,000 deep',
  '10,000 members',
  'definitions that double',
  'alternatives of references that multiply',
]

/** Halves of characters are taken out of texts before, by the host. */
function asCleaned(name: string, schema: JsonValue): JsonValue {
  if (name !== 'odd names') return schema
  // What was JSON before.
  return JSON.parse(JSON.stringify(schema).replaceAll(/\\ud[89ab][0-9a-f]{2}/g, '')) as JsonValue
}

describe('a strict projection', () => {
  const schema = {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer' },
      at: {
        type: 'object',
        properties: { x: { type: 'number' }, note: { type: 'string' } },
        required: ['x'],
        additionalProperties: false,
      },
      all: {
        type: 'array',
        items: {
          type: 'object',
          properties: { tag: { type: 'string' } },
          additionalProperties: false,
        },
      },
    },
    required: ['city'],
    additionalProperties: false,
  }

  it.each(['openai', 'deepseek'] as const)(
    'has for %s all members needed, and null for those that are left out',
    (dialect) => {
      const projection = projectionOf(schema, dialect, true)
      expect(projection.strict).toBe(true)
      expect(limitFaults(projection.parameters, dialect, { strict: true })).toEqual([])
      const written = {
        city: 'x',
        days: null,
        at: { x: 1, note: null },
        all: [{ tag: null }, { tag: 'y' }],
      }
      expect(ajv.validate(projection.parameters, written)).toBe(true)
      const sent = withoutSyntheticNulls(written, projection)
      expect(sent).toEqual({ city: 'x', at: { x: 1 }, all: [{}, { tag: 'y' }] })
      expect(ajv.validate(schema, sent)).toBe(true)
      expect(projectionOf(schema, dialect).strict).toBe(false)
    },
  )

  it('keeps a null that the server itself knows', () => {
    const nullable = {
      type: 'object',
      properties: { a: { type: ['string', 'null'] } },
      required: ['a'],
      additionalProperties: false,
    }
    const projection = projectionOf(nullable, 'openai', true)
    expect(withoutSyntheticNulls({ a: null }, projection)).toEqual({ a: null })
  })

  it('is given up with a reason where something would be lost', () => {
    const open = {
      type: 'object',
      properties: { map: { type: 'object', additionalProperties: { type: 'number' } } },
    }
    const { strict, notStrict } = projectionOf(open, 'openai', true)
    expect(strict).toBe(false)
    expect(notStrict).toMatch(/./)
    expect(projectionOf(open, 'anthropic', true)).toMatchObject({
      strict: false,
      notStrict: expect.any(String),
    })
  })

  it.each(['openai', 'deepseek'] as const)(
    'takes for %s, once nulls are out, exactly what the server takes',
    (dialect) => {
      process.stdout.write(`random strict schemas for ${dialect}: seed ${SEED}, ${RUNS} runs\n`)
      let strict = 0
      fc.assert(
        fc.property(
          closedSchema,
          fc.array(closedValue, { minLength: 1, maxLength: 8 }),
          (raw, values) => {
            const projection = projectionOf(raw, dialect, true)
            if (!projection.strict) return
            strict += 1
            expect(faultsOf(projection, dialect)).toEqual([])
            const [server, model] = [ajv.compile(raw), ajv.compile(projection.parameters)]
            for (const value of values.filter((one) => model(one)))
              expect({
                raw,
                value,
                fits: server(withoutSyntheticNulls(value, projection)),
              }).toMatchObject({ fits: true })
          },
        ),
        { seed: SEED, numRuns: RUNS * 4 },
      )
      expect(strict).toBeGreaterThan(RUNS)
    },
  )
})

const leaf = fc.constantFrom<JsonObject>(
  { type: 'string' },
  { type: 'integer' },
  { type: ['string', 'null'] },
  { enum: ['a', 'b'] },
  { anyOf: [{ type: 'string' }, { type: 'null' }] },
)
/** Closed objects, some members of which may be left out. */
const closedSchema: fc.Arbitrary<JsonObject> = fc.letrec<{ object: JsonObject; part: JsonObject }>(
  (tie) => ({
    object: fc
      .tuple(
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('part'), { minKeys: 1, maxKeys: 3 }),
        fc.subarray(['a', 'b', 'c']),
      )
      .map(([properties, names]): JsonObject => ({
        type: 'object',
        properties: { ...properties },
        required: names.filter((name) => Object.hasOwn(properties, name)),
        additionalProperties: false,
      })),
    part: fc.oneof(
      { maxDepth: 2 },
      leaf,
      tie('object'),
      tie('part').map((items): JsonObject => ({ type: 'array', items })),
    ),
  }),
).object
const closedValue: fc.Arbitrary<JsonObject> = fc.letrec<{ object: JsonObject; value: JsonValue }>(
  (tie) => ({
    object: fc
      .dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 })
      .map((members): JsonObject => ({ ...members })),
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<JsonValue>(null, 'a', 'x', 1),
      fc.array(tie('value'), { maxLength: 2 }),
      tie('object'),
    ),
  }),
).object

describe('a projection', () => {
  it('is the schema itself, without a copy, where a provider takes it as it is', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', minLength: 2 } },
      required: ['a'],
    }
    for (const dialect of ['openai', 'deepseek', 'anthropic', 'plain'] as const)
      expect(projectionOf(schema, dialect)).toMatchObject({
        parameters: schema,
        losses: [],
        strict: false,
        nulls: [],
      })
  })

  it('makes an object of nothing', () => {
    for (const nothing of [undefined, null, true, {}])
      expect(projectionOf(nothing, 'openai').parameters).toEqual({ type: 'object', properties: {} })
  })

  it('invents no further rules', () => {
    const schema = { type: 'object', properties: { a: { type: 'object', properties: {} } } }
    expect(JSON.stringify(projectionOf(schema, 'openai').parameters)).not.toContain(
      'additionalProperties',
    )
  })

  it('offers the members of all alternatives of the root, needs those of each, and tells', () => {
    const schema = {
      oneOf: [
        {
          type: 'object',
          properties: { id: { type: 'number' }, all: { type: 'boolean' } },
          required: ['id', 'all'],
        },
        {
          type: 'object',
          properties: { name: { type: 'string' }, all: { type: 'boolean' } },
          required: ['name', 'all'],
        },
      ],
    }
    const { parameters, losses } = projectionOf(schema, 'openai')
    expect(Object.keys(parameters['properties'] ?? {}).toSorted()).toEqual(['all', 'id', 'name'])
    expect(parameters['required']).toEqual(['all'])
    expect(parameters['description']).toMatch(/id.*name/)
    expect(losses).toContainEqual(
      expect.objectContaining({ pointer: '', keyword: 'oneOf', kind: 'widened' }),
    )
  })

  it('never looks where a reference leads out of the schema', () => {
    const schema = { type: 'object', properties: { a: { $ref: 'http://169.254.169.254/x' } } }
    for (const dialect of DIALECTS) {
      const { parameters, losses } = projectionOf(schema, dialect)
      expect(JSON.stringify(parameters)).not.toContain('$ref')
      expect(losses).toContainEqual(
        expect.objectContaining({ pointer: '/properties/a', keyword: '$ref' }),
      )
    }
  })

  it('keeps recursion where that can be said, and cuts it with a word where not', () => {
    const schema = HOSTILE_SCHEMAS.get('recursion')
    expect(JSON.stringify(projectionOf(schema, 'openai').parameters)).toContain('$ref')
    const { parameters, losses } = projectionOf(schema, 'gemini')
    expect(JSON.stringify(parameters)).not.toContain('$ref')
    expect(losses.some(({ kind }) => kind === 'widened' || kind === 'cut')).toBe(true)
  })

  it('tells of at most 100 losses', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`m${at}`, { type: 'number', multipleOf: 3 }]),
    )
    expect(projectionOf({ type: 'object', properties }, 'gemini').losses).toHaveLength(100)
  })

  it('reads a schema of an older draft by its own words', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        at: {
          type: 'array',
          items: [{ type: 'number' }, { type: 'string' }],
          additionalItems: false,
        },
      },
    }
    const { parameters } = projectionOf(schema, 'openai')
    const model = ajv.compile(parameters)
    const server = new Ajv(OPTIONS).compile(schema)
    for (const value of [{ at: [1, 'a'] }, { at: [1] }, {}])
      expect([model(value), server(value)]).toEqual([true, true])
  })
})
