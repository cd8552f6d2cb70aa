import { describe, expect, it } from 'vitest'
import { callPiece, chunk, DONE, ending, events, hear } from '../../../test/support/chat-stream.ts'
import { ModelError } from '../../base/errors.ts'
import { chatCodec } from './chat-codec.ts'
import { deepseekCodec } from './deepseek.ts'
import { COMPATIBLE, OPENROUTER } from './openai-chat.ts'

const codec = chatCodec(COMPATIBLE, 'asked')
const tool = { name: 'add', parameters: { type: 'object' } }

function failure(run: () => unknown): ModelError {
  try {
    run()
  } catch (error) {
    if (error instanceof ModelError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('a stream', () => {
  it('gives text, reasoning and calls in pieces and as a whole', () => {
    const body = events(
      chunk({ role: 'assistant', content: '', reasoning_content: 'I ' }),
      chunk({ reasoning_content: 'add.' }),
      chunk({ content: 'One ' }),
      chunk({ content: 'moment.' }),
      chunk(callPiece({ index: 0, id: 'c1', function: { name: 'add', arguments: '' } })),
      chunk(callPiece({ index: 0, function: { arguments: '{"a":' } })),
      chunk(callPiece({ index: 0, function: { arguments: '1}' } })),
      ending('tool_calls'),
      DONE,
    )
    const { reply, deltas } = hear(codec, body)
    expect(reply).toEqual({
      message: {
        role: 'assistant',
        text: 'One moment.',
        reasoning: 'I add.',
        calls: [{ id: 'c1', name: 'add', argumentsText: '{"a":1}' }],
      },
      finish: 'tool-calls',
      finishText: 'tool_calls',
      usage: undefined,
      model: 'm1',
      id: 'r1',
      warnings: [],
    })
    expect(deltas).toEqual([
      { kind: 'reasoning', text: 'I ' },
      { kind: 'reasoning', text: 'add.' },
      { kind: 'text', text: 'One ' },
      { kind: 'text', text: 'moment.' },
      { kind: 'call', index: 0, id: 'c1', name: 'add' },
      { kind: 'arguments', index: 0, text: '{"a":' },
      { kind: 'arguments', index: 0, text: '1}' },
    ])
  })

  it('takes usage from the last choice chunk', () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2, prompt_cache_hit_tokens: 3 }
    const { reply } = hear(codec, events(chunk({ content: 'a' }), ending('stop', { usage }), DONE))
    expect(reply.usage).toEqual({ input: 5, cachedInput: 3, output: 2 })
  })

  it('takes usage from a chunk of its own after the end', () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2 }
    const { reply } = hear(codec, events(ending('stop'), { choices: [], usage }, DONE))
    expect(reply.usage).toEqual({ input: 5, output: 2 })
  })

  it('takes usage that is counted inside of the choice', () => {
    const choice = {
      index: 0,
      delta: {},
      finish_reason: 'stop',
      usage: { prompt_tokens: 5, completion_tokens: 2, cached_tokens: 1 },
    }
    const { reply } = hear(codec, events({ choices: [choice] }, DONE))
    expect(reply.usage).toEqual({ input: 5, cachedInput: 1, output: 2 })
  })

  it('tells comments and blank lines before the body as signs of life', () => {
    const comment = hear(codec, events(': keep-alive\n\n', ending('stop'), DONE))
    expect(comment.deltas).toEqual([{ kind: 'waiting' }])
    const blank = hear(codec, `\n\n\n${events(ending('stop'))}`, { size: 1 })
    expect(blank.deltas).toEqual([{ kind: 'waiting' }, { kind: 'waiting' }, { kind: 'waiting' }])
  })

  it('looks at nothing behind [DONE]', () => {
    const body = events(
      chunk({ content: 'a' }),
      ending('stop'),
      DONE,
      chunk({ content: 'b' }),
      'data: {\n\n',
    )
    expect(hear(codec, body).reply.message.text).toBe('a')
  })

  it('ends with [DONE] where no reason was told', () => {
    const { reply } = hear(codec, events(chunk({ content: 'a' }), DONE))
    expect([reply.finish, reply.finishText]).toEqual(['other', ''])
  })

  it('counts a last event that lacks its empty line', () => {
    const body = `${events(chunk({ content: 'a' }))}data: ${JSON.stringify(ending('stop'))}`
    expect(hear(codec, body).reply.finish).toBe('stop')
  })

  it.each([
    ['after some text', events(chunk({ content: 'a' }))],
    ['in the middle of an event', `${events(chunk({ content: 'a' }))}data: {"choices":[{"ind`],
    ['before anything was there', ''],
    ['after blank lines', '\n\n\n'],
  ])('is cut %s: DP_MODEL_CUT', (_, body) => {
    expect(failure(() => hear(codec, body))).toMatchObject({
      code: 'DP_MODEL_CUT',
      provider: 'compatible',
      retryable: true,
    })
  })

  it('is cut within a call: nothing of it is given', () => {
    const piece = callPiece({ index: 0, id: 'c', function: { name: 'add', arguments: '{"a"' } })
    expect(failure(() => hear(codec, events(chunk(piece)))).code).toBe('DP_MODEL_CUT')
  })

  it.each([
    ['an object', { message: 'no room', code: 'overloaded_error' }, 'DP_MODEL_BUSY', true],
    ['a status', { message: 'no credit', code: 402 }, 'DP_MODEL_BALANCE', false],
    ['a text', 'broken', 'DP_MODEL_FAILED', true],
  ])('throws an error that was told inside of it as %s', (_, error, code, retryable) => {
    const thrown = failure(() => hear(codec, events(chunk({ content: 'a' }), { error })))
    expect(thrown).toMatchObject({ code, retryable })
    expect(thrown.said).toBe(typeof error === 'string' ? error : error.message)
  })

  it('throws the first failure as soon as it is there', () => {
    const reader = codec.reader({
      contentType: 'text/event-stream',
      request: { messages: [], tools: [] },
      maxBytes: 1000,
    })
    const body = events({ error: { message: 'first' } }, { error: { message: 'second' } })
    expect(failure(() => reader.push(new TextEncoder().encode(body))).said).toBe('first')
  })

  it.each([
    ['an event that is no JSON', 'data: {"choices"\n\n'],
    ['an event that is no object', 'data: 7\n\n'],
    ['an event nested too deep', `data: ${'['.repeat(200)}${']'.repeat(200)}\n\n`],
  ])('cannot be read with %s', (_, broken) => {
    const thrown = failure(() =>
      hear(codec, events(chunk({ content: 'a' }), broken, ending('stop'))),
    )
    expect(thrown.code).toBe('DP_MODEL_UNREADABLE')
  })

  it('cannot be read when it is no UTF-8', () => {
    const bytes = Uint8Array.of(...new TextEncoder().encode('data: {"a":"'), 0xff, 34, 125, 10, 10)
    expect(failure(() => hear(codec, bytes)).code).toBe('DP_MODEL_UNREADABLE')
  })

  it('reads the first choice alone and says so', () => {
    const second = { choices: [{ index: 1, delta: { content: 'b' } }] }
    const { reply } = hear(codec, events(chunk({ content: 'a' }), second, second, ending('stop')))
    expect(reply.message.text).toBe('a')
    expect(reply.warnings.map(({ kind }) => kind)).toEqual(['odd-reply'])
  })

  it('takes a whole message in place of a delta', () => {
    const choice = { index: 0, message: { content: 'a' }, finish_reason: 'stop' }
    expect(hear(codec, events({ choices: [choice] }, DONE)).reply.message.text).toBe('a')
  })
})

