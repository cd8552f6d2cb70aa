/**
 * What a URI may mean to a server beside its text: without percent-encoding, without dot segments, with scheme and host as readers of
 * URLs write them. Many call these the same; a condition that was dodged by writing one for the other would be none. RFC 3986 §6.2.2
 */

import { isEncoded, percentReadings } from '../formats/percent.ts'
import { MAX_URI, schemeOf } from '../formats/uri.ts'
import { fitOf, unanimous, type Fit } from './fit.ts'

/** One letter is a drive. */
const LEAST_SCHEME = 2

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
  const readings = readingsOf(text)
  // Whoever encodes so often wants it to be read otherwise at each step.
  if (readings.some((one) => isEncoded(percentReadings(one).at(-1) ?? ''))) return 'unsure'
  const ways = waysOf(wanted)
  return unanimous(readings.map((one) => fitOf(ways.some((way) => fits(way, one)))))
}

/** Prose with a colon is none, an address with blanks around it or in it is. */
function isLikeUri(text: string): boolean {
  const trimmed = text.trim()
  const scheme = schemeOf(trimmed)
  if (scheme === undefined || scheme.length < LEAST_SCHEME) return false
  return /^[/\\]/.test(trimmed.slice(scheme.length + 1)) || !/\s/.test(trimmed)
}

function readingsOf(text: string): readonly string[] {
  const plain = percentReadings(withLowScheme(text))
  return [...new Set([text, ...plain, ...plain.flatMap(addressesOf)])]
}

/** What readers of URLs make of a text, and what some of them leave out of that; none where it is no URL. */
function addressesOf(text: string): readonly string[] {
  if (!URL.canParse(text)) return []
  const url = new URL(text)
  const whole = url.href
  url.username = ''
  url.password = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  const { href } = url
  const start = href.indexOf(url.pathname, url.protocol.length)
  const path = url.pathname.replaceAll(/\/{2,}/g, '/')
  const joined =
    start < 0 ? href : href.slice(0, start) + path + href.slice(start + url.pathname.length)
  return [...new Set([whole, href, joined])].flatMap((one) => percentReadings(one))
}

/** Stands for a star while readers of URLs look at a pattern. */
const STAR = 'any-text-here'

/** Ways to write a pattern that mean no more than it. */
function waysOf(wanted: string): readonly string[] {
  const starred = wanted.includes('?') ? [] : addressesOf(wanted.replaceAll('*', STAR))
  const ways = [
    ...percentReadings(withLowScheme(wanted)),
    ...starred.map((way) => way.replaceAll(STAR, '*')),
  ]
  return [...new Set([wanted, ...ways.filter((way) => wildcards(way) === wildcards(wanted))])]
}

function withLowScheme(text: string): string {
  const trimmed = text.trim()
  const scheme = schemeOf(trimmed)
  return scheme === undefined ? text : scheme + trimmed.slice(scheme.length)
}

function wildcards(pattern: string): number {
  return pattern.split(/[*?]/).length
}
