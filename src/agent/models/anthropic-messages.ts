/**
 * A conversation as the messages of Anthropic's API. Pure.
 *
 * Messages of the two sides take turns there: results and what the user says after them are one message, results first. Blocks
 * without text are refused and so are left out.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type {
  AssistantMessage,
  ImagePart,
  Message,
  ModelCall,
  Part,
  ToolMessage,
} from '../conversation.ts'
import { sendableName } from './chat-messages.ts'
import { objectIn } from './chat-words.ts'

export interface AnthropicMessages {
  readonly system: JsonObject[]
  readonly messages: JsonObject[]
}

/** Everything up to here is read from a cache in later requests. */
export const CACHE_MARK: JsonObject = { type: 'ephemeral' }

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject[]
}

export function anthropicMessages(messages: readonly Message[], codec: string): AnthropicMessages {
  const system: JsonObject[] = []
  const turns: Turn[] = []
  for (const message of messages) {
    if (message.role === 'system') {
      if (message.text.trim() !== '') system.push(textBlock(message.text))
      continue
    }
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const blocks = blocksOf(message, codec)
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else if (blocks.length > 0) turns.push({ role, content: blocks })
  }
  mark(system)
  const lastTurn = turns.at(-1)
  if (lastTurn?.role === 'user') mark(lastTurn.content)
  return { system, messages: turns.map(({ role, content }) => ({ role, content })) }
}

/** A cache may begin behind the last of these. */
function mark(blocks: JsonObject[]): void {
  const last = blocks.pop()
  if (last !== undefined) blocks.push({ ...last, cache_control: CACHE_MARK })
}

function blocksOf(message: Exclude<Message, { role: 'system' }>, codec: string): JsonObject[] {
  if (message.role === 'user') return userBlocks(message.parts)
  if (message.role === 'tool') return [resultBlock(message)]
  const { kept } = message
  return kept?.codec === codec ? keptBlocks(kept.items, message.calls) : assistantBlocks(message)
}

function userBlocks(parts: readonly Part[]): JsonObject[] {
  const blocks = parts.flatMap((part) => {
    if (part.type === 'image') return [imageBlock(part)]
    return part.text.trim() === '' ? [] : [textBlock(part.text)]
  })
  return blocks.length > 0 ? blocks : [textBlock('(nothing)')]
}

function textBlock(text: string): JsonObject {
  return { type: 'text', text }
}

function imageBlock({ mimeType, data }: ImagePart): JsonObject {
  return { type: 'image', source: { type: 'base64', media_type: mimeType, data } }
}

function resultBlock({ callId, text, images = [], failed }: ToolMessage): JsonObject {
  const content: JsonValue =
    images.length === 0 ? text : [textBlock(text), ...images.map((image) => imageBlock(image))]
  return {
    type: 'tool_result',
    tool_use_id: callId,
    content,
    ...(failed && { is_error: true }),
  }
}

function assistantBlocks({ text, calls }: AssistantMessage): JsonObject[] {
  return [...(text.trim() === '' ? [] : [textBlock(text)]), ...calls.map((call) => callBlock(call))]
}

/** Calls are kept as places only: their ids are those of the conversation. */
function keptBlocks(items: readonly JsonValue[], calls: readonly ModelCall[]): JsonObject[] {
  const left = [...calls]
  const blocks = items.flatMap((item): readonly JsonObject[] => {
    if (!isJsonObject(item)) return []
    if (item['type'] !== 'tool_use') return [item]
    const call = left.shift()
    return call === undefined ? [] : [callBlock(call)]
  })
  return [...blocks, ...left.map((call) => callBlock(call))]
}

/** Arguments that are no object would have the whole conversation refused; the result says what was wrong with them. */
function callBlock({ id, name, argumentsText }: ModelCall): JsonObject {
  return {
    type: 'tool_use',
    id,
    name: sendableName(name),
    input: objectIn(argumentsText) ?? {},
  }
}
