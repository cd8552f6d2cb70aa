/** A conversation as the items of the Responses API. Pure. */

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

export interface ResponsesInput {
  /** What stands before everything else; empty for nothing. */
  readonly instructions: string
  readonly input: JsonObject[]
}

export function responsesInput(messages: readonly Message[], codec: string): ResponsesInput {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const leading = first < 0 ? messages : messages.slice(0, first)
  const instructions = leading
    .flatMap((message) => (message.role === 'system' ? [message.text] : []))
    .join('\n\n')
  const input = messages.slice(leading.length).flatMap((message) => itemsOf(message, codec))
  return { instructions, input }
}

function itemsOf(message: Message, codec: string): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'developer', content: message.text }]
    case 'user':
      return [{ role: 'user', content: userContent(message.parts) }]
    case 'assistant':
      return assistantItems(message, codec)
    default:
      return [{ type: 'function_call_output', call_id: message.callId, output: outputOf(message) }]
  }
}

function userContent(parts: readonly Part[]): JsonValue {
  return parts.map((part) =>
    part.type === 'text' ? { type: 'input_text', text: part.text } : inputImage(part),
  )
}

function inputImage({ mimeType, data }: ImagePart): JsonObject {
  return { type: 'input_image', detail: 'auto', image_url: `data:${mimeType};base64,${data}` }
}

function outputOf({ text, images = [] }: ToolMessage): JsonValue {
  if (images.length === 0) return text
  return [{ type: 'input_text', text }, ...images.map((image) => inputImage(image))]
}

/** In the order in which they came where that is known: reasoning stands before what came of it. */
function assistantItems(message: AssistantMessage, codec: string): readonly JsonObject[] {
  const { text, calls, kept } = message
  if (kept?.codec === codec) return keptItems(kept.items, calls)
  return [
    ...(text === '' ? [] : [{ role: 'assistant', content: text }]),
    ...calls.map((call) => callItem(call)),
  ]
}

/** Calls are kept as places only: their ids are those of the conversation. */
function keptItems(items: readonly JsonValue[], calls: readonly ModelCall[]): JsonObject[] {
  const left = [...calls]
  const written = items.flatMap((item): readonly JsonObject[] => {
    if (!isJsonObject(item)) return []
    if (item['type'] !== 'function_call') return [item]
    const call = left.shift()
    return call === undefined ? [] : [callItem(call)]
  })
  return [...written, ...left.map((call) => callItem(call))]
}

function callItem({ id, name, argumentsText }: ModelCall): JsonObject {
  return {
    type: 'function_call',
    call_id: id,
    name: sendableName(name),
    arguments: argumentsText,
  }
}
