import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../base/json.ts'
import { growthOf } from '../../test/support/growth.ts'
import {
  checkParamHeaders,
  paramHeaders,
  paramMirrorsOf,
  type ParamMirror,
} from './param-headers.ts'

const mirrored = (name: JsonValue, more: JsonObject = {}): JsonObject => ({
  type: 'string',
  'x-mcp-header': name,
  ...more,
})
const withProperties = (properties: JsonObject): JsonObject => ({ type: 'object', properties })

function mirrorsOf(schema: JsonObject): readonly ParamMirror[] {
  const found = paramMirrorsOf(schema)
  if (found.kind === 'fault') throw new Error(found.problem)
  return found.mirrors
}

/** The tool of the tests: a region, a count, a flag, and one deeper. */
const MIRRORS = mirrorsOf(
  withProperties({
    region: mirrored('Region'),
    count: mirrored('Count', { type: 'integer' }),
    dry: mirrored('Dry-Run', { type: 'boolean' }),
    where: withProperties({ city: mirrored('City') }),
  }),
)

describe('annotations of a schema', () => {
  it('name an argument and its header, in any case [HTTP-64]', () => {
    expect(mirrorsOf(withProperties({ region: mirrored('ReGion') }))).toEqual([
      { path: ['region'], header: 'mcp-param-region' },
    ])
  })

  it('may be on strings, booleans and integers, and as deep as properties go [HTTP-66, HTTP-67]', () => {
    expect(new Set(MIRRORS.map(({ path, header }) => `${path.join('/')} ${header}`))).toEqual(
      new Set([
        'region mcp-param-region',
        'count mcp-param-count',
        'dry mcp-param-dry-run',
        'where/city mcp-param-city',
      ]),
    )
  })

  it('are none in a schema without them, whatever else it has', () => {
    const schema = withProperties({
      'x-mcp-header': { type: 'string' },
      a: {
        const: { 'x-mcp-header': 'A' },
        enum: [{ 'x-mcp-header': 5 }],
        examples: [{ 'x-mcp-header': '' }],
      },
      b: { $ref: '#/$defs/b' },
      c: true,
    })
    expect(mirrorsOf(schema)).toEqual([])
    expect(mirrorsOf({})).toEqual([])
    expect(mirrorsOf({ properties: [mirrored('A')] })).toEqual([])
  })

  it.each([
    ['', 'a'],
    ['a b', 'a'],
    ['a:b', 'a'],
    ['a\r\nX-Evil: 1', 'a'],
    ['a\0', 'a'],
    ['é', 'a'],
    ['\u212Aey', 'a'],
    [5, 'a'],
    [null, 'a'],
    [['a'], 'a'],
    [true, 'a'],
  ] as const)('that say %j are refused: that is no token [HTTP-65]', (name, property) => {
    const schema = withProperties({ [property]: mirrored(name as JsonValue) })
    expect(paramMirrorsOf(schema)).toMatchObject({
      kind: 'fault',
      problem: expect.stringContaining('x-mcp-header'),
    })
  })

  it('that name one header twice, ignoring case, are refused [HTTP-65]', () => {
    for (const schema of [
      withProperties({ a: mirrored('Region'), b: mirrored('rEGION') }),
      withProperties({ a: mirrored('Region'), b: withProperties({ c: mirrored('Region') }) }),
    ])
      expect(paramMirrorsOf(schema)).toMatchObject({
        kind: 'fault',
        problem: expect.stringContaining('"region"'),
      })
  })

  it.each([
    'number',
    'object',
    'array',
    'null',
    undefined,
    ['string', 'null'],
    ['integer'],
    'String',
  ])('on an argument of type %j are refused [HTTP-66]', (type) => {
    const { type: _, ...untyped } = mirrored('A')
    const property = type === undefined ? untyped : { ...untyped, type }
    expect(paramMirrorsOf(withProperties({ a: property }))).toMatchObject({
      kind: 'fault',
      problem: expect.stringContaining('"a"'),
    })
  })

  const deeper = withProperties({ x: mirrored('A') })
  it.each([
    ['the root', mirrored('A')],
    ['items', withProperties({ a: { type: 'array', items: mirrored('A') } })],
    ['properties of items', withProperties({ a: { items: deeper } })],
    ['prefixItems', withProperties({ a: { prefixItems: [mirrored('A')] } })],
    ['contains', withProperties({ a: { contains: mirrored('A') } })],
    ['oneOf', { oneOf: [deeper] }],
    ['anyOf', withProperties({ a: { anyOf: [mirrored('A')] } })],
    ['allOf', { allOf: [deeper] }],
    ['not', { not: deeper }],
    ['if', { if: deeper }],
    ['then', JSON.parse(JSON.stringify({ X: deeper }).replace('X', 'then'))],
    ['else', { else: deeper }],
    ['additionalProperties', { additionalProperties: mirrored('A') }],
    ['patternProperties', { patternProperties: { '^a': mirrored('A') } }],
    ['dependentSchemas', { dependentSchemas: { a: deeper } }],
    ['propertyNames', { propertyNames: mirrored('A') }],
    [
      '$defs, where a $ref leads',
      { ...withProperties({ a: { $ref: '#/$defs/a' } }), $defs: { a: mirrored('A') } },
    ],
    ['definitions', { definitions: { a: mirrored('A') } }],
  ] as const)('in %s are refused: no single argument is there [HTTP-67]', (_, schema) => {
    expect(paramMirrorsOf(schema as JsonObject)).toMatchObject({ kind: 'fault' })
  })

  it('are looked for in schemas of a bounded size and depth only', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 20_001 }, (_, at) => [`p${at}`, { type: 'string' }]),
    )
    expect(paramMirrorsOf(withProperties(wide))).toMatchObject({
      problem: 'the schema is too large',
    })
    let deep: JsonObject = mirrored('A')
    for (let level = 0; level < 128; level += 1) deep = withProperties({ a: deep })
    expect(mirrorsOf(deep)[0]?.path).toHaveLength(128)
    expect(paramMirrorsOf(withProperties({ a: deep }))).toMatchObject({
      problem: 'the schema is too large',
    })
  })

  it('are looked for in linear time', () => {
    const growth = growthOf(
      (size) => {
        const properties: JsonObject = {}
        for (let at = 0; at < size; at += 1) properties[`p${at}`] = mirrored(`H${at}`)
        paramMirrorsOf(withProperties(properties))
      },
      2000,
      16_000,
    )
    expect(growth).toBeLessThan(24)
  })

  it('never throw, whatever the schema is (seed 20260809)', () => {
    const leaf = fc.constantFrom<JsonValue>('a', 5, null, true, 'string', 'number')
    const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => ({
      schema: fc.oneof(
        leaf,
        fc.array(tie('schema'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(
            'properties',
            'items',
            'oneOf',
            'x-mcp-header',
            'type',
            '__proto__',
            'a',
            '$defs',
          ),
          tie('schema'),
        ),
      ),
    }))
    fc.assert(
      fc.property(schema, (value) => {
        expect(paramMirrorsOf({ properties: value }).kind).toMatch(/^(?:mirrors|fault)$/)
      }),
      { seed: 20_260_809, numRuns: 2000 },
    )
  })
})

