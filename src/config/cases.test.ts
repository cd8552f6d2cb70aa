import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ConfigError } from '../base/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { parseConfig, type ParsedConfig } from './parse.ts'

/** Cases that lie beside the project where it is developed. */
const file = new URL('../../../shared/cases/data/config.json', import.meta.url)

if (!existsSync(file)) process.stdout.write('config cases: not at hand, skipped\n')

interface Case {
  readonly id: string
  readonly text?: string
  readonly texts?: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly expect: JsonObject
}

describe.skipIf(!existsSync(file))('the list of configuration cases', () => {
  const { cases }: { readonly cases: readonly Case[] } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { cases: [] }
  for (const one of cases)
    for (const [at, text] of (one.texts ?? [one.text ?? '']).entries())
      it(`holds for ${one.id}, text ${at + 1}`, async () => {
        const options = { file: 'servers.json', scope: 'given' as const, env: one.env }
        const outcome = await parseConfig(text, options).catch((error: unknown) => error)
        expect(misfits(outcome, one.expect)).toEqual([])
      })
})

function misfits(outcome: unknown, want: JsonObject): readonly string[] {
  if (want['error'] !== undefined)
    return outcome instanceof ConfigError && outcome.line !== undefined ? [] : ['not refused']
  if (outcome instanceof Error) return [outcome.message]
  // Whatever is no error is what a file was read as.
  return misfitsOf(outcome as ParsedConfig, want)
}

function misfitsOf({ entries, problems }: ParsedConfig, want: JsonObject): readonly string[] {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]))
  const errors = problems.filter(({ severity }) => severity === 'error')
  const expected = Object.entries(want['problems'] ?? {})
  const blamed = [...new Set(errors.map(({ server }) => server ?? ''))]
  return [
    same([...byKey.keys()], want['names'] ?? [...byKey.keys()]),
    ...Object.entries(want['servers'] ?? {}).map(([key, part]) => misfit(byKey.get(key), part)),
    same(
      blamed,
      expected.map(([key]) => key),
    ),
    ...expected.flatMap(([key, words]) => {
      const told = errors.filter(({ server }) => server === key).map(({ message }) => message)
      const { mention = '', not_mention: hidden } = Object(words)
      const text = told.join('\n')
      return [
        text.includes(mention) ? undefined : `no ${mention} in ${text}`,
        typeof hidden === 'string' && text.includes(hidden) ? `${hidden} in ${text}` : undefined,
      ]
    }),
  ].filter((problem) => problem !== undefined)
}

/** What is wrong with a value, as the list of cases words its wishes. */
function misfit(value: unknown, want: JsonValue | undefined): string | undefined {
  if (!isJsonObject(want)) return same(value, want)
  if (Array.isArray(want['$in']))
    return want['$in'].some((one) => same(value, one) === undefined) ? undefined : 'none of them'
  const inner = isJsonObject(want['$item']) ? want['$item'] : want
  for (const [key, one] of Object.entries(inner)) {
    const problem = misfit(Object(value)[key], one)
    if (problem !== undefined) return `${key}: ${problem}`
  }
  return undefined
}

function same(value: unknown, want: unknown): string | undefined {
  const [found, wanted] = [JSON.stringify(value), JSON.stringify(want)]
  return found === wanted ? undefined : `${found} instead of ${wanted}`
}
