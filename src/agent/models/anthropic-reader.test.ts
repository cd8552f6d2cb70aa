import { describe, expect, it } from 'vitest'
import { hear } from '../../../test/support/chat-stream.ts'
import { failureOf, modelErrorOf } from '../../../test/support/model-errors.ts'
import {
  message,
  messageEvents,
  namedEvents,
  type Members,
} from '../../../test/support/provider-streams.ts'
import { anthropicCodec } from './anthropic-codec.ts'

const codec = anthropicCodec('claude-x')
const json = { contentType: 'application/json' }
const streamed = (content: readonly Members[], stop: string): string =>
  namedEvents(...messageEvents(content, stop))
const cutBefore = (content: readonly Members[], events: number): string =>
  namedEvents(...messageEvents(content, 'end_turn').slice(0, -events))

const thinking = { type: 'thinking', thinking: 'Let me see ☃.', signature: 'EqQB==' }
const redacted = { type: 'redacted_thinking', data: 'Emwk==' }
const text = { type: 'text', text: 'I look it up.' }
const call = (id: string, input: Members): Members => ({ type: 'tool_use', id, name: 'add', input })

describe('a message', () => {
  const content = [thinking, redacted, text, call('t1', { a: 1 }), call('t2', {})]

  it('is the same reply as events and in one piece', () => {
    const { reply } = hear(codec, streamed(content, 'tool_use'))
    expect(hear(codec, JSON.stringify(message(content, 'tool_use')), json).reply).toEqual(reply)
    expect(reply).toMatchObject({
      finish: 'tool-calls',
      finishText: 'tool_use',
      model: 'claude-x',
      id: 'msg_1',
      warnings: [],
    })
    expect(reply.message).toMatchObject({
      text: 'I look it up.',
      reasoning: 'Let me see ☃.',
      calls: [
        { id: 't1', name: 'add', argumentsText: '{"a":1}' },
        { id: 't2', name: 'add', argumentsText: '{}' },
      ],
    })
    expect(reply.message.kept?.items.slice(0, 2)).toEqual([thinking, redacted])
  })

  it.each([1, 7, 97])('is the same reply in pieces of %i bytes', (size) => {
    const body = streamed(content, 'tool_use')
    expect(hear(codec, body, { size })).toEqual(hear(codec, body))
  })

  it('counts what was cached as input, and the last count of output', () => {
    expect(hear(codec, streamed([text], 'end_turn')).reply.usage).toEqual({
      input: 1210,
      cachedInput: 1000,
      cacheWrite: 200,
      output: 40,
    })
  })

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'filtered'],
    ['pause_turn', 'interrupted'],
    ['a_new_reason', 'other'],
  ])('that ended by %s ends with %s', (stop, finish) => {
    expect(hear(codec, streamed([text], stop)).reply).toMatchObject({ finish, finishText: stop })
  })

  it('that ended by a word that is not known has no calls that are made', () => {
    const { reply } = hear(codec, streamed([call('t1', {})], 'a_new_reason'))
    expect(reply.finish).toBe('interrupted')
  })

  it.each(['max_tokens', 'refusal', 'pause_turn'])(
    'that was cut within a call by %s has no arguments made up',
    (stop) => {
      const { reply } = hear(codec, streamed([call('t1', {})], stop))
      expect(reply.message.calls).toMatchObject([{ id: 't1', argumentsText: '' }])
    },
  )

  it('has no usage where the count of output is missing, and no cache where none is told', () => {
    const usageWith = (usage: unknown): unknown =>
      hear(codec, JSON.stringify(message([text], 'end_turn', { usage })), json).reply.usage
    expect(usageWith({ input_tokens: 5 })).toBeUndefined()
    expect(usageWith({ input_tokens: 5, output_tokens: 2 })).toEqual({ input: 5, output: 2 })
  })

  it('tells a call once, with its pieces', () => {
    const { deltas } = hear(codec, streamed([call('t1', { a: 1 })], 'tool_use'))
    expect(deltas.filter(({ kind }) => kind !== 'waiting')).toEqual([
      { kind: 'call', index: 0, id: 't1', name: 'add' },
      { kind: 'arguments', index: 0, text: '{"a' },
      { kind: 'arguments', index: 0, text: '":1' },
      { kind: 'arguments', index: 0, text: '}' },
    ])
  })

  it('without thinking keeps nothing', () => {
    expect(hear(codec, streamed([text], 'end_turn')).reply.message.kept).toBeUndefined()
  })

  it('keeps thinking of which only the signature is told', () => {
    const silent = { ...thinking, thinking: '' }
    const { message: said } = hear(codec, streamed([silent, text], 'end_turn')).reply
    expect(said.reasoning).toBeUndefined()
    expect(said.kept?.items[0]).toEqual(silent)
  })
})

