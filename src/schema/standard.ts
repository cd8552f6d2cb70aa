/**
 * Schemas of other libraries: Standard Schema v1 for checking, Standard JSON Schema for telling a peer.
 *
 * Nothing here knows a library but by name in the advice of an error; whatever carries `~standard` is taken.
 */

import { SchemaError, describeError } from '../base/errors.ts'
import type { SchemaIssue } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { isJsonObject } from '../base/json.ts'
import { MAX_ISSUES, MAX_ISSUE_TEXT } from './issue-limits.ts'

/** A value whose schema another library made (zod, valibot, arktype and others). `In` is what comes, `Out` what its checks make of it. */
export interface StandardSchema<In = unknown, Out = In> {
  readonly '~standard': StandardProperties<In, Out>
}

export interface StandardProperties<In = unknown, Out = In> {
  readonly version: 1
  readonly vendor: string
  validate(value: unknown, options?: undefined): StandardResult<Out> | Promise<StandardResult<Out>>
  /** There at run time in no library; it carries the two types. */
  readonly types?: { readonly input: In; readonly output: Out } | undefined
}

export type StandardResult<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** A JSON Schema as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** What a tool or a question takes as schema: JSON Schema as it is, or one of a library that speaks Standard Schema. */
export type Schema<T = unknown> = JsonSchema | StandardSchema<unknown, T>

/** What may be given to a schema. `Raw` is the answer for plain JSON Schema, whose types are not read. */
export type InferInput<S, Raw = JsonObject> =
  S extends StandardSchema<infer In, infer _Out> ? In : Raw

/** What a schema lets through. `Raw` is the answer for plain JSON Schema, whose types are not read. */
export type InferOutput<S, Raw = JsonObject> =
  S extends StandardSchema<infer _In, infer Out> ? Out : Raw

/** Which side of a schema: what is given to it, or what it makes of that. They differ where there are defaults or conversions. */
export type SchemaSide = 'input' | 'output'

/** What came of checking with the other library. */
export type StandardVerdict<Out> =
  | { readonly valid: true; readonly value: Out }
  | { readonly valid: false; readonly issues: readonly SchemaIssue[] }

/** Whether a value is a Standard Schema. Some libraries make them functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  const standard = standardOf(value)
  return (
    standard !== undefined &&
    standard['version'] === 1 &&
    typeof standard['validate'] === 'function'
  )
}

/** Checks a value with the library that made the schema. At most 20 issues. What the library throws comes through. */
export async function checkStandard<Out>(
  schema: StandardSchema<unknown, Out>,
  value: unknown,
): Promise<StandardVerdict<Out>> {
  const standard = schema['~standard']
  const result = await standard.validate(value)
  if (result.issues === undefined) return { valid: true, value: result.value }
  const issues = result.issues
    .slice(0, MAX_ISSUES)
    .map((issue) => toSchemaIssue(issue, standard.vendor))
  return { valid: false, issues }
}

/** One issue of another library in our form; the keyword is its `code` where it has one, else its library's name. */
function toSchemaIssue(issue: StandardIssue, vendor: string): SchemaIssue {
  const pointer = (issue.path ?? [])
    .map((part) => String(typeof part === 'object' ? part.key : part))
    .map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
  const code = 'code' in issue && typeof issue.code === 'string' ? issue.code : vendor
  return { pointer: cut(pointer), keyword: cut(code), message: cut(issue.message) }
}

const told: Readonly<Record<SchemaSide, WeakMap<object, JsonObject>>> = {
  input: new WeakMap(),
  output: new WeakMap(),
}

/**
 * The JSON Schema of either kind of schema, the same object each time: plain JSON Schema is handed back as it is, another
 * library's is asked for in 2020-12 and else in draft-07. Throws a `SchemaError` that says what to do when it has none.
 */
export function jsonSchemaOf(schema: Schema, side: SchemaSide): JsonObject {
  if (!isStandardSchema(schema)) {
    if (isJsonObject(schema)) return schema
    throw new SchemaError(
      'DP_SCHEMA_DEFINITION',
      'a schema must be an object: JSON Schema, or one with "~standard"',
    )
  }
  const before = told[side].get(schema)
  if (before !== undefined) return before
  const made = convert(schema, side)
  told[side].set(schema, made)
  return made
}

const TARGETS = ['draft-2020-12', 'draft-07'] as const

function convert(schema: StandardSchema, side: SchemaSide): JsonObject {
  const { vendor } = schema['~standard']
  const converter = (schema['~standard'] as { readonly jsonSchema?: unknown }).jsonSchema // looked at as unknown
  if (typeof converter !== 'object' || converter === null) {
    throw new SchemaError(
      'DP_SCHEMA_DEFINITION',
      `the ${vendor} schema has no JSON Schema to show to a peer; ${advice(vendor)}`,
    )
  }
  const write: unknown = (converter as Record<string, unknown>)[side] // likewise
  let cause: unknown
  for (const target of TARGETS) {
    try {
      const made: unknown =
        typeof write === 'function' ? write.call(converter, { target }) : undefined
      if (isJsonObject(made)) return made
    } catch (error) {
      cause = error
    }
  }
  const reason =
    cause === undefined ? 'it gave no object' : describeError(cause).slice(0, MAX_ISSUE_TEXT)
  const message = `the ${vendor} schema cannot be written as JSON Schema (${reason}); change the part it names, or give JSON Schema itself`
  throw new SchemaError('DP_SCHEMA_DEFINITION', message, { cause })
}

function advice(vendor: string): string {
  switch (vendor) {
    case 'valibot':
      return 'wrap it in toStandardJsonSchema() of "@valibot/to-json-schema"'
    case 'zod':
      return 'use zod 4.2 or later, or give z.toJSONSchema(schema)'
    case 'arktype':
      return 'use arktype 2.1.28 or later, or give schema.toJsonSchema()'
    default:
      return 'use a release of it that offers Standard JSON Schema ("~standard".jsonSchema), or give JSON Schema itself'
  }
}

function standardOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  const standard: unknown = (value as { readonly '~standard'?: unknown })['~standard'] // any object may be asked
  return isJsonObject(standard) ? standard : undefined
}

function cut(text: string): string {
  return text.length > MAX_ISSUE_TEXT ? `${text.slice(0, MAX_ISSUE_TEXT - 1)}…` : text
}
