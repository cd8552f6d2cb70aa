/**
 * An entry as it is written in a file that nobody approved yet, without the secrets that stand in it. Each is taken out where it
 * stands, by its name or by its look, and never by being the same text: else a file could hide a command by writing it once more
 * as a password.
 */

import { isJsonObject, type JsonValue } from '../../base/json.ts'
import { findKeys, type FoundKey } from '../../base/key-shapes.ts'
import { redactionMark } from '../../capture/redact-hits.ts'
import { isDangerousVariable } from '../../config/launch-risks.ts'
import { isSecretHeader, looksSecret } from '../../config/secret-names.ts'
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

/** What names a program, a file or another variable, or makes a program run other code, is shown whatever it is called. */
const TELLING = /command|cmd|exec|helper|process|program|script|shell|hook|path|file|env_?var$/i

function isSecretName(name: string): boolean {
  return looksSecret(name) && !isDangerousVariable(name) && !TELLING.test(name)
}

/** Arguments: what stands behind an option of a secret name, or is given to it. What has blanks in it may be a command. */
function shownWords(words: readonly JsonValue[]): JsonValue[] {
  return words.map((word, at) => {
    if (typeof word !== 'string') return shown(word, isSecretName)
    if (/\s/.test(word) && !HEADER.test(word)) return withoutKeys(word)
    const before = words[at - 1]
    const option = typeof before === 'string' ? before : ''
    if (/^--?[A-Za-z][\w-]*$/.test(option) && !word.startsWith('-') && isSecretName(option))
      return withoutLiteral(word)
    const [, name = '', sign = '', rest = ''] = /^([\w-]+)(=|: ?)([^]*)$/.exec(word) ?? []
    const isSecret = sign === '=' ? isSecretName : isSecretHeader
    const isHeader = sign !== '=' && /^(?:--?header|-H)$/.test(option)
    return name !== '' && (sign === '=' || isHeader) && isSecret(name)
      ? name + sign + withoutLiteral(rest)
      : withoutKeys(word)
  })
}

const HEADER = /^[\w-]+: ?(?:[A-Za-z]+ )?\S+$/

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
