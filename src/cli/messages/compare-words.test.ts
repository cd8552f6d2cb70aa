import { expect, it } from 'vitest'
import { compareWords } from './compare-words.ts'

it('says everything of the comparison in both languages, with text in each', async () => {
  const keysOf = (value: object, path = ''): string[] =>
    Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
      typeof inner === 'object' && inner !== null ? keysOf(inner, `${path}${key}.`) : [path + key],
    )
  const [en, zh] = [await compareWords('en'), await compareWords('zh')]
  expect(keysOf(zh)).toEqual(keysOf(en))
  expect(JSON.stringify([en, zh])).not.toContain('""')
})
