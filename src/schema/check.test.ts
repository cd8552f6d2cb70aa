import { describe, expect, test } from 'vitest'
import { checkValue, compiled, compileSchema } from './check.ts'
import type { CompileOptions, SchemaVerdict } from './check.ts'

/** Checks one value; an uncheckable schema answers `unknown` with its reason. */
async function verdictOf(
  schema: unknown,
  value: unknown,
  options?: CompileOptions,
): Promise<SchemaVerdict> {
  const ready = await compileSchema(schema, options)
  return ready.kind === 'checkable'
    ? ready.check(value)
    : { valid: 'unknown', because: ready.because }
}

async function reasonOf(schema: unknown, options?: CompileOptions): Promise<string> {
  const ready = await compileSchema(schema, options)
  return ready.kind === 'uncheckable' ? ready.because : 'it is checkable'
}

describe('dialects', () => {
  test('reads a schema without $schema as 2020-12 [JSON-01]', async () => {
    const schema = { prefixItems: [{ type: 'string' }], items: false }
    expect(
      (await compileSchema(schema)).kind === 'checkable' &&
        (await verdictOf(schema, ['a', 1])).valid,
    ).toBe(false)
    expect(await verdictOf(schema, ['a'])).toEqual({ valid: true })
  })

  test('reads a schema by the dialect it declares [JSON-02]', async () => {
    const declared = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      prefixItems: [{ type: 'string' }],
    }
    expect(await verdictOf(declared, [1])).toEqual({ valid: true })
    const old = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      minimum: 1,
      exclusiveMinimum: true,
    }
    expect((await verdictOf(old, 1)).valid).toBe(false)
    expect((await verdictOf(old, 2)).valid).toBe(true)
  })

  test('says so when it does not know the dialect, and accepts nothing by it [ERR-21]', async () => {
    const schema = { $schema: 'https://example.com/my-dialect', type: 'string' }
    expect(await reasonOf(schema)).toContain(
      'its dialect "https://example.com/my-dialect" is not one of 2020-12',
    )
    expect((await verdictOf(schema, 'x')).valid).toBe('unknown')
  })

  test('reads tuples and definitions of draft-07 also where no dialect is declared [JSON-07]', async () => {
    const schema = {
      definitions: {
        pair: { items: [{ type: 'number' }, { type: 'string' }], additionalItems: false },
      },
      properties: { p: { $ref: '#/definitions/pair' } },
    }
    expect((await verdictOf(schema, { p: [1, 'a'] })).valid).toBe(true)
    expect((await verdictOf(schema, { p: [1, 'a', 2] })).valid).toBe(false)
  })

  test('takes any keyword of 2020-12 and any type at the root [TOOL-06]', async () => {
    const schema = {
      type: 'array',
      contains: { const: 1 },
      minContains: 2,
      unevaluatedItems: { type: 'string' },
    }
    expect((await verdictOf(schema, [1, 'a', 1])).valid).toBe(true)
    expect((await verdictOf(schema, [1, 2, 1])).valid).toBe(false)
  })
})

