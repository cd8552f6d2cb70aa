import { describe, expect, it } from 'vitest'
import { hear, type HearOptions } from '../../../test/support/chat-stream.ts'
import { ModelError } from '../../base/errors.ts'
import { ollamaCodec } from './ollama-codec.ts'

const codec = ollamaCodec('asked')
const lines = (...chunks: readonly unknown[]): string =>
  chunks.map((one) => (typeof one === 'string' ? one : `${JSON.stringify(one)}\n`)).join('')
const say = (message: object): object => ({ model: 'm1', message, done: false })
const end = { model: 'm1', done: true, done_reason: 'stop', prompt_eval_count: 9, eval_count: 4 }
const NDJSON: HearOptions = { contentType: 'application/x-ndjson' }

function codeOf(body: string, options: HearOptions = NDJSON): string {
  try {
    hear(codec, body, options)
  } catch (error) {
    if (error instanceof ModelError) return error.code
    throw error
  }
  return 'none'
}

describe('a stream of Ollama', () => {
  it('gives thinking, text and whole calls', () => {
    const body = lines(
      say({ thinking: 'Hm' }),
      say({ content: 'One ' }),
      say({ content: 'moment.' }),
      say({ content: '', tool_calls: [{ function: { name: 'add', arguments: { a: 1 } } }] }),
      say({ content: '', tool_calls: [{ id: 'x', function: { name: 'add', arguments: {} } }] }),
      end,
    )
    for (const size of [body.length, 1, 7]) {
      const { reply, deltas } = hear(codec, body, { ...NDJSON, size })
      expect(reply).toMatchObject({
        message: { text: 'One moment.', reasoning: 'Hm' },
        finish: 'tool-calls',
        finishText: 'stop',
        usage: { input: 9, output: 4 },
        model: 'm1',
      })
      expect(reply.message.calls.map((call) => [call.name, call.argumentsText])).toEqual([
        ['add', '{"a":1}'],
        ['add', '{}'],
      ])
      expect(reply.message.calls[1]?.id).toBe('x')
      expect(reply.warnings.map(({ kind }) => kind)).toEqual(['made-id'])
      expect(deltas.map(({ kind }) => kind)).toEqual([
        'reasoning',
        'text',
        'text',
        'call',
        'arguments',
        'call',
        'arguments',
      ])
    }
  })

  it('takes arguments that are a text', () => {
    const call = { function: { name: 'add', arguments: '{"a": 1}' } }
    const { reply } = hear(codec, lines(say({ tool_calls: [call] }), end), NDJSON)
    expect(reply.message.calls[0]?.argumentsText).toBe('{"a": 1}')
  })

  it('knows no usage when its cache had the whole prompt', () => {
    const { prompt_eval_count: _, ...rest } = end
    expect(hear(codec, lines(say({ content: 'a' }), rest), NDJSON).reply.usage).toBeUndefined()
  })

  it.each([
    ['length', 'length', 'length'],
    ['load', 'other', 'load'],
    [undefined, 'stop', ''],
  ])('ends with %s as %s', (word, finish, text) => {
    const { reply } = hear(
      codec,
      lines(say({ content: 'a' }), { ...end, done_reason: word }),
      NDJSON,
    )
    expect([reply.finish, reply.finishText]).toEqual([finish, text])
  })

  it.each([
    ['without its end', lines(say({ content: 'a' })), 'DP_MODEL_CUT'],
    [
      'in the middle of a line',
      `${lines(say({ content: 'a' }))}{"model":"m1","mess`,
      'DP_MODEL_CUT',
    ],
    ['before anything was there', '', 'DP_MODEL_CUT'],
    ['by an error', lines(say({ content: 'a' }), { error: 'out of memory' }), 'DP_MODEL_FAILED'],
    [
      'by a line that is no JSON',
      lines(say({ content: 'a' }), '{"x"\n', end),
      'DP_MODEL_UNREADABLE',
    ],
    ['by a page', '<html></html>\n', 'DP_MODEL_UNREADABLE'],
  ])('breaks off %s', (_, body, code) => {
    expect(codeOf(body)).toBe(code)
  })

  it('gives up an answer that is larger than was allowed', () => {
    const body = lines(say({ content: 'x'.repeat(300) }), end)
    expect(codeOf(body, { ...NDJSON, maxBytes: body.length })).toBe('none')
    expect(codeOf(body, { ...NDJSON, maxBytes: body.length - 1, size: 9 })).toBe(
      'DP_MODEL_UNREADABLE',
    )
  })

  it('is no text where it is no UTF-8', () => {
    const bytes = Uint8Array.of(123, 0xff, 10)
    expect(() => hear(codec, bytes, NDJSON)).toThrow(ModelError)
  })
})

describe('an answer of Ollama in one piece', () => {
  const options: HearOptions = { contentType: 'application/json', request: { stream: false } }

  it('may be written over several lines', () => {
    const body = JSON.stringify({ ...end, message: { content: 'Hi' } }, null, 2)
    expect(hear(codec, body, { ...options, size: 3 }).reply.message.text).toBe('Hi')
  })

  it('is cut where its object is not whole', () => {
    expect(codeOf('{"message":{"content":"a', options)).toBe('DP_MODEL_CUT')
    expect(codeOf('', options)).toBe('DP_MODEL_CUT')
  })

  it('is a stream all the same when its header says so', () => {
    const body = lines(say({ content: 'Hi' }), end)
    const { reply } = hear(codec, body, { ...options, contentType: 'application/x-ndjson' })
    expect(reply.message.text).toBe('Hi')
  })
})

describe('errors of Ollama', () => {
  it('are a text in their body', () => {
    const answer = {
      status: 404,
      body: '{"error":"model \'x\' not found"}',
      retryAfterMs: undefined,
    }
    expect(codec.readError(answer)).toMatchObject({
      code: 'DP_MODEL_REQUEST',
      provider: 'ollama',
      said: "model 'x' not found",
    })
  })
})
