import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../base/json.ts'
import { formFault, formIssues } from './form.ts'

const form = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
})
const titled = [
  { const: 'r', title: 'Red' },
  { const: 'g', title: 'Green' },
]

describe('a schema', () => {
  it.each<[string, JsonObject]>([
    ['text', { type: 'string', minLength: 1, maxLength: 5, title: 'T', description: 'D' }],
    ['mail', { type: 'string', format: 'email', default: 'a@b.c' }],
    ['an address', { type: 'string', format: 'uri' }],
    ['a date', { type: 'string', format: 'date', default: '2024-02-29' }],
    ['a time', { type: 'string', format: 'date-time', default: '2024-02-29T23:59:60Z' }],
    ['a number', { type: 'number', minimum: 0.5, maximum: 1.5, default: 1 }],
    ['a whole number', { type: 'integer', default: 0 }],
    ['a yes or no', { type: 'boolean', default: false }],
    ['one choice', { type: 'string', enum: ['r', 'g'], default: 'g' }],
    ['one choice with names', { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] }],
    ['one titled choice', { type: 'string', oneOf: titled, default: 'r' }],
    ['several choices', { type: 'array', items: { type: 'string', enum: ['r'] }, maxItems: 1 }],
    ['several titled choices', { type: 'array', items: { anyOf: titled }, default: ['r', 'g'] }],
  ])('is a form that asks for %s [ELIC-05, ELIC-06, ELIC-08]', (_what, field) => {
    expect(formFault(form({ a: field }, { required: ['a'] }))).toBeUndefined()
  })

  it.each<[string, unknown, RegExp]>([
    ['null', null, /no object/],
    ['a list', [], /no object/],
    ['another type', { type: 'string', properties: {} }, /"type": "object"/],
    ['no properties', { type: 'object' }, /properties/],
    ['a nested object', form({ a: { type: 'object', properties: {} } }), /forms are flat/],
    ['a field that is none', form({ a: 'x' }), /"a"/],
    ['no type', form({ a: { enum: ['x'] } }), /"a"/],
    ['another format', form({ a: { type: 'string', format: 'regex' } }), /format/],
    ['a bound that is none', form({ a: { type: 'number', minimum: '1' } }), /minimum/],
    ['a default that it refuses', form({ a: { type: 'integer', default: 1.5 } }), /default/],
    ['a default outside', form({ a: { type: 'string', enum: ['x'], default: 'y' } }), /default/],
    ['no choices', form({ a: { type: 'string', enum: [] } }), /enum/],
    ['choices without names', form({ a: { type: 'string', enumNames: ['X'] } }), /enumNames/],
    ['choices without titles', form({ a: { type: 'string', oneOf: [{ const: 'x' }] } }), /oneOf/],
    ['a list of anything', form({ a: { type: 'array' } }), /items/],
    ['a list of numbers', form({ a: { type: 'array', items: { type: 'number' } } }), /items/],
    ['a stray requirement', form({}, { required: ['toString'] }), /"toString"/],
    ['requirements that are none', form({}, { required: 'a' }), /required/],
  ])(
    'is no form with %s, and the words say where [ELIC-05, ELIC-06, ELIC-08]',
    (_what, schema, words) => {
      expect(formFault(schema)).toMatch(words)
    },
  )
})

describe('what was filled in', () => {
  const text = (more: JsonObject): JsonObject => form({ a: { type: 'string', ...more } })
  const fits = (schema: JsonObject, a: JsonValue): boolean => formIssues(schema, { a }).length === 0

  it.each<[string, JsonObject, readonly JsonValue[], readonly JsonValue[]]>([
    [
      'text',
      text({ minLength: 2, maxLength: 3 }),
      ['ab', '😀😀😀'],
      ['a', 'abcd', 7, null, ['ab']],
    ],
    [
      'mail',
      text({ format: 'email' }),
      ['a@b', 'a.b+c@d.e'],
      ['a', '@b', 'a@', 'a b@c', 'a@b,c@d', `${'a'.repeat(65)}@b`],
    ],
    ['an address', text({ format: 'uri' }), ['https://a/b', 'urn:a:b'], ['a', 'https://a b']],
    [
      'a date',
      text({ format: 'date' }),
      ['2024-02-29'],
      ['2023-02-29', '2024-13-01', '24-1-1', '2024-02-29T00:00:00Z'],
    ],
    [
      'a time',
      text({ format: 'date-time' }),
      ['2024-02-29T12:00:00Z', '2024-02-29t12:00:00.5+01:00'],
      ['2024-02-29', '2024-02-29T25:00:00Z', '2024-02-29T12:00:00', '2023-02-29T12:00:00Z'],
    ],
    [
      'a number',
      form({ a: { type: 'number', minimum: 0, maximum: 1 } }),
      [0, 0.5, 1],
      [-1, 2, '1', true],
    ],
    ['a whole number', form({ a: { type: 'integer' } }), [0, -3, 1e20], [0.5, '1']],
    ['a yes or no', form({ a: { type: 'boolean' } }), [true, false], [0, 'true']],
    ['a choice', text({ enum: ['r', 'g'] }), ['r'], ['b', '', 'toString']],
    ['a titled choice', text({ oneOf: titled }), ['g'], ['Green']],
    [
      'choices',
      form({ a: { type: 'array', items: { enum: ['r', 'g'] }, minItems: 1, maxItems: 2 } }),
      [['r'], ['r', 'g']],
      [[], ['b'], ['r', 'g', 'r'], 'r', [1]],
    ],
    [
      'titled choices',
      form({ a: { type: 'array', items: { anyOf: titled } } }),
      [[], ['r']],
      [['Red']],
    ],
  ])('fits the field or does not: %s [ELIC-11]', (_what, schema, good, bad) => {
    expect(good.filter((value) => !fits(schema, value))).toEqual([])
    expect(bad.filter((value) => fits(schema, value))).toEqual([])
  })

  it('lacks what is required, has what nobody asked for, and each issue says where', () => {
    const schema = form(
      { 'a/b': { type: 'string' }, c: { type: 'integer' } },
      { required: ['a/b', 'c'] },
    )
    expect(formIssues(schema, { c: 1.5, extra: {} })).toEqual([
      { pointer: '/a~1b', keyword: 'required', message: 'is missing' },
      { pointer: '/c', keyword: 'type', message: 'must be a whole number' },
    ])
    expect(
      formIssues(form({ toString: { type: 'string' } }, { required: ['toString'] }), {}),
    ).toHaveLength(1)
  })

  it('is told at most twenty issues of', () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_one, at) => [`f${at}`, { type: 'string' }]),
    )
    const wrong = Object.fromEntries(Object.keys(many).map((name) => [name, 1]))
    expect(formIssues(form(many), wrong)).toHaveLength(20)
  })
})
