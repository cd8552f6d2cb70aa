/**
 * Equality of JSON values as a rule means it: exact, and undecided where a lenient server would take one for the other, such as
 * `"true"` for `true`.
 */

import { isJsonObject, type JsonValue } from '../base/json.ts'
import { every, type Fit } from './fit.ts'
import { overReadings } from './uri-readings.ts'

/** How deep a value of a rule may nest. Deeper ones are undecided. */
export const MAX_VALUE_DEPTH = 16

/** Compares along `wanted`, which a rule wrote and which is bounded, so that no argument decides how long it takes. */
export function sameValue(wanted: JsonValue, value: JsonValue, depth: number = 0): Fit {
  if (depth > MAX_VALUE_DEPTH) return 'unsure'
  if (Array.isArray(wanted)) return sameList(wanted, value, depth)
  if (isJsonObject(wanted)) {
    if (!isJsonObject(value)) return 'no'
    const keys = Object.keys(wanted).filter((key) => wanted[key] !== undefined)
    const others = Object.keys(value).filter((key) => value[key] !== undefined)
    if (keys.length !== others.length) return 'no'
    return every(
      keys.map((key) => {
        const member = Object.hasOwn(value, key) ? value[key] : undefined
        return member === undefined ? 'no' : sameValue(wanted[key] ?? null, member, depth + 1)
      }),
    )
  }
  if (typeof wanted === 'string' && typeof value === 'string')
    return overReadings(wanted, value, (one, other) => one === other)
  if (wanted === value) return 'yes'
  return typeof wanted !== typeof value && looseText(wanted) === looseText(value) ? 'unsure' : 'no'
}

function sameList(wanted: readonly JsonValue[], value: JsonValue, depth: number): Fit {
  if (!Array.isArray(value)) return 'no'
  if (value.length !== wanted.length) return 'no'
  return every(wanted.map((item, index) => sameValue(item, value[index] ?? null, depth + 1)))
}

/** What a lenient reader makes of a scalar; objects and lists are themselves. */
function looseText(value: JsonValue): JsonValue {
  if (value === true) return '1'
  if (value === false) return '0'
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value.length > 64) return value
  const text = value.trim().toLowerCase()
  if (text === 'true' || text === 'yes' || text === 'on') return '1'
  if (text === 'false' || text === 'no' || text === 'off') return '0'
  return text !== '' && Number.isFinite(Number(text)) ? String(Number(text)) : text
}
