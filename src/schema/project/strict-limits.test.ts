/** What providers take of a strict schema that only its whole form shows. */
import { describe, expect, it } from 'vitest'
import type { SchemaDialect } from './dialect.ts'
import { projectSchema, type Projection } from './project.ts'

function projectionOf(schema: unknown, dialect: SchemaDialect, strict: boolean): Projection {
  const projected = projectSchema(schema, dialect, { strict })
  if (projected.kind === 'refused') throw new Error(projected.reason)
  return projected.projection
}

describe('a strict projection', () => {
  it('has for deepseek alternatives of which each names its type', () => {
    const inner = { description: 'A size.', anyOf: [{ type: 'number' }, { type: 'string' }] }
    const nested = {
      type: 'object',
      properties: { a: { anyOf: [inner, { type: 'boolean' }] } },
      required: ['a'],
      additionalProperties: false,
    }
    const { strict, parameters, losses } = projectionOf(nested, 'deepseek', true)
    expect({ strict, a: parameters['properties'] }).toEqual({
      strict: true,
      a: { a: { anyOf: [{ type: 'number' }, { type: 'string' }, { type: 'boolean' }] } },
    })
    expect(losses).toContainEqual(
      expect.objectContaining({ keyword: 'description', kind: 'dropped' }),
    )
    expect(JSON.stringify(projectionOf(nested, 'openai', true).parameters)).toContain('A size.')
  })

  it('is given up for deepseek where an alternative contains itself, and not for openai', () => {
    const node = {
      type: 'object',
      properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
      required: ['next'],
      additionalProperties: false,
    }
    const list = {
      type: 'object',
      properties: { first: { $ref: '#/$defs/node' } },
      required: ['first'],
      additionalProperties: false,
      $defs: { node },
    }
    expect(projectionOf(list, 'deepseek', true)).toMatchObject({
      strict: false,
      notStrict: expect.stringContaining('contains itself'),
    })
    expect(projectionOf(list, 'openai', true).strict).toBe(true)
  })
})
