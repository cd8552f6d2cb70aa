import { describe, expect, it } from 'vitest'
import { hear } from '../../../test/support/chat-stream.ts'
import {
  callItem,
  namedEvents,
  response,
  responseEvents,
  saidItem,
  THOUGHT,
  type Members,
} from '../../../test/support/provider-streams.ts'
import { failureOf, modelErrorOf } from '../../../test/support/model-errors.ts'
import { responsesCodec } from './responses-codec.ts'

const codec = responsesCodec('gpt-x')
const json = { contentType: 'application/json' }

function streamed(output: readonly Members[], last?: Members): string {
  return namedEvents(...responseEvents(output, last))
}

const ended = (name: string, more: Members): Members => ({
  type: `response.${name}`,
  response: response([], { status: name, ...more }),
})

describe('a response', () => {
  const output = [THOUGHT, saidItem('Hé ☃'), callItem('c1', '{"a":1}'), callItem('c2', '{}')]

  it('is the same reply as events and in one piece', () => {
    const { reply } = hear(codec, streamed(output))
    expect(hear(codec, JSON.stringify(response(output)), json).reply).toEqual(reply)
    expect(reply).toMatchObject({
      finish: 'tool-calls',
      finishText: 'completed',
      model: 'gpt-x-2026',
      id: 'resp_1',
      usage: { input: 90, cachedInput: 64, output: 30, reasoning: 20 },
      warnings: [],
    })
    expect(reply.message).toMatchObject({
      text: 'Hé ☃',
      reasoning: 'First.\n\nSecond ☃.',
      calls: [
        { id: 'c1', name: 'add', argumentsText: '{"a":1}' },
        { id: 'c2', name: 'add', argumentsText: '{}' },
      ],
    })
  })

  it.each([1, 7, 97])('is the same reply in pieces of %i bytes', (size) => {
    const body = streamed(output)
    expect(hear(codec, body, { size })).toEqual(hear(codec, body))
  })

  it('tells a call once, with its pieces', () => {
    const { deltas } = hear(codec, streamed([callItem('c1', '{"a":1}')]))
    expect(deltas.filter(({ kind }) => kind !== 'waiting')).toEqual([
      { kind: 'call', index: 0, id: 'c1', name: 'add' },
      { kind: 'arguments', index: 0, text: '{"a' },
      { kind: 'arguments', index: 0, text: '":1' },
      { kind: 'arguments', index: 0, text: '}' },
    ])
  })

  it('of two messages is two paragraphs, each with its phase when it goes back', () => {
    const two = [saidItem('I look.', { phase: 'commentary' }), saidItem('Done.')]
    const { reply } = hear(codec, streamed(two))
    expect(reply.message.text).toBe('I look.\n\nDone.')
    expect(reply.message.kept?.items).toMatchObject([{ phase: 'commentary' }, { type: 'message' }])
    expect(hear(codec, JSON.stringify(response(two)), json).reply).toEqual(reply)
  })

  it('that is a refusal counts as filtered and is told as text', () => {
    const item = { ...saidItem(''), content: [{ type: 'refusal', refusal: 'I may not.' }] }
    const { reply } = hear(codec, streamed([item]))
    expect(reply).toMatchObject({ finish: 'filtered', message: { text: 'I may not.' } })
    expect(hear(codec, JSON.stringify(response([item])), json).reply).toEqual(reply)
  })

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'filtered'],
    ['a_new_reason', 'length'],
  ])('that is incomplete by %s ends with %s', (reason, finish) => {
    const last = ended('incomplete', { incomplete_details: { reason } })
    expect(hear(codec, streamed([saidItem('Half')], last)).reply).toMatchObject({
      finish,
      finishText: reason,
      message: { text: 'Half' },
    })
  })

  it('that is incomplete without a reason is half of one: none of its calls may be made', () => {
    const last = ended('incomplete', { incomplete_details: null })
    const { reply } = hear(codec, streamed([callItem('c1', '{"a":1}')], last))
    expect(reply).toMatchObject({ finish: 'length', finishText: 'incomplete' })
  })

  it('whose last event names no status has ended as the event says', () => {
    const last = { type: 'response.completed', response: { output: [] } }
    expect(hear(codec, streamed([saidItem('Yes')], last)).reply.finish).toBe('stop')
  })

  it('has no usage where none is told, and no detail that is more than the whole', () => {
    const odd = { input_tokens: 5, output_tokens: 1, input_tokens_details: { cached_tokens: 6 } }
    const usageWith = (usage: unknown): unknown =>
      hear(codec, JSON.stringify(response([], { usage })), json).reply.usage
    expect(usageWith(null)).toBeUndefined()
    expect(usageWith(odd)).toEqual({ input: 5, output: 1 })
  })

  it('keeps reasoning only where it is encrypted', () => {
    const bare = { ...THOUGHT, encrypted_content: null }
    expect(hear(codec, streamed([bare, saidItem('x')])).reply.message.kept).toBeUndefined()
  })
})

describe('what is not known', () => {
  it('is passed over, however much of it comes', () => {
    const odd = Array.from({ length: 3000 }, (_, at) => ({
      type: 'response.novelty.delta',
      output_index: at,
      delta: 'no',
    }))
    const body = namedEvents(...odd, ...responseEvents([saidItem('Yes')]))
    expect(hear(codec, body).reply.message.text).toBe('Yes')
  })

  it('among the items is told of in a warning', () => {
    const { reply } = hear(codec, streamed([{ type: 'web_search_call', id: 'w' }, saidItem('Yes')]))
    expect(reply.warnings).toMatchObject([{ kind: 'odd-reply' }])
  })
})

describe('a failure', () => {
  it('that the last event tells is the error it names', () => {
    const error = { code: 'rate_limit_exceeded', message: 'Too many.' }
    const failure = modelErrorOf(() => hear(codec, streamed([], ended('failed', { error }))))
    expect(failure).toMatchObject({ code: 'DP_MODEL_BUSY', retryable: true, said: 'Too many.' })
  })

  it.each([
    [{ type: 'error', code: 'server_error', message: 'Oh.', param: null, sequence_number: 3 }],
    [{ type: 'error', error: { type: 'server_error', code: null, message: 'Oh.' } }],
    [{ error: { type: 'server_error', message: 'Oh.' } }],
  ])('within the stream ends it: %j', (event) => {
    const body = `${namedEvents(...responseEvents([saidItem('Half')]).slice(0, -1))}data: ${JSON.stringify(event)}\n\n`
    expect(modelErrorOf(() => hear(codec, body))).toMatchObject({
      code: 'DP_MODEL_FAILED',
      kind: 'server_error',
      said: 'Oh.',
    })
  })

  it('to end is a cut reply', () => {
    const body = namedEvents(...responseEvents([saidItem('Half')]).slice(0, -1))
    expect(modelErrorOf(() => hear(codec, body))).toMatchObject({
      code: 'DP_MODEL_CUT',
      retryable: true,
    })
  })

  it.each([
    ['bytes', { maxBytes: 200 }, streamed([saidItem('x'.repeat(300))])],
    ['items', {}, streamed(Array.from({ length: 1025 }, () => saidItem('x')))],
    ['calls', {}, streamed(Array.from({ length: 129 }, (_, at) => callItem(`c${at}`, '{}')))],
    ['kind', {}, 'data: [1]\n\n'],
    ['shape', json, '{"object":"list","data":[]}'],
  ])('to be a response by its %s is unreadable', (_what, options, body) => {
    const failure = failureOf(() => hear(codec, body, options))
    expect(failure).toMatchObject({ code: 'DP_MODEL_UNREADABLE' })
  })
})
