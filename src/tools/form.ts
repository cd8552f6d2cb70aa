/**
 * Forms of elicitation: whether a schema is one, and whether what was filled in fits it.
 *
 * A form is flat and its fields are primitives, so that any client can draw it; this is no JSON Schema checker and needs
 * none. Everything is linear in what it looks at. // ELIC-05, ELIC-06, ELIC-08
 */

import type { SchemaIssue } from '../base/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { isUri } from '../formats/uri.ts'

/** Most issues that are told of one form. */
const MAX_ISSUES = 20
const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time'])

/** What is wrong with a schema as a form, in words that follow its name; undefined when it is one. */
export function formFault(schema: unknown): string | undefined {
  if (!isJsonObject(schema)) return 'is no object'
  const { type, properties, required } = schema
  if (type !== 'object') return 'must have "type": "object"'
  if (!isJsonObject(properties)) return 'needs "properties"'
  for (const [name, field] of Object.entries(properties)) {
    const fault = isJsonObject(field) ? fieldFault(field) : 'is no object'
    if (fault !== undefined) return `has a field ${JSON.stringify(name)} that ${fault}`
  }
  if (required === undefined) return undefined
  if (!isStrings(required)) return 'has "required" that is no list of names'
  const stray = required.find((name) => !Object.hasOwn(properties, name))
  return stray === undefined ? undefined : `requires ${JSON.stringify(stray)}, which is no field`
}

function fieldFault(field: JsonObject): string | undefined {
  switch (field['type']) {
    case 'string':
      return textFieldFault(field)
    case 'number':
    case 'integer':
      return boundsFault(field, ['minimum', 'maximum']) ?? defaultFault(field)
    case 'boolean':
      return defaultFault(field)
    case 'array':
      return choicesFault(field)
    default:
      return 'is no string, number, integer, boolean or list of choices: forms are flat'
  }
}

function textFieldFault(field: JsonObject): string | undefined {
  const { format, enumNames } = field
  if (format !== undefined && !FORMATS.has(format))
    return 'has a format other than email, uri, date and date-time' // ELIC-06
  const choices = field['enum']
  if (choices !== undefined && !(isStrings(choices) && choices.length > 0))
    return 'has an "enum" that is no list of strings'
  if (enumNames !== undefined) {
    const fits = isStrings(enumNames) && isStrings(choices) && enumNames.length === choices.length
    if (!fits) return 'has "enumNames" that do not name each entry of "enum"' // ELIC-07
  }
  if (field['oneOf'] !== undefined && !isTitled(field['oneOf']))
    return 'has a "oneOf" that is no list of { const, title }' // ELIC-08
  return boundsFault(field, ['minLength', 'maxLength']) ?? defaultFault(field)
}

/** Several choices at once. // ELIC-08 */
function choicesFault(field: JsonObject): string | undefined {
  const { items } = field
  if (!isJsonObject(items)) return 'needs "items" with the choices'
  const plain = isStrings(items['enum']) && items['enum'].length > 0
  if (!plain && !isTitled(items['anyOf']))
    return 'has "items" without "enum", and without an "anyOf" of { const, title }'
  return boundsFault(field, ['minItems', 'maxItems']) ?? defaultFault(field)
}

function boundsFault(
  field: JsonObject,
  [least, most]: readonly [string, string],
): string | undefined {
  for (const name of [least, most]) {
    const bound = field[name]
    if (bound !== undefined && !(typeof bound === 'number' && Number.isFinite(bound)))
      return `has a ${JSON.stringify(name)} that is no number`
  }
  return undefined
}

function defaultFault(field: JsonObject): string | undefined {
  const value = field['default']
  if (value === undefined || valueIssue(field, value) === undefined) return undefined
  return 'has a "default" that it would not accept itself'
}

/** What of the content does not fit the form; empty when all does. Members that are no fields are nobody's business. */
export function formIssues(
  schema: { readonly properties?: unknown; readonly required?: unknown },
  content: JsonObject,
): readonly SchemaIssue[] {
  const issues: SchemaIssue[] = []
  for (const name of isStrings(schema.required) ? schema.required : []) {
    if (!Object.hasOwn(content, name) || content[name] === undefined)
      issues.push(issue(name, 'required', 'is missing'))
  }
  const fields = isJsonObject(schema.properties) ? schema.properties : {}
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(content, name) ? content[name] : undefined
    if (value === undefined || !isJsonObject(field)) continue
    const found = valueIssue(field, value)
    if (found !== undefined) issues.push(issue(name, ...found))
    if (issues.length >= MAX_ISSUES) break
  }
  return issues.slice(0, MAX_ISSUES)
}