describe('what a schema refers to', () => {
  test.each([
    'http://169.254.169.254/latest',
    'file:///etc/passwd',
    'https://example.com/s.json#/a',
    '//host/x',
    'other.json',
  ])(
    'refuses a reference to %s with its address and fetches nothing [JSON-04]',
    async (address) => {
      const fetched: unknown[] = []
      const original = globalThis.fetch
      globalThis.fetch = (input) => {
        fetched.push(input)
        return Promise.reject(new Error('no network in this test'))
      }
      try {
        const because = await reasonOf({ type: 'object', properties: { a: { $ref: address } } })
        expect(because).toContain('at "#/properties/a/$ref"')
        expect(because).toContain(address.split('#')[0])
      } finally {
        globalThis.fetch = original
      }
      expect(fetched).toEqual([])
    },
  )

  test('refuses an outside reference also where no value can reach it [JSON-05]', async () => {
    expect(
      await reasonOf({ type: 'string', $defs: { unused: { $ref: 'http://example.com/x' } } }),
    ).toContain('nothing is fetched')
  })

  test('follows a reference to a document that the caller supplied', async () => {
    const documents = { 'https://example.com/id.json': { $defs: { id: { type: 'integer' } } } }
    const schema = { $ref: 'https://example.com/id.json#/$defs/id' }
    expect((await verdictOf(schema, 1, { documents })).valid).toBe(true)
    expect((await verdictOf(schema, 'a', { documents })).valid).toBe(false)
  })

  test('refuses a reference that leads nowhere', async () => {
    expect(await reasonOf({ $ref: '#/$defs/none' })).toContain('leads nowhere')
    expect(await reasonOf({ $ref: '#none' })).toContain('no such anchor')
    expect(await reasonOf({ $ref: '#/$defs/text', $defs: { text: 'x' } })).toContain('no schema')
  })

  test.each([
    [{ $ref: '#' }],
    [
      {
        $ref: '#/$defs/a',
        $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } },
      },
    ],
    [{ anyOf: [{ type: 'string' }, { not: { $ref: '#' } }] }],
    [{ $dynamicAnchor: 'me', $dynamicRef: '#me' }],
  ])('refuses %j, which refers to itself without end', async (schema) => {
    expect(await reasonOf(schema)).toContain('refers to itself without end')
  })

  test('leads a dynamic reference to the outermost anchor of its name', async () => {
    const tree = {
      $id: 'https://example.com/strict',
      $dynamicAnchor: 'node',
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: {
        tree: {
          $id: 'tree',
          $dynamicAnchor: 'node',
          properties: { data: true, children: { items: { $dynamicRef: '#node' } } },
        },
      },
    }
    expect((await verdictOf(tree, { children: [{ data: 1 }] })).valid).toBe(true)
    expect((await verdictOf(tree, { children: [{ daat: 1 }] })).valid).toBe(false)
  })

  test('refuses two parts with the same $id', async () => {
    const part = (type: string): object => ({ $id: 'https://example.com/p', type })
    expect(await reasonOf({ anyOf: [part('string'), part('null')] })).toContain(
      'two of its parts have the "$id"',
    )
  })
})

describe('schemas that are not right', () => {
  test.each([
    [null, 'a schema is an object, true or false'],
    ['string', 'a schema is an object, true or false'],
    [[], 'a schema is an object, true or false'],
    [{ type: 'strng' }, 'at "#/type": it must be one of array'],
    [{ type: [] }, 'at "#/type": it must name a type'],
    [
      { properties: { a: { required: true } } },
      'at "#/properties/a/required": it must be a list of property names',
    ],
    [{ minLength: '3' }, 'at "#/minLength": it must be a whole number'],
    [{ multipleOf: 0 }, 'at "#/multipleOf": it must be a number above 0'],
    [{ properties: [] }, 'at "#/properties": it must be an object'],
    [{ items: 'string' }, 'at "#/items": it must be a schema'],
    [{ anyOf: [] }, 'at "#/anyOf": it must be a list of schemas'],
    [{ allOf: [{}, 3] }, 'at "#/allOf/1": it must be a schema'],
    [{ enum: 'a' }, 'at "#/enum": it must be a list of values'],
    [{ uniqueItems: 'yes' }, 'at "#/uniqueItems": it must be true or false'],
    [{ pattern: '([a-z' }, 'at "#/pattern": it is not a regular expression'],
    [
      { patternProperties: { '(a+)+$': {} } },
      'at "#/patternProperties/(a+)+$": in "patternProperties" only',
    ],
    [{ $ref: 3 }, 'at "#/$ref": it must be a text'],
    [{ items: [{}], prefixItems: [{}] }, 'belongs to no dialect'],
  ])('refuses %j with the place and the rule [JSON-03]', async (schema, because) => {
    expect(await reasonOf(schema)).toContain(because)
  })

  test('takes null for a keyword that is not set', async () => {
    const schema = {
      type: 'object',
      required: null,
      items: null,
      properties: { a: { pattern: null, enum: null } },
    }
    expect(await verdictOf(schema, { a: 1 })).toEqual({ valid: true })
  })

  test('never throws at a schema that throws when it is read', async () => {
    const schema = Object.defineProperty({}, 'type', {
      enumerable: true,
      get() {
        throw new Error('mine')
      },
    })
    expect(await reasonOf(schema)).toContain('mine')
  })

  test('reads a schema with members named like those of every object', async () => {
    const schema: unknown = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"},"toString":{"type":"null"}},"required":["__proto__"],"additionalProperties":false,"__absolute_ref__":"x","__absolute_uri__":"y"}',
    )
    expect(
      (await verdictOf(schema, JSON.parse('{"__proto__":"a","constructor":1,"toString":null}')))
        .valid,
    ).toBe(true)
    expect((await verdictOf(schema, {})).valid).toBe(false)
    expect((await verdictOf(schema, JSON.parse('{"__proto__":"a","constructor":"x"}'))).valid).toBe(
      false,
    )
    expect(
      (await verdictOf(schema, JSON.parse('{"__proto__":"a","hasOwnProperty":1}'))).valid,
    ).toBe(false)
    expect(({} as Record<string, unknown>)['type']).toBeUndefined()
  })
})

