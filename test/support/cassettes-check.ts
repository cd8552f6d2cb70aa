/**
 * Takes recorded exchanges through the codecs, both ways: answers are read and compared with a plain reading, and requests are
 * built again from their conversations, with the replies that were read before in them, and compared with the recorded ones.
 */
import type { ModelReply, ModelRequest } from '../../src/agent/model.ts'
import { chatCodec } from '../../src/agent/models/chat-codec.ts'
import type { Codec } from '../../src/agent/models/codec.ts'
import { deepseekCodec } from '../../src/agent/models/deepseek.ts'
import { ollamaCodec } from '../../src/agent/models/ollama-codec.ts'
import { COMPATIBLE, LLAMACPP, OPENAI_CHAT } from '../../src/agent/models/openai-chat.ts'
import { readModelNames } from '../../src/agent/models/post-names.ts'
import { checkError, checkReply, type AnswerRoom } from './cassettes-answers.ts'
import { differences } from './cassettes-compare.ts'
import { listAt, readJson, same, textAt } from './cassettes-json.ts'
import { neutralRequest, type NeutralRequest } from './cassettes-request.ts'
import type { RecordedExchange } from './recorded-exchanges.ts'
import { dice } from './seeded.ts'

export interface Checked {
  /** `apart`: an endpoint that no adapter speaks. */
  readonly kind: 'checked' | 'apart'
  readonly problems: readonly string[]
  /** What was looked at otherwise. */
  readonly notes: readonly string[]
  /** Why the request was not built again; only requests that were refused. */
  readonly untold?: string
  /** How many earlier replies stand in the request and were written again. */
  readonly links: number
}

/** The codec for the provider that is named in the path of a recording. */
function codecFor(provider: string, model: string): Codec {
  if (provider === 'deepseek') return deepseekCodec(model)
  if (provider === 'ollama') return ollamaCodec(model)
  if (provider === 'llamacpp') return chatCodec(LLAMACPP, model)
  return chatCodec(provider === 'openai' ? OPENAI_CHAT : COMPATIBLE, model)
}

/** Checks each exchange of one recording, in order. */
export function checkExchanges(
  provider: string,
  exchanges: readonly RecordedExchange[],
  seed: number,
): readonly Checked[] {
  const chance = dice(seed)
  const before: Heard[] = []
  return exchanges.map((exchange) => {
    const room: Room = { provider, exchange, chance, problems: [], notes: [] }
    return isChat(exchange) ? checkChat(room, before) : checkOther(room)
  })
}

/** A reply that was read, and the request before it. */
interface Heard {
  readonly neutral: NeutralRequest
  readonly reply: ModelReply
}

interface Room extends AnswerRoom {
  readonly provider: string
  readonly notes: string[]
}

function isChat({ path }: RecordedExchange): boolean {
  return path.endsWith('/chat/completions') || path.endsWith('/api/chat')
}

function checkChat(room: Room, before: Heard[]): Checked {
  const { provider, exchange, problems, notes } = room
  const neutral = neutralRequest(exchange.body)
  const isAccepted = exchange.status === 200
  if (neutral.kind === 'untold') {
    if (isAccepted) problems.push(`an accepted request cannot be told: ${neutral.why}`)
    else checkError(room, codecFor(provider, 'unknown'))
    return { kind: 'checked', problems, notes, untold: neutral.why, links: 0 }
  }
  const codec = codecFor(provider, neutral.model)
  if (neutral.unsaid.length > 0) notes.push(`not sent by us: ${neutral.unsaid.join(', ')}`)
  checkRequest(room, codec, neutral)
  const links = checkLinks(room, { codec, neutral, before })
  if (!isAccepted) checkError(room, codec)
  else {
    const reply = checkReply(room, codec, neutral.request)
    if (reply !== undefined) before.push({ neutral, reply })
  }
  return { kind: 'checked', problems, notes, links }
}

/** A list of models, or an error of an endpoint that is not spoken here; everything else is apart. */
function checkOther(room: Room): Checked {
  const { exchange, provider, problems, notes } = room
  if (exchange.status !== 200) checkError(room, codecFor(provider, 'unknown'))
  else if (exchange.method === 'GET' && exchange.path.endsWith('/models')) {
    const names = readModelNames(exchange.reply, provider)
    const expected = listAt(readJson(exchange.reply), 'data').map((one) => textAt(one, 'id'))
    if (!same(names, expected))
      problems.push(`models: ${names.join(', ')} instead of ${expected.join(', ')}`)
  } else return { kind: 'apart', problems, notes, links: 0 }
  return { kind: 'checked', problems, notes, links: 0 }
}

/** A request that was refused may differ from ours where the refusal says so; all others may not. */
function checkRequest(room: Room, codec: Codec, { request }: NeutralRequest): void {
  const { exchange, problems, notes } = room
  const { text, body, path, warnings } = codec.encode(request)
  if (text !== JSON.stringify(body)) problems.push('request: its text is not that of its body')
  if (!exchange.path.endsWith(path)) problems.push(`request: its path is ${path}`)
  const refusal = exchange.status === 200 ? '' : exchange.reply
  for (const difference of differences(text, exchange.body ?? '', { argumentsAsValues: false })) {
    const isTold = warnings.length > 0 && isRefused(difference, refusal)
    if (isTold) notes.push(`sent otherwise, for it was refused: ${difference}`)
    else problems.push(`request: ${difference}`)
  }
}

function isRefused(difference: string, refusal: string): boolean {
  if (refusal.includes('does not support this tool_choice'))
    return difference.startsWith('tool_choice')
  return refusal.includes('unknown variant `image_url`') && difference.startsWith('messages')
}

interface Linking {
  readonly codec: Codec
  readonly neutral: NeutralRequest
  readonly before: readonly Heard[]
}

/** Puts each reply that was read before in the place where this request has it, and compares again. */
function checkLinks(room: Room, { codec, neutral, before }: Linking): number {
  const { exchange, problems } = room
  const messages = [...neutral.request.messages]
  let links = 0
  for (const { neutral: earlier, reply } of before) {
    const place = earlier.request.messages.length
    if (messages[place]?.role !== 'assistant' || !startsWith(neutral, earlier)) continue
    links += 1
    messages[place] = reply.message
    renameResults(messages, place, reply)
  }
  if (links === 0) return 0
  const { text } = codec.encode({ ...neutral.request, messages })
  for (const difference of differences(text, exchange.body ?? '', { argumentsAsValues: true }))
    problems.push(`request with the replies that were read: ${difference}`)
  return links
}

function startsWith({ request }: NeutralRequest, earlier: NeutralRequest): boolean {
  const { messages } = earlier.request
  return same(request.messages.slice(0, messages.length), messages)
}

/** Where a provider gives no ids, those of the recording were made up here: results follow the calls that were read. */
function renameResults(
  messages: ModelRequest['messages'][number][],
  place: number,
  { message }: ModelReply,
): void {
  for (const [order, call] of message.calls.entries()) {
    const result = messages[place + 1 + order]
    if (result?.role === 'tool' && result.callId.startsWith('unnamed'))
      messages[place + 1 + order] = { ...result, callId: call.id }
  }
}
