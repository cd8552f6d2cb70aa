/**
 * Headers that the user of a transport adds to every request: given once, or asked for before each, as for tokens
 * that change. What the protocol says by headers is not theirs to say.
 */

import type { DetailOf } from '../../base/error-detail.ts'
import { UsageError } from '../../base/errors.ts'
import { isToken } from '../../formats/header-value.ts'

export type HttpHeaders = Readonly<Record<string, string>>

/** A function is called before every request; what it rejects with fails that request alone. */
export type HeaderSource = HttpHeaders | (() => HttpHeaders | Promise<HttpHeaders>)

/** Headers that frame the message, or that the transport itself speaks with. */
const OURS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * The same headers with lower-case names. Throws `UsageError` for a name that is none, a value that a header cannot
 * hold, and for headers that are the transport's own. The message never repeats a value.
 */
export function checkedHeaders(headers: HttpHeaders): HttpHeaders {
  const checked = new Map<string, string>()
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase()
    const shown = JSON.stringify(given.slice(0, 100))
    const fault = (message: string, why: DetailOf<'bad-header'>['why']): UsageError =>
      new UsageError(message, { detail: { kind: 'bad-header', header: given.slice(0, 100), why } })
    if (!isToken(name)) throw fault(`A header cannot be named ${shown}.`, 'name')
    if (OURS.has(name))
      throw fault(`The header ${shown} is set by the transport; leave it out.`, 'ours')
    if (typeof value !== 'string' || !isHeaderText(value))
      throw fault(
        `The value of the header ${shown} has characters that no header can hold.`,
        'value',
      )
    checked.set(name, value)
  }
  return Object.fromEntries(checked)
}

/** Visible ASCII, blanks and tabs: what every carrier and every server reads alike. // RFC 9110 §5.5 */
function isHeaderText(value: string): boolean {
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charCodeAt(at)
    if ((unit < 0x20 && unit !== 0x09) || unit > 0x7e) return false
  }
  return true
}
