/** The part of an entry that reaches a server at an address: address, transport, headers. */

import type { JsonObject } from '../base/json.ts'
import type { EntryDraft, Member } from './draft.ts'
import type { ConfigNode } from './document.ts'
import type { Place, UrlEntry } from './entry.ts'
import { isSecretHeader } from './secret-names.ts'
import { secretsIn, secretsOfAddress } from './secret-values.ts'

export interface UrlPart {
  readonly transport: UrlEntry['transport']
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly written: JsonObject
}

export const URL_KEYS: readonly string[] = ['url', 'serverUrl', 'httpUrl', 'baseUrl', 'uri']

/** Reads what reaches the server; nothing when that cannot be, which the draft then knows. */
export function readUrl(
  entry: ConfigNode,
  address: Member,
  { draft, wish }: { readonly draft: EntryDraft; readonly wish: UrlEntry['transport'] },
): UrlPart | undefined {
  const { key, node } = address
  const url = draft.text('url', node, { key })
  const headers = new Map<string, string>()
  const written: [string, string][] = []
  const gathered: Gathered = { headers, written, draft }
  const own = draft.pick(entry, ['headers', 'http_headers'])
  if (own !== undefined) writtenOut(own, gathered)
  byVariable(entry, gathered)
  bearer(entry, gathered)
  const scheme = url === undefined ? undefined : schemeOf(url)
  if (url !== undefined && scheme === undefined) draft.error('bad-url', node.place, { key })
  if (url === undefined || scheme === undefined) return undefined
  hideInAddress(url, { draft, key, place: node.place })
  const transport = transportOf(scheme, key === 'httpUrl' ? http(wish) : wish)
  if (transport === undefined) draft.error('unfit-transport', node.place, { key, transport: wish })
  if (transport === undefined || draft.failed) return undefined
  return {
    transport,
    url,
    headers: Object.fromEntries(headers),
    written: { url: node.text, transport, headers: Object.fromEntries(written) },
  }
}

type Scheme = 'http' | 'ws' | 'unix'

function schemeOf(url: string): Scheme | undefined {
  if (/^unix:\/*[^/]/i.test(url)) return 'unix'
  if (!URL.canParse(url)) return undefined
  switch (new URL(url).protocol) {
    case 'http:':
    case 'https:':
      return 'http'
    case 'ws:':
    case 'wss:':
      return 'ws'
    default:
      return undefined
  }
}

/** An address by itself says which of them it can be. */
function transportOf(
  scheme: Scheme,
  wish: UrlEntry['transport'],
): UrlEntry['transport'] | undefined {
  if (scheme === 'ws') return wish === 'auto' || wish === 'websocket' ? 'websocket' : undefined
  if (scheme === 'unix') return wish === 'auto' ? 'auto' : undefined
  return wish === 'websocket' ? undefined : wish
}

/** One host names the transport by the name of the address. */
function http(wish: UrlEntry['transport']): UrlEntry['transport'] {
  return wish === 'auto' ? 'streamable-http' : wish
}

/** A password in an address would be shown and logged wherever the address is. */
function hideInAddress(
  url: string,
  { draft, key, place }: { draft: EntryDraft; readonly key: string; readonly place: Place },
): void {
  if (!URL.canParse(url)) return
  const { username, password } = new URL(url)
  if (username !== '' || password !== '') draft.error('url-credentials', place, { key })
  for (const secret of secretsOfAddress(url)) draft.hide(secret)
}

interface Gathered {
  readonly headers: Map<string, string>
  readonly written: [string, string][]
  readonly draft: EntryDraft
}

/** Most headers of one server. */
const MAX_HEADERS = 256

function writtenOut({ key, node }: Member, gathered: Gathered): void {
  const { draft } = gathered
  if (node.kind !== 'object') return draft.wrongType(key, node, 'an object of texts')
  if (node.members.size > MAX_HEADERS)
    return draft.error('too-long', node.place, { key, limit: MAX_HEADERS })
  for (const [header, value] of node.members) {
    if (value.kind === 'null') continue
    const options = { key: `${key}.${header}`, loose: true, secret: isSecretHeader(header) }
    const text = draft.text(`headers/${header}`, value, options)
    setHeader(gathered, header, { text, raw: value.text, place: value.place })
  }
}

/** Headers whose values are the variables of these names. */
function byVariable(entry: ConfigNode, gathered: Gathered): void {
  const { draft } = gathered
  const member = draft.pick(entry, ['env_http_headers'])
  if (member === undefined) return
  if (member.node.kind !== 'object')
    return draft.wrongType(member.key, member.node, 'an object of names of variables')
  for (const [header, { text: name, place }] of member.node.members)
    fromVariable(gathered, { header, raw: `\${${name}}`, place, key: member.key })
}

function bearer(entry: ConfigNode, gathered: Gathered): void {
  const { draft } = gathered
  const named = draft.pick(entry, ['bearer_token_env_var', 'bearerTokenEnvVar', 'bearerTokenEnv'])
  if (named !== undefined) {
    const { key, node } = named
    fromVariable(gathered, {
      header: 'Authorization',
      raw: `Bearer \${${node.text}}`,
      place: node.place,
      key,
    })
  }
  const literal = draft.pick(entry, ['bearer_token', 'bearerToken'])
  if (literal === undefined) return
  const { node } = literal
  const text = draft.text('headers/Authorization', node, { key: literal.key, secret: true })
  const value = text === undefined ? undefined : `Bearer ${text}`
  setHeader(gathered, 'Authorization', {
    text: value,
    raw: `Bearer ${node.text}`,
    place: node.place,
  })
}

function fromVariable(
  gathered: Gathered,
  {
    header,
    raw,
    place,
    key,
  }: {
    readonly header: string
    readonly raw: string
    readonly place: Place
    readonly key: string
  },
): void {
  const text = gathered.draft.filled(`headers/${header}`, raw, { key, place, secret: true })
  setHeader(gathered, header, { text, raw, place })
}

/** RFC 9110 §5.6.2 */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Controls end a header or a line of one, and no header holds more than a byte a character. RFC 9110 §5.5 */
// oxlint-disable-next-line no-control-regex
const UNSENDABLE = /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/

function setHeader(
  { headers, written, draft }: Gathered,
  header: string,
  value: { readonly text: string | undefined; readonly raw: string; readonly place: Place },
): void {
  const { text, raw, place } = value
  written.push([header, raw])
  if (!TOKEN.test(header)) return draft.error('bad-header-name', place, { header })
  if (text === undefined) return
  if (UNSENDABLE.test(text)) return draft.error('bad-header-value', place, { header })
  const other = [...headers.keys()].find((name) => name.toLowerCase() === header.toLowerCase())
  if (other !== undefined) draft.error('two-spellings', place, { first: other, second: header })
  // The word before a token is no secret, the token by itself is one.
  if (isSecretHeader(header)) for (const word of text.split(' ').slice(1)) draft.hide(word)
  for (const secret of secretsIn(header, text)) draft.hide(secret)
  headers.set(header, text)
}
