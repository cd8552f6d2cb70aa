/** The model of a run: found by the options and the environment, its key hidden from all output, with what its replies cost. */

import type { Model, Usage } from '../agent/model.ts'
import { modelOf, placeOf } from '../agent/providers.ts'
import { ModelError } from '../base/errors.ts'
import { nodeExchange } from '../transport/node/http-exchange.ts'
import type { AgentCommandOptions, AgentRun } from './agent-options.ts'

export interface OpenModel {
  readonly model: Model
  /** What must not be shown. */
  readonly secrets: readonly string[]
}

/** Throws a `UsageError` for words that name no model, and `DP_MODEL_KEY` with the way out where a key is missing. */
export function openModel(run: AgentRun, options: AgentCommandOptions): OpenModel {
  const { model: spec, baseUrl, insecureHttp } = options
  const { env } = run.invocation
  const wish = { env, baseUrl, ...(insecureHttp === true && { insecureHttp }) }
  const exchange = nodeExchange({ variables: env })
  try {
    return modelOf(spec, { ...wish, exchange })
  } catch (error) {
    exchange.close?.()
    if (!(error instanceof ModelError) || error.code !== 'DP_MODEL_KEY') throw error
    const { provider, keyVariables } = placeOf(spec, wish)
    throw new ModelError('DP_MODEL_KEY', run.own.faults.noKey(provider, keyVariables), {
      provider,
      cause: error,
    })
  }
}

/** What a reply costs in US dollars; undefined where the price is not known. */
export function costOf(_open: OpenModel): (usage: Usage) => number | undefined {
  return () => undefined
}

/** Another one in its place, of which only the name is given. */
export function otherModel(run: AgentRun, options: AgentCommandOptions, spec: string): OpenModel {
  return openModel(run, { ...options, model: spec })
}
