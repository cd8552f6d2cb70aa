/**
 * What providers are known to refuse or pass over in the parameters of a tool, written from what is known of them and from nothing of
 * ours. Each fault is a sentence with a pointer; none is the answer wanted.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts'
import type { SchemaDialect } from '../../src/schema/project/dialect.ts'

type Say = (fault: string) => void
type Look = (
  schema: JsonObject,
  say: Say,
  place: { readonly isRoot: boolean; readonly level: number },
) => void

const NOT_AT_ROOT = ['anyOf', 'oneOf', 'allOf', 'enum', 'not', 'const']
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Those of OpenAPI 3.0 that function declarations have. */
const GEMINI = words(
  'type format title description nullable enum items minItems maxItems properties required minProperties maxProperties minLength maxLength pattern anyOf default minimum maximum',
)
/** What the grammar maker of llama.cpp passes over in silence, or breaks on. */
const NO_GRAMMAR = words(
  '$ref $defs prefixItems patternProperties propertyNames uniqueItems contains not if then else dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems multipleOf minProperties maxProperties',
)
const NOT_STRICT = words(
  'allOf oneOf not if then else dependentRequired dependentSchemas patternProperties propertyNames unevaluatedProperties unevaluatedItems prefixItems uniqueItems contains minProperties maxProperties',
)
const DEEPSEEK_FORMATS = words('email hostname ipv4 ipv6 uuid')

const root: Look = (schema, say, { isRoot }) => {
  if (!isRoot) return
  for (const word of NOT_AT_ROOT) if (word in schema) say(`${word} stands at the root`)
}

const gemini: Look = (schema, say) => {
  for (const word of Object.keys(schema)) if (!GEMINI.has(word)) say(`${word} is unknown`)
  const { type, enum: values, items, format } = schema
  if (type !== undefined && typeof type !== 'string') say('type is a list')
  if (type === 'null') say('null is a type')
  if (type === 'array' && !isJsonObject(items)) say('nothing is said of the items')
  if (Array.isArray(values) && values.some((value) => typeof value !== 'string'))
    say('enum holds more than texts')
  if (Array.isArray(values) && values.length === 0) say('enum is empty')
  if (type === 'string' && format !== undefined && format !== 'enum' && format !== 'date-time')
    say('format is unknown')
}

const llamacpp: Look = (schema, say) => {
  for (const word of NO_GRAMMAR) if (word in schema) say(`${word} makes no grammar`)
  if ('properties' in schema && ('anyOf' in schema || 'oneOf' in schema))
    say('members beside alternatives')
  // A list of types is taken for alternatives, each with all the words.
  const { type } = schema
  const types = Array.isArray(type) ? type : [type]
  if (!types.includes('integer') || types.includes('number'))
    for (const word of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])
      if (word in schema) say(`${word} is for integers alone`)
  const { pattern } = schema
  if (typeof pattern === 'string' && !/^\^[^]*\$$/.test(pattern)) say('pattern is not anchored')
}

const strict: Look = (schema, say, { level }) => {
  for (const word of NOT_STRICT) if (word in schema) say(`${word} cannot be strict`)
  if (level > 10) say('more than ten levels')
  const { type, properties, required, enum: values } = schema
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'))
  if (Array.isArray(values) && values.length > 1_000) say('more than 1,000 values')
  if (!isObject) return
  if (schema['additionalProperties'] !== false) say('further members are not refused')
  const names = isJsonObject(properties) ? Object.keys(properties) : []
  const needed = new Set(Array.isArray(required) ? required : [])
  for (const name of names) if (!needed.has(name)) say(`${name} may be left out`)
  for (const name of needed)
    if (typeof name !== 'string' || !names.includes(name)) say('a needed member is not told')
}

const strictDeepseek: Look = (schema, say, { isRoot }) => {
  for (const word of ['minLength', 'maxLength', 'minItems', 'maxItems'])
    if (word in schema) say(`${word} cannot be said`)
  const { type, format, properties } = schema
  if (Array.isArray(type)) say('type is a list')
  if (typeof format === 'string' && !DEEPSEEK_FORMATS.has(format)) say('format is unknown')
  const isEmpty = !isJsonObject(properties) || Object.keys(properties).length === 0
  if (!isRoot && type === 'object' && isEmpty) say('an object without members')
  const { anyOf } = schema
  if (Array.isArray(anyOf) && !anyOf.every((one) => isJsonObject(one) && 'type' in one))
    say('an alternative names no type')
}

const NONE: Look = () => {}
const OPEN: Readonly<Record<SchemaDialect, readonly Look[]>> = {
  deepseek: [root],
  openai: [root],
  anthropic: [root],
  gemini: [root, gemini],
  llamacpp: [root, llamacpp],
  plain: [NONE],
}
const STRICT: Partial<Readonly<Record<SchemaDialect, readonly Look[]>>> = {
  openai: [root, strict],
  deepseek: [root, strict, strictDeepseek],
}

/** What a provider would not take of the parameters. */
export function limitFaults(
  parameters: JsonObject,
  dialect: SchemaDialect,
  options: { readonly strict?: boolean } = {},
): readonly string[] {
  const faults: string[] = []
  const looks = options.strict === true ? (STRICT[dialect] ?? []) : OPEN[dialect]
  if (parameters['type'] !== 'object') faults.push(': the root is no object')
  if (!isJsonObject(parameters['properties'])) faults.push(': the root has no members')
  if (Buffer.byteLength(JSON.stringify(parameters)) > 65_536) faults.push(': more than 64 KiB')
  let members = 0
  walk(parameters, '', 0, (schema, at, level) => {
    const say = (fault: string): void => void faults.push(`${at}: ${fault}`)
    const { $ref: reference, properties } = schema
    if (reference !== undefined && !isKnown(reference, parameters)) say('a reference leads nowhere')
    members += isJsonObject(properties) ? Object.keys(properties).length : 0
    for (const look of looks) look(schema, say, { isRoot: at === '', level })
  })
  if (members > 5_000) faults.push(': more than 5,000 members')
  return faults
}

function isKnown(reference: JsonValue, { $defs }: JsonObject): boolean {
  if (reference === '#') return true
  const name = /^#\/\$defs\/([^/]+)$/.exec(typeof reference === 'string' ? reference : '')?.[1]
  return (
    name !== undefined &&
    isJsonObject($defs) &&
    Object.hasOwn($defs, decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
  )
}

const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const PARTS = [
  'items',
  'additionalProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
]

/** Each schema in a schema. Alternatives are no deeper than what they stand in. */
function walk(
  schema: JsonValue | undefined,
  at: string,
  level: number,
  visit: (schema: JsonObject, at: string, level: number) => void,
): void {
  if (!isJsonObject(schema)) return
  const type = schema['type']
  const inside = type === 'object' || type === 'array' ? level + 1 : level
  visit(schema, at, inside)
  for (const word of MAPS) {
    const map = schema[word]
    if (!isJsonObject(map)) continue
    const below = word === '$defs' ? 0 : inside
    for (const [name, part] of Object.entries(map))
      walk(part, `${at}/${word}/${name}`, below, visit)
  }
  for (const word of LISTS) {
    const list = schema[word]
    if (Array.isArray(list))
      list.forEach((part, index) => walk(part, `${at}/${word}/${index}`, level, visit))
  }
  for (const word of PARTS) walk(schema[word], `${at}/${word}`, inside, visit)
}
