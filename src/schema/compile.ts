/**
 * Makes a checker of a stranger's schema: the guarded copy, its patterns bound, the library run under the meter.
 * Loaded by `check.ts` when the first schema comes; nothing else may import it at once.
 */

import { guardSchema } from './guard.ts'
import type { GuardedSchema } from './guard.ts'
import { loadLibrary, loadRe2 } from './engine.ts'
import type { SchemaEngine } from './engine.ts'
import { explain } from './issues.ts'
import { MAX_STEPS, startMeter } from './meter.ts'
import { quickCheck } from './quick.ts'
import type { QuickCheck } from './quick.ts'
import { reasonOf } from './reason.ts'
import { measureValue, withoutGaps } from './value.ts'
import type { CheckableSchema, CompileOptions, SchemaVerdict } from './verdict.ts'

export { loadLibrary } from './engine.ts'

const VALID: SchemaVerdict = Object.freeze({ valid: true })

/** Compiles a schema. Rejects with the reason when it cannot be used safely. */
export async function compileGuarded(
  schema: unknown,
  options: CompileOptions,
): Promise<CheckableSchema> {
  const guarded = guardSchema(schema, options)
  const engine = await loadLibrary()
  await bindPatterns(guarded)
  return { kind: 'checkable', dialect: guarded.dialect, check: checker(guarded, engine, options) }
}

async function bindPatterns(guarded: GuardedSchema): Promise<void> {
  const { patterns } = guarded
  const re2 = patterns.some((mark) => mark.parsed.wantsRe2) ? await loadRe2() : undefined
  const budget = { program: 0, characters: 0 }
  for (const mark of patterns) mark.bind(re2, budget)
}

function checker(
  guarded: GuardedSchema,
  engine: SchemaEngine,
  options: CompileOptions,
): CheckableSchema['check'] {
  let surelyFits: QuickCheck | undefined
  const maxSteps = options.maxSteps ?? MAX_STEPS

  function slowly(given: unknown): SchemaVerdict {
    const facts = measureValue(given)
    const value = facts.hasGaps ? withoutGaps(given) : given
    startMeter(facts, maxSteps)
    const first = engine.findings(value, guarded, false)
    if (first.length === 0) return VALID
    const found = { guarded, value, findings: first }
    try {
      startMeter(facts, maxSteps >> 2)
      found.findings = engine.findings(value, guarded, true)
    } catch {
      // It does not fit, that much is known; what the shorter look found has to do.
    }
    return { valid: false, issues: explain(found) }
  }

  return (value) => {
    try {
      surelyFits ??= quickCheck(guarded) // Many schemas are compiled that are never checked against.
      return surelyFits(value) ? VALID : slowly(value)
    } catch (error) {
      return { valid: 'unknown', because: `the check cannot be finished: ${reasonOf(error)}` }
    }
  }
}
