/**
 * `ctx.ask`, in both eras.
 *
 * Where the revision lets a server ask by request, it asks and waits. Where questions travel inside results, the first
 * question without an answer ends this run of the tool: its promise never settles, the client is given the questions,
 * and the retry runs the tool again from its start with the answers at hand. So an effect behind an `ask` happens once,
 * also when the tool catches errors.                                                                        MRTR-17
 */

import { asError, CapabilityError, RpcRefusal, UsageError } from '../base/errors.ts'
import { canonicalJson, isJsonObject, type JsonObject } from '../base/json.ts'
import type { InboundRequest } from '../jsonrpc/inbound-request.ts'
import { INVALID_PARAMS } from '../jsonrpc/message.ts'
import type { Peer } from '../jsonrpc/peer.ts'
import { missingForInput } from '../protocol/capability.ts'
import type { ClientFacts, Dialect, Inbound, InputRequest, Outcome } from '../protocol/dialect.ts'
import type { Question } from '../tools/context.ts'
import type { Sealer } from './request-state.ts'

/** Most questions that one call may have open or answered. */
const MAX_QUESTIONS = 100

/** Puts a tool's questions to the client, in the way of the revision. */
export interface Asker {
  ask(key: string, question: Question): Promise<JsonObject>
}

/** What an asker needs of the call it belongs to. */
export interface AskedCall {
  readonly dialect: Dialect
  readonly client: () => ClientFacts
  readonly inbound: Inbound
  readonly request: InboundRequest
  readonly peer: Peer
  readonly sealer: Sealer
  /** Whether the client said `notifications/initialized`; of no weight where questions travel in results. */
  readonly initialized: () => boolean
  /** Answers of earlier rounds, out of the sealed state. */
  readonly earlier: JsonObject
  /** Called once, when this run has met a question that only a retry can answer. */
  readonly suspend: (outcome: Promise<Outcome>) => void
}

/** The asker of a call; made when the tool asks for the first time. */
export function askerFor(asked: AskedCall): Asker {
  return asked.dialect.traits.serverAsks === 'request'
    ? new WaitingAsker(asked)
    : new ReplayingAsker(asked)
}

/** What a retry brings along. Rejects with `RpcRefusal` for a state that was not sealed here for this call. */
export function earlierAnswers(inbound: Inbound, sealer: Sealer): Promise<JsonObject> | undefined {
  const { requestState } = inbound
  return requestState === undefined ? undefined : sealer.open(requestState, bindingOf(inbound))
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
    const answer = this.#request(question)
    if (this.#answers.size >= MAX_QUESTIONS) return Promise.reject(tooMany())
    this.#answers.set(key, answer)
    return answer
  }

  async #request(question: Question): Promise<JsonObject> {
    const { peer, client, dialect, request, initialized } = this.#asked
    if (!initialized()) throw tooEarly(question)
    checkExists(question, dialect)
    checkAskable(question, client())
    const { method } = question
    const { params } = dialect.encodeRequest({ method, params: paramsOf(question) })
    // A person may be answering: only the whole call has a limit, not the silence.
    const patient = { ms: Number.POSITIVE_INFINITY, setBy: 'ask' }
    const answer = await peer.request(method, params, { idle: patient, signal: request.signal })
      .result
    checkAnswer(question, answer)
    return answer
  }
}

/** Answers from what came with the request; what is missing ends the run. */
class ReplayingAsker implements Asker {
  readonly #asked: AskedCall
  readonly #open = new Map<string, InputRequest>()
  readonly #used: JsonObject = Object.create(null) as JsonObject // keys are a tool author's: no prototype in the way

  constructor(asked: AskedCall) {
    this.#asked = asked
  }

