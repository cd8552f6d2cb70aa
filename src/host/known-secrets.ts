/** The secrets of a configuration, to be found in what is about to leave. Short ones are words and are not looked for. */

import type { ServerEntry } from '../config/entry.ts'
import { percentReadings } from '../formats/percent.ts'

const MIN_LENGTH = 8

/** As it is, inside of a JSON string, and where a blank or a slash is written in other ways. */
function spellingsOf(secret: string): readonly string[] {
  const written = JSON.stringify(secret).slice(1, -1)
  return [
    ...new Set([
      secret,
      written,
      written.replaceAll('/', '\\/'),
      written.replaceAll('/', '\\\\/'),
      secret.replaceAll(' ', '+'),
    ]),
  ]
}

export class KnownSecrets {
  /** As they are and as they stand inside of a JSON string, with the server they belong to. */
  readonly #written: ReadonlyMap<string, string>

  constructor(entries: readonly ServerEntry[]) {
    this.#written = new Map(
      entries.flatMap(({ key, secrets }) =>
        secrets
          .filter((secret) => secret.length >= MIN_LENGTH)
          .flatMap(spellingsOf)
          .map((written): [string, string] => [written, key]),
      ),
    )
  }

  /** Config key of the server whose secret stands in a JSON text, also as a URI would have it; undefined when there is none. */
  ownerIn(text: string): string | undefined {
    if (this.#written.size === 0) return undefined
    for (const reading of percentReadings(text))
      for (const [written, key] of this.#written) if (reading.includes(written)) return key
    return undefined
  }
}
