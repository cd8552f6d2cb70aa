/** The door of the schema layer: checks of values against schemas of strangers, and schemas of other libraries. */

export { checkValue, compiled, compileSchema, loadSchemaEngine } from './check.ts'
export type {
  CheckableSchema,
  CompiledSchema,
  CompileOptions,
  SchemaVerdict,
  UncheckableSchema,
} from './verdict.ts'
export { DEFAULT_DIALECT, DIALECTS } from './dialect.ts'
export type { SchemaDialect } from './dialect.ts'
export { checkStandard, isStandardSchema, jsonSchemaOf } from './standard.ts'
export type {
  InferInput,
  InferOutput,
  JsonSchema,
  Schema,
  SchemaSide,
  StandardIssue,
  StandardProperties,
  StandardResult,
  StandardSchema,
  StandardVerdict,
} from './standard.ts'
export type { SchemaIssue } from '../base/errors.ts'
