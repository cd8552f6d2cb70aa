/**
 * Reads recorded answers with a codec, in pieces of several sizes, and tells in what the replies differ from a plain reading of
 * the same recording.
 */
import { ModelError } from '../../src/base/errors.ts'
import type { ModelDelta, ModelReply, ModelRequest } from '../../src/agent/model.ts'
import type { Codec } from '../../src/agent/models/codec.ts'
import { at, readJson, same } from './cassettes-json.ts'
import { plainReply, type PlainReply } from './cassettes-plain.ts'
import type { RecordedExchange } from './recorded-exchanges.ts'
import type { Dice } from './seeded.ts'

export interface AnswerRoom {
  readonly exchange: RecordedExchange
  readonly chance: Dice
  readonly problems: string[]
}

/** The reply of an answer of status 200; undefined where it could not be read. */
export function checkReply(
  { exchange, chance, problems }: AnswerRoom,
  codec: Codec,
  request: ModelRequest,
): ModelReply | undefined {
  const bytes = new TextEncoder().encode(exchange.reply)
  const plain = plainReply(exchange)
  let first: ModelReply | undefined
  for (const [way, sizes] of ways(bytes.length, chance)) {
    const deltas: ModelDelta[] = []
    try {
      const reply = readIn(sizes, { bytes, codec, request, exchange, deltas })
      problems.push(...wrongIn(reply, plain, exchange).map((wrong) => `${way}: ${wrong}`))
      problems.push(...wrongInDeltas(reply, deltas).map((wrong) => `${way}: ${wrong}`))
      if (first !== undefined && !same(first, reply))
        problems.push(`${way}: another reply than in one piece`)
      first ??= reply
    } catch (error) {
      problems.push(`${way}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return first
}

/** Sizes of the pieces, each way with its name. */
function ways(total: number, chance: Dice): readonly (readonly [string, () => number])[] {
  return [
    ['whole', () => total],
    ['by 1', () => 1],
    ['by 97', () => 97],
    ['at random', () => chance.between(1, 1500)],
  ]
}

interface Reading {
  readonly bytes: Uint8Array
  readonly codec: Codec
  readonly request: ModelRequest
  readonly exchange: RecordedExchange
  readonly deltas: ModelDelta[]
}

function readIn(size: () => number, reading: Reading): ModelReply {
  const { bytes, codec, request, exchange, deltas } = reading
  const [contentType = ''] = (exchange.replyHeaders['content-type'] ?? '').split(';')
  const reader = codec.reader({
    contentType,
    request,
    maxBytes: 16 * 1024 * 1024,
    onDelta: (delta) => deltas.push(delta),
  })
  for (let from = 0; from < bytes.length;) {
    const to = Math.min(bytes.length, from + Math.max(1, size()))
    reader.push(bytes.slice(from, to))
    from = to
  }
  return reader.end()
}

const FINISHES: Readonly<Record<string, ModelReply['finish']>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
}

function wrongIn(
  { message, usage, finish, finishText, model, id = '', warnings }: ModelReply,
  plain: PlainReply,
  { path }: RecordedExchange,
): readonly string[] {
  const givesIds = plain.calls.every((call) => call.id !== '')
  // Ollama says "stop" after calls.
  const isCalling = path.endsWith('/api/chat') && plain.calls.length > 0
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['text', message.text, plain.text],
    ['reasoning', message.reasoning ?? '', plain.reasoning],
    ['calls', message.calls.map((call) => ({ ...call, id: givesIds ? call.id : '' })), plain.calls],
    ['ids', new Set(message.calls.map((call) => call.id)).size, plain.calls.length],
    ['finish', finish, isCalling ? 'tool-calls' : FINISHES[plain.finish]],
    ['word of the finish', finishText, plain.finish],
    ['input tokens', usage?.input, plain.input],
    ['cached tokens', usage?.cachedInput, plain.cached],
    ['output tokens', usage?.output, plain.output],
    ['reasoning tokens', usage?.reasoning, plain.reasoningTokens],
    ['model', model, plain.model],
    ['id', id, plain.id],
    ['warnings', [...new Set(warnings.map(({ kind }) => kind))], warningsOn(plain)],
  ]
  return pairs
    .filter(([, ours, theirs]) => !same(ours, theirs))
    .map(
      ([name, ours, theirs]) =>
        `${name} ${JSON.stringify(ours)} instead of ${JSON.stringify(theirs)}`,
    )
}

/** Ids that are missing, and a call in the text: one recorded model wrote it there when it was to call nothing. */
function warningsOn(plain: PlainReply): readonly string[] {
  return [
    ...(plain.calls.some(({ id }) => id === '') ? ['made-id'] : []),
    ...(plain.text.includes('<tool_call>') ? ['leaked-call'] : []),
  ]
}

/** What was told as it came is what the reply holds. */
function wrongInDeltas({ message }: ModelReply, deltas: readonly ModelDelta[]): readonly string[] {
  const told = { text: '', reasoning: '', calls: new Map<number, [string, string, string]>() }
  for (const delta of deltas) {
    if (delta.kind === 'text' || delta.kind === 'reasoning') told[delta.kind] += delta.text
    else if (delta.kind === 'call') told.calls.set(delta.index, [delta.id, delta.name, ''])
    else if (delta.kind === 'arguments') {
      const call = told.calls.get(delta.index)
      if (call !== undefined) call[2] += delta.text
    }
  }
  const calls = message.calls.map(({ id, name, argumentsText }) => [id, name, argumentsText])
  const agrees =
    told.text === message.text &&
    told.reasoning === (message.reasoning ?? '') &&
    same([...told.calls.values()], calls)
  return agrees ? [] : ['what was told as it came is not what the reply holds']
}

const CODES: Readonly<Record<number, string>> = {
  400: 'DP_MODEL_REQUEST',
  401: 'DP_MODEL_KEY',
  500: 'DP_MODEL_FAILED',
  501: 'DP_MODEL_FAILED',
}

/** An answer of another status: what was said, and what it comes to. */
export function checkError({ exchange, problems }: AnswerRoom, codec: Codec): void {
  const { status, reply: body } = exchange
  const error = codec.readError({ status, body, retryAfterMs: undefined })
  const expected = {
    isModelError: true,
    code: CODES[status],
    status,
    said: at(readJson(body), 'error', 'message'),
    mayPass: status === 500,
  }
  const ours = {
    isModelError: error instanceof ModelError,
    code: error.code,
    status: error.status,
    said: error.said,
    mayPass: error.retryable,
  }
  if (!same(ours, expected))
    problems.push(`error: ${JSON.stringify(ours)} instead of ${JSON.stringify(expected)}`)
}
