/** The fields of a form as they are asked for one by one: what each wants, and what a typed line means for it. Pure. */

import { isJsonObject, type JsonObject } from '../../base/json.ts'
import type { ElicitSchema, ElicitValue } from '../../protocol/types/elicitation.ts'
import { formIssues } from '../../tools/form.ts'

export interface FormField {
  readonly name: string
  /** What a person is shown of it; peer text. */
  readonly title: string
  readonly description: string
  readonly required: boolean
  readonly wish: FieldWish
  readonly schema: JsonObject
}

/** One of several values, with what it is called. */
export interface FormChoice {
  readonly value: string
  readonly title: string
}

/** What a field wants. */
export type FieldWish =
  | {
      readonly kind: 'text'
      readonly least?: number
      readonly most?: number
      readonly format?: string
    }
  | { readonly kind: 'number' | 'integer'; readonly least?: number; readonly most?: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly choices: readonly FormChoice[] }
  | {
      readonly kind: 'choices'
      readonly choices: readonly FormChoice[]
      readonly least?: number
      readonly most?: number
    }

/** Fields of a schema that `formFault` finds nothing wrong with, in its order. */
export function formFields({ properties, required = [] }: ElicitSchema): readonly FormField[] {
  return Object.entries(properties).map(([name, field]) => {
    const schema = field as unknown as JsonObject // it was looked at as a form
    const { title, description } = schema
    return {
      name,
      title: typeof title === 'string' ? title : '',
      description: typeof description === 'string' ? description : '',
      required: required.includes(name),
      wish: wishOf(schema),
      schema,
    }
  })
}

/** What a typed line is as a value of the field; undefined where it does not fit. */
export function typedValue(
  { name, wish, schema }: FormField,
  text: string,
): ElicitValue | undefined {
  const value = wish.kind === 'text' ? text : numberIn(text)
  return value !== undefined && fits(name, schema, value) ? value : undefined
}

/** Whether the field takes the value. */
export function takes({ name, schema }: FormField, value: ElicitValue): boolean {
  return fits(name, schema, value)
}

function fits(name: string, schema: JsonObject, value: ElicitValue): boolean {
  const content = Object.fromEntries([[name, value]]) as JsonObject // its values are JSON
  return formIssues({ properties: Object.fromEntries([[name, schema]]) }, content).length === 0
}

/** As people write numbers: no hexadecimal ones, no infinite ones. */
function numberIn(text: string): number | undefined {
  const written = text.trim()
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(written)) return undefined
  const value = Number(written)
  return Number.isFinite(value) ? value : undefined
}

function wishOf(schema: JsonObject): FieldWish {
  const { type, format, items } = schema
  if (type === 'boolean') return { kind: 'boolean' }
  if (type === 'number' || type === 'integer')
    return { kind: type, ...bounds(schema, 'minimum', 'maximum') }
  if (type === 'array') {
    const choices = isJsonObject(items) ? choicesOf(items, 'anyOf') : undefined
    return { kind: 'choices', choices: choices ?? [], ...bounds(schema, 'minItems', 'maxItems') }
  }
  const choices = choicesOf(schema, 'oneOf')
  if (choices !== undefined) return { kind: 'choice', choices }
  return {
    kind: 'text',
    ...bounds(schema, 'minLength', 'maxLength'),
    ...(typeof format === 'string' && { format }),
  }
}

function bounds(
  schema: JsonObject,
  least: string,
  most: string,
): { readonly least?: number; readonly most?: number } {
  const [from, to] = [schema[least], schema[most]]
  return {
    ...(typeof from === 'number' && { least: from }),
    ...(typeof to === 'number' && { most: to }),
  }
}

/** In any of the spellings; undefined where the field is free text. // ELIC-07, ELIC-08 */
function choicesOf(
  schema: JsonObject,
  titled: 'oneOf' | 'anyOf',
): readonly FormChoice[] | undefined {
  const { enum: values, enumNames } = schema
  if (Array.isArray(values)) {
    const names = Array.isArray(enumNames) ? enumNames : []
    return values.map((value, at) => choice(value, names[at]))
  }
  const list = schema[titled]
  if (!Array.isArray(list)) return undefined
  return list.filter(isJsonObject).map((one) => choice(one['const'], one['title']))
}

function choice(value: unknown, title: unknown): FormChoice {
  const text = String(value)
  return { value: text, title: typeof title === 'string' && title !== '' ? title : text }
}
