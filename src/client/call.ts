/**
 * One call through the agreed dialect, questions and all: send, read the outcome, answer what is asked, send again.
 *
 * Everything a client does after connecting goes through `Caller.call`, so that capabilities, timers and rounds are
 * handled once.
 */

import { asError, CapabilityError, ProtocolError } from '../base/errors.ts'
import type { JsonObject, JsonText } from '../base/json.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import type { Exchange, Requested, RequestOptions, TimerSetting } from '../jsonrpc/exchange.ts'
import type { RequestId } from '../jsonrpc/message.ts'
import type { Peer } from '../jsonrpc/peer.ts'
import type { Facts } from '../jsonrpc/wire.ts'
import { missingCapability } from '../protocol/capability.ts'
import type { Dialect, InputRequest, Outcome, ServerFacts } from '../protocol/dialect.ts'
import { answerQuestion, isServersFault } from './answers.ts'
import { requestOptions, type CallOptions, type Settings } from './options.ts'
import { followCoreTask, followTask, taskOf, type TaskedCall } from './tasks.ts'

/** What a call needs of its connection. */
export interface Caller {
  readonly channel: Channel
  readonly peer: Peer
  readonly dialect: Dialect
  readonly server: ServerFacts
  readonly settings: Settings
  /** Methods that were found to be allowed: what was declared does not change. */
  readonly allowed: Set<string>
  /** Whether the carrier repeats words of a request in headers. // HTTP-56 */
  readonly mirrors: boolean
  /** What may be done about a call that failed; gives nothing when nothing can. Must not throw. */
  readonly rescue: (failed: FailedCall) => Promise<JsonObject> | undefined
}

/** A call that failed, for whoever may still save it. */
export interface FailedCall {
  readonly caller: Caller
  readonly calling: Calling
  readonly error: Error
  /** When the call began, by the clock of the settings. */
  readonly startedAt: number
}

/** Makes one call and gives its complete result. */
export function call(
  caller: Caller,
  method: string,
  params?: JsonObject,
  options?: CallOptions,
): Promise<JsonObject> {
  return callAs(caller, { method, params, options }, (result) => result)
}

/** One call with what to ask. */
export interface Calling {
  readonly method: string
  readonly params: JsonObject | undefined
  readonly options: CallOptions | undefined
  /** Further headers for carriers that have some, by lower-case name: the arguments that a tool wants repeated. // HTTP-64 */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Set on a second try: the time that is left. There is no third one. */
  readonly left?: TimerSetting | undefined
}

/** Makes of the complete result what the caller gets. `direct`: it was the first answer, with no question before it. // MRTR-16 */
export type Finish<Result> = (result: JsonObject, direct?: boolean) => Result | Promise<Result>

/**
 * The same, with `finish` applied to the complete result before anyone sees it. The one promise of the exchange is what
 * the caller waits for: a call costs no further ones.
 */
export function callAs<Result>(
  caller: Caller,
  calling: Calling,
  finish: Finish<Result>,
): Promise<Result> {
  try {
    checkAllowed(caller, calling.method)
  } catch (error) {
    return Promise.reject(asError(error))
  }
  const requested = new OneCall(caller, calling, finish)
  return caller.peer.ask(calling.method, requested, limitsOf(caller, calling)).result
}

function limitsOf({ settings }: Caller, { options, left }: Calling): RequestOptions {
  const limits = requestOptions(settings, options)
  return left === undefined ? limits : { ...limits, total: left }
}

/** A call as the peer sends it: written in the words of the dialect, and read to its complete result. */
class OneCall<Result> implements Requested<Result> {
  readonly #caller: Caller
  readonly #calling: Calling
  readonly #finish: Finish<Result>

  constructor(caller: Caller, calling: Calling, finish: Finish<Result>) {
    this.#caller = caller
    this.#calling = calling
    this.#finish = finish
  }

  encode(id: RequestId): JsonObject | JsonText | undefined {
    return encode(this.#caller, this.#calling, id)
  }

  facts(): Facts | undefined {
    return factsOf(this.#caller, this.#calling)
  }

  read(raw: JsonObject): Result | Promise<Result> {
    const outcome = this.#caller.dialect.decodeResult(this.#calling.method, raw)
    const ended = endOf(this.#caller, this.#calling, outcome)
    return ended instanceof Promise ? ended.then(this.#finish) : this.#finish(ended, true)
  }

  rescue(error: Error, startedAt: number): Promise<Result> | undefined {
    const [caller, calling] = [this.#caller, this.#calling]
    if (calling.left !== undefined) return undefined
    return caller.rescue({ caller, calling, error, startedAt })?.then(this.#finish)
  }
}

function encode(
  { dialect, settings }: Caller,
  { method, params, options }: Calling,
  progressToken: RequestId,
): JsonObject | JsonText | undefined {
  const logLevel = options?.logLevel ?? settings.logLevel
  return dialect.encodeRequest({ method, params, progressToken, logLevel }, settings.identity)
    .params
}

/** What a carrier with headers has to know of a call. */
function factsOf(
  { dialect, mirrors }: Caller,
  { method, params, headers }: Calling,
): Facts | undefined {
  if (!mirrors) return undefined
  return { headers: { ...dialect.requestHeaders(method, params), ...headers } }
}

/** Sends one request in the words of the dialect and gives its raw result; the id is also its progress token. // PROG-01 */
export function send(caller: Caller, calling: Calling, request: RequestOptions): Exchange {
  const requested: Requested<JsonObject> = {
    encode: (id) => encode(caller, calling, id),
    facts: () => factsOf(caller, calling),
    read: (raw) => raw,
  }
  return caller.peer.ask(calling.method, requested, request)
}

/** The complete result that an outcome leads to: itself, or what comes of answering or waiting. */
function endOf(
  caller: Caller,
  calling: Calling,
  outcome: Outcome,
): JsonObject | Promise<JsonObject> {
  if (outcome.kind === 'input-required') return continueCall(caller, calling, outcome)
  if (outcome.kind === 'task') return followTask(tasked(caller, calling), outcome.task)
  const task = calling.params?.['task'] === undefined ? undefined : taskOf(outcome.result)
  return task === undefined ? outcome.result : followCoreTask(tasked(caller, calling), task)
}

function tasked(caller: Caller, { method, options }: Calling): TaskedCall {
  const { settings } = caller
  return {
    method,
    options,
    clock: settings.clock,
    total: requestOptions(settings, options).total ?? settings.total,
    // Looking at a task is a request of its own, with the limits of the client.
    ask: (asks, params) => call(caller, asks, params),
    answer: (questions) => answerAll(caller, method, questions, options),
  }
}

type Question = Extract<Outcome, { kind: 'input-required' }>

/** The rounds after the first: answer, then ask again under a new id, within the limits of the whole call. */
async function continueCall(
  caller: Caller,
  calling: Calling,
  question: Question,
): Promise<JsonObject> {
  const first = limitsOf(caller, calling)
  const { settings, dialect } = caller
  const { method, params, options, headers } = calling
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
    const raw = await send(
      caller,
      { method, params: retry, options, headers },
      { ...first, total: { ...total, ms: left } },
    ).result // MRTR-06
    const outcome = dialect.decodeResult(method, raw)
    if (outcome.kind !== 'input-required')
      return endOf(caller, { method, params, options }, outcome)
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
export function checkAllowed({ dialect, server, settings, allowed }: Caller, method: string): void {
  if (allowed.has(method)) return
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
  if (missing === undefined) {
    allowed.add(method)
    return
  }
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