describe('the headers of a call', () => {
  it('repeat its arguments: words as they are, integers in decimal, booleans by name [HTTP-64, HTTP-70]', () => {
    const args = { region: 'us-west1', count: -42, dry: false, where: { city: 'Oslo' } }
    expect(paramHeaders(MIRRORS, args)).toEqual({
      'mcp-param-region': 'us-west1',
      'mcp-param-count': '-42',
      'mcp-param-dry-run': 'false',
      'mcp-param-city': 'Oslo',
    })
  })

  it('wrap what a header cannot hold, and the empty word is a word [HTTP-60, HTTP-70]', () => {
    expect(paramHeaders(MIRRORS, { region: 'é', where: { city: '' } })).toEqual({
      'mcp-param-region': '=?base64?w6k=?=',
      'mcp-param-city': '',
    })
  })

  it.each([
    {},
    { region: null, count: null, where: null },
    { where: {} },
    { where: 'Oslo' },
    { where: ['Oslo'] },
    { region: { a: 1 }, count: 1.5, dry: [true] },
    { count: 2 ** 53 },
    { count: Number.NaN },
  ] as readonly JsonObject[])(
    'leave out what is absent, null or no plain value: %j [HTTP-71, HTTP-66]',
    (args) => {
      expect(paramHeaders(MIRRORS, args)).toEqual({})
    },
  )

  it('know the greatest integers that are exact [HTTP-66]', () => {
    const { MAX_SAFE_INTEGER: most, MIN_SAFE_INTEGER: least } = Number
    expect(paramHeaders(MIRRORS, { count: most })).toEqual({
      'mcp-param-count': '9007199254740991',
    })
    expect(paramHeaders(MIRRORS, { count: least })).toEqual({
      'mcp-param-count': '-9007199254740991',
    })
  })

  it('are not those of a prototype', () => {
    const mirrors = mirrorsOf(
      withProperties({ constructor: withProperties({ name: mirrored('A') }) }),
    )
    expect(paramHeaders(mirrors, {})).toEqual({})
  })
})

