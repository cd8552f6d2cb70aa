/**
 * Whether a URL leads to a host, for conditions. What other readers of URLs could take for another host is undecided. No name is
 * looked up: this bounds what is asked for, and says nothing about where a name leads.
 */

import { fitOf, type Fit } from './fit.ts'

/** Longest URL that is judged, in UTF-16 units. */
export const MAX_JUDGED_URL = 8_192

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:'])

interface HostPattern {
  readonly host: string
  readonly port: string | undefined
  readonly below: boolean
}

/** Whether a text is `example.org`, `example.org:8443` or `*.example.org`, or such an address in numbers. */
export function isHostPattern(text: string): boolean {
  return readPattern(text) !== undefined
}

/** A pattern without a port fits every port. */
export function isAtHost(pattern: string, text: string): Fit {
  const wanted = readPattern(pattern)
  const url = readUrl(text)
  if (wanted === undefined || url === undefined) return 'unsure'
  const host = url.hostname.replace(/\.$/, '')
  const named = wanted.below ? host.endsWith(`.${wanted.host}`) : host === wanted.host
  return fitOf(named && (wanted.port === undefined || wanted.port === portOf(url)))
}

function readUrl(text: string): URL | undefined {
  // Blanks, controls and backslashes are read differently by different readers, and so is a name before an `@`.
  if (text.length > MAX_JUDGED_URL || !/^[^\s\\\p{C}]+$/u.test(text) || !URL.canParse(text))
    return undefined
  const url = new URL(text)
  // `https:example.org` and `https:///example.org` have a host for some readers only.
  return SCHEMES.has(url.protocol) &&
    /^[a-z]+:\/\/[^/@?#]/i.test(text) &&
    !authorityOf(text).includes('@')
    ? url
    : undefined
}

function authorityOf(text: string): string {
  const start = text.indexOf('//') + 2
  const end = text.slice(start).search(/[/?#]/)
  return end < 0 ? text.slice(start) : text.slice(start, start + end)
}

function portOf({ port, protocol }: URL): string {
  if (port !== '') return port
  if (protocol === 'ftp:') return '21'
  return protocol === 'http:' || protocol === 'ws:' ? '80' : '443'
}

function readPattern(pattern: string): HostPattern | undefined {
  const below = pattern.startsWith('*.')
  const name = below ? pattern.slice(2) : pattern
  if (!/^[^\s/\\?#@*\p{C}]+$/u.test(name) || !URL.canParse(`https://${name}/`)) return undefined
  const port = /:(\d{1,5})$/.exec(name)?.[1]
  // Read by the same rules as URLs, so that names in other scripts and odd numbers come out alike.
  const host = new URL(`https://${name}/`).hostname.replace(/\.$/, '')
  return { host, port: port === undefined ? undefined : String(Number(port)), below }
}
