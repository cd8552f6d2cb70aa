/**
 * Answers to the server's questions: roots, sampling, elicitation. The same code serves a request of the server and
 * a question inside a result; who carries it is the caller's business. Loaded with the first question.
 */

import { issuesInWords, RpcRefusal, SchemaError, UsageError } from '../base/errors.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../jsonrpc/message.ts'
import type { Dialect, InputRequest } from '../protocol/dialect.ts'
import { samplingFault } from '../protocol/sampling-rules.ts'
import type {
  ElicitFormParams,
  ElicitResult,
  ElicitUrlParams,
} from '../protocol/types/elicitation.ts'
import type { CreateMessageParams } from '../protocol/types/sampling.ts'
import { formIssues } from '../tools/form.ts'
import { checkRoots, type AnswerContext, type Settings } from './options.ts'
import { USER_REFUSED } from './refuse.ts'

/** Who answers, and in which revision the question came. */
export interface Answerer {
  readonly settings: Pick<Settings, 'answers' | 'identity'>
  readonly dialect: Pick<Dialect, 'traits'>
}

/** Answers one question. Throws `RpcRefusal` for what was not declared or is malformed. */
export async function answerQuestion(
  answerer: Answerer,
  { method, params }: InputRequest,
  context: AnswerContext,
): Promise<JsonObject> {
  switch (method) {
    case 'roots/list':
      return answerRoots(answerer, context)
    case 'sampling/createMessage':
      return answerSampling(answerer, params, context)
    case 'elicitation/create':
      return answerElicitation(answerer, params, context)
    default:
      throw unsupported(method)
  }
}

async function answerRoots({ settings }: Answerer, context: AnswerContext): Promise<JsonObject> {
  const { roots } = settings.answers
  if (roots === undefined) throw unsupported('roots/list') // ERR-18
  const listed = typeof roots === 'function' ? await roots(context) : roots
  checkRoots(listed) // ROOT-04, ROOT-06
  return { roots: listed.map((root) => ({ ...root }) as JsonObject) } // a Root holds JSON values only
}

async function answerSampling(
  { settings, dialect }: Answerer,
  params: JsonObject | undefined,
  context: AnswerContext,
): Promise<JsonObject> {
  const { answers, identity } = settings
  if (answers.sampling === undefined) throw unsupported('sampling/createMessage')
  const { messages, maxTokens, tools, toolChoice } = params ?? {}
  if (params === undefined || !Array.isArray(messages) || typeof maxTokens !== 'number')
    throw unusable('sampling/createMessage needs "messages" and "maxTokens"') // SAMP-04
  const declared = dialect.traits.samplingTools && identity.capabilities.sampling?.tools
  if ((tools !== undefined || toolChoice !== undefined) && !isJsonObject(declared))
    throw unusable('This client did not declare sampling.tools') // SAMP-06
  const fault = samplingFault(messages)
  if (fault !== undefined) throw unusable(`sampling/createMessage cannot be answered: ${fault}`) // SAMP-07, SAMP-08, SAMP-14
  // The members that every answer needs were checked; the rest is the server's own, as the type says.
  const sampled = await answers.sampling(params as unknown as CreateMessageParams, context)
  const { role, content, model } = sampled
  if (typeof role !== 'string' || typeof model !== 'string' || typeof content !== 'object')
    throw new UsageError('An answer to sampling needs "role", "content" and "model".') // SAMP-13
  return { ...sampled } as JsonObject // a message holds JSON values only
}

async function answerElicitation(
  answerer: Answerer,
  params: JsonObject | undefined,
  context: AnswerContext,
): Promise<JsonObject> {
  const { elicitation, elicitationUrl } = answerer.settings.answers
  if (elicitation === undefined && elicitationUrl === undefined)
    throw unsupported('elicitation/create')
  if (params === undefined || typeof params['message'] !== 'string')
    throw unusable('elicitation/create needs a "message"')
  const mode = params['mode'] ?? 'form' // ELIC-04
  if (mode === 'form' && elicitation !== undefined) {
    const schema = params['requestedSchema']
    if (!isJsonObject(schema)) throw unusable('a form needs a "requestedSchema"') // ELIC-05
    const asked = params as unknown as ElicitFormParams // the members that a form needs were checked
    return formAnswer(await declinable(elicitation(asked, context)), schema)
  }
  if (mode === 'url' && elicitationUrl !== undefined) {
    if (typeof params['url'] !== 'string') throw unusable('URL mode needs a "url"') // ELIC-15
    const asked = params as unknown as ElicitUrlParams // likewise
    return plainAnswer(await declinable(elicitationUrl(asked, context))) // ELIC-19
  }
  throw unusable(`This client did not declare the elicitation mode ${JSON.stringify(mode)}`) // ERR-19
}

/** To say no is an answer here, not a failure. */
async function declinable(answer: Promise<ElicitResult>): Promise<ElicitResult> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RpcRefusal && error.rpcCode === USER_REFUSED) return { action: 'decline' }
    throw error
  }
}

/** What was filled in, if it was accepted and fits. // ELIC-10, ELIC-11 */
function formAnswer(answer: ElicitResult, schema: JsonObject): JsonObject {
  if (answer.action !== 'accept') return plainAnswer(answer)
  const content = { ...answer.content } as JsonObject // values of a form are JSON
  const issues = formIssues(schema, content)
  if (issues.length > 0) {
    throw new SchemaError(
      'DP_SCHEMA_ARGUMENTS',
      `What was filled in does not fit the form that the server asked for: ${issuesInWords(issues)}. It was not sent.`,
      { method: 'elicitation/create', issues, detail: { kind: 'misfit', what: 'form' } },
    )
  }
  return { ...plainAnswer(answer), content }
}

/** An answer without content. // ELIC-10 */
function plainAnswer({ action, _meta }: ElicitResult): JsonObject {
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel')
    throw new UsageError('An answer to elicitation is "accept", "decline" or "cancel".') // ELIC-10
  return { action, ...(_meta === undefined ? {} : { _meta }) }
}

function unsupported(method: string): RpcRefusal {
  return fault(METHOD_NOT_FOUND, `This client does not support ${method.slice(0, 128)}`)
}

function unusable(message: string): RpcRefusal {
  return fault(INVALID_PARAMS, message)
}

const faults = new WeakSet<object>()

function fault(code: number, message: string): RpcRefusal {
  const refusal = new RpcRefusal(code, message)
  faults.add(refusal)
  return refusal
}

/** Whether a question could not be answered because of what its server asked, and not because of who answers. */
export function isServersFault(error: unknown): error is RpcRefusal {
  return error instanceof RpcRefusal && faults.has(error)
}
