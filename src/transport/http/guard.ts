/**
 * Who may come in at all: the names under which the server may be called, and the pages that may call it. // HTTP-02
 *
 * Closed unless it is told otherwise. A page that has its own name lead to this machine comes with that name as Host, and
 * a page of another site with its own as Origin; both are compared whole, never by a part. It looks at no credentials.
 */

import { isToken } from '../../formats/header-value.ts'
import { checkedHost, checkedOrigin, type GuardOptions } from './guard-options.ts'
import type { HeaderFields, ServerRequest } from './server-request.ts'

/** `cors` is there for a page that was named as allowed. */
export type Verdict =
  | { readonly kind: 'passed'; readonly cors: HeaderFields | undefined }
  | { readonly kind: 'refused'; readonly status: 400 | 403; readonly reason: string }

/** This machine by a name that nobody can lead elsewhere, and a port. */
const OWN_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::(\d{1,5}))?$/i
const PASSED: Verdict = { kind: 'passed', cors: undefined }
/** The ports that no Host and no Origin names. */
const SILENT_PORTS: ReadonlySet<number> = new Set([80, 443])
/** What a browser says of a request that no other site is behind. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none'])

export class Guard {
  readonly #hosts: readonly string[] | undefined
  readonly #origins: ReadonlySet<string>
  readonly #anyHost: boolean
  /** The Host that was accepted last, and on which port: seldom is there a second one. */
  #known: { readonly host: string; readonly port: number | undefined } | undefined

  /** Throws `UsageError` for an entry that could never match. */
  constructor(options: GuardOptions = {}) {
    this.#hosts = options.allowedHosts?.map(checkedHost)
    this.#origins = new Set(options.allowedOrigins?.map(checkedOrigin))
    this.#anyHost = options.anyHost === true
  }

  check(request: ServerRequest): Verdict {
    if (!request.target.startsWith('/'))
      return { kind: 'refused', status: 400, reason: 'The request target must be a path' }
    if (!this.#anyHost && !this.#isAllowedHost(request.header('host'), request.port))
      return { kind: 'refused', status: 403, reason: 'This Host is not served here' }
    const origin = request.header('origin')
    const site = request.header('sec-fetch-site')
    if (origin === undefined) {
      if (site === undefined || OWN_SITES.has(site)) return PASSED
      return { kind: 'refused', status: 403, reason: 'Requests of other sites are refused' }
    }
    if (this.#origins.has(origin)) return { kind: 'passed', cors: corsHeaders(origin) }
    if (isOwnOrigin(origin, request.port)) return PASSED
    return { kind: 'refused', status: 403, reason: 'This Origin is not allowed' } // HTTP-03
  }

  #isAllowedHost(host: string | undefined, port: number | undefined): boolean {
    if (host === undefined) return false
    if (this.#known?.host === host && this.#known.port === port) return true
    const allowed =
      this.#hosts === undefined
        ? isOwnHost(host, port)
        : this.#hosts.some((name) => isNamed(host.toLowerCase(), name, port))
    if (allowed) this.#known = { host, port }
    return allowed
  }
}

/** A page of this machine on the port of the request itself. */
function isOwnOrigin(origin: string, port: number | undefined): boolean {
  const host = /^https?:\/\/(.*)$/.exec(origin)?.[1]
  return host !== undefined && isOwnHost(host, port)
}

/** One of the names of this machine with the port of the request, or with any where the carrier does not know it. */
function isOwnHost(host: string, port: number | undefined): boolean {
  const match = OWN_HOST.exec(host)
  if (match === null) return false
  if (port === undefined) return true
  return match[1] === undefined ? SILENT_PORTS.has(port) : match[1] === String(port)
}

function isNamed(host: string, name: string, port: number | undefined): boolean {
  return host === name || (port !== undefined && !hasPort(name) && host === `${name}:${port}`)
}

function hasPort(host: string): boolean {
  return /:\d+$/.test(host)
}

/** What lets a page read the answer. Never with credentials of the browser: tokens are sent by the page itself. */
function corsHeaders(origin: string): HeaderFields {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate',
    vary: 'Origin',
  }
}

/** Headers that a page may send beside those that every page may. */
const PAGE_HEADERS: readonly string[] = [
  'accept',
  'authorization',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
]
const MAX_REQUESTED = 100

/** The answer to a page that asks whether it may ask. */
export function preflightHeaders(request: ServerRequest, cors: HeaderFields): HeaderFields {
  const asked = (request.header('access-control-request-headers') ?? '')
    .split(',', MAX_REQUESTED)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name.startsWith('mcp-param-') && isToken(name))
  return {
    ...cors,
    'access-control-allow-methods': 'POST, GET, DELETE',
    'access-control-allow-headers': [...PAGE_HEADERS, ...new Set(asked)].join(', '),
    'access-control-max-age': '600',
  }
}
