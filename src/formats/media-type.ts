/**
 * The media types of HTTP: what a `Content-Type` says, and whether an `Accept` takes a type. RFC 9110 §8.3, §12.5.1
 *
 * Strict where a mistake would let another type pass for the wanted one, lenient where it would only turn a client away.
 * Linear in the header.
 */

import { isToken, trimBlanks } from './header-value.ts'

/**
 * `type/subtype` of a `Content-Type`, in lower case and without its parameters. Undefined for what is none, and for
 * several that were joined: one of them may be what a browser sends without asking.
 */
export function mediaTypeOf(header: string | null | undefined): string | undefined {
  if (header === null || header === undefined) return undefined
  if (splitOutsideQuotes(header, ',').length > 1) return undefined
  const [type = ''] = splitOutsideQuotes(header, ';')
  return typeIn(type)
}

/**
 * Whether an `Accept` takes a type like `application/json`, which must be in lower case. The range that fits best
 * decides, unless its weight is 0; parameters of a range are not looked at. Without a header, or with an empty one, every
 * type is welcome.
 */
export function accepts(header: string | null | undefined, type: string): boolean {
  if (header === null || header === undefined) return true
  const whole = `${type.slice(0, type.indexOf('/'))}/*`
  let empty = true
  let best = 0
  let welcome = false
  for (const range of splitOutsideQuotes(header, ',')) {
    const [first = '', ...parameters] = splitOutsideQuotes(range, ';')
    const named = trimBlanks(first)
    if (named === '' && parameters.length === 0) continue
    empty = false
    // Some old clients write a lone star.
    const wanted = named === '*' ? '*/*' : typeIn(named)
    const fit = wanted === type ? 3 : wanted === whole ? 2 : wanted === '*/*' ? 1 : 0
    if (fit === 0 || fit < best) continue
    welcome = hasWeight(parameters) || (fit === best && welcome)
    best = fit
  }
  return empty || welcome
}

/** Whether the weight among these parameters is more than 0; one that cannot be read counts as 1. */
function hasWeight(parameters: readonly string[]): boolean {
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=')
    if (trimBlanks(parameter.slice(0, Math.max(0, equals))).toLowerCase() !== 'q') continue
    const weight = trimBlanks(parameter.slice(equals + 1))
    return !isZero(weight)
  }
  return true
}

function isZero(weight: string): boolean {
  let digits = 0
  for (const unit of weight) {
    if (unit !== '0' && unit !== '.') return false
    if (unit === '0') digits += 1
  }
  return digits > 0
}

/** `type/subtype` in lower case, or undefined. */
function typeIn(text: string): string | undefined {
  const [type = '', subtype = '', ...more] = trimBlanks(text).split('/')
  // Looked at before it is put in lower case: that makes a "k" of the sign for kelvin.
  if (more.length > 0 || !isToken(type) || !isToken(subtype)) return undefined
  return `${type}/${subtype}`.toLowerCase()
}

/** The pieces between separators that stand in no quoted string. RFC 9110 §5.6.4 */
function splitOutsideQuotes(text: string, separator: ',' | ';'): readonly string[] {
  if (!text.includes('"')) return text.split(separator)
  const pieces: string[] = []
  let quoted = false
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '"') quoted = !quoted
    else if (quoted && character === '\\') at += 1
    else if (!quoted && character === separator) {
      pieces.push(text.slice(from, at))
      from = at + 1
    }
  }
  pieces.push(text.slice(from))
  return pieces
}
