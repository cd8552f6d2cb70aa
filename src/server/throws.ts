/**
 * What a throw of an author's code becomes. Some say what the protocol has words for; what nobody expected is told to the
 * log, under an id that is all its caller gets.
 */

import {
  CapabilityError,
  describeError,
  RpcError,
  RpcRefusal,
  type PilotError,
} from '../base/errors.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import type { Logger } from '../base/log.ts'
import { INTERNAL_ERROR } from '../jsonrpc/message.ts'
import { capabilityAt, declares } from '../protocol/capability.ts'
import type { Outcome } from '../protocol/dialect.ts'
import { missingClientCapability, URL_ELICITATION_REQUIRED } from '../protocol/errors.ts'
import type { ElicitUrlParams } from '../protocol/types/elicitation.ts'
import { elicit, type ElicitQuestion } from '../tools/context.ts'
import { ToolError } from '../tools/define.ts'
import type { CallContext } from './context.ts'
import { notDeclared } from './question.ts'

/** Whose throw it is. */
export interface Thrower {
  readonly kind: 'tool' | 'prompt' | 'resource' | 'completion'
  readonly name: string
  readonly context: CallContext
  readonly logger: Logger
  /** Makes the id under which an unexpected failure is logged. */
  readonly newId: () => string
}

/**
 * How the request ends: an outcome, or text for its caller. Throws `RpcRefusal` for what must be an error of the protocol,
 * and one that the author threw as it is.
 */
export function afterThrow(
  thrown: unknown,
  thrower: Thrower,
): Outcome | Promise<Outcome> | { readonly text: string } {
  const { kind, name, context, logger, newId } = thrower
  if (thrown instanceof ToolError) return { text: thrown.message } // TOOL-14
  if (thrown instanceof RpcRefusal)
    return thrown.rpcCode === URL_ELICITATION_REQUIRED ? visitsOf(thrown, thrower) : refuse(thrown)
  if (thrown instanceof CapabilityError) return lacking(thrown, context)
  if (thrown instanceof RpcError)
    return { text: `The client refused a question of ${name}: ${thrown.message}` }
  const id = newId()
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : ''
  const error = describeError(thrown)
  logger.error(`a ${kind} failed unexpectedly`, { [kind]: name, id, error, stack })
  return { text: `Internal error (${id})` }
}

/** The same where a failure has no result to be told in: prompts and resources. */
export function refuseAfterThrow(thrown: unknown, thrower: Thrower): Outcome | Promise<Outcome> {
  const ended = afterThrow(thrown, thrower)
  if ('text' in ended) throw new RpcRefusal(INTERNAL_ERROR, ended.text) // ERR-20
  return ended
}

function refuse(refusal: PilotError): never {
  throw refusal
}

function lacking(error: CapabilityError, { dialect }: CallContext): { readonly text: string } {
  if (dialect.traits.serverAsks === 'request' || error.missing === undefined)
    return { text: error.message }
  throw missingClientCapability(capabilityAt(error.missing)) // ERR-07
}

/** A request that waits for visits to URLs, in the way of the revision. // ELIC-18, ERR-05, ERR-09 */
function visitsOf(
  refusal: RpcRefusal,
  thrower: Thrower,
): Outcome | Promise<Outcome> | { readonly text: string } {
  const { context, name } = thrower
  const { traits } = context.dialect
  const questions = questionsIn(refusal)
  const known = traits.serverAsks === 'result' || traits.elicitationIds
  if (!known) return { text: inWords(questions) }
  if (!declares(context.client.capabilities, 'elicitation.url'))
    return lacking(notDeclared('elicitation/create', 'elicitation.url', context.client), context) // ELIC-02
  if (traits.serverAsks === 'request') {
    const data = { elicitations: context.nameVisits(questions) }
    throw new RpcRefusal(URL_ELICITATION_REQUIRED, refusal.message, { data })
  }
  return context.visits(questions) ?? { text: `A visit that ${name} needs was declined` }
}

/** What `urlElicitationRequired` was given: an author's words, made there into entries of this form. */
function questionsIn({ data }: RpcRefusal): readonly ElicitQuestion[] {
  const listed = isJsonObject(data) ? data['elicitations'] : undefined
  if (!Array.isArray(listed)) return []
  return listed.filter(isJsonObject).map((one) => elicit(asVisit(one)))
}

function asVisit({ message, url, elicitationId }: JsonObject): ElicitUrlParams {
  return {
    mode: 'url',
    message: typeof message === 'string' ? message : '',
    url: typeof url === 'string' ? url : '',
    ...(typeof elicitationId === 'string' ? { elicitationId } : {}),
  }
}

/** For a client whose revision sends nobody anywhere: a person may read it. */
function inWords(questions: readonly ElicitQuestion[]): string {
  const lines = questions.map(({ params }) =>
    params.mode === 'url' ? `${params.message}: ${params.url}` : params.message,
  )
  return ['This cannot be done before these pages have been visited:', ...lines].join('\n')
}
