/**
 * What a call leads to that was not done with its first answer: questions that are answered and the call made again, or a
 * task that is followed to its end. Loaded with the first such call.
 */

import { CancelledError, ProtocolError, RpcRefusal, TimeoutError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { TimerSetting } from '../jsonrpc/exchange.ts'
import type { InputRequest, Outcome } from '../protocol/dialect.ts'
import { answerQuestion, isServersFault } from './answers.ts'
import type { CallOptions } from './options.ts'
import { USER_REFUSED } from './refuse.ts'
import { limitsOf, send, type Caller, type Calling } from './request.ts'
import { followCoreTask, followTask, taskOf, type TaskedCall } from './tasks.ts'

/** The call that is not done, and how others are made. */
export interface Unfinished {
  readonly caller: Caller
  readonly calling: Calling
  /** When it began, by the clock of the settings. */
  readonly startedAt: number
  readonly call: (caller: Caller, method: string, params?: JsonObject) => Promise<JsonObject>
}

type Question = Extract<Outcome, { kind: 'input-required' }>

/** The complete result that an outcome leads to: itself, or what comes of answering or waiting. */
export function endOf(outcome: Outcome, unfinished: Unfinished): JsonObject | Promise<JsonObject> {
  if (outcome.kind === 'input-required') return continueCall(outcome, unfinished)
  if (outcome.kind === 'task') return followTask(tasked(unfinished), outcome.task)
  const wished = unfinished.calling.params?.['task'] !== undefined
  const task = wished ? taskOf(outcome.result) : undefined
  return task === undefined ? outcome.result : followCoreTask(tasked(unfinished), task)
}

function tasked(unfinished: Unfinished): TaskedCall {
  const { caller, calling, call } = unfinished
  return {
    method: calling.method,
    options: calling.options,
    clock: caller.settings.clock,
    total: totalOf(caller, calling),
    // Looking at a task is a request of its own, with the limits of the client.
    ask: (asks, params) => call(caller, asks, params),
    answer: (questions) => answerAll(questions, unfinished),
  }
}

function totalOf(caller: Caller, calling: Calling): TimerSetting {
  return limitsOf(caller, calling).total ?? caller.settings.total
}

/** The rounds after the first: answer, then ask again under a new id, within the limits of the whole call. */
async function continueCall(question: Question, unfinished: Unfinished): Promise<JsonObject> {
  const { caller, calling, startedAt } = unfinished
  const { settings, dialect } = caller
  const { method, params, options, headers } = calling
  const total = totalOf(caller, calling)
  let asked = question
  for (let round = 1; round <= settings.maxRounds; round += 1) {
    const inputResponses = await answerAll(asked.inputRequests, unfinished) // MRTR-05
    const retry: JsonObject = {
      ...params,
      ...(asked.inputRequests.size === 0 ? {} : { inputResponses }),
      ...(asked.requestState === undefined ? {} : { requestState: asked.requestState }), // MRTR-07
    }
    const ms = total.ms - (settings.clock.now() - startedAt)
    if (ms <= 0) throw outOfTime(method, total)
    const raw = await send(
      caller,
      { method, params: retry, options, headers },
      { ...limitsOf(caller, calling), total: { ...total, ms } },
    ).result // MRTR-06, MRTR-15
    const outcome = dialect.decodeResult(method, raw)
    if (outcome.kind !== 'input-required') return endOf(outcome, unfinished)
    asked = outcome
  }
  throw new ProtocolError(
    'DP_PROTOCOL_ROUNDS',
    `${method} asked for input more than ${settings.maxRounds} times. The server may be asking in circles; raise maxRounds if it is not.`,
    {
      requirement: 'MRTR-14',
      method,
      detail: { kind: 'too-many-questions', most: settings.maxRounds },
    },
  )
}

/** All answers, unless the call is given up or out of time before. // MRTR-14 */
async function answerAll(
  questions: ReadonlyMap<string, InputRequest>,
  { caller, calling, startedAt }: Unfinished,
): Promise<JsonObject> {
  const { settings } = caller
  const { method, options } = calling
  const total = totalOf(caller, calling)
  const over = new AbortController()
  let end = (_error: Error): void => undefined
  const ended = new Promise<never>((_, reject) => (end = reject))
  const giveUp = (): void => end(givenUp(method, options))
  const left = Math.max(0, total.ms - (settings.clock.now() - startedAt))
  const expire = (): void => end(outOfTime(method, total))
  const timer = Number.isFinite(left) ? settings.clock.after(left, expire) : undefined
  const signal = options?.signal
  if (signal?.aborted === true) giveUp()
  else signal?.addEventListener('abort', giveUp, { once: true })
  try {
    const answers = [...questions].map(([key, question]) =>
      answerOne(question, { caller, method, signal: over.signal }).then((answer) => [key, answer]),
    )
    const answered = await Promise.race([Promise.all(answers), ended])
    return Object.fromEntries(answered) as JsonObject // keys and JSON answers
  } finally {
    timer?.cancel()
    signal?.removeEventListener('abort', giveUp)
    over.abort()
  }
}

async function answerOne(
  question: InputRequest,
  { caller, method, signal }: { caller: Caller; method: string; signal: AbortSignal },
): Promise<JsonObject> {
  try {
    const { transport: server } = caller.channel
    return await answerQuestion(caller, question, { signal, server })
  } catch (error) {
    if (isServersFault(error)) throw unanswerable(method, question, error)
    if (!(error instanceof RpcRefusal) || error.rpcCode !== USER_REFUSED) throw error
    // The server is not waiting: not to call again is an answer as well. // SAMP-15
    const message = `${method} was given up: the person did not allow ${question.method}.`
    throw new CancelledError(message, { method, reason: error.message, cause: error })
  }
}

/** Inside of a result there is nobody to refuse a question to: the call ends, and says why. // MRTR-04 */
function unanswerable(method: string, question: InputRequest, cause: Error): ProtocolError {
  return new ProtocolError(
    'DP_PROTOCOL_RESULT',
    `The result of ${method} asks ${question.method} as it may not: ${cause.message}. The call cannot go on; report it to the server's author.`,
    { requirement: 'MRTR-04', method, cause },
  )
}

function givenUp(method: string, options: CallOptions | undefined): CancelledError {
  const reason: unknown = options?.signal?.reason
  const message = `${method} was cancelled between two rounds; the server is not working on it.`
  return new CancelledError(message, { method, reason, cause: reason })
}

function outOfTime(method: string, { ms, setBy }: TimerSetting): TimeoutError {
  const message = `${method} ran into its total timer of ${ms} ms, set by ${setBy}, while a question was answered. The server is not working on it.`
  return new TimeoutError(message, {
    timer: 'total',
    ms,
    setBy,
    method,
    sent: 'no',
    detail: { kind: 'question-took-long' },
  })
}
