/**
 * Checks values against schemas that strangers wrote: the door of this layer. The work is in `compile.ts`, which is loaded with
 * the first schema, so that a client that meets none does not pay for it.
 *
 * Compiling never throws, and neither does checking. A schema that cannot be used safely is `uncheckable` with the reason, and a
 * check that cannot be finished answers `unknown`: neither is ever said to fit or not to fit.
 */

import { reasonOf } from './reason.ts'
import type { CompiledSchema, CompileOptions, SchemaVerdict } from './verdict.ts'

export type { CompiledSchema, CompileOptions, SchemaVerdict } from './verdict.ts'

type Machinery = typeof import('./compile.ts')

let machinery: Promise<Machinery> | undefined

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

/** Loads what checks, once. Compiling a schema does it; call it early to have it done by then. */
export async function loadSchemaEngine(): Promise<void> {
  await (await loadMachinery()).loadLibrary()
}

async function compile(schema: unknown, options: CompileOptions): Promise<CompiledSchema> {
  try {
    return await (await loadMachinery()).compileGuarded(schema, options)
  } catch (error) {
    return { kind: 'uncheckable', because: `the schema cannot be used: ${reasonOf(error)}` }
  }
}

function loadMachinery(): Promise<Machinery> {
  machinery ??= import('./compile.ts').catch((error: unknown) => {
    machinery = undefined
    throw error
  })
  return machinery
}
