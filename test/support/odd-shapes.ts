/** Schemas of tools with odd shapes: what no server should send, and what some do. Each has a name for failures. */
import type { JsonObject, JsonValue } from '../../src/base/json.ts'

/** An object with members. */
export function object(properties: JsonObject, rest: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...rest }
}

/** Read from text, so that `__proto__` is a member and no number is too large. */
export function parsed(text: string): JsonValue {
  // What a parser of JSON gives.
  return JSON.parse(text) as JsonValue
}

export function many(count: number, of: (at: number) => JsonValue): JsonValue[] {
  return Array.from({ length: count }, (_, at) => of(at))
}

export const ODD_SHAPES: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['a number', 7],
  ['a text', 'object'],
  ['a list', [{ type: 'object' }]],
  ['nothing said', {}],
  [
    'words of wrong types',
    { type: 7, properties: [], required: 'a', items: 'x', enum: {}, anyOf: {} },
  ],
  ['members of wrong types', object({ a: null, b: 3, c: 'string', d: [], e: true, f: false })],
  [
    'prototype names',
    parsed(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"},"toString":{},"hasOwnProperty":{"type":"boolean"},"prototype":{}},"required":["__proto__","constructor","valueOf"]}',
    ),
  ],
  [
    'a prototype as a definition',
    parsed(
      '{"type":"object","properties":{"a":{"$ref":"#/__proto__"},"b":{"$ref":"#/constructor"},"c":{"$ref":"#/$defs/__proto__"}},"$defs":{"__proto__":{"type":"string"}}}',
    ),
  ],
  [
    'recursion',
    object(
      { node: { $ref: '#/$defs/Node' } },
      {
        $defs: {
          Node: object({
            next: { $ref: '#/$defs/Node' },
            all: { type: 'array', items: { $ref: '#/$defs/Node' } },
          }),
        },
      },
    ),
  ],
  ['recursion to the root', object({ child: { $ref: '#' } })],
  [
    'a circle of references',
    object(
      { a: { $ref: '#/$defs/a' } },
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/c' }, c: { $ref: '#/$defs/a' } } },
    ),
  ],
  [
    'a circle of choices',
    object(
      { a: { $ref: '#/$defs/a' } },
      {
        $defs: {
          a: { anyOf: [{ $ref: '#/$defs/b' }, { type: 'string' }] },
          b: { allOf: [{ $ref: '#/$defs/a' }, object({ x: { $ref: '#/$defs/b' } })] },
        },
      },
    ),
  ],
  ['a root that is itself', { $ref: '#' }],
  ['a member that is itself', object({ a: { $ref: '#/properties/a' } })],
  [
    'the addresses of others',
    object({
      a: { $ref: 'http://169.254.169.254/latest/meta-data' },
      b: { $ref: 'file:///etc/passwd' },
      c: { $ref: 'other.json#/x' },
    }),
  ],
  ['a remote root', { $ref: 'https://example.com/schema.json' }],
  [
    'odd pointers',
    object(
      {
        a: { $ref: '#/%zz' },
        b: { $ref: '#/$defs/a~1b%20c' },
        c: { $ref: '#nowhere' },
        d: { $ref: '#here' },
      },
      { $defs: { 'a/b c': { type: 'number' }, d: { $anchor: 'here', type: 'string' } } },
    ),
  ],
  [
    'a choice at the root',
    {
      oneOf: [
        object({ a: { type: 'string' } }, { required: ['a'] }),
        object({ b: { type: 'number' } }, { required: ['b'] }),
      ],
    },
  ],
  [
    'choices of needs',
    object(
      { a: { type: 'string' }, b: { type: 'string' } },
      { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    ),
  ],
  [
    'all at the root',
    {
      allOf: [object({ a: { type: 'string' } }), { $ref: '#/$defs/b' }],
      $defs: { b: object({ b: { type: 'integer' } }, { required: ['b'] }) },
    },
  ],
  [
    'conditions',
    object(
      { a: { type: 'string' } },
      // A text, as a value with a member "then" is taken for a promise.
      parsed(
        '{"if":{"properties":{"a":{"const":"x"}}},"then":{"required":["b"]},"else":{"not":{"required":["b"]}},"dependentRequired":{"a":["c"]},"unevaluatedProperties":false}',
      ) as JsonObject, // as the text says
    ),
  ],
  [
    'draft-07',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...object({
        t: {
          type: 'array',
          items: [{ type: 'string' }, { type: 'number' }],
          additionalItems: false,
        },
        d: { $ref: '#/definitions/D' },
      }),
      definitions: { D: { type: ['string', 'null'] } },
      dependencies: { t: ['d'] },
    },
  ],
  [
    'draft-04',
    {
      $schema: 'http://json-schema.org/draft-04/schema#',
      ...object({ n: { type: 'number', minimum: 0, exclusiveMinimum: true } }),
      id: 'x',
    },
  ],
  [
    'tuples',
    object({
      a: {
        type: 'array',
        prefixItems: [{ type: 'string' }, { anyOf: [{ type: 'number' }, { type: 'null' }] }],
        minItems: 1,
        items: { type: 'boolean' },
      },
      b: { type: 'array', prefixItems: [{}], items: false },
      c: { type: 'array', items: false },
      d: { type: 'array', prefixItems: many(200, () => ({ type: 'string' })) },
    }),
  ],
  [
    'maps',
    object({
      a: { type: 'object', additionalProperties: { type: 'number' } },
      b: object(
        { x: { type: 'string' } },
        {
          additionalProperties: { type: 'number' },
          patternProperties: { '^y': { type: 'boolean' } },
        },
      ),
      c: {
        type: 'object',
        patternProperties: { '(a+)+$': { type: 'string' } },
        additionalProperties: false,
      },
      d: { type: 'object', propertyNames: { pattern: '^z' } },
    }),
  ],
  [
    'maps in maps',
    parsed(
      `${'{"type":"object","properties":{"m":'.repeat(20)}{"type":"string"}${'},"additionalProperties":{"type":"number"}}'.repeat(20)}`,
    ),
  ],
])
