/**
 * A registry of things a server offers, in the order they were added, that tells when it changes.
 *
 * It knows names and nothing else; what the things do is their owner's business.
 */

import { UsageError } from '../base/errors.ts'

export class Features<Feature> implements Iterable<Feature> {
  readonly #kind: string
  readonly #nameOf: (feature: Feature) => string
  readonly #changed: () => void
  readonly #features = new Map<string, Feature>()

  /** `kind` names the features in errors; `changed` is called after each change. */
  constructor(kind: string, nameOf: (feature: Feature) => string, changed: () => void) {
    this.#kind = kind
    this.#nameOf = nameOf
    this.#changed = changed
  }

  get size(): number {
    return this.#features.size
  }

  get(name: string): Feature | undefined {
    return this.#features.get(name)
  }

  /** Throws `UsageError` when one of the names is taken; then none was added. */
  add(...features: readonly Feature[]): void {
    const names = new Set<string>()
    for (const feature of features) {
      const name = this.#nameOf(feature)
      if (this.#features.has(name) || names.has(name)) {
        throw new UsageError(
          `This server has a ${this.#kind} named ${JSON.stringify(name)} already: names are unique.`,
        )
      }
      names.add(name)
    }
    for (const feature of features) this.#features.set(this.#nameOf(feature), feature)
    if (features.length > 0) this.#changed()
  }

  /** Gives whether anything of that name was there. Calls under way go on. */
  remove(...names: readonly string[]): boolean {
    let removed = false
    for (const name of names) removed = this.#features.delete(name) || removed
    if (removed) this.#changed()
    return removed
  }

  [Symbol.iterator](): IterableIterator<Feature> {
    return this.#features.values()
  }
}
