/** The page that says which attack is played where, held to the tests that it names. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { listFiles } from '../support/sources.ts'

const rows = readFileSync('docs/security-tests.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| A\d\d \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))

it('names a test of each group that has the group in its title', () => {
  const places = rows.filter((cells) => cells.length > 6)
  expect(places.length).toBeGreaterThan(20)
  for (const [, group = '', , files = ''] of places) {
    const text = readFileSync(`test/security/${files.replaceAll('`', '')}.test.ts`, 'utf8')
    expect(text, `${files} has no test of ${group}`).toMatch(
      new RegExp(`\\([^)]*\\b${group}\\b[^)]*\\)'`),
    )
  }
})

it('names only files that there are, and a planted defect for each group', () => {
  const tests = [...listFiles('src'), ...listFiles('test')].map((path) =>
    path.replaceAll('\\', '/'),
  )
  const places = rows.filter((cells) => cells.length > 6)
  for (const [, group = '', , , also = ''] of places) {
    const named = [...also.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)
    for (const file of named)
      expect(
        tests.some((path) => path.endsWith(`/${file}`)),
        `${group}: ${basename(file)}`,
      ).toBe(true)
  }
  const planted = rows.filter((cells) => cells.length === 5).map(([, group]) => group)
  expect(planted).toEqual(places.map(([, group]) => group))
})
