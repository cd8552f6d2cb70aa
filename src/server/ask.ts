/**
 * `ctx.ask`, in both eras.
 *
 * Where the revision lets a server ask by request, it asks and waits. Where questions travel inside results, the first
 * question without an answer ends this run of the author's code: its promise never settles, the client is given the
 * questions, and the retry runs the code again from its start with the answers at hand. So an effect behind an `ask`
 * happens once, also when the code catches errors.                                                          MRTR-17
 */

import { asError, UsageError } from '../base/errors.ts'
import { canonicalJson, type JsonObject } from '../base/json.ts'
import type { ClientFacts, Dialect, InputRequest, Outcome } from '../protocol/dialect.ts'
import { invalidParams } from '../protocol/errors.ts'
import type { ElicitQuestion, Question } from '../tools/context.ts'
import type { TaskWork } from '../tools/task-store.ts'
import {
  checkAnswer,
  checkAskable,
  checkExists,
  checkWellPut,
  paramsOf,
  softened,
  tooEarly,
} from './question.ts'
import type { Dispatched, Served } from './served.ts'

/** Most questions that one call may have open or answered. // SAMP-11 */
const MAX_QUESTIONS = 100

/** Puts an author's questions to the client, in the way of the revision. */
export interface Asker {
  ask(key: string, question: Question): Promise<JsonObject>
}

/** What an asker needs of the request it belongs to. */
export interface AskedCall {
  readonly server: Served
  readonly call: Dispatched
  readonly client: () => ClientFacts
  /** Answers of earlier rounds, out of the sealed state. */
  readonly earlier: JsonObject
  /** Called once, when this run has met a question that only a retry can answer. */
  readonly suspend: (outcome: Promise<Outcome>) => void
}

/** The asker of a request; made when its code asks for the first time. */
export function askerFor(asked: AskedCall): Asker {
  return asked.call.dialect.traits.serverAsks === 'request'
    ? new WaitingAsker(asked)
    : new ReplayingAsker(asked)
}

/**
 * What a retry brings along; undefined when the request is none. Rejects with `RpcRefusal` for a state that was not sealed
 * here for this request and this caller, and, if it may be redeemed `once`, for one that was. // MRTR-09, MRTR-11
 */
export function earlierAnswers(
  server: Served,
  call: Dispatched,
  once: boolean,
): Promise<JsonObject> | undefined {
  const { requestState } = call.inbound
  return requestState === undefined ? undefined : openState(server, call, { requestState, once })
}

async function openState(
  { sealer, usedStates }: Served,
  call: Dispatched,
  { requestState, once }: { readonly requestState: string; readonly once: boolean },
): Promise<JsonObject> {
  const { state, id, until } = await sealer.open(requestState, bindingOf(call))
  if (once && usedStates !== undefined && !(await usedStates.use(id, until)))
    throw invalidParams('The requestState was used before: start the request again without it')
  return state
}

/** Asks by request; each key once. */
class WaitingAsker implements Asker {
  readonly #asked: AskedCall
  readonly #answers = new Map<string, Promise<JsonObject>>()

  constructor(asked: AskedCall) {
    this.#asked = asked
  }

  ask(key: string, question: Question): Promise<JsonObject> {
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    if (this.#answers.size >= MAX_QUESTIONS) return Promise.reject(tooMany())
    const answer = this.#request(question)
    this.#answers.set(key, answer)
    return answer
  }

  async #request(question: Question): Promise<JsonObject> {
    const { call, client } = this.#asked
    const { dialect, request, link } = call
    if (!link.initialized()) throw tooEarly(question)
    checkWellPut(question)
    checkExists(question, dialect)
    checkAskable(question, client())
    const { method } = question
    const put = this.#named(softened(question, client(), dialect))
    const { params } = dialect.encodeRequest({ method, params: paramsOf(put) })
    // A person may be answering: only the whole call has a limit, not the silence. The facts are those of the request that
    // this is asked for, so that it travels on its stream. // HTTP-77
    const answer = await link.peer.request(method, params, {
      idle: { ms: Number.POSITIVE_INFINITY, setBy: 'ask' },
      signal: request.signal,
      facts: request.facts,
    }).result
    checkAnswer(question, answer)
    return answer
  }

