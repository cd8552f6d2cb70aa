/**
 * The lines of a transcript: JSON, one a line, only ever added to. Here they are written and read back; what they come to is
 * `transcript.ts`. A file may be anybody's, so that each member is looked at.
 */

import { exceedsDepth, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import type {
  AssistantMessage,
  ImagePart,
  KeptItems,
  Message,
  ModelCall,
  Part,
  ToolMessage,
} from './conversation.ts'

export type TranscriptLine =
  /** The first line. */
  | { readonly type: 'transcript'; readonly version: 1 }
  /** A request to the model begins, and this is its number. */
  | { readonly type: 'turn'; readonly turn: number }
  | { readonly type: 'message'; readonly message: Message }
  /** From here on so many messages are left out, counted from `from` among those that were there. */
  | { readonly type: 'compacted'; readonly from: number; readonly messages: number }
  /** From here on all before is left out. */
  | { readonly type: 'cleared' }

/** Deepest nesting of a line. What providers want kept may nest. */
const MAX_DEPTH = 256
const MAX_TURN = 1_000_000_000

export function writeLine(line: TranscriptLine): string {
  return `${JSON.stringify(line)}\n`
}

/** The line, or why it is none. Types that are not known are `undefined`: a later version may have them. */
export function readLine(text: string): TranscriptLine | { readonly bad: string } | undefined {
  if (exceedsDepth(text, MAX_DEPTH)) return { bad: 'it nests too deep' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { bad: 'it is not JSON; the program may have been stopped while it was written' }
  }
  if (!isJsonObject(value)) return { bad: 'it is no object' }
  switch (value['type']) {
    case 'transcript':
      return value['version'] === 1
        ? { type: 'transcript', version: 1 }
        : { bad: 'it says a version that is not known here' }
    case 'turn':
      return isTurn(value['turn']) ? { type: 'turn', turn: value['turn'] } : BAD_MEMBER
    case 'message': {
      const message = readMessage(value['message'])
      return message === undefined ? BAD_MEMBER : { type: 'message', message }
    }
    case 'compacted': {
      const { from, messages } = value
      return isCount(from) && isCount(messages) ? { type: 'compacted', from, messages } : BAD_MEMBER
    }
    case 'cleared':
      return { type: 'cleared' }
    default:
      return undefined
  }
}

const BAD_MEMBER = { bad: 'a member of it is not what it should be' } as const

function readMessage(value: unknown): Message | undefined {
  if (!isJsonObject(value)) return undefined
  switch (value['role']) {
    case 'user': {
      const parts = listOf(value['parts'], readPart)
      return parts === undefined ? undefined : { role: 'user', parts }
    }
    case 'assistant':
      return readAssistant(value)
    case 'tool':
      return readTool(value)
    default:
      return undefined
  }
}

function readPart(value: JsonValue): Part | undefined {
  if (isJsonObject(value) && value['type'] === 'text' && typeof value['text'] === 'string')
    return { type: 'text', text: value['text'] }
  return readImage(value)
}

function readImage(value: JsonValue): ImagePart | undefined {
  if (!isJsonObject(value) || value['type'] !== 'image') return undefined
  const { mimeType, data } = value
  return typeof mimeType === 'string' && typeof data === 'string'
    ? { type: 'image', mimeType, data }
    : undefined
}

function readAssistant({ text, reasoning, calls, kept }: JsonObject): AssistantMessage | undefined {
  const read = listOf(calls, readCall)
  const items = kept === undefined ? undefined : readKept(kept)
  if (typeof text !== 'string' || read === undefined) return undefined
  if (reasoning !== undefined && typeof reasoning !== 'string') return undefined
  if (kept !== undefined && items === undefined) return undefined
  return {
    role: 'assistant',
    text,
    ...(reasoning !== undefined && { reasoning }),
    calls: read,
    ...(items !== undefined && { kept: items }),
  }
}

function readKept(value: JsonValue): KeptItems | undefined {
  if (!isJsonObject(value)) return undefined
  const { codec, items } = value
  return typeof codec === 'string' && Array.isArray(items) ? { codec, items } : undefined
}

function readCall(value: JsonValue): ModelCall | undefined {
  if (!isJsonObject(value)) return undefined
  const { id, name, argumentsText } = value
  if (typeof id !== 'string' || typeof name !== 'string' || typeof argumentsText !== 'string')
    return undefined
  return { id, name, argumentsText }
}

function readTool({ callId, name, text, images, failed }: JsonObject): ToolMessage | undefined {
  const pictures = images === undefined ? undefined : listOf(images, readImage)
  if (typeof callId !== 'string' || typeof name !== 'string') return undefined
  if (typeof text !== 'string' || typeof failed !== 'boolean') return undefined
  if (images !== undefined && pictures === undefined) return undefined
  return {
    role: 'tool',
    callId,
    name,
    text,
    ...(pictures !== undefined && { images: pictures }),
    failed,
  }
}

/** All members, or undefined when one of them cannot be read. */
function listOf<Item>(
  value: JsonValue | undefined,
  read: (item: JsonValue) => Item | undefined,
): readonly Item[] | undefined {
  if (!Array.isArray(value)) return undefined
  const items: Item[] = []
  for (const entry of value) {
    const item = read(entry)
    if (item === undefined) return undefined
    items.push(item)
  }
  return items
}

/** Turns are counted on from the last one, and each number is given once. */
function isTurn(value: unknown): value is number {
  return isCount(value) && value <= MAX_TURN
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
