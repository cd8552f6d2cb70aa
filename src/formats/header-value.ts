/**
 * Values of HTTP headers that repeat words of a message: plain where a header can hold them, else wrapped in Base64
 * between `=?base64?` and `?=`, as 2026-07-28 has it. Pure, and linear in the length of the value.
 */

import { decodeBase64, encodeBase64 } from './base64.ts'
import { decodeUtf8 } from './utf8.ts'

const PREFIX = '=?base64?'
const SUFFIX = '?='

/** The value as a header may hold it. // HTTP-60, HTTP-61 */
export function encodeHeaderValue(value: string): string {
  return isPlain(value)
    ? value
    : `${PREFIX}${encodeBase64(new TextEncoder().encode(value))}${SUFFIX}`
}

/**
 * The words behind a header value, blanks around it taken off; undefined when it is wrapped and what is inside is no
 * Base64 or no UTF-8, and when it holds characters that had to be wrapped. Without both marks, in exactly this spelling,
 * it is literal. // HTTP-62, HTTP-63, HTTP-72
 */
export function decodeHeaderValue(raw: string): string | undefined {
  const value = trimBlanks(raw)
  if (!isWrapped(value)) return isPrintable(value) ? value : undefined
  const bytes = decodeBase64(value.slice(PREFIX.length, -SUFFIX.length))
  return bytes === undefined ? undefined : decodeUtf8(bytes)
}

function isWrapped(value: string): boolean {
  return (
    value.length >= PREFIX.length + SUFFIX.length &&
    value.startsWith(PREFIX) &&
    value.endsWith(SUFFIX)
  )
}

/** Visible ASCII with blanks inside only, and nothing that looks wrapped. */
function isPlain(value: string): boolean {
  return (
    isPrintable(value) &&
    !value.includes('\t') &&
    !value.startsWith(' ') &&
    !value.endsWith(' ') &&
    !isWrapped(value)
  )
}

/** Visible ASCII, blanks and tabs. RFC 9110 §5.5 */
function isPrintable(value: string): boolean {
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charCodeAt(at)
    if ((unit < 0x20 && unit !== 0x09) || unit > 0x7e) return false
  }
  return true
}

/** Without the blanks and tabs around it, which HTTP does not count; nothing else is a blank. // RFC 9110 §5.5 */
export function trimBlanks(value: string): string {
  let from = 0
  let to = value.length
  while (from < to && isBlank(value.charCodeAt(from))) from += 1
  while (to > from && isBlank(value.charCodeAt(to - 1))) to -= 1
  return value.slice(from, to)
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09
}

/** Whether a text may be the name of a header, or a part of one. // RFC 9110 §5.6.2 */
export function isToken(text: string): boolean {
  if (text === '') return false
  for (let at = 0; at < text.length; at += 1) {
    if (!TOKEN_UNITS.has(text.charCodeAt(at))) return false
  }
  return true
}

const TOKEN_UNITS: ReadonlySet<number> = new Set(
  new TextEncoder().encode(
    "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
  ),
)
