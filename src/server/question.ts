/**
 * Whether a question may be put to a client, whether it is well put, and whether what came back answers it.
 *
 * A question that the client cannot be asked is a `CapabilityError`, one that its author put wrongly a `UsageError`, and an
 * answer that is none an `RpcRefusal`.
 */

import { CapabilityError, issuesInWords, RpcRefusal, UsageError } from '../base/errors.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import { isUri, schemeOf } from '../formats/uri.ts'
import { INVALID_PARAMS } from '../jsonrpc/message.ts'
import { declares, missingForInput } from '../protocol/capability.ts'
import type { ClientFacts, Dialect } from '../protocol/dialect.ts'
import { samplingFault } from '../protocol/sampling-rules.ts'
import type { Question } from '../tools/context.ts'
import { formFault, formIssues } from '../tools/form.ts'

/** A question's parameters are JSON by their types. */
export function paramsOf(question: Question): JsonObject | undefined {
  return 'params' in question ? (question.params as unknown as JsonObject) : undefined
}

/** The client called before it said that it is ready: it is answered all the same, and asked nothing. // LIFE-06 */
export function tooEarly({ method }: Question): CapabilityError {
  const missing = 'notifications/initialized'
  const message = `The client cannot be asked ${method} yet: it has not sent ${missing}.`
  return new CapabilityError('DP_CAPABILITY_MISSING', message, { method, missing })
}

/**
 * Throws `CapabilityError` when the revision has no such request, whatever the client declared: many declare all they
 * know before it is agreed which revision is spoken. // ELIC-03
 */
export function checkExists({ method }: Question, { methods, revision }: Dialect): void {
  if (methods.has(method)) return
  const message = `The client cannot be asked ${method}: revision ${revision}, which it speaks, has no such request.`
  throw new CapabilityError('DP_CAPABILITY_METHOD', message, { method, revision })
}

/** Throws `CapabilityError` when this client cannot be asked this. // ELIC-02, SAMP-06, MRTR-04 */
export function checkAskable(question: Question, client: ClientFacts): void {
  const { method } = question
  const missing = missingForInput(method, paramsOf(question), client.capabilities)
  if (missing !== undefined) throw notDeclared(method, missing, client)
}

/** The client did not declare what a question needs. */
export function notDeclared(method: string, missing: string, client: ClientFacts): CapabilityError {
  const message = `The client cannot be asked ${method}: it did not declare ${missing}.`
  return new CapabilityError('DP_CAPABILITY_MISSING', message, {
    method,
    missing,
    revision: client.revision,
  })
}

/** Throws `UsageError` for what no client could make sense of. */
export function checkWellPut(question: Question): void {
  const fault = faultIn(question)
  if (fault !== undefined)
    throw new UsageError(`A question by ${question.method} cannot be asked: ${fault}.`, {
      method: question.method,
    })
}

function faultIn(question: Question): string | undefined {
  if (question.method === 'roots/list') return undefined
  if (question.method === 'sampling/createMessage') {
    const { messages, maxTokens } = question.params
    if (!(Number.isSafeInteger(maxTokens) && maxTokens > 0))
      return '"maxTokens" must be a whole number above 0'
    return samplingFault(messages) // SAMP-07, SAMP-08
  }
  const { message } = question.params
  if (typeof message !== 'string' || message === '') return 'it needs a "message" for the person'
  if (question.params.mode === 'url') return urlFault(question.params.url)
  const fault = formFault(question.params.requestedSchema) // ELIC-05
  return fault === undefined ? undefined : `its requestedSchema ${fault}`
}

/** What a person can be sent to: a page, by an absolute URL. // ELIC-14, ELIC-15 */
function urlFault(url: unknown): string | undefined {
  const scheme = typeof url === 'string' && isUri(url) ? schemeOf(url) : undefined
  return scheme === 'https' || scheme === 'http' ? undefined : '"url" must be an https: URL'
}

/** The question without what this client may not be asked and would do without. // SAMP-12 */
export function softened(question: Question, client: ClientFacts, dialect: Dialect): Question {
  if (question.method !== 'sampling/createMessage') return question
  const { includeContext, ...rest } = question.params
  if (includeContext === undefined || includeContext === 'none') return question
  const free = !dialect.traits.samplingContextDeclared
  if (free || declares(client.capabilities, 'sampling.context')) return question
  return { ...question, params: rest as typeof question.params } // only the one optional member is gone
}

/** Throws `RpcRefusal` for an answer that is not of the shape its question asks for. // ELIC-11 */
export function checkAnswer(question: Question, answer: unknown): asserts answer is JsonObject {
  const fault = isJsonObject(answer) ? answerFault(question, answer) : 'is no object'
  if (fault === undefined) return
  throw new RpcRefusal(INVALID_PARAMS, `The client's answer to ${question.method} ${fault}`)
}

function answerFault(question: Question, answer: JsonObject): string | undefined {
  if (question.method === 'roots/list') return rootsFault(answer)
  if (question.method === 'sampling/createMessage') return messageFault(answer)
  return choiceFault(question, answer)
}

/** // ROOT-04 */
function rootsFault({ roots }: JsonObject): string | undefined {
  if (!Array.isArray(roots)) return 'has no list "roots"'
  const usable = roots.every((root) => isJsonObject(root) && typeof root['uri'] === 'string')
  return usable ? undefined : 'has a root without a "uri"'
}

/** // SAMP-13 */
function messageFault({ role, content, model }: JsonObject): string | undefined {
  if (role !== 'assistant' && role !== 'user') return 'has a "role" that is none'
  if (typeof model !== 'string') return 'does not name its "model"'
  const blocks = Array.isArray(content) ? content : [content]
  const usable = blocks.every((block) => isJsonObject(block) && typeof block['type'] === 'string')
  return usable ? undefined : 'has "content" that is none'
}

/** // ELIC-10, ELIC-11 */
function choiceFault(
  { params }: Extract<Question, { method: 'elicitation/create' }>,
  { action, content = {} }: JsonObject,
): string | undefined {
  if (action === 'decline' || action === 'cancel') return undefined
  if (action !== 'accept') return 'has an "action" that is none'
  if (!isJsonObject(content)) return 'has "content" that is no object'
  if (params.mode === 'url') return undefined
  const issues = formIssues(params.requestedSchema, content)
  return issues.length === 0 ? undefined : `does not fit its form: ${issuesInWords(issues)}`
}
