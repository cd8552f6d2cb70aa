/** What the guard relies on in the library, so that an update of it which changes that is noticed here. */

import { format, validate } from '@cfworker/json-schema'
import type { Schema } from '@cfworker/json-schema'
import { expect, test } from 'vitest'
import { compileSchema, loadSchemaEngine } from './check.ts'

test('the library reads $recursiveRef once at every schema object that it applies', () => {
  let reads = 0
  const counted = (keywords: object): Schema =>
    Object.defineProperty({ ...keywords }, '$recursiveRef', {
      get: () => {
        reads += 1
        return undefined
      },
    })
  const schema = counted({
    properties: {
      a: counted({ type: 'string' }),
      b: counted({ items: counted({ not: counted({ type: 'null' }) }) }),
    },
    anyOf: [counted({ required: ['a'] }), counted({})],
    $ref: 'target',
  })
  const result = validate({ a: 'x', b: [1, 2] }, schema, '2020-12', { target: counted({}) })
  expect(result.valid).toBe(true)
  expect(reads).toBe(10) // The root, two properties, two alternatives, the target, and twice an item with its "not".
})

test("the library's table of formats stays as others know it", async () => {
  const before = { names: Object.keys(format), date: format['date'] }
  await loadSchemaEngine()
  const ready = await compileSchema({ pattern: '^a', format: 'date' })
  expect(ready.kind === 'checkable' && ready.check('abc')).toEqual({ valid: true })
  expect({ names: Object.keys(format), date: format['date'] }).toEqual(before)
  expect(validate('abc', { format: 'date' }, '2020-12').valid).toBe(false)
})

test('many patterns add nothing more to the table', async () => {
  await compileSchema({ pattern: '^first$' })
  const before = Reflect.ownKeys(format).length
  for (let index = 0; index < 50; index += 1)
    await compileSchema({ pattern: `^number ${String(index)}$` })
  expect(Reflect.ownKeys(format)).toHaveLength(before)
})

test('several patterns of one schema are told apart', async () => {
  const ready = await compileSchema({
    allOf: [{ pattern: '^a' }, { pattern: 'z$' }, { anyOf: [{ pattern: 'b' }, { pattern: 'c' }] }],
  })
  const fits = (text: string): unknown => ready.kind === 'checkable' && ready.check(text).valid
  expect(['abz', 'acz', 'adz', 'bz', 'ab'].map(fits)).toEqual([true, true, false, false, false])
})
