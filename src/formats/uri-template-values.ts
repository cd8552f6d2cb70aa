/**
 * Makes values of the pieces of a URI that stand for the variables of its template. Strict: octets that are no UTF-8, a
 * name that the template does not have, or two values for one name make no match.
 */

import type { Element, Span } from './uri-template-elements.ts'
import type { Pieces } from './uri-template-match.ts'
import type { Variable } from './uri-template-parts.ts'

/** Values by name. Lists are those of variables marked with `*`. */
export type UriMatch = Readonly<Record<string, string | readonly string[]>>

/** The values, in an object without a prototype; undefined when the pieces contradict the template or one another. */
export function readPieces(elements: readonly Element[], pieces: Pieces): UriMatch | undefined {
  const values = new Values()
  let before: string | undefined
  for (const [index, element] of elements.entries()) {
    const piece = pieces[index]
    if (element.kind === 'span' && piece !== undefined) {
      if (element.continues && before === undefined) return undefined
      if (!readSpan(element, piece, values)) return undefined
    }
    before = piece
  }
  return values.all()
}

function readSpan({ named, variables, separator }: Span, piece: string, values: Values): boolean {
  if (named) return readPairs(variables, piece, { separator, values })
  const [variable] = variables
  if (variable === undefined) return false
  if (!variable.explode) return values.add(variable, piece)
  return piece.split(separator).every((item) => values.addItem(variable.name, item))
}

interface PairScene {
  readonly separator: string
  readonly values: Values
}

function readPairs(
  variables: readonly Variable[],
  piece: string,
  { separator, values }: PairScene,
): boolean {
  const byName = new Map(variables.map((variable) => [variable.name, variable]))
  for (let from = 0; from <= piece.length;) {
    const found = piece.indexOf(separator, from)
    const pair = piece.slice(from, found < 0 ? piece.length : found)
    from = found < 0 ? piece.length + 1 : found + 1
    const equals = pair.indexOf('=')
    const variable = byName.get(equals < 0 ? pair : pair.slice(0, equals))
    if (variable === undefined) return false
    const value = equals < 0 ? '' : pair.slice(equals + 1)
    if (variable.explode) {
      if (!values.addItem(variable.name, value)) return false
    } else {
      // Which of two values counts is what no two readers agree on.
      if (!byName.delete(variable.name) || !values.add(variable, value)) return false
    }
  }
  return true
}

/** Values as they are found; each name has one. */
class Values {
  readonly #texts = new Map<string, string>()
  readonly #lists = new Map<string, string[]>()
  /** What is known of the start of a value only, from variables with a length. */
  readonly #starts = new Map<string, string>()

  add({ name, prefix }: Variable, raw: string): boolean {
    const value = decode(raw)
    if (value === undefined) return false
    if (prefix !== undefined) return this.#addStart(name, value, prefix)
    const known = this.#texts.get(name)
    this.#texts.set(name, value)
    return known === undefined || known === value
  }

  addItem(name: string, raw: string): boolean {
    const value = decode(raw)
    if (value === undefined) return false
    const list = this.#lists.get(name)
    if (list === undefined) this.#lists.set(name, [value])
    else list.push(value)
    return true
  }

  all(): UriMatch | undefined {
    // No prototype: names are those of a template, and `__proto__` is one.
    const all: Record<string, string | readonly string[]> = Object.create(null) as Record<
      string,
      never
    >
    for (const [name, list] of this.#lists) all[name] = list
    for (const [name, text] of this.#texts) {
      if (this.#lists.has(name)) return undefined
      all[name] = text
    }
    for (const [name, start] of this.#starts) {
      const whole = all[name]
      if (whole === undefined) all[name] = start
      else if (typeof whole !== 'string' || !whole.startsWith(start)) return undefined
    }
    return all
  }

  #addStart(name: string, value: string, length: number): boolean {
    if (value.length > length * 2 || Array.from(value).length > length) return false
    const known = this.#starts.get(name) ?? ''
    const [short, long] = known.length < value.length ? [known, value] : [value, known]
    this.#starts.set(name, long)
    return long.startsWith(short)
  }
}

function decode(raw: string): string | undefined {
  if (!raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    return undefined // octets that are no UTF-8, or no octets: no template makes those
  }
}
