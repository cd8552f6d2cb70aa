/** What an endpoint says to requests that reach no link: each with what to do about it. */

import { PARSE_ERROR, type Malformed, type RequestId } from '../../jsonrpc/message.ts'
import type { Refusal } from './visit.ts'

export const CLOSED: Refusal = { status: 503, reason: 'This server is closing' }
export const FAILED: Refusal = { status: 500, reason: 'This request could not be handled' }
export const NOTHING_HERE: Refusal = { status: 404, reason: 'Nothing is served on this path' }
export const ONLY_GET: Refusal = methods('GET')
export const ONLY_POST: Refusal = methods('POST') // VERS-20
export const NO_METHOD: Refusal = methods('POST, GET, DELETE') // HTTP-21
export const NO_JSON: Refusal = { status: 415, reason: 'Send the message as application/json' }
export const ENCODED: Refusal = { status: 415, reason: 'Send the message without Content-Encoding' }
export const NO_EVENTS: Refusal = { status: 406, reason: 'Accept must allow text/event-stream' }
export const NO_ANSWER: Refusal = {
  status: 406,
  reason: 'Accept must allow both application/json and text/event-stream', // HTTP-07
}
export const NO_SESSION: Refusal = {
  status: 400,
  reason: 'Send initialize first, and the Mcp-Session-Id of its answer with every message', // HTTP-30
}
export const NO_BATCH: Refusal = { status: 400, reason: 'Send one message, not a batch' }
export const NO_REQUEST: Refusal = {
  status: 400,
  reason: 'Without a session only requests and notifications can be sent', // HTTP-51
}
export const WRONG_VERSION: Refusal = {
  status: 400,
  reason: 'MCP-Protocol-Version names no version that a session speaks here', // HTTP-37
}
export const TOO_MANY_OPEN: Refusal = {
  status: 503,
  reason: 'Too many requests are being answered: try again later',
  headers: { 'retry-after': '1' },
}
export const TOO_MANY_SESSIONS: Refusal = {
  status: 503,
  reason: 'Too many sessions are in use: try again later',
  headers: { 'retry-after': '10' },
}

/** A refusal that tells the sender which of its requests it is about. */
export function about(refusal: Refusal, id: RequestId | undefined): Refusal {
  return id === undefined ? refusal : { ...refusal, id }
}

export function unknownCaller(challenge: string): Refusal {
  const reason = 'Say who you are: send the credentials that this server asks for'
  return { status: 401, reason, headers: { 'www-authenticate': challenge } }
}

/** What is said of a body that could not be read whole. */
export function unreadBody(kind: 'too-large' | 'not-utf8' | 'too-late', maxBytes: number): Refusal {
  if (kind === 'not-utf8')
    return { status: 400, reason: 'The message is not UTF-8', code: PARSE_ERROR }
  return kind === 'too-large'
    ? { status: 413, reason: `The message has more than the ${maxBytes} bytes accepted` }
    : { status: 408, reason: 'The message did not come in time' }
}

export function noMessage({ code, reason, id, answer }: Malformed): Refusal {
  return about({ status: 400, reason, code }, answer === true ? undefined : id)
}

function methods(allow: string): Refusal {
  return { status: 405, reason: `The methods here are: ${allow}`, headers: { allow } }
}
