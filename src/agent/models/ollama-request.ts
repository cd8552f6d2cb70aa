/**
 * One request of Ollama's own chat API: arguments are objects, results go by the name of their tool, and what limits a reply
 * stands apart as options. Pure.
 */

import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { AssistantMessage, ImagePart, Message, ModelCall, Part } from '../conversation.ts'
import type { Effort, ModelRequest, ModelWarning } from '../model.ts'
import { sendableName } from './chat-messages.ts'
import { textOf } from './chat-request.ts'
import { chatTools } from './chat-tools.ts'
import { objectIn } from './chat-words.ts'
import type { EncodedRequest } from './codec.ts'

export interface OllamaRequestOptions {
  readonly model: string
  readonly contextTokens: number | undefined
  readonly thinkingLevels: boolean
}

export function ollamaRequest(
  request: ModelRequest,
  { model, contextTokens, thinkingLevels }: OllamaRequestOptions,
): EncodedRequest {
  const warnings: ModelWarning[] = []
  const { choice, effort } = request
  // It knows no choice, but it cannot call what it is not told of.
  const hasTools = request.tools.length > 0 && choice !== 'none'
  const tools = hasTools ? chatTools(request.tools) : undefined
  if (choice === 'required' || typeof choice === 'object')
    warnings.push({
      kind: 'choice-lowered',
      message: 'ollama takes no forced choice of tools: it was sent as "auto".',
    })
  if (request.parallel === false)
    warnings.push({
      kind: 'ignored-option',
      message: 'ollama cannot be kept from several calls in one reply.',
    })
  const options: JsonObject = {
    ...(contextTokens !== undefined && { num_ctx: contextTokens }),
    ...(request.maxOutputTokens !== undefined && { num_predict: request.maxOutputTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.stop !== undefined && request.stop.length > 0 && { stop: [...request.stop] }),
  }
  const body: JsonObject = {
    model,
    messages: ollamaMessages(request.messages),
    ...(tools !== undefined && { tools: tools.value }),
    ...(effort !== undefined && { think: thinkOf(effort, thinkingLevels) }),
    ...(request.json === true && { format: 'json' }),
    options,
    // Its default is the opposite of everybody's.
    stream: request.stream !== false,
  }
  return { path: '/api/chat', body, text: textOf(body, tools?.text), warnings }
}

/** Those with levels cannot be kept from thinking; all others think or do not. */
function thinkOf(effort: Effort, levels: boolean): JsonValue {
  if (!levels) return effort !== 'none'
  if (effort === 'none') return 'low'
  return effort === 'max' ? 'high' : effort
}

function ollamaMessages(messages: readonly Message[]): JsonObject[] {
  const written: JsonObject[] = []
  let images: string[] = []
  for (const message of messages) {
    if (message.role !== 'tool' && images.length > 0) {
      written.push(imagesOfResults(images))
      images = []
    }
    if (message.role === 'system') written.push({ role: 'system', content: message.text })
    else if (message.role === 'user') written.push(userMessage(message.parts))
    else if (message.role === 'assistant') written.push(assistantMessage(message))
    else {
      const name = sendableName(message.name)
      written.push({ role: 'tool', content: message.text, tool_name: name })
      images.push(...(message.images ?? []).map(({ data }) => data))
    }
  }
  if (images.length > 0) written.push(imagesOfResults(images))
  return written
}

function imagesOfResults(images: string[]): JsonObject {
  return { role: 'user', content: 'Images in the results above:', images }
}

function userMessage(parts: readonly Part[]): JsonObject {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const images = parts.filter((part): part is ImagePart => part.type === 'image')
  return {
    role: 'user',
    content: texts.join('\n'),
    ...(images.length > 0 && { images: images.map(({ data }) => data) }),
  }
}

function assistantMessage({ text, reasoning, calls }: AssistantMessage): JsonObject {
  const said = reasoning === undefined ? thoughtApart(text) : { text, thinking: reasoning }
  return {
    role: 'assistant',
    content: said.text,
    ...(said.thinking !== undefined && { thinking: said.thinking }),
    ...(calls.length > 0 && { tool_calls: calls.map(writtenCall) }),
  }
}

const OPENING = '<think>'
const CLOSING = '</think>'

/**
 * A model that was told not to think may do so in its text, closed by a tag that its template opened for it. Its next turn reads
 * that apart, or takes it for an answer.
 */
function thoughtApart(text: string): { readonly text: string; readonly thinking?: string } {
  const end = text.indexOf(CLOSING)
  if (end < 0) return { text }
  const before = text.slice(0, end).trim()
  const thinking = before.startsWith(OPENING) ? before.slice(OPENING.length).trim() : before
  const rest = text.slice(end + CLOSING.length).trimStart()
  return thinking === '' ? { text: rest } : { text: rest, thinking }
}

/** Arguments that are no object cannot be sent; the tool message says what was wrong with them. */
function writtenCall({ name, argumentsText }: ModelCall): JsonObject {
  return {
    type: 'function',
    function: { name: sendableName(name), arguments: objectIn(argumentsText) ?? {} },
  }
}