describe('an answer in one piece', () => {
  const whole = (message: object, more: object = {}): string =>
    JSON.stringify({
      id: 'r1',
      model: 'm1',
      choices: [{ index: 0, message, finish_reason: 'stop', ...more }],
    })

  it.each(['application/json', 'application/octet-stream', 'text/event-stream', ''])(
    'is told by how it begins under the content type "%s"',
    (contentType) => {
      const { reply, deltas } = hear(codec, whole({ content: 'Hi', reasoning_content: 'Hm' }), {
        contentType,
      })
      expect(reply.message).toEqual({ role: 'assistant', text: 'Hi', reasoning: 'Hm', calls: [] })
      expect(deltas).toEqual([
        { kind: 'reasoning', text: 'Hm' },
        { kind: 'text', text: 'Hi' },
      ])
    },
  )

  it('may stand behind a byte order mark and the blank lines of a queue', () => {
    const body = `\uFEFF\n\r\n ${whole({ content: 'Hi' })}\n`
    const { reply, deltas } = hear(codec, body, { contentType: 'application/json', size: 2 })
    expect(reply.message.text).toBe('Hi')
    expect(deltas.filter(({ kind }) => kind === 'waiting').length).toBeGreaterThan(0)
  })

  it('takes calls without places as calls of their own', () => {
    const call = { id: 'c1', function: { name: 'add', arguments: '{}' } }
    const { reply } = hear(codec, whole({ content: null, tool_calls: [call, call] }))
    expect(reply.message.calls.map(({ name }) => name)).toEqual(['add', 'add'])
    expect(reply.message.calls[0]?.id).toBe('c1')
    expect(reply.message.calls[1]?.id).not.toBe('c1')
    expect(reply.warnings.map(({ kind }) => kind)).toEqual(['made-id'])
  })

  it('takes arguments that are an object', () => {
    const call = { id: 'c1', function: { name: 'add', arguments: { a: [1], b: 'x' } } }
    const { reply } = hear(codec, whole({ tool_calls: [call] }))
    expect(reply.message.calls[0]?.argumentsText).toBe('{"a":[1],"b":"x"}')
  })

  it('takes no call from the legacy member', () => {
    const { reply } = hear(
      codec,
      whole({ content: 'a', function_call: { name: 'add', arguments: '{}' } }),
    )
    expect(reply.message.calls).toEqual([])
  })

  it('takes content that is a list of typed parts', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
      { type: 'text', text: 'Hi ' },
      { type: 'text', text: 'you' },
      { type: 'other' },
      null,
    ]
    const { message } = hear(codec, whole({ content })).reply
    expect([message.text, message.reasoning]).toEqual(['Hi you', 'Hm'])
  })

  it('takes a refusal as text that was filtered', () => {
    const { reply } = hear(codec, whole({ content: null, refusal: 'I will not.' }))
    expect([reply.message.text, reply.finish]).toEqual(['I will not.', 'filtered'])
  })

  it('names the model that was asked where the answer names none', () => {
    const body = JSON.stringify({ choices: [{ message: { content: 'a' }, finish_reason: 'stop' }] })
    expect(hear(codec, body).reply).toMatchObject({ model: 'asked' })
    expect(hear(codec, body).reply.id).toBeUndefined()
  })

  it.each([
    ['a page', '<html>Sign in</html>', 'DP_MODEL_UNREADABLE'],
    ['a list', '[1]', 'DP_MODEL_UNREADABLE'],
    ['an object without choices', '{"object":"list"}', 'DP_MODEL_UNREADABLE'],
    ['an object with no choice', '{"choices":[]}', 'DP_MODEL_UNREADABLE'],
    ['an object that broke off', '{"choices":[{"message":', 'DP_MODEL_CUT'],
  ])('is none when it is %s', (_, body, code) => {
    expect(failure(() => hear(codec, body, { contentType: 'application/json' })).code).toBe(code)
  })

  it('is an error when it says so, whatever its status', () => {
    const body = '{"error":{"message":"gone","type":"not_found_error"}}'
    expect(failure(() => hear(codec, body))).toMatchObject({
      code: 'DP_MODEL_REQUEST',
      said: 'gone',
    })
  })
})

