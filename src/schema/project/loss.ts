/**
 * What a projection could not keep of a schema, collected with a bound: one entry for each place and keyword.
 *
 * A loss is about the model's view alone. Arguments are checked against the original schema, which lost nothing.
 */

/** One thing that the model is not told, or is told otherwise. */
export interface Loss {
  /** JSON pointer into the original schema, as `/properties/city`; the empty one is the whole. */
  readonly pointer: string
  readonly keyword: string
  /**
   * `dropped` the keyword is not there; `changed` the same is said in other words; `widened` more values fit than should;
   * `cut` a part was left out because of its size or because it contains itself.
   */
  readonly kind: 'dropped' | 'changed' | 'widened' | 'cut'
  /** An English sentence. Text of the schema in it is shortened and escaped. */
  readonly message: string
}

/** Most losses that are told of one schema. */
const MAX_LOSSES = 100

export class LossList {
  readonly #losses = new Map<string, Loss>()
  #exact = true

  /** False once values fit that did not, or the other way round. */
  get isExact(): boolean {
    return this.#exact
  }

  get all(): readonly Loss[] {
    return [...this.#losses.values()]
  }

  /** Takes in what another list has. */
  addAll(other: LossList): void {
    for (const loss of other.all) this.note(loss)
    if (!other.isExact) this.#exact = false
  }

  /** The values that fit are not quite the same any more. */
  add(loss: Loss): void {
    this.#exact = false
    this.note(loss)
  }

  /** The same values fit; only the words are other ones. */
  note(loss: Loss): void {
    const key = `${loss.kind} ${loss.keyword} ${loss.pointer}`
    if (this.#losses.size < MAX_LOSSES && !this.#losses.has(key)) this.#losses.set(key, loss)
  }
}
