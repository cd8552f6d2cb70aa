/**
 * Where an endpoint is: a URL with its secrets taken out, its name for people, and which other addresses belong to it.
 */

import { TransportError, UsageError } from '../../base/errors.ts'
import { encodeBase64 } from '../../formats/base64.ts'

/** A URL that was looked at once. */
export interface Address {
  /** Absolute, without credentials and fragment. */
  readonly url: string
  readonly origin: string
  /** For people: no credentials, and of the query only that there is one. */
  readonly name: string
  /** What the credentials of the URL come to. // RFC 7617 §2 */
  readonly authorization: string | undefined
}

/** Throws `UsageError` for what is no `http:` or `https:` URL. The message repeats nothing secret. */
export function parseAddress(given: string | URL): Address {
  const url = parse(String(given))
  if (url === undefined)
    throw new UsageError(
      'The address of the server is no URL. Write it whole, as in "https://example.com/mcp".',
      { detail: { kind: 'bad-address', what: 'server' } },
    )
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UsageError(
      `The address of the server begins with "${url.protocol}"; only http: and https: are spoken here.`,
      { detail: { kind: 'bad-address', what: 'server', scheme: url.protocol } },
    )
  const authorization = basicAuthorization(url)
  url.username = ''
  url.password = ''
  url.hash = ''
  return { url: url.href, origin: url.origin, name: nameOf(url), authorization }
}

/**
 * An address that the server named, resolved against the one that was asked. Throws `TransportError`
 * (`DP_TRANSPORT_ORIGIN`) when it is on another origin, where credentials of this one do not belong. // HSSE-08
 */
export function sameOrigin(base: string, named: string, what: string): string {
  const url = parse(named, base)
  if (url === undefined)
    throw new TransportError('DP_TRANSPORT_ORIGIN', `${what} names no usable address.`, {
      detail: { kind: 'redirect', why: 'nowhere', from: base.split('?')[0] ?? '' },
    })
  const { origin } = new URL(base)
  if (url.origin === origin) {
    url.username = ''
    url.password = ''
    url.hash = ''
    return url.href
  }
  const target = url.origin === 'null' ? `the scheme "${url.protocol}"` : nameOf(url)
  throw new TransportError(
    'DP_TRANSPORT_ORIGIN',
    `${what} leads away from ${origin}, to ${target}. If that is the right server, give its address.`,
    {
      detail: {
        kind: 'redirect',
        why: 'away',
        from: origin,
        to: url.origin === 'null' ? url.protocol : nameOf(url),
      },
    },
  )
}

/** A URL as people may see it. */
function nameOf(url: URL): string {
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`
}

function parse(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined // the caller says what was wrong
  }
}

function basicAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  const pair = `${decoded(username)}:${decoded(password)}`
  return `Basic ${encodeBase64(new TextEncoder().encode(pair))}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a stray percent sign: what was written is what was meant
  }
}