  /** A visit gets an id where the revision wants one, and the link remembers whom to tell of its end. // ELIC-14, ELIC-16 */
  #named(question: Question): Question {
    const { server, call } = this.#asked
    if (question.method !== 'elicitation/create' || question.params.mode !== 'url') return question
    if (!call.dialect.traits.elicitationIds) return question
    const elicitationId = question.params.elicitationId ?? server.newId(16)
    call.link.elicitations.add(elicitationId)
    return { ...question, params: { ...question.params, elicitationId } }
  }
}

/** Asks in the task that the request has become: whoever looks after it answers. // TASKX-09, TASK-10 */
export class TaskAsker implements Asker {
  readonly #work: TaskWork
  readonly #about: { readonly dialect: Dialect; readonly client: ClientFacts }

  constructor(work: TaskWork, about: { readonly dialect: Dialect; readonly client: ClientFacts }) {
    this.#work = work
    this.#about = about
  }

  async ask(key: string, question: Question): Promise<JsonObject> {
    const { dialect, client } = this.#about
    checkWellPut(question)
    if (dialect.traits.serverAsks === 'request') checkExists(question, dialect)
    checkAskable(question, client)
    const answer = await this.#work.ask(key, inputRequestOf(softened(question, client, dialect)))
    checkAnswer(question, answer)
    return answer
  }
}

/** Answers from what came with the request; what is missing ends the run. */
export class ReplayingAsker implements Asker {
  readonly #asked: AskedCall
  readonly #open = new Map<string, InputRequest>()
  readonly #used: JsonObject = Object.create(null) as JsonObject // keys are an author's: no prototype in the way

  constructor(asked: AskedCall) {
    this.#asked = asked
  }

  ask(key: string, question: Question): Promise<JsonObject> {
    let put: Question
    try {
      checkWellPut(question)
      const client = this.#asked.client()
      checkAskable(question, client) // MRTR-04
      const answer = this.#answerTo(key, question)
      if (answer !== undefined) return Promise.resolve(answer)
      if (this.#open.size >= MAX_QUESTIONS) throw tooMany()
      put = softened(question, client, this.#asked.call.dialect)
    } catch (error) {
      return Promise.reject(asError(error))
    }
    // Questions asked in the same breath travel together.
    if (this.#open.size === 0) queueMicrotask(() => this.#asked.suspend(this.#outcome()))
    this.#open.set(key, inputRequestOf(put))
    return new Promise(() => {})
  }

  /**
   * Ends the request with visits that must be over before it is made again. Undefined when the person said no to one of
   * them in the round before: asking again would be asking for ever.
   */
  visits(questions: readonly ElicitQuestion[]): Promise<Outcome> | undefined {
    const { inbound } = this.#asked.call
    for (const [at, question] of questions.entries()) {
      checkWellPut(question)
      checkAskable(question, this.#asked.client())
      const key = `visit ${at + 1}`
      const answer = inbound.inputResponses?.[key] ?? undefined
      if (answer !== undefined) {
        checkAnswer(question, answer)
        if (answer['action'] !== 'accept') return undefined
      }
      this.#open.set(key, inputRequestOf(question))
    }
    return this.#outcome()
  }

  /** Sealed answers first: the client cannot take back what it said. Surplus answers are never looked at. // MRTR-13 */
  #answerTo(key: string, question: Question): JsonObject | undefined {
    const { earlier, call } = this.#asked
    const fresh = call.inbound.inputResponses ?? {}
    const sealed = Object.hasOwn(earlier, key) ? earlier[key] : undefined
    const answer = sealed ?? (Object.hasOwn(fresh, key) ? fresh[key] : undefined)
    if (answer === undefined || answer === null) return undefined
    checkAnswer(question, answer)
    this.#used[key] = answer
    return answer
  }

  async #outcome(): Promise<Outcome> {
    const { server, call } = this.#asked
    const answered = { ...this.#used }
    const requestState = await server.sealer.seal(answered, bindingOf(call)) // MRTR-02
    return { kind: 'input-required', inputRequests: this.#open, requestState }
  }
}

/** What must not change between the rounds of a request, whatever the order of its keys: what is asked, and by whom. // MRTR-10 */
function bindingOf({ inbound, request }: Dispatched): string {
  const { method, params } = inbound
  const { _meta: _, ...salient } = params
  return canonicalJson({
    method,
    params: salient,
    principal: request.facts?.auth?.principal ?? null,
  })
}

function inputRequestOf(question: Question): InputRequest {
  const params = paramsOf(question)
  return params === undefined ? { method: question.method } : { method: question.method, params }
}

function tooMany(): UsageError {
  return new UsageError(`A request may ask at most ${MAX_QUESTIONS} questions.`)
}
