/** What a form is filled in with before anyone has looked at it. */

import { isJsonObject } from '../base/json.ts'
import type { ElicitSchema, ElicitValue } from '../protocol/types/elicitation.ts'

/** The content of a form, by the names of its fields. */
export interface FormContent {
  readonly [name: string]: ElicitValue
}

/**
 * The content with the default of each field that it has no value for; fields without a default stay out. Show the result to
 * a person, or answer with it where nobody is to be asked: nothing does so by itself. // ELIC-09
 */
export function applyDefaults(
  { properties }: Pick<ElicitSchema, 'properties'>,
  content: FormContent = {},
): FormContent {
  // The schema is a server's: nothing in it need be what its type says.
  const fields = Object.entries(isJsonObject(properties) ? properties : {})
  const filled = fields.flatMap(([name, field]): [string, ElicitValue][] => {
    const value = Object.hasOwn(content, name) ? content[name] : undefined
    const preset: unknown = isJsonObject(field) ? field['default'] : undefined
    return value === undefined && isElicitValue(preset) ? [[name, preset]] : []
  })
  // Entries are defined, not assigned: a field may be called `__proto__`.
  return Object.fromEntries([...Object.entries(content), ...filled])
}

function isElicitValue(value: unknown): value is ElicitValue {
  if (Array.isArray(value)) return value.every((entry) => typeof entry === 'string')
  return ['string', 'number', 'boolean'].includes(typeof value)
}
