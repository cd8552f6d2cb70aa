/**
 * Checks values against schemas that strangers wrote: the door of this layer.
 *
 * Compiling never throws, and neither does checking. A schema that cannot be used safely is `uncheckable` with the reason, and a
 * check that cannot be finished answers `unknown`: neither is ever said to fit or not to fit.
 */

import { SchemaError, describeError } from '../base/errors.ts'
import type { SchemaIssue } from '../base/errors.ts'
import type { SchemaDialect } from './dialect.ts'
import { loadRe2, loadSchemaEngine } from './engine.ts'
import type { SchemaEngine } from './engine.ts'
import { guardSchema } from './guard.ts'
import type { GuardedSchema } from './guard.ts'
import { explain } from './issues.ts'
import { MAX_STEPS, startMeter } from './meter.ts'
import { quickCheck } from './quick.ts'
import type { QuickCheck } from './quick.ts'
import { measureValue, withoutGaps } from './value.ts'

export interface CompileOptions {
  /** The dialect of a schema without `$schema`. Default: 2020-12. */
  readonly dialect?: SchemaDialect
  /** Schemas that references may lead to, by their absolute URI. Default: none. Nothing is ever fetched. */
  readonly documents?: Readonly<Record<string, unknown>>
  /** Parts of a schema. Default: 20,000. */
  readonly maxNodes?: number
  /** Steps of one check. Default: 200,000, about 0.4 s. */
  readonly maxSteps?: number
}

/** What a check found. */
export type SchemaVerdict =
  | { readonly valid: true }
  | { readonly valid: false; readonly issues: readonly SchemaIssue[] }
  | { readonly valid: 'unknown'; readonly because: string }

export interface CheckableSchema {
  readonly kind: 'checkable'
  readonly dialect: SchemaDialect
  /** Synchronous and never throws. At most 20 issues, the first ones. Members that are `undefined` count as absent. */
  check(value: unknown): SchemaVerdict
}

export interface UncheckableSchema {
  readonly kind: 'uncheckable'
  /** Why, in words for people; it may hold text of the schema, shortened and escaped. */
  readonly because: string
}

export type CompiledSchema = CheckableSchema | UncheckableSchema

const VALID: SchemaVerdict = Object.freeze({ valid: true })

const done = new WeakMap<object, CompiledSchema>()
const underway = new WeakMap<object, Promise<CompiledSchema>>()

/**
 * Compiles a schema; never rejects. Without options the result is kept for as long as the schema object lives, so that
 * a schema must not be changed once it was compiled.
 */
export function compileSchema(schema: unknown, options?: CompileOptions): Promise<CompiledSchema> {
  if (options !== undefined || typeof schema !== 'object' || schema === null) {
    return compile(schema, options ?? {})
  }
  const before = underway.get(schema)
  if (before !== undefined) return before
  const result = compile(schema, {}).then((compiledSchema) => {
    done.set(schema, compiledSchema)
    return compiledSchema
  })
  underway.set(schema, result)
  return result
}

/** The result of an earlier `compileSchema` without options, at once; `undefined` when there is none yet. */
export function compiled(schema: unknown): CompiledSchema | undefined {
  return typeof schema === 'object' && schema !== null ? done.get(schema) : undefined
}

/** Checks one value, compiling the schema when it is met first. Never rejects; an uncheckable schema answers `unknown`. */
export async function checkValue(schema: unknown, value: unknown): Promise<SchemaVerdict> {
  const ready = compiled(schema) ?? (await compileSchema(schema))
  return ready.kind === 'checkable'
    ? ready.check(value)
    : { valid: 'unknown', because: ready.because }
}

async function compile(schema: unknown, options: CompileOptions): Promise<CompiledSchema> {
  try {
    const guarded = guardSchema(schema, options)
    const engine = await loadSchemaEngine()
    await bindPatterns(guarded)
    return { kind: 'checkable', dialect: guarded.dialect, check: checker(guarded, engine, options) }
  } catch (error) {
    return { kind: 'uncheckable', because: `the schema cannot be used: ${reasonOf(error)}` }
  }
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

function reasonOf(error: unknown): string {
  if (error instanceof SchemaError) return error.message
  if (error instanceof RangeError) return 'it goes deeper than the stack'
  if (error instanceof URIError) return 'a property name is no well-formed Unicode'
  return describeError(error).slice(0, 200)
}
