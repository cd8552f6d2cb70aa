/** What compiling a schema and checking a value answer, as types. */

import type { SchemaIssue } from '../base/errors.ts'
import type { SchemaDialect } from './dialect.ts'

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
