/** The secrets of a configuration, to be found in what is about to leave. Short ones are words and are not looked for. */

import type { ServerEntry } from '../config/entry.ts'

const MIN_LENGTH = 8

export class KnownSecrets {
  /** As they stand inside of a JSON string, with the server they belong to. */
  readonly #written: ReadonlyMap<string, string>

  constructor(entries: readonly ServerEntry[]) {
    this.#written = new Map(
      entries.flatMap(({ key, secrets }) =>
        secrets
          .filter((secret) => secret.length >= MIN_LENGTH)
          .map((secret): [string, string] => [JSON.stringify(secret).slice(1, -1), key]),
      ),
    )
  }

  /** Config key of the server whose secret stands in a JSON text; undefined when there is none. */
  ownerIn(text: string): string | undefined {
    for (const [written, key] of this.#written) if (text.includes(written)) return key
    return undefined
  }
}
