/**
 * What a provider's answer of failure comes to: one kind of error with a code to switch on, whatever the shape of its body.
 *
 * Pure. All that a provider said is peer text: it stands in messages short and without what hides, whole in `said` only.
 */

import { ModelError, type ErrorCode } from '../../base/errors.ts'
import { exceedsDepth, isJsonObject, type JsonObject } from '../../base/json.ts'
import { terminalText } from '../../base/terminal-text.ts'
import type { ErrorAnswer } from './codec.ts'

type ModelCode = Extract<ErrorCode, `DP_MODEL_${string}`>

export interface FailedAnswer extends ErrorAnswer {
  /** As `deepseek`. */
  readonly provider: string
}

/** Statuses after which the same request may be answered. 529 is said by providers that are overloaded. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504, 529])
/** Words of providers for an account that has nothing left; some send them with a status that means something else. */
const BALANCE_WORDS: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'insufficient_balance',
  'billing_error',
  'billing_not_active',
  'billing_hard_limit_reached',
])
/** What an error inside of a stream is called that would have been a status of its own. */
const STATUS_OF_WORDS: ReadonlyMap<string, number> = new Map([
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['invalid_request_error', 400],
  ['invalid_prompt', 400],
  ['context_length_exceeded', 400],
  ['invalid_api_key', 401],
  ['model_not_found', 404],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['api_error', 500],
  ['server_error', 500],
  ['internal_error', 500],
  ['internal_server_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
  ['server_overloaded', 529],
])
const EXCERPT = 300

/** The error for an answer of any other status than 200. */
export function modelFailure(answer: FailedAnswer): ModelError {
  const { provider, status, body, retryAfterMs } = answer
  const { message, kind } = saidIn(body)
  const code = codeOf(status, kind)
  const told = message === '' ? '' : `: ${excerpt(message)}`
  return new ModelError(
    code,
    `${provider} answered ${status}${told}. ${adviceOn(code, { status, kind, message, retryAfterMs })}`,
    {
      provider,
      status,
      said: message === '' ? undefined : message,
      kind,
      retryAfterMs,
      retryable: PASSING.has(status) && code !== 'DP_MODEL_BALANCE',
      detail: { kind: 'model-refusal', meant: status, inside: false, tooLong: isLong(message) },
    },
  )
}

/** What a provider said of a failure within an answer of status 200. */
export interface SaidFailure {
  readonly provider: string
  readonly message: string
  /** Its own code or type of the error. */
  readonly kind?: string | undefined
  /** The status that it names, where it does. */
  readonly status?: number | undefined
}

/** The error for a failure that was told inside of an answer, as an event of its stream. */
export function saidFailure({ provider, message, kind, status }: SaidFailure): ModelError {
  const meant = status ?? STATUS_OF_WORDS.get(kind ?? '') ?? 500
  const code = codeOf(meant, kind)
  const named = kind === undefined || kind === '' ? '' : ` (${excerpt(kind)})`
  const told = message === '' ? '' : `: ${excerpt(message)}`
  return new ModelError(
    code,
    `${provider} broke off its answer${named}${told}. ${adviceOn(code, { status: meant, kind, message })}`,
    {
      provider,
      said: message === '' ? undefined : message,
      kind,
      retryable: PASSING.has(meant) && code !== 'DP_MODEL_BALANCE',
      detail: { kind: 'model-refusal', meant, inside: true, tooLong: isLong(message) },
    },
  )
}

/** Whether a request was refused because the conversation is longer than what the model can take. */
export function isTooLong(error: ModelError): boolean {
  if (error.code !== 'DP_MODEL_REQUEST') return false
  if (TOO_LONG_KINDS.has(error.kind ?? '')) return true
  return isLong(error.said ?? '')
}

function isLong(message: string): boolean {
  const said = message.toLowerCase()
  return TOO_LONG_WORDS.some((words) => said.includes(words))
}

const TOO_LONG_KINDS: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'exceed_context_size_error',
  'request_too_large',
])
const TOO_LONG_WORDS: readonly string[] = [
  'maximum context length',
  'prompt is too long',
  'exceeds the context window',
  'exceeds the available context size',
  'input length and `max_tokens` exceed',
]

