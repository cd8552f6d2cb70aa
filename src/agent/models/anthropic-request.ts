/** One request of the Messages API: its members in an order that never changes, with marks where caches may begin. Pure. */

import type { JsonObject } from '../../base/json.ts'
import type { ModelRequest, ModelWarning, ToolChoice } from '../model.ts'
import { anthropicMessages, CACHE_MARK } from './anthropic-messages.ts'
import { thinkingOf } from './anthropic-thinking.ts'
import { textOf } from './chat-request.ts'
import type { EncodedRequest } from './codec.ts'
import { toolWriter } from './tool-texts.ts'

export interface AnthropicRequestOptions {
  /** Of the codec: kept items of others are left out. */
  readonly codec: string
  readonly model: string
  readonly provider: string
  /** Its thinking has levels. */
  readonly thinkingLevels: boolean
}

/** The version of the API that this is written for. */
export const ANTHROPIC_VERSION: string = '2023-06-01'
/** It must be told how long a reply may be; that is what a reply with thinking needs, and what all current models give. */
const USUAL_MAX_TOKENS = 16_384

const writeTools = toolWriter(({ name, description, parameters, strict }, isLast) => ({
  name,
  ...(description !== undefined && { description }),
  input_schema: parameters,
  ...(strict === true && { strict }),
  ...(isLast && { cache_control: CACHE_MARK }),
}))

export function anthropicRequest(
  request: ModelRequest,
  { codec, model, provider, thinkingLevels }: AnthropicRequestOptions,
): EncodedRequest {
  const warnings: ModelWarning[] = []
  const warn = (warning: ModelWarning): void => void warnings.push(warning)
  const maxTokens = request.maxOutputTokens ?? USUAL_MAX_TOKENS
  const thinking = thinkingOf(request.effort, { levels: thinkingLevels, maxTokens, warn })
  const { system, messages } = anthropicMessages(request.messages, codec)
  const tools = request.tools.length > 0 ? writeTools(request.tools) : undefined
  const asked: Asked = { request, provider, thinks: thinking.isOn, warn }
  const body: JsonObject = {
    model,
    max_tokens: maxTokens,
    ...(system.length > 0 && { system }),
    messages,
    ...(tools !== undefined && { tools: tools.value }),
    ...choiceMembers(asked),
    ...thinking.members,
    ...otherMembers(asked),
    ...(request.stream !== false && { stream: true }),
  }
  return {
    path: '/messages',
    body,
    text: textOf(body, tools?.text),
    headers: { 'anthropic-version': ANTHROPIC_VERSION },
    warnings,
  }
}

interface Asked {
  readonly request: ModelRequest
  readonly provider: string
  readonly thinks: boolean
  readonly warn: (warning: ModelWarning) => void
}

function choiceMembers({ request, provider, thinks, warn }: Asked): JsonObject {
  const { tools, choice, parallel } = request
  const isForced = choice === 'required' || typeof choice === 'object'
  if (tools.length === 0) {
    if (isForced)
      warn({
        kind: 'ignored-option',
        message: 'A tool was to be called, and there is none: the choice was not sent.',
      })
    return {}
  }
  let sent = choice
  if (isForced && thinks) {
    const name = typeof choice === 'string' ? choice : choice.name
    warn({
      kind: 'choice-lowered',
      message: `${provider} takes no forced choice of tools while it thinks: "${name}" was sent as "auto". Turn thinking off to force it.`,
    })
    sent = 'auto'
  }
  if (sent === undefined && parallel !== false) return {}
  const members = choiceOf(sent ?? 'auto')
  // One that calls nothing does not take it.
  const isAlone = parallel === false && sent !== 'none'
  return { tool_choice: { ...members, ...(isAlone && { disable_parallel_tool_use: true }) } }
}

function choiceOf(choice: ToolChoice): JsonObject {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name }
  return { type: choice === 'required' ? 'any' : choice }
}

function otherMembers({ request, provider, thinks, warn }: Asked): JsonObject {
  const { temperature, stop, json } = request
  const ignored = (what: string): void =>
    warn({ kind: 'ignored-option', message: `${provider} ${what}: it was not sent.` })
  if (json === true) ignored('has no mode for replies of JSON without a schema')
  if (temperature !== undefined && thinks) ignored('takes no temperature while it thinks')
  return {
    ...(temperature !== undefined && !thinks && { temperature }),
    ...(stop !== undefined && stop.length > 0 && { stop_sequences: [...stop] }),
  }
}
