/**
 * Answers to the server's questions: roots, sampling, elicitation. The same code serves a request of the server and
 * a question inside a result; who carries it is the caller's business.
 */

import { RpcRefusal } from '../base/errors.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../jsonrpc/message.ts'
import type { ClientCapabilities } from '../protocol/types/common.ts'
import type { ElicitFormParams, ElicitUrlParams } from '../protocol/types/elicitation.ts'
import type { CreateMessageParams } from '../protocol/types/sampling.ts'
import { checkRoots, type AnswerContext, type Answers } from './options.ts'

/** Who answers, and what was declared. */
export interface Answerer {
  readonly answers: Answers
  readonly capabilities: ClientCapabilities
}

/** Answers one question. Throws `RpcRefusal` for what was not declared or is malformed. */
export async function answerQuestion(
  answerer: Answerer,
  method: string,
  params: JsonObject | undefined,
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

async function answerRoots({ answers }: Answerer, context: AnswerContext): Promise<JsonObject> {
  const { roots } = answers
  if (roots === undefined) throw unsupported('roots/list') // ERR-18
  const listed = typeof roots === 'function' ? await roots(context) : roots
  checkRoots(listed) // ROOT-04
  return { roots: listed.map((root) => ({ ...root }) as JsonObject) } // a Root holds JSON values only
}

async function answerSampling(
  { answers, capabilities }: Answerer,
  params: JsonObject | undefined,
  context: AnswerContext,
): Promise<JsonObject> {
  if (answers.sampling === undefined) throw unsupported('sampling/createMessage')
  if (
    params === undefined ||
    !Array.isArray(params['messages']) ||
    typeof params['maxTokens'] !== 'number'
  ) {
    throw unusable('sampling/createMessage needs "messages" and "maxTokens"') // SAMP-04
  }
  const wantsTools = params['tools'] !== undefined || params['toolChoice'] !== undefined
  if (wantsTools && capabilities.sampling?.tools === undefined) {
    throw unusable('This client did not declare sampling.tools') // SAMP-06
  }
  // The members that every answer needs were checked; the rest is the server's own, as the type says.
  return {
    ...(await answers.sampling(params as unknown as CreateMessageParams, context)),
  } as JsonObject
}

async function answerElicitation(
  { answers }: Answerer,
  params: JsonObject | undefined,
  context: AnswerContext,
): Promise<JsonObject> {
  const { elicitation, elicitationUrl } = answers
  if (elicitation === undefined && elicitationUrl === undefined)
    throw unsupported('elicitation/create')
  if (params === undefined || typeof params['message'] !== 'string') {
    throw unusable('elicitation/create needs a "message"')
  }
  const mode = params['mode'] ?? 'form' // ELIC-04
  if (mode === 'form' && elicitation !== undefined) {
    if (!isJsonObject(params['requestedSchema'])) {
      throw unusable('a form needs a "requestedSchema"') // ELIC-05
    }
    return { ...(await elicitation(params as unknown as ElicitFormParams, context)) } as JsonObject // checked above
  }
  if (mode === 'url' && elicitationUrl !== undefined) {
    if (typeof params['url'] !== 'string') throw unusable('URL mode needs a "url"') // ELIC-15
    return {
      ...(await elicitationUrl(params as unknown as ElicitUrlParams, context)),
    } as JsonObject // checked above
  }
  throw unusable(`This client did not declare the elicitation mode ${JSON.stringify(mode)}`) // ERR-19
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