function codeOf(status: number, kind: string | undefined): ModelCode {
  if (status === 402 || BALANCE_WORDS.has(kind ?? '')) return 'DP_MODEL_BALANCE'
  if (status === 401 || status === 403) return 'DP_MODEL_KEY'
  if (status === 429 || status === 503 || status === 529) return 'DP_MODEL_BUSY'
  return status >= 400 && status < 500 ? 'DP_MODEL_REQUEST' : 'DP_MODEL_FAILED'
}

interface Failure {
  readonly status: number
  readonly kind: string | undefined
  readonly message: string
  readonly retryAfterMs?: number | undefined
}

function adviceOn(code: ModelCode, failure: Failure): string {
  const { status, kind, message, retryAfterMs } = failure
  switch (code) {
    case 'DP_MODEL_KEY':
      return status === 401
        ? 'Check the key that it was given.'
        : 'Ask for the rights that the key lacks, or use another model.'
    case 'DP_MODEL_BALANCE':
      return 'Add to the balance of the account; asking again does not help.'
    case 'DP_MODEL_BUSY':
      return retryAfterMs === undefined
        ? 'Try again later, or with fewer requests at a time.'
        : `${askedWait(retryAfterMs)} Try again then, or with fewer requests at a time.`
    case 'DP_MODEL_REQUEST':
      return adviceOnRequest({ status, kind, message })
    default:
      if (status >= 300 && status < 400)
        return 'Redirects are not followed: give the address that it leads to as the base URL.'
      return 'Try again later.'
  }
}

/** Told as a fact: it stands behind a wait of ours as well, which may be longer. */
function askedWait(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  return `It asks to wait ${seconds} second${seconds === 1 ? '' : 's'}.`
}

function adviceOnRequest({ status, kind, message }: Failure): string {
  if (status === 404 || kind === 'model_not_found')
    return 'Check the name of the model and the base URL.'
  if (status === 413 || isLong(message)) return 'Make the conversation shorter.'
  return 'It does not take this request; the message tells what of it.'
}

function excerpt(text: string): string {
  return terminalText(text.slice(0, EXCERPT).trim()).replace(/[.!]+$/, '')
}

interface Said {
  /** Empty where nothing was said that is for people. */
  readonly message: string
  readonly kind: string | undefined
}

const NOTHING: Said = { message: '', kind: undefined }

/** Finds what was said in any of the shapes that are in use. */
function saidIn(body: string): Said {
  const text = body.trim()
  if (text === '') return NOTHING
  if (!text.startsWith('{') && !text.startsWith('[')) return saidAsText(text)
  const value = parsed(text)
  // One provider answers with a list of one.
  const whole: unknown = Array.isArray(value) ? value[0] : value
  return isJsonObject(whole) ? saidInObject(whole) : saidAsText(text)
}

function saidInObject(whole: JsonObject): Said {
  const error = whole['error']
  if (typeof error === 'string') return { message: error, kind: undefined }
  const facts = isJsonObject(error) ? error : whole
  const message = textOf(facts['message']) ?? detailOf(whole['detail']) ?? ''
  // A code of numbers repeats the status.
  const kind = textOf(facts['code']) ?? textOf(facts['type']) ?? textOf(facts['status'])
  return { message: `${message}${upstreamIn(facts)}`, kind }
}

/** Complaints of a framework that checks requests: a text, or a list of objects with `msg`. */
function detailOf(detail: unknown): string | undefined {
  if (typeof detail === 'string') return detail
  if (!Array.isArray(detail)) return undefined
  const said = detail.slice(0, 5).flatMap((one: unknown) => {
    const message = isJsonObject(one) ? textOf(one['msg']) : undefined
    return message === undefined ? [] : [message]
  })
  return said.length === 0 ? undefined : said.join('; ')
}

/** What the provider behind a router said, without which the router's own message says nothing. */
function upstreamIn(facts: JsonObject): string {
  const metadata = facts['metadata']
  const raw = isJsonObject(metadata) ? textOf(metadata['raw']) : undefined
  return raw === undefined ? '' : ` (${raw.slice(0, 1000)})`
}

/** The first line, unless it is a page for browsers. */
function saidAsText(text: string): Said {
  if (text.startsWith('<')) return NOTHING
  const end = text.search(/[\r\n]/)
  return { message: (end < 0 ? text : text.slice(0, end)).slice(0, 2000), kind: undefined }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function parsed(text: string): unknown {
  if (exceedsDepth(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined // a body that was cut, or is no JSON after all
  }
}