describe('headers beside arguments', () => {
  const args = { region: 'us', count: 42, dry: true, where: { city: 'Oslo' } }
  const headers = paramHeaders(MIRRORS, args)
  const mismatch = (header: string): unknown =>
    expect.objectContaining({ rpcCode: -32020, message: expect.stringContaining(`"${header}"`) })

  it('pass when they say the same, and others are nobody’s business [HTTP-72]', () => {
    expect(() =>
      checkParamHeaders(MIRRORS, args, { ...headers, 'mcp-param-other': 'x' }),
    ).not.toThrow()
  })

  it.each(Object.keys(headers))('are refused without %s [HTTP-72]', (header) => {
    const { [header]: _, ...rest } = headers
    expect(() => checkParamHeaders(MIRRORS, args, rest)).toThrow(mismatch(header))
  })

  it.each([
    ['mcp-param-region', 'US'],
    ['mcp-param-region', ''],
    ['mcp-param-region', 'us, us'],
    ['mcp-param-region', '=?base64?dXM?='],
    ['mcp-param-region', 'us\u00e9'],
    ['mcp-param-count', '43'],
    ['mcp-param-count', '4 2'],
    ['mcp-param-count', '0x2a'],
    ['mcp-param-count', '42.5'],
    ['mcp-param-count', '4.2e1'],
    ['mcp-param-count', '42,0'],
    ['mcp-param-count', ''],
    ['mcp-param-dry-run', 'True'],
    ['mcp-param-dry-run', '1'],
    ['mcp-param-city', 'Bergen'],
  ])('are refused when %s is %j [HTTP-72]', (header, value) => {
    expect(() => checkParamHeaders(MIRRORS, args, { ...headers, [header]: value })).toThrow(
      mismatch(header),
    )
  })

  it('are refused with bad Base64, also where the argument says the same [HTTP-63, HTTP-72]', () => {
    const region = '=?base64?no?='
    expect(() => checkParamHeaders(MIRRORS, { region }, { 'mcp-param-region': region })).toThrow(
      mismatch('mcp-param-region'),
    )
  })

  it.each(['42', '42.0', '42.000', '=?base64?NDIuMA==?=', ' 42 '])(
    'compare integers by number: %j is 42 [HTTP-73]',
    (value) => {
      expect(() =>
        checkParamHeaders(MIRRORS, args, { ...headers, 'mcp-param-count': value }),
      ).not.toThrow()
    },
  )

  it('compare words by their characters, also when they are digits [HTTP-73]', () => {
    expect(() =>
      checkParamHeaders(MIRRORS, { region: '42' }, { 'mcp-param-region': '42.0' }),
    ).toThrow(mismatch('mcp-param-region'))
  })

  it('are not asked for where an argument is absent or null [HTTP-71]', () => {
    for (const none of [{}, { region: null, where: { city: null } }, { where: 5 }] as JsonObject[])
      expect(() => checkParamHeaders(MIRRORS, none, {})).not.toThrow()
  })

  it('are refused where there is no argument that they could repeat', () => {
    expect(() => checkParamHeaders(MIRRORS, {}, { 'mcp-param-region': 'us' })).toThrow(
      mismatch('mcp-param-region'),
    )
  })

  it('pass for every call of ours (seed 20260810)', () => {
    const some = fc.record(
      {
        region: fc.option(fc.string({ unit: 'binary' })),
        count: fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true })),
        dry: fc.boolean(),
        where: fc.oneof(fc.record({ city: fc.string() }), fc.constant(null)),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(some, (given) => {
        expect(() => checkParamHeaders(MIRRORS, given, paramHeaders(MIRRORS, given))).not.toThrow()
      }),
      { seed: 20_260_810, numRuns: 2000 },
    )
  })
})
