import { describe, expect, it } from 'vitest'
import { applyDefaults } from './form-defaults.ts'

describe('a form before anyone has looked at it', () => {
  const properties = {
    name: { type: 'string', default: 'Ada' },
    age: { type: 'integer', default: 0 },
    share: { type: 'number', default: 0.5 },
    sure: { type: 'boolean', default: false },
    color: { type: 'string', enum: ['red', 'blue'], enumNames: ['Red', 'Blue'], default: 'blue' },
    size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }], default: 's' },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['a', 'b'] },
    free: { type: 'string' },
  } as const

  it('is filled in with the default of every kind of field, falsy ones too [ELIC-09]', () => {
    expect(applyDefaults({ properties })).toEqual({
      name: 'Ada',
      age: 0,
      share: 0.5,
      sure: false,
      color: 'blue',
      size: 's',
      tags: ['a', 'b'],
    })
  })

  it('keeps what is filled in already, and changes nothing that was given [ELIC-09]', () => {
    const content = { name: '', sure: true, free: 'x', beside: 1 }
    const filled = applyDefaults({ properties }, content)
    expect(filled).toMatchObject({ name: '', sure: true, free: 'x', beside: 1, age: 0 })
    expect(content).toEqual({ name: '', sure: true, free: 'x', beside: 1 })
  })

  it('takes nothing from schemas that are none', () => {
    const odd: unknown[] = [
      { properties: undefined },
      { properties: null },
      { properties: [] },
      {
        properties: {
          a: null,
          b: 5,
          c: { default: null },
          d: { default: {} },
          e: { default: [1] },
        },
      },
    ]
    for (const schema of odd) expect(applyDefaults(schema as never, { z: 1 })).toEqual({ z: 1 })
  })

  it('takes the name of a field for a name, whatever it is', () => {
    const hostile: never = JSON.parse(
      '{"properties":{"__proto__":{"default":"x"},"constructor":{"default":"y"}}}',
    ) as never
    const filled = applyDefaults(hostile)
    expect(Object.keys(filled)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype)
  })
})
