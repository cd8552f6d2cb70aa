/** The words of Chat Completions in replies: endings, counts of tokens, and the shapes in which text comes. Pure; all of it is peer data. */

import { exceedsDepth, isJsonObject, type JsonObject } from '../../base/json.ts'
import type { FinishReason, Usage } from '../model.ts'

const FINISHES: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['eos', 'stop'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['length', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'filtered'],
  ['insufficient_system_resource', 'interrupted'],
  // Of vLLM, SGLang and routers, where the work on a reply was given up: what is there of it may be half.
  ['abort', 'interrupted'],
  ['aborted', 'interrupted'],
  ['cancelled', 'interrupted'],
  ['canceled', 'interrupted'],
  ['error', 'interrupted'],
  ['timeout', 'interrupted'],
])

export function finishOf(word: string): FinishReason {
  return FINISHES.get(word) ?? 'other'
}

/** Undefined unless both sides are told. Details that contradict them are left out. */
export function usageOf(value: unknown): Usage | undefined {
  if (!isJsonObject(value)) return undefined
  const input = countOf(value['prompt_tokens'])
  const output = countOf(value['completion_tokens'])
  if (input === undefined || output === undefined) return undefined
  const prompt = memberIn(value, 'prompt_tokens_details')
  const completion = memberIn(value, 'completion_tokens_details')
  const cachedInput = atMost(
    input,
    value['prompt_cache_hit_tokens'] ?? prompt?.['cached_tokens'] ?? value['cached_tokens'],
  )
  const cacheWrite = atMost(input, prompt?.['cache_write_tokens'])
  const reasoning = atMost(output, completion?.['reasoning_tokens'] ?? value['reasoning_tokens'])
  return {
    input,
    ...(cachedInput !== undefined && { cachedInput }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    output,
    ...(reasoning !== undefined && { reasoning }),
  }
}

export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

function atMost(limit: number, value: unknown): number | undefined {
  const count = countOf(value)
  return count !== undefined && count <= limit ? count : undefined
}

function memberIn(value: JsonObject, name: string): JsonObject | undefined {
  const member = value[name]
  return isJsonObject(member) ? member : undefined
}

/** What a message or a piece of one says, in the order in which it stands there. */
export interface SaidPiece {
  readonly kind: 'text' | 'reasoning'
  readonly text: string
}

/** Text and reasoning of a message or of a piece of one, reasoning first. Some servers give content as a list of typed parts. */
export function saidIn(message: JsonObject): readonly SaidPiece[] {
  const pieces: SaidPiece[] = []
  // Servers that renamed the member send both.
  const reasoning = textIn(message, 'reasoning_content') ?? textIn(message, 'reasoning')
  if (reasoning !== undefined) pieces.push({ kind: 'reasoning', text: reasoning })
  const content = message['content']
  if (typeof content === 'string') pieces.push({ kind: 'text', text: content })
  else if (Array.isArray(content)) for (const part of content) pieces.push(...saidInPart(part))
  return pieces
}

function saidInPart(part: unknown): readonly SaidPiece[] {
  if (!isJsonObject(part)) return []
  const text = textIn(part, 'text')
  if (text !== undefined) return [{ kind: 'text', text }]
  const thinking = part['thinking']
  if (typeof thinking === 'string') return [{ kind: 'reasoning', text: thinking }]
  if (!Array.isArray(thinking)) return []
  return thinking.flatMap((one: unknown): readonly SaidPiece[] => {
    const thought = isJsonObject(one) ? textIn(one, 'text') : undefined
    return thought === undefined ? [] : [{ kind: 'reasoning', text: thought }]
  })
}

/** A text that is not empty. */
export function textIn(value: JsonObject, name: string): string | undefined {
  const member = value[name]
  return typeof member === 'string' && member !== '' ? member : undefined
}

/** The JSON object in a text; undefined for everything else, nesting over the bound included. */
export function objectIn(text: string): JsonObject | undefined {
  if (exceedsDepth(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined // whoever asked tells what is missing
  }
}
