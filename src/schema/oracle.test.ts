/** Random schemas and values, with ajv as the judge: what it says fits is said to fit, and nothing else is. */

import { Ajv2020 } from 'ajv/dist/2020.js'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileSchema } from './check.ts'
import { guardSchema } from './guard.ts'
import { quickCheck } from './quick.ts'
import {
  isMisjudged,
  randomReferring,
  randomSchemas,
  randomValue,
} from '../../test/support/random-schemas.ts'

const SEED = 20_261_201
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 60)

const OPTIONS = {
  strict: false,
  validateFormats: false,
  logger: false,
  allErrors: false,
  ownProperties: true,
  validateSchema: false,
  addUsedSchema: false,
} as const

test.each([
  ['2020-12', randomSchemas(true), new Ajv2020(OPTIONS)],
  ['2020-12 with references', randomReferring, new Ajv2020(OPTIONS)],
  ['draft-07', randomSchemas(false), new Ajv(OPTIONS)],
] as const)(
  'agrees with another validator on random schemas of %s',
  async (dialect, schema, judge) => {
    process.stdout.write(
      `random schemas of ${dialect}: seed ${String(SEED)}, ${String(RUNS)} runs\n`,
    )
    let fits = 0
    await fc.assert(
      fc.asyncProperty(
        schema,
        fc.array(randomValue, { minLength: 1, maxLength: 6 }),
        async (raw, values) => {
          if (isMisjudged(raw)) return
          const expected = judge.compile(raw as boolean | object) // made by the generator above
          const dialectOption = dialect === 'draft-07' ? ({ dialect: 'draft-07' } as const) : {}
          const ready = await compileSchema(raw, dialectOption)
          if (ready.kind === 'uncheckable') throw new Error(ready.because)
          const quick = quickCheck(guardSchema(raw, dialectOption))
          for (const one of values) {
            const fitting = expected(one)
            if (fitting) fits += 1
            expect(ready.check(one)).toMatchObject({ valid: fitting })
            expect(quick(one) && !fitting).toBe(false)
          }
        },
      ),
      { seed: SEED, numRuns: RUNS },
    )
    expect(fits).toBeGreaterThan(RUNS / 4)
  },
)