describe('what is not known', () => {
  it('is passed over among events and pieces', () => {
    const [start, ...rest] = messageEvents([text], 'end_turn')
    const odd = { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta' } }
    const body = namedEvents(start ?? {}, { type: 'novelty' }, ...rest.slice(0, 2), odd)
    const { reply } = hear(codec, body + namedEvents(...rest.slice(2)))
    expect(reply.message.text).toBe('I look it up.')
  })

  it('among the blocks is told of in a warning', () => {
    const blocks = [{ type: 'server_tool_use', id: 's1', name: 'web' }, text]
    expect(hear(codec, streamed(blocks, 'end_turn')).reply.warnings).toMatchObject([
      { kind: 'odd-reply' },
    ])
  })
})

describe('a failure', () => {
  it.each([
    ['overloaded_error', 'DP_MODEL_BUSY', true],
    ['rate_limit_error', 'DP_MODEL_BUSY', true],
    ['api_error', 'DP_MODEL_FAILED', true],
    ['invalid_request_error', 'DP_MODEL_REQUEST', false],
    ['authentication_error', 'DP_MODEL_KEY', false],
  ])('%s within the stream ends it with %s', (type, code, retryable) => {
    const event = { type: 'error', error: { type, message: 'Oh.' } }
    const failure = modelErrorOf(() => hear(codec, cutBefore([text], 2) + namedEvents(event)))
    expect(failure).toMatchObject({ code, retryable, said: 'Oh.' })
  })

  it('in one piece is told as within a stream', () => {
    const error = { type: 'overloaded_error', message: 'Oh.' }
    const body = JSON.stringify({ type: 'error', error })
    expect(modelErrorOf(() => hear(codec, body, json))).toMatchObject({
      code: 'DP_MODEL_BUSY',
      said: 'Oh.',
    })
  })

  it('to tell why it stopped is a cut reply', () => {
    expect(modelErrorOf(() => hear(codec, cutBefore([text], 2)))).toMatchObject({
      code: 'DP_MODEL_CUT',
    })
  })

  it('to begin a block before its pieces is unreadable', () => {
    const piece = { type: 'text_delta', text: 'x' }
    const body = namedEvents({ type: 'content_block_delta', index: 3, delta: piece })
    expect(failureOf(() => hear(codec, body))).toMatchObject({ code: 'DP_MODEL_UNREADABLE' })
  })

  it.each([
    ['bytes', { maxBytes: 200 }, streamed([text], 'end_turn')],
    [
      'blocks',
      {},
      streamed(
        Array.from({ length: 1025 }, () => text),
        'end_turn',
      ),
    ],
    [
      'calls',
      {},
      streamed(
        Array.from({ length: 129 }, (_, at) => call(`t${at}`, {})),
        'tool_use',
      ),
    ],
    ['kind', {}, 'data: 7\n\n'],
    ['shape', json, '{"object":"list","data":[]}'],
  ])('to be a message by its %s is unreadable', (_what, options, body) => {
    const failure = failureOf(() => hear(codec, body, options))
    expect(failure).toMatchObject({ code: 'DP_MODEL_UNREADABLE' })
  })
})
