/**
 * Finds the elements of a URI template in a URI, in time linear in the URI and without any pattern engine.
 *
 * From the end of the URI to its start it notes at which places the rest can be read by the elements that are left; then
 * one way forward takes for each span the longest stretch that leads to such a place. So nothing is ever tried twice.
 */

import { markOf, NO_MARK, type Element, type Literal, type Span } from './uri-template-elements.ts'

/** What stands in the URI for each element, without its lead; undefined for what is left out. */
export type Pieces = readonly (string | undefined)[]

/** Longest URI that is read, in characters; none that is longer matches. */
const MAX_URI_LENGTH = 1_000_000

/** The pieces that make this URI, or undefined when there are none. */
export function findPieces(elements: readonly Element[], uri: string): Pieces | undefined {
  if (uri.length > MAX_URI_LENGTH) return undefined
  const [first] = elements
  if (first?.kind === 'literal' && !uri.startsWith(first.text)) return undefined
  const marks = marksIn(uri)
  const places = placesOf(elements, uri, marks)
  return places?.[0]?.has(0) === true ? walk(elements, uri, { marks, places }) : undefined
}

const PERCENT = 37
const MARK_OF_UNIT: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) =>
  markOf(String.fromCharCode(unit)),
)

/** Set where a character would be cut: within an octet, or between the octets of one character. */
const INSIDE = 128

function marksIn(uri: string): Uint8Array {
  const marks = new Uint8Array(uri.length)
  for (let at = 0; at < uri.length; at += 1) {
    const unit = uri.charCodeAt(at)
    marks[at] = (marks[at] ?? 0) | (MARK_OF_UNIT[unit] ?? NO_MARK)
    if (unit !== PERCENT) continue
    if (continues(uri.charCodeAt(at + 1))) marks[at] = INSIDE
    // Writes past the end of a typed array are ignored.
    marks[at + 1] = INSIDE
    marks[at + 2] = INSIDE
  }
  return marks
}

/** Whether this is the first digit of an octet that continues a character: 8, 9, A or B. */
function continues(unit: number): boolean {
  const letter = unit | 0x20
  return unit === 0x38 || unit === 0x39 || letter === 0x61 || letter === 0x62
}

/** For each element, and for the end, from where on the elements that are left can read the rest. */
function placesOf(
  elements: readonly Element[],
  uri: string,
  marks: Uint8Array,
): readonly Places[] | undefined {
  let after = new Places(uri.length)
  after.add(uri.length)
  const places = [after]
  for (const element of elements.toReversed()) {
    const before = new Places(uri.length)
    if (element.kind === 'literal') addLiteral(before, element, { uri, marks, after })
    else addSpan(before, element, { marks, after })
    if (before.high < 0) return undefined
    places.push(before)
    after = before
  }
  return places.toReversed()
}

interface Scene {
  readonly marks: Uint8Array
  readonly after: Places
}
interface LiteralScene extends Scene {
  readonly uri: string
}

function addLiteral(
  before: Places,
  { text, borders }: Literal,
  { uri, marks, after }: LiteralScene,
): void {
  const size = text.length
  if (after.low === after.high) {
    const at = after.low - size
    if (at >= 0 && isWhole(marks, at) && uri.startsWith(text, at)) before.add(at)
    return
  }
  const { bits } = after
  let matched = 0
  for (let at = Math.max(0, after.low - size); at < after.high; at += 1) {
    const unit = uri.charCodeAt(at)
    while (matched > 0 && (matched === size || unit !== text.charCodeAt(matched)))
      matched = borders[matched] ?? 0
    if (unit === text.charCodeAt(matched)) matched += 1
    if (matched === size && isIn(bits, at + 1) && isWhole(marks, at + 1 - size))
      before.add(at + 1 - size)
  }
}

function addSpan(before: Places, { lead, stops, optional }: Span, { marks, after }: Scene): void {
  const { bits, low, high } = after
  /** Whether the characters from the next place on may be held, up to a place where the rest can be read. */
  let open = false
  for (let at = high; at >= 0 && (open || at >= low); at -= 1) {
    const here = isIn(bits, at)
    // Behind the end there is no mark, and nothing is open.
    const mark = marks[at] ?? NO_MARK
    const held: boolean = open && (mark & stops) === 0
    const begins = lead === NO_MARK ? held : (open && mark === lead) || (optional && here)
    if (begins && (mark & INSIDE) === 0) before.add(at)
    open = here || held
  }
}

interface WalkScene {
  readonly marks: Uint8Array
  readonly places: readonly Places[]
}

function isWhole(marks: Uint8Array, at: number): boolean {
  return ((marks[at] ?? NO_MARK) & INSIDE) === 0
}

/** The way from the start that takes the longest stretch for each span in turn. */
function walk(elements: readonly Element[], uri: string, { marks, places }: WalkScene): Pieces {
  const pieces: (string | undefined)[] = []
  let at = 0
  for (const [index, element] of elements.entries()) {
    if (element.kind === 'literal') {
      pieces.push(element.text)
      at += element.text.length
      continue
    }
    const from = element.lead === NO_MARK ? at : at + 1
    const led = element.lead === NO_MARK || marks[at] === element.lead
    const end = led ? longest(element, from, { marks, after: places[index + 1] }) : -1
    pieces.push(end < 0 ? undefined : uri.slice(from, end))
    if (end >= 0) at = end
  }
  return pieces
}

function longest(
  { lead, stops }: Span,
  from: number,
  { marks, after }: { readonly marks: Uint8Array; readonly after: Places | undefined },
): number {
  let end = -1
  if (after === undefined) return end
  for (let at = from; at <= after.high; at += 1) {
    if (after.has(at) && (lead !== NO_MARK || at > from)) end = at
    if (((marks[at] ?? NO_MARK) & stops) !== 0) break
  }
  return end
}

/** A set of places in a text, one bit each. */
class Places {
  low: number
  high = -1
  readonly bits: Uint32Array

  constructor(length: number) {
    this.low = length + 1
    this.bits = new Uint32Array((length >>> 5) + 1)
  }

  add(at: number): void {
    const word = at >>> 5
    this.bits[word] = (this.bits[word] ?? 0) | (1 << (at & 31))
    if (at < this.low) this.low = at
    if (at > this.high) this.high = at
  }

  has(at: number): boolean {
    return isIn(this.bits, at)
  }
}

function isIn(bits: Uint32Array, at: number): boolean {
  return (((bits[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1
}
