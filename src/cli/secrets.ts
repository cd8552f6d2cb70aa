/**
 * Keeps secrets out of what is said beside the result: errors and log lines repeat what servers say, and servers repeat
 * what they were given.
 */

import { keyRules } from '../capture/redact-keys.ts'
import { createRedactor, type Redactor } from '../capture/redact.ts'

/** Shorter values are found everywhere by accident. */
const MIN_SECRET = 4

/** Whether a text is long enough to be masked wherever it stands. */
export function longEnough(text: string): boolean {
  return text.length >= MIN_SECRET
}

/** Values of variables whose names say that they hold a secret. */
export function secretsIn(variables: Readonly<Record<string, string>>): readonly string[] {
  const names = keyRules()
  return Object.entries(variables)
    .filter(([name, value]) => names.isSecret(name) && longEnough(value))
    .map(([, value]) => value)
}

/** Masks texts and JSON values; made ready when it first has something to mask. */
export class SecretMask {
  readonly #secrets = new Set<string>()
  #redactor: Redactor | undefined

  /**
   * Names what must not be shown from now on, besides what looks like a secret by itself. What is too short to be masked is left
   * out; nothing else is ever forgotten.
   */
  know(secrets: readonly string[]): void {
    for (const secret of secrets) if (longEnough(secret)) this.#secrets.add(secret)
    this.#redactor = undefined
  }

  text(text: string): string {
    return this.#ready().text(text, { log: true }).text
  }

  /** The value with secrets masked in its texts. */
  json(value: unknown): unknown {
    const text = JSON.stringify(value)
    return text === undefined ? value : JSON.parse(this.#ready().text(text).text)
  }

  #ready(): Redactor {
    this.#redactor ??= createRedactor({ secrets: [...this.#secrets] })
    return this.#redactor
  }
}
