/**
 * An entry as it is written in a file that nobody approved yet, without the secrets that stand in it. Each is taken out where it
 * stands, by its name or by its look, and never by being the same text: else a file could hide a command by writing it once more
 * as a password.
 */

import { isJsonObject, type JsonValue } from '../../base/json.ts'
import { findKeys, type FoundKey } from '../../base/key-shapes.ts'
import { redactionMark } from '../../capture/redact-hits.ts'
import { isDangerousVariable } from '../../config/launch-risks.ts'
import { namesOf } from '../../config/secret-arguments.ts'
import { isSecretHeader, isSecretItself } from '../../config/secret-names.ts'
import { longEnough } from '../secrets.ts'

const MARK = redactionMark('key')

/** The same value with marks in it. References to variables stay: what they stand for is not in the file. */
export function withoutSecrets(value: JsonValue): JsonValue {
  return shown(value, isSecretName)
}

function shown(value: JsonValue, isSecret: (name: string) => boolean): JsonValue {
  if (typeof value === 'string') return withoutKeys(value)
  if (Array.isArray(value)) return shownWords(value)
  if (!isJsonObject(value)) return value
  const members: [string, JsonValue][] = Object.entries(value).flatMap(([name, member]) => {
    if (member === undefined) return []
    if (typeof member === 'string' && isSecret(name)) return [[name, withoutLiteral(member)]]
    return [[name, shown(member, /headers$/i.test(name) ? isSecretHeader : isSecretName)]]
  })
  return Object.fromEntries(members)
}

/** What makes a program run other code, or says which, is shown whatever it is called. */
function isSecretName(name: string): boolean {
  return isSecretItself(name) && !isDangerousVariable(name)
}

/** Arguments: what has a secret name. What has blanks in it may be a command, if it is no header. */
function shownWords(words: readonly JsonValue[]): JsonValue[] {
  const args = words.map((word) => (typeof word === 'string' ? word : ''))
  return words.map((word, at) => {
    if (typeof word !== 'string') return shown(word, isSecretName)
    const named = namesOf(args, at).find(({ kind, name, start }) =>
      kind === 'header'
        ? isSecretHeader(name) && HEADER_VALUE.test(word.slice(start))
        : isSecretName(name) && !/\s/.test(word),
    )
    return named === undefined
      ? withoutKeys(word)
      : word.slice(0, named.start) + withoutLiteral(word.slice(named.start))
  })
}

const HEADER_VALUE = /^(?:[A-Za-z]+ )?\S+$/

/** `${NAME}` and `${NAME:-default}`, of which the default is written out, and the words before a token. */
const KEPT = /(\$\{[^}:]*\}|\b(?:bearer|basic|token|digest) )/i

function withoutLiteral(text: string): string {
  return text
    .split(KEPT)
    .map((piece, at) => (at % 2 === 1 || !longEnough(piece.trim()) ? piece : MARK))
    .join('')
}

/** Nothing that a shell takes for more than a word. */
const PLAIN = /^[\w.~%+/=:-]+$/

function keyText(text: string, { start, end }: FoundKey): string {
  return text.slice(start, end)
}

/** Keys that are known by their look, passwords of addresses, and parameters of addresses that have a secret name. */
function withoutKeys(text: string): string {
  let rest = 0
  let out = ''
  for (const { start, end } of findKeys(text).filter((key) => PLAIN.test(keyText(text, key)))) {
    out += text.slice(rest, start) + MARK
    rest = end
  }
  return (out + text.slice(rest)).replaceAll(
    /([?&])([^=&#\s]{1,100})=([^&#\s]+)/g,
    (whole, sign: string, name: string, value: string) =>
      isSecretName(name) && longEnough(value) ? `${sign}${name}=${withoutLiteral(value)}` : whole,
  )
}
