/** The sizes up to which providers hold a model to a schema, and what of its form can be told only once it is whole. */

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'

const MAX_MEMBERS = 5_000
const MAX_LEVELS = 10
const MAX_VALUES = 1_000
const MAX_UNITS = 120_000
/** Values of one list, from which on their length is limited as well. */
const LONG_LIST = 250
const MAX_LIST_UNITS = 15_000

/** Whether the parameters of one tool are within the sizes. */
export function isWithinStrictLimits(parameters: JsonObject): boolean {
  const sum = { members: 0, values: 0, units: 0, isFine: true }

  function look(schema: JsonValue | undefined, level: number): void {
    if (!isJsonObject(schema)) return
    const { properties, items, anyOf, $defs, enum: values } = schema
    if (Array.isArray(values)) listed(values)
    // Objects and lists are levels; alternatives are not.
    const below = schema['type'] === 'object' || schema['type'] === 'array' ? level + 1 : level
    if (below > MAX_LEVELS) sum.isFine = false
    for (const named of [properties, $defs]) {
      if (!isJsonObject(named)) continue
      for (const [name, member] of Object.entries(named)) {
        sum.members += named === properties ? 1 : 0
        sum.units += name.length
        look(member, named === properties ? below : 0)
      }
    }
    look(items, below)
    if (Array.isArray(anyOf)) for (const one of anyOf) look(one, level)
  }

  function listed(values: readonly JsonValue[]): void {
    const units = values.reduce<number>(
      (all, value) => all + (typeof value === 'string' ? value.length : 0),
      0,
    )
    sum.values += values.length
    sum.units += units
    if (values.length > LONG_LIST && units > MAX_LIST_UNITS) sum.isFine = false
  }

  look(parameters, 0)
  return (
    sum.isFine && sum.members <= MAX_MEMBERS && sum.values <= MAX_VALUES && sum.units <= MAX_UNITS
  )
}

/** Whether each of several alternatives names its type. Definitions are looked at too. */
export function hasTypedAlternatives(schema: JsonValue | undefined): boolean {
  if (Array.isArray(schema)) return schema.every(hasTypedAlternatives)
  if (!isJsonObject(schema)) return true
  const { properties, $defs, items, anyOf } = schema
  if (
    Array.isArray(anyOf) &&
    !anyOf.every((one) => isJsonObject(one) && Object.hasOwn(one, 'type'))
  )
    return false
  const named = [properties, $defs].filter(isJsonObject).flatMap((parts) => Object.values(parts))
  return [...named, items, anyOf].every(hasTypedAlternatives)
}
