/**
 * The plainest reading of a recorded answer: what stands in it, found by splitting and parsing whole text. It shares nothing with
 * the readers of the project, takes no care of odd servers, and is what those readers are compared with.
 */
import { at, listAt, numberAt, readJson, textAt } from './cassettes-json.ts'
import type { RecordedExchange } from './recorded-exchanges.ts'

export interface PlainCall {
  readonly id: string
  readonly name: string
  readonly argumentsText: string
}

export interface PlainReply {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly PlainCall[]
  /** The provider's word. */
  readonly finish: string
  readonly input: number | undefined
  readonly cached: number | undefined
  readonly output: number | undefined
  readonly reasoningTokens: number | undefined
  readonly model: string
  readonly id: string
}

/** Of an answer of status 200. */
export function plainReply({ path, reply }: RecordedExchange): PlainReply {
  if (path.endsWith('/api/chat')) return plainOllama(linesIn(reply))
  return plainChat(reply.startsWith('data:') ? eventsIn(reply) : [readJson(reply)])
}

function eventsIn(body: string): readonly unknown[] {
  return body
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line) => readJson(line.slice('data: '.length)))
}

function linesIn(body: string): readonly unknown[] {
  return body
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => readJson(line))
}

function plainChat(chunks: readonly unknown[]): PlainReply {
  const choices = chunks.flatMap((chunk) => listAt(chunk, 'choices'))
  const messages = choices.map((choice) => at(choice, 'delta') ?? at(choice, 'message'))
  const usage = chunks.map((chunk) => at(chunk, 'usage') ?? undefined).findLast(Boolean)
  return {
    text: messages.map((message) => textAt(message, 'content')).join(''),
    reasoning: messages.map((message) => textAt(message, 'reasoning_content')).join(''),
    calls: plainCalls(messages.flatMap((message) => listAt(message, 'tool_calls'))),
    finish: choices.map((choice) => textAt(choice, 'finish_reason')).findLast(Boolean) ?? '',
    input: numberAt(usage, 'prompt_tokens'),
    cached:
      numberAt(usage, 'prompt_cache_hit_tokens') ??
      numberAt(usage, 'prompt_tokens_details', 'cached_tokens'),
    output: numberAt(usage, 'completion_tokens'),
    reasoningTokens: numberAt(usage, 'completion_tokens_details', 'reasoning_tokens'),
    model: textAt(chunks[0], 'model'),
    id: textAt(chunks[0], 'id'),
  }
}

/** Pieces with an index are put together by it; without, each is a call. */
function plainCalls(pieces: readonly unknown[]): readonly PlainCall[] {
  const byPlace = new Map<string, unknown[]>()
  for (const [order, piece] of pieces.entries()) {
    const index = numberAt(piece, 'index')
    const place = index === undefined ? `whole ${order}` : `at ${index}`
    byPlace.set(place, [...(byPlace.get(place) ?? []), piece])
  }
  return [...byPlace.values()].map((group) => ({
    id: group.map((piece) => textAt(piece, 'id')).join(''),
    name: group.map((piece) => textAt(piece, 'function', 'name')).join(''),
    argumentsText: group.map((piece) => textAt(piece, 'function', 'arguments')).join(''),
  }))
}

function plainOllama(chunks: readonly unknown[]): PlainReply {
  const last = chunks.at(-1)
  return {
    text: chunks.map((chunk) => textAt(chunk, 'message', 'content')).join(''),
    reasoning: chunks.map((chunk) => textAt(chunk, 'message', 'thinking')).join(''),
    calls: chunks
      .flatMap((chunk) => listAt(chunk, 'message', 'tool_calls'))
      .map((call) => ({
        id: textAt(call, 'id'),
        name: textAt(call, 'function', 'name'),
        argumentsText: JSON.stringify(at(call, 'function', 'arguments')),
      })),
    finish: textAt(last, 'done_reason'),
    input: numberAt(last, 'prompt_eval_count'),
    cached: undefined,
    output: numberAt(last, 'eval_count'),
    reasoningTokens: undefined,
    model: textAt(chunks[0], 'model'),
    id: '',
  }
}
