/**
 * docs/errors.md and its Chinese version, held to the list of codes and to the map of exit codes: an entry for each
 * code, no other, in the same order, with the exit code that the command line really has.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ErrorCode, ErrorFamily } from '../src/base/errors.ts'
import { PilotError } from '../src/base/errors.ts'
import { exitCodeOf } from '../src/cli/exit-codes.ts'

interface Page {
  readonly path: string
  /** How each entry goes on, by the words before the colon. */
  readonly members: readonly string[]
  readonly exit: RegExp
}

const PAGES: readonly Page[] = [
  {
    path: 'docs/errors.md',
    members: ['Class', 'Means', 'When', 'Do', 'Carries'],
    exit: /exit (\d+)$/m,
  },
  {
    path: 'docs/zh/errors.md',
    members: ['类', '含义', '何时', '怎么办', '携带'],
    exit: /退出码 (\d+)$/m,
  },
]

const source = readFileSync('src/base/errors.ts', 'utf8')
const union = /export type ErrorCode =([^]*?)\n\n/.exec(source)?.[1] ?? ''
const codes = [...union.matchAll(/'(DP_[A-Z_]+)'/g)].map(([, code]) => code ?? '')

it('knows the codes', () => {
  expect(codes.length).toBeGreaterThan(20)
  expect(new Set(codes).size).toBe(codes.length)
})

describe.each(PAGES)('$path', ({ path, members, exit }) => {
  const entries = readFileSync(path, 'utf8')
    .split(/^### /m)
    .slice(1)
    .map((text) => ({
      code: text.slice(0, text.indexOf('\n')),
      text: text.split(/^## /m)[0] ?? '',
    }))

  it('has one entry for each code, and no other', () => {
    expect(entries.map(({ code }) => code).toSorted()).toEqual(codes.toSorted())
  })

  it.each(entries)('tells all there is to say of $code', ({ text }) => {
    const said = [...text.matchAll(/^- ([^:：]+)[:：]\s*(.*)$/gm)]
    expect(said.map(([, member]) => member)).toEqual(members)
    expect(said.filter(([, , words]) => words === '')).toEqual([])
  })

  it.each(entries)('names the exit code of $code', ({ code, text }) => {
    expect(Number(exit.exec(text)?.[1])).toBe(exitCodeOf(errorWith(code)))
  })

  it.each(entries)('names a class that is exported for $code', ({ text }) => {
    const name = /`(\w+)`/.exec(text)?.[1] ?? ''
    expect(source).toContain(`export class ${name} `)
  })
})

function errorWith(code: string): PilotError {
  const word = code.split('_')[1]?.toLowerCase() ?? ''
  const family = (word === 'bug' ? 'internal' : word) as ErrorFamily // the second word of a code names its family, and what stands in the list is a code
  return new PilotError(family, code as ErrorCode, code)
}
