/** One request of Chat Completions: the members that a flavour wants, in an order that never changes. Pure. */

import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { ModelRequest, ModelWarning, ToolChoice } from '../model.ts'
import type { ChatFlavour } from './chat-flavour.ts'
import { chatMessages } from './chat-messages.ts'
import { chatTools } from './chat-tools.ts'
import type { EncodedRequest } from './codec.ts'

export interface ChatRequestOptions {
  readonly flavour: ChatFlavour
  readonly codec: string
  readonly model: string
}

export function chatRequest(request: ModelRequest, options: ChatRequestOptions): EncodedRequest {
  const { flavour, codec, model } = options
  const warnings: ModelWarning[] = []
  const warn = (warning: ModelWarning): void => {
    if (!warnings.some(({ message }) => message === warning.message)) warnings.push(warning)
  }
  const hasTools = request.tools.length > 0
  const thinks = request.effort === undefined ? flavour.thinksByDefault : request.effort !== 'none'
  const messages = chatMessages(request.messages, {
    flavour,
    codec,
    needsReasoning: hasTools && thinks,
    warn,
  })
  const tools = hasTools ? chatTools(request.tools) : undefined
  const asked: Asked = { request, flavour, thinks, hasTools, warn }
  const body: JsonObject = {
    model,
    messages,
    ...(tools !== undefined && { tools: tools.value }),
    ...toolMembers(asked),
    ...limitMembers(asked),
    ...effortMembers(asked),
    ...(request.json === true && { response_format: { type: 'json_object' } }),
    ...(request.stream !== false && { stream: true, stream_options: { include_usage: true } }),
  }
  const text = textOf(body, tools?.text)
  return { path: pathOf(asked), body, text, warnings }
}

const PATH = '/chat/completions'

function pathOf({ request, flavour, warn }: Asked): string {
  if (!request.tools.some(({ strict }) => strict === true)) return PATH
  const { strictPath = PATH, strictDoubt } = flavour
  if (strictDoubt !== undefined) warn({ kind: 'ignored-option', message: strictDoubt })
  return strictPath
}

/** The JSON of a body of which the tools are text already. */
export function textOf(body: JsonObject, toolsText: string | undefined): string {
  // Put together and not joined: joining copies the text of the tools, which may be megabytes.
  let members = ''
  for (const [name, value] of Object.entries(body)) {
    const written = name === 'tools' && toolsText !== undefined ? toolsText : JSON.stringify(value)
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${written}`
  }
  return `{${members}}`
}

interface Asked {
  readonly request: ModelRequest
  readonly flavour: ChatFlavour
  readonly thinks: boolean
  readonly hasTools: boolean
  readonly warn: (warning: ModelWarning) => void
}

function toolMembers(asked: Asked): JsonObject {
  const { request, hasTools, warn } = asked
  // Without tools both members are refused.
  if (hasTools) {
    const choice = request.choice === undefined ? undefined : choiceOf(request.choice, asked)
    return {
      ...(choice !== undefined && { tool_choice: choice }),
      ...(request.parallel !== undefined && { parallel_tool_calls: request.parallel }),
    }
  }
  if (isForced(request.choice))
    warn({
      kind: 'ignored-option',
      message: 'A tool was to be called, and there is none: the choice was not sent.',
    })
  return {}
}

function choiceOf(choice: ToolChoice, { flavour, thinks, warn }: Asked): JsonValue {
  if (isForced(choice) && thinks && !flavour.whileThinking.forcedChoice) {
    const asked = typeof choice === 'string' ? choice : choice.name
    warn({
      kind: 'choice-lowered',
      message: `${flavour.provider} takes no forced choice of tools while it thinks: "${asked}" was sent as "auto". Turn thinking off to force it.`,
    })
    return 'auto'
  }
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } }
}

function isForced(choice: ToolChoice | undefined): boolean {
  return choice === 'required' || typeof choice === 'object'
}

function limitMembers({ request, flavour, thinks, warn }: Asked): JsonObject {
  const { maxOutputTokens, temperature, stop } = request
  if (temperature !== undefined && thinks && !flavour.whileThinking.temperature)
    warn({
      kind: 'ignored-option',
      message: `${flavour.provider} takes a temperature while it thinks and does not heed it. Turn thinking off to use it.`,
    })
  return {
    ...(maxOutputTokens !== undefined && { [flavour.maxTokens]: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(stop !== undefined && stop.length > 0 && { stop: [...stop] }),
  }
}

function effortMembers({ request: { effort }, flavour, warn }: Asked): JsonObject {
  if (effort === undefined) return {}
  const members = flavour.efforts[effort]
  if (members === undefined)
    warn({
      kind: 'ignored-option',
      message: `${flavour.provider} cannot be asked for the effort "${effort}": it was not sent.`,
    })
  return { ...members }
}