  ask(key: string, question: Question): Promise<JsonObject> {
    try {
      checkAskable(question, this.#asked.client()) // MRTR-04
      const answer = this.#answerTo(key, question)
      if (answer !== undefined) return Promise.resolve(answer)
      if (this.#open.size >= MAX_QUESTIONS) throw tooMany()
    } catch (error) {
      return Promise.reject(asError(error))
    }
    // Questions asked in the same breath travel together.
    if (this.#open.size === 0) queueMicrotask(() => this.#asked.suspend(this.#outcome()))
    this.#open.set(key, inputRequestOf(question))
    return new Promise(() => {})
  }

  /** Sealed answers first: the client cannot take back what it said. Surplus answers are never looked at. // MRTR-13 */
  #answerTo(key: string, question: Question): JsonObject | undefined {
    const { earlier, inbound } = this.#asked
    const fresh = inbound.inputResponses ?? {}
    const sealed = Object.hasOwn(earlier, key) ? earlier[key] : undefined
    const answer = sealed ?? (Object.hasOwn(fresh, key) ? fresh[key] : undefined)
    if (answer === undefined || answer === null) return undefined
    checkAnswer(question, answer)
    this.#used[key] = answer
    return answer
  }

  async #outcome(): Promise<Outcome> {
    const { inbound, sealer } = this.#asked
    const answered = { ...this.#used }
    const requestState = await sealer.seal(answered, bindingOf(inbound)) // MRTR-02
    return { kind: 'input-required', inputRequests: this.#open, requestState }
  }
}

/** What must not change between the rounds of a call, whatever the order of its keys. // MRTR-10 */
function bindingOf({ method, params }: Inbound): string {
  const { _meta: _, ...salient } = params
  return canonicalJson({ method, params: salient })
}

function inputRequestOf(question: Question): InputRequest {
  const params = paramsOf(question)
  return params === undefined ? { method: question.method } : { method: question.method, params }
}

/** A question's parameters are JSON by their types. */
function paramsOf(question: Question): JsonObject | undefined {
  return 'params' in question ? (question.params as unknown as JsonObject) : undefined
}

/** The client called before it said that it is ready: it is answered all the same, and asked nothing. // LIFE-06 */
function tooEarly({ method }: Question): CapabilityError {
  const missing = 'notifications/initialized'
  const message = `The client cannot be asked ${method} yet: it has not sent ${missing}.`
  return new CapabilityError('DP_CAPABILITY_MISSING', message, { method, missing })
}

/**
 * Throws `CapabilityError` when the revision has no such request, whatever the client declared: many declare all they
 * know before it is agreed which revision is spoken. // ELIC-03
 */
function checkExists({ method }: Question, { methods, revision }: Dialect): void {
  if (methods.has(method)) return
  const message = `The client cannot be asked ${method}: revision ${revision}, which it speaks, has no such request.`
  throw new CapabilityError('DP_CAPABILITY_METHOD', message, { method, revision })
}

/** Throws `CapabilityError` when this client cannot be asked this. // ELIC-02, SAMP-06, MRTR-04 */
function checkAskable(question: Question, client: ClientFacts): void {
  const { method } = question
  const missing = missingForInput(method, paramsOf(question), client.capabilities)
  if (missing === undefined) return
  const message = `The client cannot be asked ${method}: it did not declare ${missing}.`
  throw new CapabilityError('DP_CAPABILITY_MISSING', message, {
    method,
    missing,
    revision: client.revision,
  })
}

/** Throws `RpcRefusal` for an answer that is not of the shape its question asks for. */
function checkAnswer(question: Question, answer: unknown): asserts answer is JsonObject {
  if (isJsonObject(answer)) {
    const { action, content, roots, role } = answer
    const fits =
      question.method === 'elicitation/create'
        ? (action === 'accept' && (content === undefined || isJsonObject(content))) ||
          action === 'decline' ||
          action === 'cancel'
        : question.method === 'roots/list'
          ? Array.isArray(roots)
          : typeof role === 'string' && content !== undefined
    if (fits) return
  }
  throw new RpcRefusal(
    INVALID_PARAMS,
    `The client's answer to ${question.method} has not the shape of one`,
  )
}

function tooMany(): UsageError {
  return new UsageError(`A call may ask at most ${MAX_QUESTIONS} questions.`)
}
