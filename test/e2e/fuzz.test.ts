/** The fuzzers, small; large by `npm run fuzz`. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { FUZZ_TARGETS } from '../support/fuzz-targets.ts'
import { fuzz, judge } from '../support/fuzz.ts'

const CORPUS = fileURLToPath(new URL('../corpus/', import.meta.url))

/** Inputs that failed once. Files are named by target: `frames-1.bin`. */
function corpusOf(target: string): readonly Uint8Array[] {
  if (!existsSync(CORPUS)) return []
  return readdirSync(CORPUS)
    .filter((file) => file.startsWith(`${target}-`))
    .map((file) => readFileSync(`${CORPUS}${file}`))
}

it.each(FUZZ_TARGETS)(
  '$name takes mutated inputs, and those that failed once, whatever the cuts',
  (target) => {
    const corpus = corpusOf(target.name)
    const report = fuzz(target, { iterations: target.small ?? 3000, seed: 20_261_201, corpus })
    expect(report.failures).toEqual([])
  },
)

it('finds a parser that throws, one that minds the cuts, and makes the input small', () => {
  const seeds = (): readonly Uint8Array[] => [new TextEncoder().encode('{"a":1}')]
  const throwing = {
    name: 'throwing',
    seeds,
    run: (bytes: Uint8Array) => (bytes.includes(0x5b) ? fail() : ''),
  }
  const report = fuzz(throwing, { iterations: 5000, seed: 1 })
  expect(report.failures[0]?.input).toBe(Buffer.from('[').toString('base64'))
  const minding = {
    name: 'minding',
    seeds,
    run: (_bytes: Uint8Array, cuts: readonly number[]) => String(cuts.length),
  }
  expect(judge(minding, Uint8Array.of(1, 2), [1])).toMatch(/depends on the cuts/)
})

function fail(): never {
  throw new Error('planted')
}
