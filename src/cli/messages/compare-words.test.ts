import { expect, it } from 'vitest'
import { compareEn } from './compare-en.ts'
import { compareZh } from './compare-zh.ts'

it('says everything of the comparison in both languages, with text in each', () => {
  const keysOf = (value: object, path = ''): string[] =>
    Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
      typeof inner === 'object' && inner !== null ? keysOf(inner, `${path}${key}.`) : [path + key],
    )
  expect(keysOf(compareZh)).toEqual(keysOf(compareEn))
  expect(JSON.stringify([compareEn, compareZh])).not.toContain('""')
})
