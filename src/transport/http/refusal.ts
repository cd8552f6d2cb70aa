/**
 * What an answer comes to that is no message: the error for a status, its body and the headers that matter.
 *
 * Everything the far side said is peer text. Nothing that was sent, a session id least of all, stands in an error.
 */

import type { DetailOf, StatusHint } from '../../base/error-detail.ts'
import { AuthError, HttpError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import { isBatch, readText } from '../../jsonrpc/channel.ts'
import type { ErrorObject } from '../../jsonrpc/message.ts'
import { causeOf } from './answer-reading.ts'
import type { HeaderLookup } from './exchange.ts'

/** An HTTP answer without a message in it that could be handed on. */
export interface Refusal {
  /** Name of the transport. */
  readonly name: string
  readonly status: number
  readonly header: HeaderLookup
  /** What was read of the body. */
  readonly body: string
  /** The error of a JSON-RPC answer that names no request. */
  readonly said?: ErrorObject | undefined
  /** Whether the request named a session. */
  readonly inSession: boolean
  /** Milliseconds since 1970, for `Retry-After` that gives a date. */
  readonly wall: number
}

const EXCERPT = 200

const PHRASES: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [407, 'Proxy Authentication Required'],
  [413, 'Content Too Large'],
  [415, 'Unsupported Media Type'],
  [429, 'Too Many Requests'],
  [431, 'Request Header Fields Too Large'],
  [500, 'Internal Server Error'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
])

/** The error for an answer that is no message. */
export function refusalError(refusal: Refusal): HttpError | AuthError {
  const { name, status, header, body, said, inSession } = refusal
  // What was said about a request without naming it is still what was said about it.
  const cause = causeOf(said)
  if (status === 401 || status === 403)
    return new AuthError(authMessage(refusal), {
      status,
      challenge: header('www-authenticate'),
      cause,
      detail: detailOf(refusal, {
        said: said === undefined ? undefined : shown(said.message),
        hint: status === 401 ? 'token' : 'rights',
      }),
    })
  const retryAfterMs = retryAfter(header('retry-after'), refusal.wall)
  const contentType = header('content-type')
  const facts = { status, contentType, body, retryAfterMs, sent: 'yes', cause } as const
  if (status === 404 && inSession)
    return new HttpError(
      'DP_TRANSPORT_SESSION',
      `${name} does not know this session any more (404).`,
      { ...facts, detail: { kind: 'session-gone', address: name } },
    ) // HTTP-32
  const told = saying(refusal)
  const hint = hintOf(refusal)
  return new HttpError(
    'DP_TRANSPORT_HTTP',
    `${answered(refusal)}${told.words}.${advice(hint, refusal)}`,
    { ...facts, detail: detailOf(refusal, { said: told.said, hint }) },
  )
}

function detailOf(
  { name, status, header }: Refusal,
  told: Pick<DetailOf<'http-status'>, 'said' | 'hint'>,
): DetailOf<'http-status'> {
  const phrase = PHRASES.get(status)
  const seconds = told.hint === 'later' ? Number(header('retry-after')) : undefined
  return { kind: 'http-status', address: name, status, phrase, seconds, ...told }
}

function authMessage({ name, status, said }: Refusal): string {
  const told = said === undefined ? '' : `: ${shown(said.message)}`
  return status === 401
    ? `${name} wants to know who asks (401 Unauthorized)${told}. Sign in, or send a token that is still good.`
    : `${name} refuses whoever asked (403 Forbidden)${told}. Ask for the rights that are missing.`
}

function answered({ name, status, header }: Refusal): string {
  const phrase = PHRASES.get(status)
  const type = mediaType(header('content-type'))
  return `${name} answered ${status}${phrase === undefined ? '' : ` ${phrase}`}${type === '' ? '' : ` (${terminalText(type.slice(0, 60))})`}`
}

/** What it said, where that is meant to be read by people: pages are not. */
function saying({ status, said, body, header }: Refusal): Told {
  if (said !== undefined) return quoted(said.message)
  if (status < 400)
    return { words: body === '' ? ' without a body' : ', which is no answer to a request' }
  const type = mediaType(header('content-type'))
  const line = /^[^\r\n]*/.exec(body.trimStart().slice(0, EXCERPT))?.[0].trimEnd() ?? ''
  return line === '' || type.includes('html') ? { words: '' } : quoted(line.replace(/[.!]+$/, ''))
}

interface Told {
  /** How the sentence goes on. */
  readonly words: string
  /** What the far side said. */
  readonly said?: string
}

function quoted(text: string): Told {
  const said = shown(text)
  return { words: `: ${said}`, said }
}

function hintOf({ status, header }: Refusal): StatusHint | undefined {
  if (status >= 300 && status < 400) return 'target'
  if (status < 300 || status === 404 || status === 405 || status === 410) return 'endpoint'
  if (status === 413 || status === 431) return 'size' // HTTP-85
  if (status === 407) return 'proxy'
  const wait = header('retry-after')
  return wait !== undefined && isDigits(wait) ? 'later' : undefined
}

function advice(hint: StatusHint | undefined, { header }: Refusal): string {
  switch (hint) {
    case 'target':
      return ' Give the address that it leads to.'
    case 'endpoint':
      return ' Is this the address of an MCP endpoint?'
    case 'size':
      return ' Send less in one request.'
    case 'proxy':
      return ' Give the proxy its credentials.'
    case 'later':
      return ` Try again after ${header('retry-after')?.slice(0, 9) ?? ''} s.`
    default:
      return ''
  }
}

/** Peer text as it may stand in a message: short, and nothing hidden in it. */
function shown(text: string): string {
  return terminalText(text.slice(0, EXCERPT))
}

/** The type of a body without its parameters, in lower case; empty when none is named. // RFC 9110 §8.3.1 */
export function mediaType(contentType: string | undefined): string {
  if (contentType === undefined) return ''
  const end = contentType.indexOf(';')
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
}

/** Milliseconds to wait; undefined when the header is missing or says neither a number nor a date. // RFC 9110 §10.2.3 */
export function retryAfter(value: string | undefined, wall: number): number | undefined {
  if (value === undefined) return undefined
  if (isDigits(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER)
  // A date has the name of a day in front: `Date.parse` alone takes much that is none.
  const date = /^[A-Z][a-z]{2,8},? /.test(value.slice(0, 12)) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - wall)
}

function isDigits(text: string): boolean {
  return text !== '' && text.length <= 15 && !/[^0-9]/.test(text)
}

/** The error object of a body that is a JSON-RPC error. */
export function errorIn(body: string): ErrorObject | undefined {
  if (!body.trimStart().startsWith('{')) return undefined
  const reading = readText(body)
  return isBatch(reading) || reading.kind !== 'error' ? undefined : reading.message.error
}
