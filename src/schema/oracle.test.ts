/** Random schemas and values, with ajv as the judge: what it says fits is said to fit, and nothing else is. */

import { Ajv2020 } from 'ajv/dist/2020.js'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileSchema } from './check.ts'
import { guardSchema } from './guard.ts'
import { quickCheck } from './quick.ts'

const SEED = 20_261_201
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 60)

const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor')
const text = fc.constantFrom('', 'a', 'ab', 'abc', '😀', 'b1')
const small = fc.integer({ min: 0, max: 3 })
const scalar = fc.oneof(text, small, fc.constantFrom(null, true, false, 0.5, -1))
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }).map(objectOf),
  ),
})).value

const type = fc.constantFrom('array', 'boolean', 'integer', 'null', 'number', 'object', 'string')
const pattern = fc.constantFrom(
  '^a',
  'b$',
  '^[a-z]+$',
  '(a|b)+c?',
  '\\d',
  '^(?:a|ab)*$',
  '\\s',
  '.',
)

/** `Object.fromEntries` makes own members of every name, as the JSON parser does. */
function objectOf(entries: readonly (readonly [string, unknown])[]): unknown {
  return Object.fromEntries(entries)
}

/** Schemas of a dialect: those of draft-07, and with `modern` the keywords that came after. */
function schemas(modern: boolean): fc.Arbitrary<unknown> {
  return fc.letrec<{ schema: unknown; object: Record<string, unknown> }>((tie) => {
    const schema = tie('schema')
    const map = fc.array(fc.tuple(name, schema), { maxLength: 3 }).map(objectOf)
    const list = fc.array(schema, { minLength: 1, maxLength: 3 })
    const names = fc.uniqueArray(name, { maxLength: 2 })
    const old = {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      enum: fc.uniqueArray(value, {
        minLength: 1,
        maxLength: 3,
        selector: (one) => JSON.stringify(one),
      }),
      const: value,
      minimum: small,
      maximum: small,
      exclusiveMinimum: small,
      exclusiveMaximum: small,
      multipleOf: fc.constantFrom(1, 2, 3),
      minLength: small,
      maxLength: small,
      pattern,
      minItems: small,
      maxItems: small,
      uniqueItems: fc.boolean(),
      contains: schema,
      minProperties: small,
      maxProperties: small,
      required: names,
      properties: map,
      additionalProperties: schema,
      propertyNames: schema,
      patternProperties: fc
        .array(fc.tuple(fc.constantFrom('^a', 'b'), schema), { maxLength: 2 })
        .map(objectOf),
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: schema,
      if: schema,
      // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema, no function
      then: schema,
      else: schema,
    }
    const tuple = modern
      ? {
          prefixItems: list,
          items: schema,
          minContains: small,
          maxContains: small,
          dependentRequired: fc.array(fc.tuple(name, names), { maxLength: 2 }).map(objectOf),
          dependentSchemas: map,
          unevaluatedItems: schema,
          unevaluatedProperties: schema,
        }
      : { items: fc.oneof(schema, list), additionalItems: schema, dependencies: map }
    return {
      object: fc
        .uniqueArray(fc.constantFrom(...Object.keys({ ...old, ...tuple })), {
          minLength: 1,
          maxLength: 3,
        })
        .chain((keys) =>
          fc.record(
            Object.fromEntries(
              keys.map((key) => [
                key,
                ({ ...old, ...tuple } as Record<string, fc.Arbitrary<unknown>>)[key] ?? schema,
              ]),
            ),
          ),
        ), // each key is one of theirs
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.boolean(),
        fc.record({ type }),
        tie('object'),
        tie('object'),
      ),
    }
  }).schema
}

/** Schemas in which a reference may stand anywhere, and lead back. */
const referring = fc.tuple(schemas(true), schemas(true), schemas(true)).map(([a, b, c]) => ({
  ...(typeof a === 'object' ? a : {}),
  $defs: {
    b,
    c,
    list: {
      properties: { a: { $ref: '#/$defs/list' }, b: { $ref: '#/$defs/b' } },
      items: { $ref: '#/$defs/c' },
    },
  },
  $ref: '#/$defs/list',
}))

/**
 * Where the judge is known to be wrong: it finds an empty array fit for `contains` beside a tuple, and passes over
 * dependencies of a property called `__proto__`.
 */
function isMisjudged(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const hasTuple = 'prefixItems' in schema || ('items' in schema && Array.isArray(schema.items))
  if (hasTuple && 'contains' in schema) return true
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword.startsWith('depend') && Object.hasOwn(Object(value) as object, '__proto__'))
      return true
  }
  return Object.values(schema).some(isMisjudged)
}

const OPTIONS = {
  strict: false,
  validateFormats: false,
  logger: false,
  allErrors: false,
  ownProperties: true,
  validateSchema: false,
  addUsedSchema: false,
} as const

test.each([
  ['2020-12', schemas(true), new Ajv2020(OPTIONS)],
  ['2020-12 with references', referring, new Ajv2020(OPTIONS)],
  ['draft-07', schemas(false), new Ajv(OPTIONS)],
] as const)(
  'agrees with another validator on random schemas of %s',
  async (dialect, schema, judge) => {
    process.stdout.write(
      `random schemas of ${dialect}: seed ${String(SEED)}, ${String(RUNS)} runs\n`,
    )
    let fits = 0
    await fc.assert(
      fc.asyncProperty(
        schema,
        fc.array(value, { minLength: 1, maxLength: 6 }),
        async (raw, values) => {
          if (isMisjudged(raw)) return
          const expected = judge.compile(raw as boolean | object) // made by the generator above
          const dialectOption = dialect === 'draft-07' ? ({ dialect: 'draft-07' } as const) : {}
          const ready = await compileSchema(raw, dialectOption)
          if (ready.kind === 'uncheckable') throw new Error(ready.because)
          const quick = quickCheck(guardSchema(raw, dialectOption))
          for (const one of values) {
            const fitting = expected(one)
            if (fitting) fits += 1
            expect(ready.check(one)).toMatchObject({ valid: fitting })
            expect(quick(one) && !fitting).toBe(false)
          }
        },
      ),
      { seed: SEED, numRuns: RUNS },
    )
    expect(fits).toBeGreaterThan(RUNS / 4)
  },
)
