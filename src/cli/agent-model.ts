/** The model of a run: found by the options and the environment, its key hidden from all output, with what its replies cost. */

import type { AgentOptions } from '../agent/loop-options.ts'
import type { Model } from '../agent/model.ts'
import type { ModelFactTable } from '../agent/model-facts.ts'
import { modelFactsOf, pricesOf } from '../agent/node/models.ts'
import { costOf } from '../agent/prices.ts'
import { modelOf, placeOf } from '../agent/providers.ts'
import { systemClock } from '../base/clock.ts'
import { ModelError, UsageError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import { nodeExchange } from '../transport/node/http-exchange.ts'
import type { AgentCommandOptions, AgentRun } from './agent-options.ts'
import { longEnough } from './secrets.ts'

export type CostOf = NonNullable<AgentOptions['costOf']>

export interface OpenModel {
  readonly model: Model
  /** What must not be shown. */
  readonly secrets: readonly string[]
  /** The variable that the key came from; undefined where there is none. */
  readonly keyVariable: string | undefined
  /** Whether it is on this machine. */
  readonly local: boolean
}

/** Throws a `UsageError` for words that name no model, and `DP_MODEL_KEY` with the way out where a key is missing. */
export async function openModel(run: AgentRun, options: AgentCommandOptions): Promise<OpenModel> {
  const { model: spec, baseUrl, insecureHttp, context } = options
  const { env } = run.invocation
  const facts = await factsOf(run)
  const wish = {
    env,
    baseUrl,
    contextTokens: context,
    facts,
    ...(insecureHttp === true && { insecureHttp }),
  }
  const exchange = nodeExchange({ variables: env })
  try {
    const found = modelOf(spec, { ...wish, exchange })
    run.invocation.mask.know(found.secrets)
    await found.model.prepare?.(run.invocation.signal)
    return found
  } catch (error) {
    exchange.close?.()
    if (!(error instanceof ModelError) || error.code !== 'DP_MODEL_KEY') throw error
    const { provider, keyVariables } = placeOf(spec, wish)
    throw new ModelError('DP_MODEL_KEY', run.own.faults.noKey(provider, keyVariables), {
      provider,
      cause: error,
      detail: { kind: 'told' },
    })
  }
}

/** What is known of models, that of the user first. What of it does not count is told. */
async function factsOf({ invocation, own }: AgentRun): Promise<ModelFactTable> {
  const { env, output, mask } = invocation
  const { facts, file, problems, faults } = await modelFactsOf(env)
  for (const [at, fault] of faults.entries())
    output.note(mask.text(terminalText(own.faults.modelFact(file, fault, problems[at] ?? ''))))
  return facts
}

/** Warns of a key that goes over the network and is too short to be kept out of what is shown and recorded. */
export function tellShortKey({ invocation, own }: AgentRun, found: OpenModel): void {
  const { secrets, keyVariable, local } = found
  if (local || keyVariable === undefined || secrets.every(longEnough)) return
  invocation.output.note(own.faults.shortKey(keyVariable))
}

export interface Costs {
  readonly costOf: CostOf
  /** Where a user writes prices down. */
  readonly file: string
}

/**
 * What replies cost in US dollars, by the prices that are known and those of the user; undefined where the price is not known.
 * What of the user's prices does not count is told.
 */
export async function costsOf({ invocation, own }: AgentRun): Promise<Costs> {
  const { env, output, mask } = invocation
  const { prices, file, problems, faults } = await pricesOf(env)
  for (const [at, fault] of faults.entries())
    output.note(mask.text(terminalText(own.faults.price(file, fault, problems[at] ?? ''))))
  const of: CostOf = (usage, model) => costOf(usage, model, { prices, at: systemClock.wall() })
  return { costOf: of, file }
}

/** Throws a `UsageError` where there is a limit of money and nobody knows what this model costs. */
export function checkPriced(
  { own }: AgentRun,
  { budgetUsd }: AgentCommandOptions,
  { model, costs }: { readonly model: Model; readonly costs: Costs },
): void {
  if (budgetUsd === undefined) return
  if (costs.costOf({ input: 0, output: 0 }, model) !== undefined) return
  throw new UsageError(own.faults.noPrice(model, costs.file))
}

/** Another one in its place, of which only the name is given. */
export function otherModel(
  run: AgentRun,
  options: AgentCommandOptions,
  spec: string,
): Promise<OpenModel> {
  return openModel(run, { ...options, model: spec })
}
