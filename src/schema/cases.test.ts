/** Input schemas as servers send them, and the arguments that a check before a call must let through or stop. */

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkValue } from './check.ts'

interface Case {
  readonly id: string
  readonly schema: unknown
  readonly valid: readonly unknown[]
  readonly invalid: readonly unknown[]
}

const tree = {
  type: 'object',
  properties: { root: { $ref: '#/$defs/Branch' } },
  $defs: {
    Branch: {
      type: 'object',
      properties: {
        label: { type: 'string' },
        twigs: { type: 'array', items: { $ref: '#/$defs/Branch' } },
      },
      required: ['label'],
    },
  },
}

const CASES: readonly Case[] = [
  {
    id: 'definitions that refer to one another',
    schema: {
      type: 'object',
      properties: { range: { $ref: '#/$defs/Range' } },
      required: ['range'],
      $defs: {
        Range: {
          type: 'object',
          properties: { from: { type: 'integer', default: 0 }, unit: { $ref: '#/$defs/Unit' } },
        },
        Unit: { type: 'string', enum: ['line', 'byte'] },
      },
    },
    valid: [{ range: { from: 3, unit: 'byte' } }, { range: {} }],
    invalid: [{}, { range: { unit: 'page' } }, { range: { from: 'first' } }],
  },
  {
    id: 'an object and nothing more',
    schema: { type: 'object' },
    valid: [{}, { any: [1] }],
    invalid: [],
  },
  { id: 'no keyword at all', schema: {}, valid: [{}, { any: null }], invalid: [] },
  {
    id: 'properties without a type',
    schema: { properties: { path: { type: 'string' } }, required: ['path'] },
    valid: [{ path: 'a' }],
    invalid: [{}, { path: 3 }],
  },
  {
    id: 'a tree',
    schema: tree,
    valid: [{ root: { label: 'a', twigs: [{ label: 'b', twigs: [] }] } }],
    invalid: [{ root: { label: 'a', twigs: [{ twigs: [] }] } }],
  },
  {
    id: 'a tuple of draft-07',
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      definitions: {
        Point: {
          type: 'array',
          items: [{ type: 'number' }, { type: 'number' }],
          additionalItems: false,
        },
      },
      properties: { at: { $ref: '#/definitions/Point' } },
    },
    valid: [{ at: [1, 2] }, { at: [] }],
    invalid: [{ at: [1, 'b'] }, { at: [1, 2, 3] }],
  },
  {
    id: 'true and false in place of schemas',
    schema: { type: 'object', properties: { whatever: true, nothing: false } },
    valid: [{ whatever: 1 }, { whatever: null }, {}],
    invalid: [{ nothing: 1 }],
  },
  {
    id: 'properties named like keywords',
    schema: {
      type: 'object',
      properties: {
        properties: { type: 'array', items: { type: 'string' } },
        type: { type: 'string' },
        $ref: { type: 'string' },
        required: { type: 'boolean' },
      },
      required: ['properties'],
    },
    valid: [{ properties: ['x'], type: 'y', $ref: 'z', required: false }],
    invalid: [{ type: 'y' }, { properties: 'x' }],
  },
  {
    id: 'a pattern that is none: nothing is refused',
    schema: {
      type: 'object',
      properties: {
        a: { type: 'string', pattern: '(unclosed' },
        b: { type: 'string', format: 'invented' },
      },
    },
    valid: [{ a: 'anything', b: 'x' }],
    invalid: [],
  },
  {
    id: 'values that may be null, both ways of writing it',
    schema: {
      type: 'object',
      properties: {
        a: { type: ['number', 'null'] },
        b: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
      },
      required: ['a'],
    },
    valid: [{ a: null }, { a: 1 }, { a: 1, b: null }, { a: 1, b: 'x' }],
    invalid: [{}, { a: 'x' }, { a: 1, b: 3 }],
  },
]

const file = new URL('../../../shared/cases/data/schema.json', import.meta.url)
const more = existsSync(file) ? casesOf(JSON.parse(readFileSync(file, 'utf8'))) : []
if (more.length === 0)
  process.stdout.write('no further schema cases found, only our own are tested\n')

/** The cases of the file that hold what is read here; others are built by their own rules. */
function casesOf(content: unknown): readonly Case[] {
  const { cases } = content as { readonly cases: readonly Partial<Case>[] } // its format says so
  return cases.flatMap(({ id, schema, valid = [], invalid = [] }) =>
    id === undefined || schema === undefined
      ? []
      : [{ id: `from the file: ${id}`, schema, valid, invalid }],
  )
}

describe.each([...CASES, ...more])('$id', ({ schema, valid, invalid }) => {
  test('lets the right arguments through, or gives no verdict', async () => {
    for (const value of valid) expect((await checkValue(schema, value)).valid).not.toBe(false)
  })

  test('stops the wrong arguments', async () => {
    for (const value of invalid) expect((await checkValue(schema, value)).valid).toBe(false)
  })
})
