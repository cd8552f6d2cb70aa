/**
 * A conversation in the words of Chat Completions. Pure.
 *
 * Every turn goes back whole: text, reasoning where the provider wants it, calls with their ids, and one message for each result.
 */

import type { JsonObject, JsonValue } from '../../base/json.ts'
import type {
  AssistantMessage,
  ImagePart,
  Message,
  ModelCall,
  Part,
  ToolMessage,
} from '../conversation.ts'
import type { ModelWarning } from '../model.ts'
import type { ChatFlavour } from './chat-flavour.ts'
import { objectIn } from './chat-words.ts'

export interface MessageOptions {
  readonly flavour: ChatFlavour
  /** Of the codec: kept items of others are left out. */
  readonly codec: string
  /** The request has tools and the model thinks. */
  readonly needsReasoning: boolean
  readonly warn: (warning: ModelWarning) => void
}

export function chatMessages(messages: readonly Message[], options: MessageOptions): JsonObject[] {
  const written: JsonObject[] = []
  let images: JsonValue[] = []
  for (const message of messages) {
    // Results stand together behind their calls: what belongs to them and is no result comes after the last one.
    if (message.role !== 'tool' && images.length > 0) {
      written.push({ role: 'user', content: images })
      images = []
    }
    if (message.role === 'system') written.push({ role: 'system', content: message.text })
    else if (message.role === 'user')
      written.push({ role: 'user', content: userContent(message.parts, options) })
    else if (message.role === 'assistant') written.push(assistantMessage(message, options))
    else {
      written.push({ role: 'tool', tool_call_id: message.callId, content: message.text })
      images.push(...resultImages(message, options))
    }
  }
  if (images.length > 0) written.push({ role: 'user', content: images })
  return written
}

/** One text where there are only texts: every server takes that. */
function userContent(parts: readonly Part[], options: MessageOptions): JsonValue {
  const { images } = options.flavour
  if (images && parts.some(({ type }) => type === 'image'))
    return parts.map((part) =>
      part.type === 'text' ? { type: 'text', text: part.text } : imagePart(part),
    )
  return parts.map((part) => (part.type === 'text' ? part.text : leftOut(part, options))).join('\n')
}

function imagePart({ mimeType, data }: ImagePart): JsonObject {
  return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${data}` } }
}

/** The model is told that something was there. */
function leftOut({ mimeType }: ImagePart, { flavour, warn }: MessageOptions): string {
  warn({
    kind: 'dropped-part',
    message: `Images were left out: this model of ${flavour.provider} takes none.`,
  })
  return `[image ${mimeType}, left out: it cannot be read here]`
}

function resultImages(message: ToolMessage, options: MessageOptions): readonly JsonValue[] {
  const { images = [], name } = message
  if (images.length === 0) return []
  if (!options.flavour.images) {
    for (const image of images) leftOut(image, options)
    return []
  }
  return [
    { type: 'text', text: `Images in the result of ${name}:` },
    ...images.map((image) => imagePart(image)),
  ]
}

function assistantMessage(message: AssistantMessage, options: MessageOptions): JsonObject {
  const { flavour } = options
  const { text, calls } = message
  const hasCalls = calls.length > 0
  const written: JsonObject = { role: 'assistant' }
  if (text !== '' || !hasCalls || flavour.textBesideCalls === 'empty') written['content'] = text
  addReasoning(written, message, options)
  if (hasCalls) written['tool_calls'] = calls.map((call) => writtenCall(call, flavour))
  return written
}

function addReasoning(
  written: JsonObject,
  { reasoning, kept, calls }: AssistantMessage,
  { flavour, codec, needsReasoning }: MessageOptions,
): void {
  if (flavour.keepsDetails === true && kept !== undefined && kept.codec === codec) {
    written['reasoning_details'] = [...kept.items]
    return
  }
  const member = flavour.reasoningBack
  if (member === undefined) return
  const missing =
    needsReasoning && flavour.reasoningNeeded === true && calls.length > 0 ? '' : undefined
  const sent = reasoning ?? missing
  if (sent !== undefined) written[member] = sent
}

function writtenCall({ id, name, argumentsText }: ModelCall, flavour: ChatFlavour): JsonObject {
  const emptied = flavour.brokenArguments === 'emptied' && objectIn(argumentsText) === undefined
  return {
    id,
    type: 'function',
    function: { name: sendableName(name), arguments: emptied ? '{}' : argumentsText },
  }
}

/** Longest name of a function that providers take. */
const MAX_NAME = 64

/**
 * A name as providers take it. A model may have called what does not exist; sent back as it was, such a name would have each
 * later request refused.
 */
export function sendableName(name: string): string {
  const kept = name.slice(0, MAX_NAME).replaceAll(/[^a-zA-Z0-9_-]/g, '_')
  return kept === '' ? 'unnamed' : kept
}
