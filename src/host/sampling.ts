/**
 * A server that uses the host's model: only where it was granted, seldom, briefly, after a person saw what goes in, and again
 * before the server sees what came out. No tool runs here, and no text of anyone else goes along.
 */

import type { Clock } from '../base/clock.ts'
import { RpcRefusal } from '../base/errors.ts'
import type { AnswerContext, Answers } from '../client/options.ts'
import { refuse } from '../client/refuse.ts'
import { INTERNAL_ERROR } from '../jsonrpc/message.ts'
import type { CreateMessageParams, CreateMessageResult } from '../protocol/types/sampling.ts'
import type { ConsentAnswer, ConsentRequest } from './consent.ts'
import type { ConsentQueue } from './consent-queue.ts'

/** Who asks: the config key of the server, and never what it calls itself. // ELIC-25 */
export interface Asker {
  readonly server: string
  readonly signal: AbortSignal
}

/** Which servers may use the host's model, and how much. */
export interface SamplingGrant {
  /** Config keys. Nothing is declared to all others. */
  readonly servers: readonly string[]
  /** Gives the model's message. It gets the server's own words alone: no conversation, no other server's text. */
  readonly create: (params: CreateMessageParams, asker: Asker) => Promise<CreateMessageResult>
  /** Whether requests with `tools` are taken. The tools are the server's own and are never run here. Default false. */
  readonly tools?: boolean
  /** Larger wishes are cut to it. Default 4,096. */
  readonly maxTokens?: number
  /** Requests of one server within a minute. Default 10. // SAMP-05 */
  readonly perMinute?: number
}

export interface SamplingOptions {
  readonly consent: ConsentQueue
  readonly clock: Clock
}

const MINUTE = 60_000

/** What answers the sampling requests of one server. */
export function samplingFor(
  server: string,
  grant: SamplingGrant,
  { consent, clock }: SamplingOptions,
): NonNullable<Answers['sampling']> {
  const { maxTokens = 4_096, perMinute = 10, tools = false } = grant
  let times: readonly number[] = []
  return async (asked: CreateMessageParams, { signal }: AnswerContext) => {
    times = times.filter((at) => clock.now() - at < MINUTE)
    if (times.length >= perMinute)
      throw new RpcRefusal(INTERNAL_ERROR, `At most ${perMinute} sampling requests a minute`) // SAMP-05
    times = [...times, clock.now()]
    const params = granted(asked, { maxTokens, tools })
    const warnings = warningsOf(asked, params)
    const go = await consent.ask(() => ({ kind: 'sampling', server, params, warnings }), signal)
    if (!isYes(go)) throw refuse(go?.reason)
    const result = await grant.create(params, { server, signal })
    const show = (): ConsentRequest => ({ kind: 'sampling-result', server, params, result })
    const give = await consent.ask(show, signal)
    if (!isYes(give)) throw refuse(give?.reason)
    return result
  }
}

function isYes(answer: ConsentAnswer | undefined): boolean {
  return answer !== undefined && answer.kind !== 'deny'
}

/** What goes to the model: within the limits, without the context of anyone, without tools unless they were granted. */
function granted(
  asked: CreateMessageParams,
  limits: { readonly maxTokens: number; readonly tools: boolean },
): CreateMessageParams {
  const { includeContext: _context, tools, toolChoice, ...rest } = structuredClone(asked) // SAMP-12
  return {
    ...rest,
    messages: rest.messages,
    maxTokens: Math.min(rest.maxTokens, limits.maxTokens), // SAMP-04
    ...(limits.tools && tools !== undefined && { tools }),
    ...(limits.tools && toolChoice !== undefined && { toolChoice }),
  }
}

function warningsOf(asked: CreateMessageParams, given: CreateMessageParams): readonly string[] {
  return [
    ...(asked.maxTokens > given.maxTokens
      ? [`It asked for ${asked.maxTokens} tokens and gets at most ${given.maxTokens}.`]
      : []),
    ...(asked.includeContext !== undefined && asked.includeContext !== 'none'
      ? ['It asked for the context of a conversation and gets none.']
      : []),
    ...(given.tools === undefined ? [] : [`It brings ${given.tools.length} tools of its own.`]),
  ]
}