type Found = readonly [keyword: string, message: string]

function issue(name: string, keyword: string, message: string): SchemaIssue {
  const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  return { pointer: pointer.slice(0, 256), keyword, message }
}

/** The first thing that keeps a value from being what the field asks for. */
function valueIssue(field: JsonObject, value: JsonValue): Found | undefined {
  switch (field['type']) {
    case 'string':
      return typeof value === 'string' ? textIssue(field, value) : ['type', 'must be a string']
    case 'integer':
    case 'number':
      return numberIssue(field, value)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : ['type', 'must be true or false']
    case 'array':
      return isStrings(value) ? listIssue(field, value) : ['type', 'must be a list of strings']
    default:
      return undefined
  }
}

function textIssue(field: JsonObject, text: string): Found | undefined {
  const choices = isStrings(field['enum']) ? field['enum'] : constsOf(field['oneOf'])
  if (choices !== undefined && !choices.includes(text)) return ['enum', 'is none of the choices']
  const length = lengthOf(text)
  const { minLength, maxLength, format } = field
  if (typeof minLength === 'number' && length < minLength)
    return ['minLength', `must have ${minLength} characters or more`]
  if (typeof maxLength === 'number' && length > maxLength)
    return ['maxLength', `must have ${maxLength} characters or fewer`]
  return fitsFormat(format, text)
    ? undefined
    : ['format', `must be a valid ${JSON.stringify(format)}`]
}

function numberIssue(field: JsonObject, value: JsonValue): Found | undefined {
  if (typeof value !== 'number') return ['type', 'must be a number']
  if (field['type'] === 'integer' && !Number.isInteger(value))
    return ['type', 'must be a whole number']
  const { minimum, maximum } = field
  if (typeof minimum === 'number' && value < minimum)
    return ['minimum', `must be ${minimum} or more`]
  if (typeof maximum === 'number' && value > maximum)
    return ['maximum', `must be ${maximum} or less`]
  return undefined
}

function listIssue(field: JsonObject, chosen: readonly string[]): Found | undefined {
  const { minItems, maxItems, items } = field
  if (typeof minItems === 'number' && chosen.length < minItems)
    return ['minItems', `must have ${minItems} choices or more`]
  if (typeof maxItems === 'number' && chosen.length > maxItems)
    return ['maxItems', `must have ${maxItems} choices or fewer`]
  if (!isJsonObject(items)) return undefined
  const choices = new Set(isStrings(items['enum']) ? items['enum'] : constsOf(items['anyOf']))
  const strange = chosen.some((one) => !choices.has(one))
  return strange ? ['enum', 'has an entry that is none of the choices'] : undefined
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

function isTitled(value: JsonValue | undefined): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (one) =>
        isJsonObject(one) && typeof one['const'] === 'string' && typeof one['title'] === 'string',
    )
  )
}

function constsOf(value: JsonValue | undefined): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.flatMap((one) =>
    isJsonObject(one) && typeof one['const'] === 'string' ? [one['const']] : [],
  )
}

/** In characters, as JSON Schema counts: one for each code point. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME =
  /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

function fitsFormat(format: JsonValue | undefined, text: string): boolean {
  switch (format) {
    case 'uri':
      return isUri(text)
    case 'email':
      return isEmail(text)
    case 'date':
      return isDate(text)
    case 'date-time':
      return /^.{10}[T ]/i.test(text) && isDate(text.slice(0, 10)) && TIME.test(text.slice(11)) // RFC 3339 §5.6
    default:
      return true
  }
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? []
  if (year === '') return false
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

/** A part on either side of the last `@`, and nothing that could be two addresses or a header. RFC 5321 §4.5.3.1 */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || at > 64 || text.length - at - 1 < 1 || text.length > 320) return false
  return /^[^\s@,;<>()[\]]+$/.test(text.slice(0, at)) && /^[^\s@,;<>()]+$/.test(text.slice(at + 1))
}
