/**
 * Names for types, made of names of strangers: letters and digits that every compiler takes, never the same twice, at most as long as
 * is still read.
 */

const MAX_STEM = 60
/** Letters beside ASCII whose place in Unicode is old enough for any compiler. */
const LETTER =
  /[A-Za-z\d\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0391-\u03a1\u03a3-\u03c9\u0410-\u044f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]+/g

export class TypeNames {
  /** Each taken name, and where to go on counting for it. */
  readonly #taken: Map<string, number>

  constructor(taken: readonly string[] = []) {
    this.#taken = new Map(taken.map((name) => [name, 2]))
  }

  /** A name that was not given before, as `ReadFileArguments`. The second part is a word of ours, so that no word is meant that a language has. */
  claim([first, own, ...more]: readonly [
    stranger: string,
    own: string,
    ...more: string[],
  ]): string {
    const [stem, rest] = [first, more.join(' ')].map((text) => pascal(text).slice(0, MAX_STEM))
    const start = stem === undefined || stem === '' || /^\d/.test(stem) ? `Tool${stem ?? ''}` : stem
    const wish = `${start}${own}${rest ?? ''}`
    const next = this.#taken.get(wish)
    if (next === undefined) {
      this.#taken.set(wish, 2)
      return wish
    }
    let number = next
    while (this.#taken.has(`${wish}${number}`)) number += 1
    this.#taken.set(wish, number + 1)
    this.#taken.set(`${wish}${number}`, 2)
    return `${wish}${number}`
  }
}

/** The words of a name, each with a large first letter. */
function pascal(name: string): string {
  const words = name.slice(0, 200).match(LETTER) ?? []
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
