/** Asking a person for something: a flat form, or a visit to a URL. */

import type { JsonObject } from '../../base/json.ts'
import type { Open } from './common.ts'

export type ElicitParams = ElicitFormParams | ElicitUrlParams

export interface ElicitFormParams extends Open {
  /** A request without a mode is a form. // ELIC-04 */
  readonly mode?: 'form'
  readonly message: string
  readonly requestedSchema: ElicitSchema
}

/** From 2025-11-25. // ELIC-14, ELIC-15 */
export interface ElicitUrlParams extends Open {
  readonly mode: 'url'
  readonly message: string
  readonly url: string
  /** 2025-11-25 only, and required there. // ELIC-14 */
  readonly elicitationId?: string
}

/** A flat object: its properties are primitives. // ELIC-05 */
export interface ElicitSchema extends Open {
  readonly $schema?: string
  readonly type: 'object'
  readonly properties: { readonly [name: string]: PrimitiveSchema }
  readonly required?: readonly string[]
}

export type PrimitiveSchema = StringSchema | NumberSchema | BooleanSchema | MultiSelectSchema

interface FieldBase extends Open {
  readonly title?: string
  readonly description?: string
}

/** Free text, or one choice of `enum` or `oneOf`. // ELIC-06, ELIC-08 */
export interface StringSchema extends FieldBase {
  readonly type: 'string'
  readonly minLength?: number
  readonly maxLength?: number
  readonly format?: 'email' | 'uri' | 'date' | 'date-time'
  readonly enum?: readonly string[]
  /** Titles of `enum` in its order; the spelling of 2025-06-18. // ELIC-07 */
  readonly enumNames?: readonly string[]
  readonly oneOf?: readonly TitledValue[]
  readonly default?: string
}

export interface NumberSchema extends FieldBase {
  readonly type: 'number' | 'integer'
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
}

export interface BooleanSchema extends FieldBase {
  readonly type: 'boolean'
  readonly default?: boolean
}

/** From 2025-11-25. // ELIC-08 */
export interface MultiSelectSchema extends FieldBase {
  readonly type: 'array'
  readonly items:
    | { readonly type: 'string'; readonly enum: readonly string[] }
    | { readonly anyOf: readonly TitledValue[] }
  readonly minItems?: number
  readonly maxItems?: number
  readonly default?: readonly string[]
}

export interface TitledValue extends Open {
  readonly const: string
  readonly title: string
}

export type ElicitValue = string | number | boolean | readonly string[]

export interface ElicitResult extends Open {
  /** In URL mode `accept` means consent to open it, not that anything is done. // ELIC-19 */
  readonly action: 'accept' | 'decline' | 'cancel'
  /** Only for an accepted form. // ELIC-10 */
  readonly content?: { readonly [name: string]: ElicitValue }
  /** Until 2025-11-25. */
  readonly _meta?: JsonObject
}
