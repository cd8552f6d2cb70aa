/**
 * Guesses by its look whether a value is a secret, or holds one, whatever it is called: keys as their makers begin them,
 * and texts that only chance writes. Names are the matter of `secret-names`,
 * and lists of arguments that of `secret-arguments`.
 *
 * Hashes and UUIDs are written by chance as well and are no secrets mostly: digits of hexadecimal alone are left.
 */

import { findKeys } from '../base/key-shapes.ts'
import { looksSecret } from './secret-names.ts'

/** Shorter passwords, and words, stand in ordinary text: they are hidden together with their user alone. */
const LEAST_PASSWORD = 8
const LEAST_RANDOM = 20
/** Longer texts of chance are files. */
const MAX_RANDOM = 1_024

/** The parts of a value that are secrets by their look. `name` is what the value is called; empty for one without a name. */
export function secretsIn(name: string, text: string): readonly string[] {
  const found = findKeys(text).flatMap(({ start, end, kind }) =>
    kind === 'url' ? passwordParts(text, start, end) : [text.slice(start, end)],
  )
  return [...new Set([...found, ...randomIn(name, text)])]
}

/** The secrets in the path of an address, in its parameters, and in front of its host. */
export function secretsOfAddress(address: string): readonly string[] {
  if (!URL.canParse(address)) return []
  const { pathname, searchParams } = new URL(address)
  const named = [...searchParams].flatMap(([name, value]) => (looksSecret(name) ? [value] : []))
  const steps = pathname.split('/').filter(isRandom)
  return [
    ...named,
    ...steps,
    ...[...searchParams].flatMap(([name, value]) => secretsIn(name, value)),
  ]
}

function passwordParts(text: string, start: number, end: number): readonly string[] {
  const password = text.slice(start, end)
  const both = text.slice(text.lastIndexOf('//', start) + 2, end)
  const isWord = password.length < LEAST_PASSWORD || /^[A-Za-z]*$/.test(password)
  return isWord ? [both] : [both, password]
}

/** Names of what is known by its value and hidden from nobody. */
const PUBLIC_NAME = /(?:^|[-_])(?:ids?|hash|sha\d*|digest|checksum|commit|revision|rev|version)$/i
const PUBLIC_END = /[a-z](?:Id|Ids|Hash|Digest)$/

function randomIn(name: string, text: string): readonly string[] {
  const found: string[] = []
  let called = name
  // What ends a word in arguments, queries and JSON alike.
  for (const [, word = '', sign = ''] of text.matchAll(/([^\s=&?#,;"'`(){}[\]<>]*)([^]?)/g)) {
    if (!PUBLIC_NAME.test(called) && !PUBLIC_END.test(called))
      found.push(...(word.includes('://') ? word.split('/').slice(3) : [word]))
    called = sign === '=' ? word : name
  }
  return found.filter(isRandom)
}

/** Whether only chance would write it. No paths, no words joined in capitals, no names with numbers. */
function isRandom(word: string): boolean {
  if (word.length < LEAST_RANDOM || word.length > MAX_RANDOM) return false
  // Paths, variables, and digests that say so.
  if (/^(?:[/.~$%@]|sha\d+[-:])|\\/i.test(word)) return false
  const pieces = word.split(/[^A-Za-z0-9]+/)
  // Base64 has slashes as well, but no words between them.
  if (word.includes('/') && pieces.some((piece) => /^[A-Z]?[a-z]{3,}$|^[A-Z]{4,}$/.test(piece)))
    return false
  return pieces.some(isScattered)
}

/** Letters and digits in no order: kinds change often, and digits stand in several places. */
function isScattered(piece: string): boolean {
  const changes = piece.match(/[a-z](?![a-z])|[A-Z](?![A-Z])|\d(?!\d)/g)?.length ?? 0
  const digitsWithin = piece.match(/\d(?=[A-Za-z])/g)?.length ?? 0
  const share = (changes - 1) / (piece.length - 1)
  if (!/\d/.test(piece) || !/[a-z]/.test(piece)) return false
  if (/[A-Z]/.test(piece)) return piece.length >= 16 && digitsWithin >= 2 && share >= 0.4
  // Hexadecimal digits alone are a hash.
  return piece.length >= 24 && /[g-z]/.test(piece) && digitsWithin >= 4 && share >= 0.25
}