describe('compiling', () => {
  test('answers at once, and with the same object, for a schema that was compiled before', async () => {
    const schema = { type: 'string' }
    expect(compiled(schema)).toBeUndefined()
    const [first, second] = await Promise.all([compileSchema(schema), compileSchema(schema)])
    expect(first).toBe(second)
    expect(compiled(schema)).toBe(first)
  })

  test('leaves the schema as it was, and keeps its own copy of it', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', enum: ['x'] } },
      $defs: { b: { $ref: '#' } },
    }
    const before = JSON.stringify(schema)
    const ready = await compileSchema(schema)
    expect(JSON.stringify(schema)).toBe(before)
    expect(Reflect.ownKeys(schema)).toEqual(['type', 'properties', '$defs'])
    schema.properties.a.enum[0] = 'y'
    expect(ready.kind === 'checkable' && ready.check({ a: 'x' }).valid).toBe(true)
  })

  test('compiles a frozen schema', async () => {
    expect((await compileSchema(Object.freeze({ type: 'string' }))).kind).toBe('checkable')
  })

  test('checks with and without compiling first', async () => {
    expect(await checkValue({ type: 'string' }, 'a')).toEqual({ valid: true })
    expect((await checkValue({ type: 'strng' }, 'a')).valid).toBe('unknown')
    expect((await checkValue(false, 'a')).valid).toBe(false)
    expect(await checkValue(true, 'a')).toEqual({ valid: true })
  })
})

describe('values', () => {
  test('counts members that are undefined as absent', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['b'],
      additionalProperties: false,
    }
    expect(await verdictOf(schema, { a: undefined, b: undefined })).toMatchObject({ valid: false })
    expect(await verdictOf({ ...schema, required: [] }, { a: undefined, z: undefined })).toEqual({
      valid: true,
    })
  })

  test.each([
    ['a bigint', { a: 1n }],
    ['a function', { a: () => 1 }],
    ['a date', { a: new Date(0) }],
    ['undefined', undefined],
  ])('gives no verdict on %s, which JSON cannot carry as it is', async (_name, value) => {
    expect(
      (await verdictOf({ type: 'object', properties: { a: { type: 'object' } } }, value)).valid,
    ).toBe('unknown')
  })

  test('gives no verdict on a value that contains itself', async () => {
    const value: Record<string, unknown> = {}
    value['self'] = value
    const schema = { type: 'object', additionalProperties: { $ref: '#' } }
    expect((await verdictOf(schema, value)).valid).toBe('unknown')
  })
})
