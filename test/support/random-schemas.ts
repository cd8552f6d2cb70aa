/** Random schemas of few keywords over few names, so that they meet, and random values for them. */

import fc from 'fast-check'

const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor')
const text = fc.constantFrom('', 'a', 'ab', 'abc', '😀', 'b1')
const small = fc.integer({ min: 0, max: 3 })
const scalar = fc.oneof(text, small, fc.constantFrom(null, true, false, 0.5, -1))
/** Small JSON values. */
export const randomValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
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
export function randomSchemas(modern: boolean): fc.Arbitrary<unknown> {
  return fc.letrec<{ schema: unknown; object: Record<string, unknown> }>((tie) => {
    const schema = tie('schema')
    const map = fc.array(fc.tuple(name, schema), { maxLength: 3 }).map(objectOf)
    const list = fc.array(schema, { minLength: 1, maxLength: 3 })
    const names = fc.uniqueArray(name, { maxLength: 2 })
    const old = {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      enum: fc.uniqueArray(randomValue, {
        minLength: 1,
        maxLength: 3,
        selector: (one) => JSON.stringify(one),
      }),
      const: randomValue,
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
export const randomReferring: fc.Arbitrary<object> = fc
  .tuple(randomSchemas(true), randomSchemas(true), randomSchemas(true))
  .map(([a, b, c]) => ({
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
export function isMisjudged(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const hasTuple = 'prefixItems' in schema || ('items' in schema && Array.isArray(schema.items))
  if (hasTuple && 'contains' in schema) return true
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword.startsWith('depend') && Object.hasOwn(Object(value) as object, '__proto__'))
      return true
  }
  return Object.values(schema).some(isMisjudged)
}
