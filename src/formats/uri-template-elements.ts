/**
 * Compiles the parts of a URI template to what can be searched for in a URI: literals, and spans of characters, some with
 * a mark before them. It reads no URI.
 *
 * Where a URI can be read in several ways, an earlier variable takes as much as it can, but leaves to the expressions
 * right behind it what they begin with, and never takes the "?" or "#" of a later one. A list takes as many items as
 * there are.
 */

import type { Expression, Part, Variable } from './uri-template-parts.ts'

export interface Literal {
  readonly kind: 'literal'
  readonly text: string
  /** For each beginning of the text, the length of its longest end that is a beginning too. */
  readonly borders: Int32Array
}

/** A stretch of the URI that gives the value of one variable, or the named values of several. */
export interface Span {
  readonly kind: 'span'
  readonly variables: readonly Variable[]
  /** Whether names stand beside the values. */
  readonly named: boolean
  readonly separator: string
  /** The mark before it; `NO_MARK` for none. */
  readonly lead: number
  /** The marks that it may not hold. */
  readonly stops: number
  /** Whether it may be left out. What has no lead may not, and is never empty. */
  readonly optional: boolean
  /** Continues the span before it, and is not there without it. */
  readonly continues: boolean
}

export type Element = Literal | Span

export const NO_MARK = 0
const MARKS = '/?#&;.,'
/** The bit of a character that has a meaning; `NO_MARK` for all others. */
export function markOf(character: string): number {
  const at = character === '' ? -1 : MARKS.indexOf(character)
  return at < 0 ? NO_MARK : 1 << at
}
const SLASH = markOf('/')
const COMMA = markOf(',')
const LATER = markOf('?') | markOf('#')
const SEGMENT_END = SLASH | LATER

export function elementsOf(parts: readonly Part[]): readonly Element[] {
  return withStops(joinPairs(parts.flatMap((part) => elementsOfPart(part))))
}

function elementsOfPart(part: Part): readonly Element[] {
  if (typeof part === 'string') return [{ kind: 'literal', text: part, borders: bordersOf(part) }]
  const { operator, variables } = part
  const { first, separator, named } = operator
  const base = { kind: 'span', separator, named } as const
  if (named) {
    const stops = first === ';' ? SEGMENT_END : markOf('#')
    return [{ ...base, variables, lead: markOf(first), stops, optional: true, continues: false }]
  }
  return variables.map((variable, index) => ({
    ...base,
    variables: [variable],
    lead: markOf(index === 0 ? first : separator),
    stops: stopsOf(part, variable),
    optional: first !== '' || index > 0,
    continues: index > 0 && separator === ',',
  }))
}

/** What the value of a variable may not hold when no name stands beside it. */
function stopsOf({ operator, variables }: Expression, { explode }: Variable): number {
  const { separator, reserved } = operator
  const own = markOf(separator)
  const several = variables.length > 1 && !explode ? own : NO_MARK
  if (reserved) return several
  return explode ? SEGMENT_END & ~own : SEGMENT_END | several
}

/** Makes one span of named values that continue others: `{?a}{&b}` is `{?a,b}`. */
function joinPairs(elements: readonly Element[]): readonly Element[] {
  const joined: Element[] = []
  for (const element of elements) {
    const last = joined.at(-1)
    const continues =
      last?.kind === 'span' &&
      element.kind === 'span' &&
      last.named &&
      element.named &&
      element.separator === last.separator &&
      element.lead === markOf(element.separator)
    if (continues)
      joined[joined.length - 1] = { ...last, variables: [...last.variables, ...element.variables] }
    else joined.push(element)
  }
  return joined
}

/** Adds to each span the marks that belong to expressions behind it. */
function withStops(elements: readonly Element[]): readonly Element[] {
  let adjoining = NO_MARK
  let later = NO_MARK
  const stopped: Element[] = []
  for (const element of elements.toReversed()) {
    if (element.kind === 'literal') {
      adjoining = NO_MARK
      stopped.push(element)
      continue
    }
    const listed = element.variables.some(({ explode }) => explode)
      ? markOf(element.separator)
      : NO_MARK
    stopped.push({ ...element, stops: element.stops | ((adjoining | later) & ~listed) })
    if (!element.optional || element.lead === COMMA) continue
    adjoining |= element.lead
    later |= element.lead & LATER
  }
  return stopped.toReversed()
}

/** The table of Knuth, Morris and Pratt. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length + 1)
  let length = 0
  for (let at = 1; at < text.length; at += 1) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length))
      length = borders[length] ?? 0
    if (text.charCodeAt(at) === text.charCodeAt(length)) length += 1
    borders[at + 1] = length
  }
  return borders
}
