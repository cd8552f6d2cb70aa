/**
 * A conversation as the messages of Anthropic's API. Pure.
 *
 * Messages of the two sides take turns there: results and what the user says after them are one message, results first. Refused and
 * so left out are blocks without text, and thinking at the end of a message.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type { ImagePart, Message, ModelCall, Part, ToolMessage } from '../conversation.ts'
import { sendableName } from './chat-messages.ts'
import { objectIn } from './chat-words.ts'
import { sendableIds } from './sendable-ids.ts'

export interface AnthropicMessages {
  readonly system: JsonObject[]
  readonly messages: JsonObject[]
}

/** Everything up to here is read from a cache in later requests. */
export const CACHE_MARK: JsonObject = { type: 'ephemeral' }

interface Writing {
  readonly codec: string
  /** An id of a call as it is sent. */
  readonly idOf: (id: string) => string
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject[]
}

export function anthropicMessages(messages: readonly Message[], codec: string): AnthropicMessages {
  const system: JsonObject[] = []
  const turns: Turn[] = []
  const written: Writing = { codec, idOf: sendableIds(messages) }
  for (const message of messages) {
    if (message.role === 'system') {
      system.push(...textBlocks(message.text))
      continue
    }
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const blocks = blocksOf(message, written)
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

function blocksOf(
  message: Exclude<Message, { role: 'system' }>,
  { codec, idOf }: Writing,
): JsonObject[] {
  if (message.role === 'user') return userBlocks(message.parts)
  if (message.role === 'tool') return [resultBlock(message, idOf)]
  const { text, kept } = message
  const calls = message.calls.map((call) => callBlock(call, idOf))
  if (kept?.codec === codec) return keptBlocks(kept.items, calls)
  return [...textBlocks(text), ...calls]
}

function userBlocks(parts: readonly Part[]): JsonObject[] {
  const blocks = parts.flatMap((part) => {
    if (part.type === 'image') return [imageBlock(part)]
    return textBlocks(part.text)
  })
  return blocks.length > 0 ? blocks : [textBlock('(nothing)')]
}

function textBlock(text: string): JsonObject {
  return { type: 'text', text }
}

/** None for a text that is blank. */
function textBlocks(text: string): JsonObject[] {
  return text.trim() === '' ? [] : [textBlock(text)]
}

function imageBlock({ mimeType, data }: ImagePart): JsonObject {
  return { type: 'image', source: { type: 'base64', media_type: mimeType, data } }
}

function resultBlock(
  { callId, text, images = [], failed }: ToolMessage,
  idOf: Writing['idOf'],
): JsonObject {
  const content: JsonValue =
    images.length === 0 ? text : [...textBlocks(text), ...images.map((image) => imageBlock(image))]
  return {
    type: 'tool_result',
    tool_use_id: idOf(callId),
    content,
    ...(failed && { is_error: true }),
  }
}

/** Calls are kept as places only: their ids are those of the conversation. */
function keptBlocks(items: readonly JsonValue[], calls: readonly JsonObject[]): JsonObject[] {
  const left = [...calls]
  const blocks = items.flatMap((item): readonly JsonObject[] => {
    if (!isJsonObject(item)) return []
    if (item['type'] !== 'tool_use') return [item]
    const call = left.shift()
    return call === undefined ? [] : [call]
  })
  blocks.push(...left)
  while (isThinking(blocks.at(-1))) blocks.pop()
  return blocks
}

function isThinking(block: JsonObject | undefined): boolean {
  return block?.['type'] === 'thinking' || block?.['type'] === 'redacted_thinking'
}

/** Arguments that are no object would have the whole conversation refused; the result says what was wrong with them. */
function callBlock({ id, name, argumentsText }: ModelCall, idOf: Writing['idOf']): JsonObject {
  return {
    type: 'tool_use',
    id: idOf(id),
    name: sendableName(name),
    input: objectIn(argumentsText) ?? {},
  }
}
