/** The model of a run: found by the options and the environment, with what its replies cost, and its key hidden from all output. */

import { COMPATIBLE } from '../agent/models/openai-chat.ts'
import { chatCodec } from '../agent/models/chat-codec.ts'
import { modelAt } from '../agent/models/post.ts'
import { deepseekCodec, deepseekTraits } from '../agent/models/deepseek.ts'
import type { Model, Usage } from '../agent/model.ts'
import { ModelError } from '../base/errors.ts'
import { nodeExchange } from '../transport/node/http-exchange.ts'
import type { AgentCommandOptions, AgentRun } from './agent-options.ts'

export interface OpenModel {
  readonly model: Model
  /** What must not be shown. */
  readonly secrets: readonly string[]
}

export async function openModel(
  { invocation, own }: AgentRun,
  options: AgentCommandOptions,
): Promise<OpenModel> {
  const { env } = invocation
  const key = env['DEEPSEEK_API_KEY'] ?? env['DEEP_PILOT_API_KEY']
  const baseUrl = options.baseUrl ?? env['DEEP_PILOT_BASE_URL']
  const name = (options.model ?? env['DEEP_PILOT_MODEL'] ?? 'deepseek-flash').replace(
    /^[a-z-]+:/,
    '',
  )
  if (baseUrl === undefined && key === undefined)
    throw new ModelError('DP_MODEL_KEY', own.faults.noKey('deepseek', ['DEEPSEEK_API_KEY']), {
      provider: 'deepseek',
    })
  const model = modelAt(
    {
      provider: baseUrl === undefined ? 'deepseek' : 'compatible',
      baseUrl: baseUrl ?? 'https://api.deepseek.com',
      key,
      keyHeader: key === undefined ? 'none' : 'bearer',
      codec: baseUrl === undefined ? deepseekCodec(name) : chatCodec(COMPATIBLE, name),
      exchange: nodeExchange(),
    },
    { name, dialect: 'deepseek', traits: deepseekTraits(name), namesPath: '/models' },
  )
  return { model, secrets: key === undefined ? [] : [key] }
}

export function costOf(_open: OpenModel): (usage: Usage) => number | undefined {
  return () => undefined
}

/** Another one in its place, of which only the name is given. */
export function otherModel(
  run: AgentRun,
  options: AgentCommandOptions,
  spec: string,
): Promise<OpenModel> {
  return openModel(run, { ...options, model: spec })
}
