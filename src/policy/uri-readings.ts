/**
 * What a URI may mean to a server beside its text: without percent-encoding, without dot segments, with its scheme in small letters.
 * RFC 3986 §6.2.2 calls these the same; a condition that was dodged by writing one for the other would be none.
 */

import { percentReadings } from '../formats/percent.ts'
import { MAX_URI, schemeOf } from '../formats/uri.ts'
import { fitOf, unanimous, type Fit } from './fit.ts'

/** One letter is a drive. */
const LEAST_SCHEME = 2
/** Of whole segments, as they stand in paths. */
const DOTS = /[/\\:]\.{1,2}(?:[/\\?#]|$)/

/**
 * A clear answer only where all readings of the text give the same. A text that is no URI has one reading. `wanted` is what a rule
 * compares with, and is read in its own ways as well, so that a rule may be written with `%20` or without.
 */
export function overReadings(
  wanted: string,
  text: string,
  fits: (wanted: string, text: string) => boolean,
): Fit {
  if (!isLikeUri(text)) return fitOf(fits(wanted, text))
  if (text.length > MAX_URI) return 'unsure'
  const ways = [wanted, ...percentReadings(withLowScheme(wanted))].filter(
    (way) => wildcards(way) === wildcards(wanted),
  )
  const readings = readingsOf(text)
  return unanimous(readings.map((one) => fitOf(ways.some((way) => fits(way, one)))))
}

/** Prose with a colon is none. */
function isLikeUri(text: string): boolean {
  const scheme = schemeOf(text)
  return scheme !== undefined && scheme.length >= LEAST_SCHEME && !/\s/.test(text)
}

function readingsOf(text: string): readonly string[] {
  const plain = percentReadings(withLowScheme(text))
  const walked = plain.flatMap((one) => {
    if (!DOTS.test(one) || !URL.canParse(one)) return []
    return percentReadings(new URL(one).href)
  })
  return [...new Set([text, ...plain, ...walked])]
}

function withLowScheme(text: string): string {
  const scheme = schemeOf(text)
  return scheme === undefined ? text : scheme + text.slice(scheme.length)
}

/** A way of writing a pattern means no more than the pattern. */
function wildcards(pattern: string): number {
  return pattern.split(/[*?]/).length
}
