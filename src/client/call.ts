/**
 * One call through the agreed dialect, questions and all: send, read the outcome, answer what is asked, send again.
 *
 * Everything a client does after connecting goes through `Caller.call`, so that capabilities, timers and rounds are
 * handled once.
 */

import { CapabilityError, ProtocolError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { Exchange, RequestOptions } from '../jsonrpc/exchange.ts'
import type { Peer } from '../jsonrpc/peer.ts'
import { missingCapability } from '../protocol/capability.ts'
import type { Dialect, InputRequest, Outcome, ServerFacts } from '../protocol/dialect.ts'
import { answerQuestion, isServersFault } from './answers.ts'
import { requestOptions, type CallOptions, type Settings } from './options.ts'

/** What a call needs of its connection. */
export interface Caller {
  readonly peer: Peer
  readonly dialect: Dialect
  readonly server: ServerFacts
  readonly settings: Settings
}

/** Makes one call and gives its complete result. */
export async function call(
  caller: Caller,
  method: string,
  params?: JsonObject,
  options?: CallOptions,
): Promise<JsonObject> {
  checkAllowed(caller, method)
  const request = requestOptions(caller.settings, options)
  const raw = await send(caller, method, params, request).result
  const outcome = caller.dialect.decodeResult(method, raw)
  return outcome.kind === 'complete'
    ? outcome.result
    : continueCall(caller, method, params, request, outcome, options)
}

/** Sends one request in the words of the dialect; the id is also its progress token. // PROG-01 */
export function send(
  caller: Caller,
  method: string,
  params: JsonObject | undefined,
  request: RequestOptions & Pick<CallOptions, 'logLevel'>,
): Exchange {
  const { dialect, settings } = caller
  const logLevel = request.logLevel ?? settings.logLevel
  return caller.peer.request(
    method,
    (id) =>
      dialect.encodeRequest({ method, params, progressToken: id, logLevel }, settings.identity)
        .params,
    request,
  )
}

type Question = Extract<Outcome, { kind: 'input-required' }>

/** The rounds after the first: answer, then ask again under a new id, within the limits of the whole call. */
async function continueCall(
  ...[caller, method, params, first, question, options]: [
    Caller,
    string,
    JsonObject | undefined,
    RequestOptions,
    Question,
    CallOptions | undefined,
  ]
): Promise<JsonObject> {
  const { settings, dialect } = caller
  const startedAt = settings.clock.now()
  let asked = question
  for (let round = 1; round <= settings.maxRounds; round += 1) {
    const inputResponses = await answerAll(caller, method, asked.inputRequests, options) // MRTR-05
    const retry: JsonObject = {
      ...params,
      ...(asked.inputRequests.size === 0 ? {} : { inputResponses }),
      ...(asked.requestState === undefined ? {} : { requestState: asked.requestState }), // MRTR-07
    }
    const total = first.total ?? settings.total
    const left = Math.max(0, total.ms - (settings.clock.now() - startedAt))
    const raw = await send(caller, method, retry, { ...first, total: { ...total, ms: left } })
      .result // MRTR-06
    const outcome = dialect.decodeResult(method, raw)
    if (outcome.kind === 'complete') return outcome.result
    asked = outcome
  }
  throw new ProtocolError(
    'DP_PROTOCOL_ROUNDS',
    `${method} asked for input more than ${settings.maxRounds} times. The server may be asking in circles; raise maxRounds if it is not.`,
    { requirement: 'MRTR-14', method },
  )
}

async function answerAll(
  ...[{ settings }, method, questions, options]: [
    Caller,
    string,
    ReadonlyMap<string, InputRequest>,
    CallOptions | undefined,
  ]
): Promise<JsonObject> {
  const answerer = { answers: settings.answers, capabilities: settings.identity.capabilities }
  const context = { signal: options?.signal ?? NEVER }
  const answered = await Promise.all(
    [...questions].map(async ([key, question]) => {
      try {
        return [key, await answerQuestion(answerer, question.method, question.params, context)]
      } catch (error) {
        throw isServersFault(error) ? unanswerable(method, question, error) : error
      }
    }),
  )
  return Object.fromEntries(answered) as JsonObject // keys and JSON answers
}

/** Inside of a result there is nobody to refuse a question to: the call ends, and says why. // MRTR-04 */
function unanswerable(method: string, question: InputRequest, cause: Error): ProtocolError {
  return new ProtocolError(
    'DP_PROTOCOL_RESULT',
    `The result of ${method} asks ${question.method} as it may not: ${cause.message}. The call cannot go on; report it to the server's author.`,
    { requirement: 'MRTR-04', method, cause },
  )
}

const NEVER: AbortSignal = new AbortController().signal

/** Throws `CapabilityError` when the revision or what the server declared does not allow the method. // LIFE-08 */
export function checkAllowed({ dialect, server, settings }: Caller, method: string): void {
  const rule = dialect.methods.get(method)
  if (rule === undefined) {
    throw new CapabilityError(
      'DP_CAPABILITY_METHOD',
      `${method} does not exist in revision ${dialect.revision}, which this connection speaks.`,
      { method, revision: dialect.revision },
    )
  }
  const missing = missingCapability(rule, {
    client: settings.identity.capabilities,
    server: server.capabilities,
  })
  if (missing === undefined) return
  throw new CapabilityError(
    'DP_CAPABILITY_MISSING',
    `${method} was not sent: ${missing} was not declared.`,
    {
      method,
      missing,
      revision: dialect.revision,
    },
  )
}

/** A member of a peer's object that should be an array; anything else counts as empty. */
export function arrayMember(result: JsonObject, name: string): readonly unknown[] {
  const value = result[name]
  return Array.isArray(value) ? value : []
}
