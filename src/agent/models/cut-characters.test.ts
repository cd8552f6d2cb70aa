import { describe, expect, it } from 'vitest'
import { hear } from '../../../test/support/chat-stream.ts'
import { failureOf } from '../../../test/support/model-errors.ts'
import { anthropicCodec } from './anthropic-codec.ts'
import { chatCodec } from './chat-codec.ts'
import type { Codec } from './codec.ts'
import { endsInCharacter, wholeCharacters } from './cut-characters.ts'
import { ollamaCodec } from './ollama-codec.ts'
import { OPENAI_CHAT } from './openai-chat.ts'
import { responsesCodec } from './responses-codec.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const NOTHING = new Uint8Array(0)

describe('the beginning of a character', () => {
  it.each(['aé', 'a你', 'a👩', 'é', '你', '👩'])('at the end of "%s" is left out', (text) => {
    const bytes = bytesOf(text)
    const before = bytesOf(text.slice(0, text.startsWith('a') ? 1 : 0))
    expect(wholeCharacters(bytes)).toEqual(bytes)
    for (let size = bytes.length - 1; size > before.length; size -= 1)
      expect(wholeCharacters(bytes.subarray(0, size))).toEqual(before)
  })

  it('is not what other bad bytes are', () => {
    for (const bytes of [[], [0x80], [0x61, 0x80, 0x80, 0x80, 0x80], [0xff, 0x61]])
      expect(wholeCharacters(Uint8Array.from(bytes))).toEqual(Uint8Array.from(bytes))
  })

  it('is looked for in the last bytes that are told', () => {
    const cut = bytesOf('你').subarray(0, 2)
    expect(endsInCharacter({ head: bytesOf('x'), tail: cut })).toBe(true)
    expect(endsInCharacter({ head: cut, tail: NOTHING })).toBe(true)
    expect(endsInCharacter({ head: cut, tail: bytesOf('x') })).toBe(false)
  })
})

describe('an answer that is cut within a character', () => {
  const STREAM = 'data: {"choices":[{"delta":{"content":"你'
  const WHOLE = '{"choices":[{"message":{"content":"你'
  const named = (event: string): string => `event: x\ndata: ${event}`
  it.each<readonly [string, Codec, string, boolean]>([
    ['a stream of Chat Completions', chatCodec(OPENAI_CHAT, 'm'), STREAM, true],
    ['one of Chat Completions', chatCodec(OPENAI_CHAT, 'm'), WHOLE, false],
    [
      'a stream of Responses',
      responsesCodec('m'),
      named('{"type":"response.output_text.delta","delta":"你'),
      true,
    ],
    ['one of Responses', responsesCodec('m'), '{"output":[{"content":"你', false],
    [
      'a stream of Messages',
      anthropicCodec('m'),
      named('{"type":"content_block_start","content_block":{"text":"你'),
      true,
    ],
    ['one of Messages', anthropicCodec('m'), '{"content":[{"text":"你', false],
    ['a stream of Ollama', ollamaCodec('m'), '{"message":{"content":"你', true],
    ['one of Ollama', ollamaCodec('m'), '{"message":{"content":"你', false],
  ])('is a cut reply, and asked for again: %s', (_what, codec, body, stream) => {
    const bytes = bytesOf(body)
    const options = {
      contentType: stream ? 'text/event-stream' : 'application/json',
      request: { stream },
    }
    for (const cut of [1, 2])
      expect(
        failureOf(() => hear(codec, bytes.subarray(0, bytes.length - cut), options)),
      ).toMatchObject({ code: 'DP_MODEL_CUT', retryable: true })
  })

  it.each<readonly [string, Codec, string]>([
    ['Chat Completions', chatCodec(OPENAI_CHAT, 'm'), 'data: '],
    ['Responses', responsesCodec('m'), 'data: '],
    ['Messages', anthropicCodec('m'), 'data: '],
    ['Ollama', ollamaCodec('m'), ''],
  ])('is none where more comes after it: %s', (_what, codec, start) => {
    const bytes = bytesOf(`${start}{"a":"你"}\n\n`)
    bytes[bytes.lastIndexOf(0xa0)] = 0x22
    expect(failureOf(() => hear(codec, bytes))).toMatchObject({ code: 'DP_MODEL_UNREADABLE' })
  })
})