describe('the end of a reply', () => {
  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'filtered'],
    ['insufficient_system_resource', 'interrupted'],
    ['abort', 'interrupted'],
    ['error', 'interrupted'],
    ['something_new', 'other'],
  ])('of "%s" is %s', (word, finish) => {
    const { reply } = hear(codec, events(chunk({ content: 'a' }), ending(word)))
    expect([reply.finish, reply.finishText]).toEqual([finish, word])
  })

  it('of "stop" after calls is tool-calls, of "length" stays length', () => {
    const call = chunk(callPiece({ index: 0, id: 'c', function: { name: 'add', arguments: '{' } }))
    expect(hear(codec, events(call, ending('stop'))).reply.finish).toBe('tool-calls')
    expect(hear(codec, events(call, ending('length'))).reply.finish).toBe('length')
  })

  it('of a word that is not known is told where there are calls', () => {
    const call = chunk(callPiece({ index: 0, id: 'c', function: { name: 'add', arguments: '{}' } }))
    const { reply } = hear(codec, events(call, ending('something_new')))
    expect(reply.warnings.map(({ kind, message }) => [kind, message])).toEqual([
      ['odd-reply', expect.stringContaining('"something_new"')],
    ])
  })

  it.each([
    ['a word that is not known', [ending('something_new'), DONE]],
    ['no word', [DONE]],
  ])('of %s is one that was broken off where a provider tells them all', (_, end) => {
    const call = chunk(callPiece({ index: 0, id: 'c', function: { name: 'add', arguments: '{}' } }))
    const strict = hear(deepseekCodec('asked'), events(call, ...end)).reply
    expect([strict.finish, strict.message.calls.length]).toEqual(['interrupted', 1])
    expect(hear(codec, events(call, ...end)).reply.finish).toBe('other')
    const text = hear(deepseekCodec('asked'), events(chunk({ content: 'a' }), ...end)).reply
    expect(text.finish).toBe('other')
  })

  it('that names calls and has none is told', () => {
    const { reply } = hear(codec, events(chunk({ content: 'a' }), ending('tool_calls')))
    expect(reply.finish).toBe('stop')
    expect(reply.warnings.map(({ kind }) => kind)).toEqual(['odd-reply'])
  })
})

