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
import { sendableIds } from './sendable-ids.ts'

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
  const writing: Writing = { codec, idOf: sendableIds(messages) }
  const input = messages.slice(leading.length).flatMap((message) => itemsOf(message, writing))
  return { instructions, input }
}

interface Writing {
  readonly codec: string
  /** An id of a call as it is sent. */
  readonly idOf: (id: string) => string
}

function itemsOf(message: Message, writing: Writing): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'developer', content: message.text }]
    case 'user':
      return [{ role: 'user', content: userContent(message.parts) }]
    case 'assistant':
      return assistantItems(message, writing)
    default:
      return [
        {
          type: 'function_call_output',
          call_id: writing.idOf(message.callId),
          output: outputOf(message),
        },
      ]
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
function assistantItems(
  { text, calls, kept }: AssistantMessage,
  { codec, idOf }: Writing,
): readonly JsonObject[] {
  const written = calls.map((call) => callItem(call, idOf))
  if (kept?.codec === codec) return keptItems(kept.items, written)
  return [...(text === '' ? [] : [{ role: 'assistant', content: text }]), ...written]
}

/** Calls are kept as places only: their ids are those of the conversation. */
function keptItems(items: readonly JsonValue[], calls: readonly JsonObject[]): JsonObject[] {
  const left = [...calls]
  const written = items.flatMap((item): readonly JsonObject[] => {
    if (!isJsonObject(item)) return []
    if (item['type'] !== 'function_call') return [item]
    const call = left.shift()
    return call === undefined ? [] : [call]
  })
  return [...written, ...left]
}

function callItem({ id, name, argumentsText }: ModelCall, idOf: Writing['idOf']): JsonObject {
  return {
    type: 'function_call',
    call_id: idOf(id),
    name: sendableName(name),
    arguments: argumentsText,
  }
}
