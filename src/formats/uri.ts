/**
 * Absolute URIs by the grammar of RFC 3986, characters and shape; nothing is resolved or fetched. Linear, no patterns of
 * strangers.
 */

/** Longest URI that is looked at, in characters. */
export const MAX_URI: number = 8192

/** A scheme, a colon, and only characters that a URI may hold; every `%` begins an octet. RFC 3986 §2, §3.1 */
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/

/** Whether the text is an absolute URI: with a scheme, and at most one fragment. */
export function isUri(text: string): boolean {
  if (text.length > MAX_URI || !URI.test(text)) return false
  const fragment = text.indexOf('#')
  return fragment < 0 || !text.includes('#', fragment + 1)
}

/** The scheme in lower case; undefined when there is none. */
export function schemeOf(uri: string): string | undefined {
  const colon = uri.indexOf(':')
  if (colon <= 0) return undefined
  const scheme = uri.slice(0, colon)
  return /^[A-Za-z][A-Za-z0-9+.-]*$/.test(scheme) ? scheme.toLowerCase() : undefined
}
