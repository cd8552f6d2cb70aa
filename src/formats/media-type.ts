/**
 * Media types as HTTP headers name them: which one a body has, and whether one is acceptable. // RFC 9110 §8.3, §12.5.1
 *
 * Pure and linear. Parameters do not tell types apart here; of those in `Accept` only the weight is looked at.
 */

import { isToken } from './header-value.ts'

/** `type/subtype` in lower case, without parameters; undefined when there is none to be read. */
export function mediaTypeOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const semicolon = value.indexOf(';')
  const type = (semicolon < 0 ? value : value.slice(0, semicolon)).trim().toLowerCase()
  const slash = type.indexOf('/')
  return slash > 0 && isToken(type.slice(0, slash)) && isToken(type.slice(slash + 1))
    ? type
    : undefined
}

/** Whether a value of `Accept` allows a type, given in lower case. Without the header everything is allowed. */
export function accepts(accept: string | undefined, type: string): boolean {
  if (accept === undefined) return true
  const whole = `${type.slice(0, type.indexOf('/'))}/*`
  let rank = -1
  let allowed = false
  for (const range of accept.split(',')) {
    const named = mediaTypeOf(range)
    const next = named === type ? 2 : named === whole ? 1 : named === '*/*' ? 0 : -1
    // What is named most exactly decides; of two alike, the one that allows.
    if (next < 0 || next < rank) continue
    const weighs = !isZero(weightIn(range))
    allowed = next > rank ? weighs : allowed || weighs
    rank = next
  }
  return allowed
}

function weightIn(range: string): string {
  for (const parameter of range.split(';').slice(1)) {
    const [name = '', value = ''] = parameter.split('=')
    if (name.trim().toLowerCase() === 'q') return value.trim()
  }
  return '1'
}

function isZero(weight: string): boolean {
  return /^0(?:\.0{0,3})?$/.test(weight)
}
