/** One request of the Responses API: its members in an order that never changes. Pure. */

import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { Effort, ModelRequest, ModelWarning, ToolChoice } from '../model.ts'
import { textOf } from './chat-request.ts'
import type { EncodedRequest } from './codec.ts'
import { responsesInput } from './responses-input.ts'
import { toolWriter } from './tool-texts.ts'

export interface ResponsesRequestOptions {
  /** Of the codec: kept items of others are left out. */
  readonly codec: string
  readonly model: string
  readonly provider: string
}

const EFFORTS: Readonly<Record<Effort, string>> = {
  none: 'none',
  low: 'low',
  medium: 'medium',
  high: 'high',
  max: 'xhigh',
}

/** Without `strict` the API would hold schemas to rules that most of MCP's do not keep, and refuse the request. */
const writeTools = toolWriter(({ name, description, parameters, strict }) => ({
  type: 'function',
  name,
  ...(description !== undefined && { description }),
  parameters,
  strict: strict === true,
}))

export function responsesRequest(
  request: ModelRequest,
  { codec, model, provider }: ResponsesRequestOptions,
): EncodedRequest {
  const warnings: ModelWarning[] = []
  const { instructions, input } = responsesInput(request.messages, codec)
  const tools = request.tools.length > 0 ? writeTools(request.tools) : undefined
  const body: JsonObject = {
    model,
    ...(instructions !== '' && { instructions }),
    input,
    ...(tools !== undefined && { tools: tools.value }),
    ...toolMembers(request, warnings),
    ...limitMembers(request, { provider, warnings }),
    ...effortMembers(request.effort, { model, warnings }),
    ...(request.json === true && { text: { format: { type: 'json_object' } } }),
    store: false,
    // Models that do not reason refuse a request that asks for it.
    ...(reasons(model) && { include: ['reasoning.encrypted_content'] }),
    ...(request.stream !== false && { stream: true }),
  }
  return { path: '/responses', body, text: textOf(body, tools?.text), warnings }
}

function toolMembers(
  { tools, choice, parallel }: ModelRequest,
  warnings: ModelWarning[],
): JsonObject {
  if (tools.length > 0)
    return {
      ...(choice !== undefined && { tool_choice: choiceOf(choice) }),
      ...(parallel !== undefined && { parallel_tool_calls: parallel }),
    }
  if (choice === 'required' || typeof choice === 'object')
    warnings.push({
      kind: 'ignored-option',
      message: 'A tool was to be called, and there is none: the choice was not sent.',
    })
  return {}
}

function choiceOf(choice: ToolChoice): JsonValue {
  return typeof choice === 'string' ? choice : { type: 'function', name: choice.name }
}

function limitMembers(
  { maxOutputTokens, temperature, stop }: ModelRequest,
  { provider, warnings }: { readonly provider: string; readonly warnings: ModelWarning[] },
): JsonObject {
  if (stop !== undefined && stop.length > 0)
    warnings.push({
      kind: 'ignored-option',
      message: `${provider} knows no texts that end a reply here: "stop" was not sent.`,
    })
  return {
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
  }
}

/** Reasoning itself is never given out; who asks for it is told in short what it was about. */
function effortMembers(
  effort: Effort | undefined,
  { model, warnings }: { readonly model: string; readonly warnings: ModelWarning[] },
): JsonObject {
  if (effort === undefined) return {}
  if (!reasons(model)) {
    if (effort !== 'none')
      warnings.push({
        kind: 'ignored-option',
        message: `The model "${model}" does not reason: the effort "${effort}" was not sent.`,
      })
    return {}
  }
  const summary: JsonObject = effort === 'none' ? {} : { summary: 'auto' }
  return { reasoning: { effort: EFFORTS[effort], ...summary } }
}

/** Beginnings of the names of models that do not reason; all that came after them do. */
const WITHOUT_REASONING: readonly string[] = ['gpt-3', 'gpt-4', 'chatgpt', 'gpt-5-chat']

function reasons(model: string): boolean {
  const name = model.startsWith('ft:') ? model.slice(3) : model
  return !WITHOUT_REASONING.some((start) => name.startsWith(start))
}
