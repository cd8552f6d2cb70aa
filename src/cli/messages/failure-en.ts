/**
 * Errors in English for who types commands: what went wrong, where, what to do.
 *
 * The message of an error is English already and written for any program. Here it gets what only the command line knows: the
 * option that widens a limit, the command that looks closer. Texts of peers are not escaped here.
 */

import type { ErrorDetailKind } from '../../base/error-detail.ts'
import { RpcError, TimeoutError, type ErrorCode, type PilotError } from '../../base/errors.ts'
import { isHarmless, isOutcomeOpen, TIMER_OPTIONS, widenedAt } from './failure-facts.ts'
import type { TellOptions } from './failure-words.ts'

/** What the standard codes mean; the words of the server itself follow. */
const RPC_CODES: ReadonlyMap<number, (method: string) => string> = new Map<
  number,
  (method: string) => string
>([
  [-32700, () => 'It cannot read the message that it was sent'],
  [-32600, () => 'It says that the request is against the rules'],
  [-32601, (method) => `It does not know ${method}, and may be too old`],
  [-32602, (method) => `The arguments of ${method} are wrong. Correct them`],
  [-32603, (method) => `It had an internal error over ${method}`],
  [-32002, () => 'There is no such resource'],
])

function rpcEn(error: RpcError): string {
  const said = error.message.trim()
  const meaning = RPC_CODES.get(error.rpcCode)
  if (meaning === undefined) return said === '' ? 'It gave no reason.' : said
  const told = `${meaning(error.method ?? 'the request')}.`
  return said === '' ? told : `${told} It says: ${said}`
}

const TIMERS: Readonly<Record<TimeoutError['timer'], (method: string, ms: number) => string>> = {
  probe: (method, ms) => `${method} was not answered within ${ms} ms.`,
  start: (method, ms) =>
    `${ms} ms after its start, ${method} was not answered yet. See its stderr.`,
  idle: (method, ms) => `nothing happened for ${ms} ms, and ${method} was not answered.`,
  total: (method, ms) => `${method} was not done within ${ms} ms.`,
  write: (_method, ms) => `it took no message for ${ms} ms.`,
  stop: (_method, ms) => `it had not ended after ${ms} ms.`,
}

const UNKNOWN_OUTCOME = 'Whether it took effect is not known.'

function timeoutEn(error: TimeoutError, method: string): string {
  const { timer, ms, server, detail } = error
  const option = TIMER_OPTIONS.get(timer)
  const place = widenedAt(error)
  const wider =
    option === undefined
      ? ''
      : place === undefined
        ? ` Widen the limit with ${option}.`
        : ` The limit stands in ${place}, where it can be widened.`
  const open = isOutcomeOpen(error) && !isHarmless(method) ? ` ${UNKNOWN_OUTCOME}` : ''
  const stray = detail?.kind === 'no-mcp' ? ` ${strayEn(detail.output)}` : ''
  const far = server === undefined ? 'The server' : `The server "${server}"`
  return `${far}: ${TIMERS[timer](method, ms)}${wider}${open}${stray}`
}

function strayEn(output: string | undefined): string {
  return `What it wrote to its output is no MCP message${output === undefined ? '' : `: "${output}"`}.`
}

const NOT_SERVING = 'Check that it runs and that the address is right.'
const TO_AUTHOR = 'Tell the author of the server.'

/** What to do, where the message leaves it out. */
const ADVICE: Readonly<Partial<Record<ErrorDetailKind, string>>> = {
  'not-reached': NOT_SERVING,
  'session-gone': 'Connect again.',
  'stream-lost': 'Connect again.',
  'no-post-address': 'Is it the endpoint of an MCP server?',
  encoding: 'Tell its author.',
  unavailable: 'Look closer with: deep-pilot doctor',
  'too-many-items': TO_AUTHOR,
}

/** The same for errors of which the code says all. */
const ADVICE_BY_CODE: Readonly<Partial<Record<ErrorCode, string>>> = {
  DP_PROTOCOL_MESSAGE: TO_AUTHOR,
  DP_PROTOCOL_RESULT: TO_AUTHOR,
  DP_SCHEMA_RESULT: TO_AUTHOR,
}

/** An error in English, on one line unless a peer said more. */
export function tellEn(error: PilotError, { advice = true }: TellOptions = {}): string {
  const { detail, method, message } = error
  if (error instanceof RpcError) return rpcEn(error)
  const isPlain = detail === undefined || detail.kind === 'no-mcp'
  if (error instanceof TimeoutError && isPlain && method !== undefined)
    return timeoutEn(error, method)
  const told = detail === undefined ? ADVICE_BY_CODE[error.code] : ADVICE[detail.kind]
  const core = method !== undefined && isHarmless(method) ? withoutDoubt(message) : message
  return told === undefined || !advice || core.endsWith(told) ? core : `${asSentence(core)} ${told}`
}

/** Of what only asks, the effect is in no doubt. */
function withoutDoubt(message: string): string {
  return message.endsWith(` ${UNKNOWN_OUTCOME}`)
    ? message.slice(0, -UNKNOWN_OUTCOME.length - 1)
    : message
}

function asSentence(text: string): string {
  return /[.!?。]$/.test(text) ? text : `${text}.`
}