describe('what leaks', () => {
  const leak = '<\uff5cDSML\uff5ctool_calls>…'

  it('is told where tools were offered, and is not called', () => {
    const body = events(chunk({ content: `Sure. ${leak}` }), ending('stop'))
    const { reply } = hear(deepseekCodec('m'), body, { request: { tools: [tool] } })
    expect(reply.warnings.map(({ kind }) => kind)).toEqual(['leaked-call'])
    expect(reply.message.calls).toEqual([])
    expect(reply.message.text).toBe(`Sure. ${leak}`)
  })

  it('is only text where no tool was offered', () => {
    const body = events(chunk({ content: leak }), ending('stop'))
    expect(hear(deepseekCodec('m'), body).reply.warnings).toEqual([])
  })
})

describe('bounds', () => {
  it('give up an answer that is larger than was allowed', () => {
    const body = events(chunk({ content: 'x'.repeat(500) }), ending('stop'))
    expect(hear(codec, body, { maxBytes: body.length }).reply.finish).toBe('stop')
    const thrown = failure(() => hear(codec, body, { maxBytes: body.length - 1, size: 10 }))
    expect(thrown.code).toBe('DP_MODEL_UNREADABLE')
  })

  it('give up a reply of more than 128 calls', () => {
    const call = (index: number): object =>
      chunk(callPiece({ index, id: `c${index}`, function: { name: 'add', arguments: '{}' } }))
    const calls = Array.from({ length: 128 }, (_, index) => call(index))
    expect(hear(codec, events(...calls, ending('stop'))).reply.message.calls).toHaveLength(128)
    const thrown = failure(() => hear(codec, events(...calls, call(128), ending('stop'))))
    expect(thrown).toMatchObject({ code: 'DP_MODEL_UNREADABLE' })
  })

  it('give up arguments of more than 4 MiB', () => {
    const piece = chunk(
      callPiece({ index: 0, id: 'c', function: { name: 'a', arguments: 'x'.repeat(2 ** 21) } }),
    )
    const options = { maxBytes: 2 ** 24 }
    expect(hear(codec, events(piece, piece, ending('length')), options).reply.finish).toBe('length')
    const body = events(piece, piece, piece, ending('length'))
    expect(failure(() => hear(codec, body, options)).code).toBe('DP_MODEL_UNREADABLE')
  })
})

describe('signed reasoning', () => {
  const details = (text: string, more: object = {}): object =>
    chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, text, ...more }] })
  const body = events(details('I '), details('add.', { signature: 's1' }), ending('stop'))

  it('is put together and kept for the provider that wants it back', () => {
    const { message } = hear(chatCodec(OPENROUTER, 'm'), body).reply
    expect(message.kept).toEqual({
      codec: 'openai-chat',
      items: [{ type: 'reasoning.text', index: 0, text: 'I add.', signature: 's1' }],
    })
  })

  it('is left where nobody wants it back', () => {
    expect(hear(codec, body).reply.message.kept).toBeUndefined()
  })
})
