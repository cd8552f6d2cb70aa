/** Schemas of tools with odd words, and those that are too large, too deep or too many. Each has a name for failures. */
import type { JsonObject, JsonValue } from '../../src/base/json.ts'
import { many, object, parsed } from './odd-shapes.ts'

/** `levels` objects, each in a member of the one before. */
function nestedObjects(levels: number): JsonObject {
  let schema: JsonObject = { type: 'string' }
  for (let level = 0; level < levels; level += 1)
    schema = { type: 'object', properties: { next: schema } }
  return schema
}

function nestedWord(word: string, levels: number): JsonObject {
  let schema: JsonObject = { type: 'object' }
  for (let level = 0; level < levels; level += 1) schema = { [word]: [schema] }
  return schema
}

export const ODD_WORDS_AND_SIZES: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  [
    'odd enums',
    object({
      a: {
        enum: [
          1,
          'a',
          null,
          true,
          [1, { b: 2 }],
          { c: [] },
          -0,
          parsed('1e400'),
          1e21,
          '\ud800',
          '"\u2028\u202e`${x}',
        ],
      },
      b: { enum: [] },
      c: { const: { deep: { er: { and: { even: { more: 1 } } } } } },
      d: { type: 'string', enum: [1, 2] },
      e: { enum: many(3_000, (at) => `value ${at}`) },
    }),
  ],
  [
    'types of all kinds',
    object({
      a: { type: ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object'] },
      b: { type: [] },
      c: { type: ['string', 'string'] },
      d: { type: 'any' },
    }),
  ],
  [
    'odd names',
    object(
      Object.fromEntries(
        [
          '',
          ' ',
          'a b',
          '1',
          '1e3',
          '*/',
          '//',
          '"',
          "'",
          '`',
          '\\',
          '\n',
          '\u0000',
          '\u202e',
          '\u200b',
          '\ud800',
          '\ud801',
          '😀',
          '名',
          'default',
          'class',
          'new',
          'get',
          'readonly',
          'constructor',
          'in',
          '[x: string]',
          'a?',
          '$',
          '_',
          '__proto',
          'x'.repeat(5_000),
        ].map((name) => [name, { type: 'string' }]),
      ),
    ),
  ],
  [
    'odd descriptions',
    object({
      a: { type: 'string', description: '*/ declare const evil: any; /*' },
      b: { type: 'string', description: 'x\n@ts-ignore\n@ts-expect-error' },
      c: { type: 'string', description: '\u001b[2J\u202e\u2028*\u2028/ \r\n */', title: 7 },
      d: { description: { not: 'a text' } },
      e: { type: 'string', description: '/** @type {x} */ {@link javascript:alert(1)} *\\/ **/' },
    }),
  ],
  [
    'a description of a megabyte',
    object(
      { a: { type: 'string', description: 'd'.repeat(1_000_000) } },
      { description: '*/'.repeat(500_000) },
    ),
  ],
  [
    'bad patterns',
    object({
      a: { type: 'string', pattern: '(' },
      b: { type: 'string', pattern: '(a+)+$' },
      c: { type: 'string', pattern: '(?<=x)\\p{Foo}' },
      d: { type: 'string', pattern: 7 },
      e: { type: 'string', pattern: 'x'.repeat(100_000) },
    }),
  ],
  [
    'bad numbers',
    object({
      a: { type: 'number', minimum: 'x', multipleOf: 0 },
      b: { type: 'string', minLength: -1, maxLength: 1.5 },
      c: { type: 'array', items: {}, minItems: 1e9 },
      d: { type: 'integer', minimum: parsed('1e400') },
    }),
  ],
  ['one member that 10,000 lie below', nestedObjects(10_000)],
  ['20 levels', nestedObjects(20)],
  [
    'choices 1,000 deep',
    {
      type: 'object',
      properties: { a: nestedWord('anyOf', 1_000), b: nestedWord('allOf', 1_000) },
    },
  ],
  [
    '10,000 members',
    object(
      Object.fromEntries(
        many(10_000, () => ({ type: 'string' })).map((part, at) => [`m${at}`, part]),
      ),
    ),
  ],
  [
    'a chain of 3,000 definitions',
    object(
      { a: { $ref: '#/$defs/d0' } },
      {
        $defs: Object.fromEntries(
          many(3_000, (at) => ({ $ref: `#/$defs/d${at + 1}` })).map((part, at) => [`d${at}`, part]),
        ),
      },
    ),
  ],
  [
    'definitions that double',
    object(
      { a: { $ref: '#/$defs/d0' } },
      {
        $defs: {
          ...Object.fromEntries(
            many(30, (at) =>
              object({ l: { $ref: `#/$defs/d${at + 1}` }, r: { $ref: `#/$defs/d${at + 1}` } }),
            ).map((part, at) => [`d${at}`, part]),
          ),
          d30: { type: 'string' },
        },
      },
    ),
  ],
  [
    'alternatives that multiply',
    object({
      a: {
        allOf: many(20, (at) => ({
          anyOf: many(10, (of) => object({ [`p${at}x${of}`]: { type: 'string' } })),
        })),
      },
    }),
  ],
  [
    'alternatives of references that multiply',
    object(
      {
        a: {
          allOf: many(12, () => ({ $ref: '#/$defs/b' })),
          oneOf: many(50, (at) => object({ [`q${at}`]: { const: at } })),
        },
      },
      {
        $defs: {
          b: {
            allOf: [
              { $ref: '#/$defs/c' },
              { anyOf: many(400, (at) => object({ [`r${at}`]: {} })) },
            ],
          },
          c: { oneOf: many(300, (at) => object({ [`s${at}`]: {} })) },
        },
      },
    ),
  ],
  [
    'contradictions',
    object({
      a: { type: 'string', enum: [1] },
      b: { allOf: [{ type: 'string' }, { type: 'number' }] },
      c: { type: 'object', allOf: [false] },
    }),
  ],
  [
    'words of one vendor',
    object(
      {
        a: {
          type: 'string',
          nullable: true,
          'x-mcp-header': 'A',
          examples: [1],
          default: { a: 1 },
        },
      },
      { $id: 'http://169.254.169.254/', $comment: 'x', $vocabulary: {}, 'x-order': 1 },
    ),
  ],
  [
    'dynamic references',
    {
      $dynamicAnchor: 'node',
      ...object({ children: { type: 'array', items: { $dynamicRef: '#node' } } }),
    },
  ],
])
