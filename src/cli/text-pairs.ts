/** Words of the command line as named texts: `NAME=VALUE`, where every value is text and nothing else. */

import { UsageError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import type { FaultWords } from './messages/messages.ts'

/** Takes each word apart at its first `=`. Throws `UsageError` for a word without one, without a name, or a name given twice. */
export function textPairs(
  words: readonly string[],
  faults: FaultWords,
): Readonly<Record<string, string>> {
  const pairs = new Map<string, string>()
  for (const word of words) {
    const at = word.indexOf('=')
    const name = word.slice(0, Math.max(at, 0))
    if (name === '' || name.endsWith(':')) throw new UsageError(faults.badTextPair(shown(word)))
    if (pairs.has(name)) throw new UsageError(faults.namedTwice(shown(name)))
    pairs.set(name, word.slice(at + 1))
  }
  // From entries, so that `__proto__` is a name like any other.
  return Object.fromEntries(pairs)
}

function shown(text: string): string {
  const safe = terminalText(text.slice(0, 200))
  return text.length > 60 ? `${safe.slice(0, 60)}…` : safe
}
