/**
 * Which JSON types a tool's schema allows in one place: enough to read `NAME=VALUE`, and no more.
 *
 * Schemas are a stranger's. References are followed within the document only, a bounded number of steps, and what is not
 * understood counts as "anything".
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'

export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object'

const TYPES: ReadonlySet<string> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'null',
  'array',
  'object',
])

/** Schemas looked at for one answer. */
const MAX_STEPS = 200

/** The schema of a property of an object's schema, where it is named outright. */
export function propertyOf(root: JsonObject, name: string): JsonValue | undefined {
  const properties = resolve(root, root)?.['properties']
  if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) return undefined
  return properties[name]
}

/** The schema of the items of a list's schema. */
export function itemsOf(
  schema: JsonValue | undefined,
  root: JsonObject | undefined,
): JsonValue | undefined {
  const steps = { left: MAX_STEPS }
  const search = (value: JsonValue | undefined): JsonValue | undefined => {
    const found = resolve(value, root)
    if (found === undefined || (steps.left -= 1) < 0) return undefined
    if (found['items'] !== undefined) return found['items']
    return branches(found)
      .map(search)
      .find((items) => items !== undefined)
  }
  return search(schema)
}

/** The types that are allowed, or `undefined` for all of them. */
export function typesOf(
  schema: JsonValue | undefined,
  root: JsonObject | undefined,
): ReadonlySet<JsonType> | undefined {
  return collect(schema, root, { left: MAX_STEPS })
}

function collect(
  schema: JsonValue | undefined,
  root: JsonObject | undefined,
  steps: { left: number },
): ReadonlySet<JsonType> | undefined {
  const found = resolve(schema, root)
  if (found === undefined || (steps.left -= 1) < 0) return undefined
  let types = ownTypes(found)
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const choices = found[keyword]
    if (Array.isArray(choices)) types = both(types, union(choices, root, steps))
  }
  const all = found['allOf']
  if (Array.isArray(all)) for (const part of all) types = both(types, collect(part, root, steps))
  return types
}

function ownTypes(schema: JsonObject): ReadonlySet<JsonType> | undefined {
  const { type, enum: values } = schema
  if (typeof type === 'string') return TYPES.has(type) ? new Set([type as JsonType]) : undefined // one of TYPES
  if (Array.isArray(type)) {
    const known = type.filter((one): one is JsonType => typeof one === 'string' && TYPES.has(one))
    return known.length > 0 ? new Set(known) : undefined
  }
  if (Array.isArray(values) && values.length > 0) return new Set(values.map(typeOfValue))
  return schema['const'] === undefined ? undefined : new Set([typeOfValue(schema['const'])])
}

function union(
  choices: readonly JsonValue[],
  root: JsonObject | undefined,
  steps: { left: number },
): ReadonlySet<JsonType> | undefined {
  const all = new Set<JsonType>()
  for (const choice of choices) {
    const types = collect(choice, root, steps)
    if (types === undefined) return undefined
    for (const type of types) all.add(type)
  }
  return all.size > 0 ? all : undefined
}

/** What both allow; `undefined` allows everything. A whole number is a number. */
function both(
  one: ReadonlySet<JsonType> | undefined,
  other: ReadonlySet<JsonType> | undefined,
): ReadonlySet<JsonType> | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const allowed = (type: JsonType, by: ReadonlySet<JsonType>): boolean =>
    by.has(type) || (type === 'integer' && by.has('number'))
  return new Set([
    ...[...one].filter((type) => allowed(type, other)),
    ...[...other].filter((type) => allowed(type, one)),
  ])
}

function typeOfValue(value: JsonValue): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'boolean' : 'object'
}

function branches(schema: JsonObject): readonly JsonValue[] {
  return (['anyOf', 'oneOf', 'allOf'] as const).flatMap((keyword) => {
    const parts = schema[keyword]
    return Array.isArray(parts) ? parts : []
  })
}

/** The schema itself, or what its `$ref` into the same document leads to. */
function resolve(
  schema: JsonValue | undefined,
  root: JsonObject | undefined,
): JsonObject | undefined {
  let at = schema
  for (let step = 0; step < 16; step += 1) {
    if (!isJsonObject(at)) return undefined
    const ref = at['$ref']
    if (typeof ref !== 'string') return at
    if (root === undefined || !ref.startsWith('#')) return undefined
    at = pointed(root, ref.slice(1))
  }
  return undefined
}

function pointed(root: JsonObject, pointer: string): JsonValue | undefined {
  if (pointer === '') return root
  if (!pointer.startsWith('/')) return undefined
  let at: JsonValue | undefined = root
  for (const part of pointer.slice(1).split('/')) {
    const key = decodePart(part)
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    // Own members of JSON values, as the line above made sure; a list is read by its indices.
    at = (at as JsonObject)[key]
  }
  return at
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part // a stray per cent sign stands for itself
  }
}
