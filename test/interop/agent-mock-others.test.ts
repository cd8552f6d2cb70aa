/**
 * The loop and the adapters of other providers against a mock that nobody here wrote: OpenAI's Responses and Chat Completions, what took
 * the latter over, Anthropic's Messages under the mock's strict rules for thinking, and Ollama's own API. Keys are asked for where the
 * provider asks for one.
 *
 * The mock tells Ollama's thinking under a name that Ollama does not use, counts no tokens for it and lets it end in one way alone; Responses
 * and Messages it gives no cache, and no stream of it fails but by breaking off. Those come from answers made by hand.
 */
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { eventsOf, streamed } from '../support/agent-run.ts'
import { cityOf, providerRoom, standInRoom, type ProviderPlace } from '../support/mock-room.ts'
import {
  callItem,
  message,
  messageEvents,
  namedEvents,
  response,
  responseEvents,
  saidItem,
  type Members,
} from '../support/provider-streams.ts'
import { sentTalk, sentTools } from '../support/sent-talk.ts'

const RESPONSES: ProviderPlace = { spec: 'openai:gpt-5-mini', path: '/v1' }
const CHAT: ProviderPlace = { spec: 'openai-chat:gpt-5-mini', path: '/v1' }
const MESSAGES: ProviderPlace = { spec: 'anthropic:claude-sonnet-4-5', path: '/v1' }
const OLLAMA: ProviderPlace = { spec: 'ollama:qwen3:8b', path: '' }
/** Others that speak Chat Completions, each with its own words. */
const OPENROUTER: ProviderPlace = { spec: 'openrouter:openai/gpt-5-mini', path: '/api/v1' }
const LLAMACPP: ProviderPlace = { spec: 'llamacpp:qwen3', path: '/v1' }
const VLLM: ProviderPlace = { spec: 'vllm:qwen3', path: '/v1' }
const COMPATIBLE: ProviderPlace = { spec: 'compatible:qwen3', path: '/v1' }
const PLACES = [RESPONSES, CHAT, MESSAGES, OLLAMA, OPENROUTER, LLAMACPP, VLLM, COMPATIBLE]

const weather = (city: string): { name: string; arguments: string } => ({
  name: 'town__weather',
  arguments: JSON.stringify({ city }),
})

describe.each(PLACES)('$spec', (place) => {
  const hasIds = place !== OLLAMA

  it.each([true, false])('makes a call and answers (streaming: %s)', async (stream) => {
    const room = await providerRoom(place)
    room.mock.on({ toolResultContains: 'weather of Rome ☃' }, { content: 'Sun ☃.' })
    room.mock.on({}, { content: 'I look.', toolCalls: [weather('Rome ☃')] }, { chunkSize: 3 })
    const run = await room.ask('Rome?', { request: { stream } })
    expect(run.end).toMatchObject({ reason: 'done', text: 'Sun ☃.', turns: 2 })
    expect(room.server.calls).toEqual([{ name: 'weather', arguments: { city: 'Rome ☃' } }])
    const [first, second] = room.requests
    expect(sentTools(first)).toEqual(['town__weather', 'town__news', 'town__write'])
    expect(JSON.stringify(second?.['tools'])).toBe(JSON.stringify(first?.['tools']))
    const { calls, results } = sentTalk(second)
    expect(calls).toMatchObject([{ name: 'town__weather', args: { city: 'Rome ☃' } }])
    expect(results).toMatchObject([{ text: 'weather of Rome ☃' }])
    expect(typeof results[0]?.id).toBe(hasIds ? 'string' : 'object')
    expect(results[0]?.id).toEqual(calls[0]?.id)
    expect(streamed(run, 'text')).toContain('Sun ☃.')
  })

  it.each([true, false])(
    'makes the calls of one reply at once, and answers them in their order (streaming: %s)',
    async (stream) => {
      const room = await providerRoom(place)
      room.mock.on({ hasToolResult: true }, { content: 'Sun in both.' })
      room.mock.on({}, { toolCalls: [weather('Rome'), weather('Oslo')] })
      const arrived: string[] = []
      let release = (): void => undefined
      const both = new Promise<void>((resolve) => (release = resolve))
      room.server.answer = async (_name, args) => {
        arrived.push(cityOf(args))
        if (arrived.length === 2) release()
        // Neither goes on before the other is there.
        await both
        return { content: [{ type: 'text', text: `sun in ${cityOf(args)}` }] }
      }
      const run = await room.ask('Rome and Oslo?', { request: { stream } })
      expect(run.end).toMatchObject({ reason: 'done', text: 'Sun in both.', turns: 2 })
      const { calls, results } = sentTalk(room.requests[1])
      expect(calls.map(({ args }) => args)).toEqual([{ city: 'Rome' }, { city: 'Oslo' }])
      expect(results.map(({ text }) => text)).toEqual(['sun in Rome', 'sun in Oslo'])
      expect(results.map(({ id }) => id)).toEqual(calls.map(({ id }) => id))
      expect(new Set(calls.map(({ id }) => id)).size).toBe(hasIds ? 2 : 1)
    },
  )

  it('goes on over three questions, with all that was said', async () => {
    const room = await providerRoom(place)
    for (const city of ['Rome', 'Oslo']) {
      room.mock.on({ userMessage: city, hasToolResult: true }, { content: `Sun in ${city}.` })
      room.mock.on({ userMessage: city }, { toolCalls: [weather(city)] })
    }
    room.mock.on({}, { content: 'You are welcome.' })
    for (const question of ['Rome?', 'Thanks!', 'Oslo?'])
      expect((await room.ask(question)).end.reason).toBe('done')
    const { calls, results } = sentTalk(room.requests.at(-1))
    expect(calls.map(({ args }) => args)).toEqual([{ city: 'Rome' }, { city: 'Oslo' }])
    expect(results.map(({ text }) => text)).toEqual(['weather of Rome', 'weather of Oslo'])
  })

  it('waits as long as the provider says when there were too many requests', async () => {
    const room = await providerRoom(place)
    const error = { error: { message: 'slow down' }, status: 429, retryAfter: 3 }
    room.mock.on({ sequenceIndex: 0 }, error)
    room.mock.on({}, { content: 'Now.' })
    const run = await room.ask('Hello?')
    expect(run.end).toMatchObject({ reason: 'done', text: 'Now.' })
    expect(eventsOf(run, 'retry').map(({ delayMs }) => delayMs >= 3000)).toEqual([true])
    expect(room.requests).toHaveLength(2)
    expect(room.requests[1]).toEqual(room.requests[0])
  })

  it('asks again after a failure of the server, and makes no call twice over it', async () => {
    const room = await providerRoom(place)
    const error = { error: { message: 'oh' }, status: 500 }
    room.mock.on({ hasToolResult: true, sequenceIndex: 0 }, error)
    room.mock.on({ hasToolResult: true }, { content: 'Sun.' })
    room.mock.on({}, { toolCalls: [weather('Rome')] })
    const run = await room.ask('Rome?')
    expect(run.end).toMatchObject({ reason: 'done', text: 'Sun.', turns: 2 })
    expect(eventsOf(run, 'retry')).toHaveLength(1)
    expect(room.server.calls).toHaveLength(1)
  })

  it('ends the run at once where the request is refused, in the words of the provider', async () => {
    const room = await providerRoom(place)
    room.mock.on({}, { error: { message: 'no such model' }, status: 400 })
    const run = await room.ask('Hello?')
    expect(run.end).toMatchObject({ reason: 'model-error', error: { code: 'DP_MODEL_REQUEST' } })
    expect(run.end.error?.message).toContain('no such model')
    expect(room.requests).toHaveLength(1)
  })

  it('asks again for a text that was cut, and takes back what was told of it', async () => {
    const room = await providerRoom(place)
    const cut = { chunkSize: 4, latency: 2, truncateAfterChunks: 10 }
    room.mock.on(
      { sequenceIndex: 0 },
      { content: 'Half of a sentence of which the rest was never told to anybody.' },
      cut,
    )
    room.mock.on({}, { content: 'A whole sentence.' })
    const run = await room.ask('Tell me.')
    expect(run.end).toMatchObject({ reason: 'done', text: 'A whole sentence.', turns: 2 })
    expect(eventsOf(run, 'delta').map(({ delta }) => delta.kind)).toContain('restart')
    expect(streamed(run, 'text')).toBe('A whole sentence.')
    expect(room.transcript.messages).toHaveLength(2)
  })

  it('makes no call that was cut on its way', async () => {
    const room = await providerRoom(place)
    // Ollama has a call in one piece, and behind it the piece that says that it was the last.
    const pieces = place === OLLAMA ? 1 : 8
    const cut = { chunkSize: 3, latency: 2, truncateAfterChunks: pieces }
    room.mock.on({ hasToolResult: true }, { content: 'Sun.' })
    room.mock.on({ sequenceIndex: 0 }, { toolCalls: [weather('Venice')] }, cut)
    room.mock.on({}, { toolCalls: [weather('Rome')] })
    const run = await room.ask('Where is sun?')
    expect(run.end).toMatchObject({ reason: 'done', text: 'Sun.' })
    expect(room.server.calls).toEqual([{ name: 'weather', arguments: { city: 'Rome' } }])
    const told = eventsOf(run, 'delta').map(({ delta }) => delta.kind)
    expect(told.slice(0, told.indexOf('restart'))).toContain('arguments')
  })

  it.each([true, false])(
    'tells JSON without an end as a failure (streaming: %s)',
    async (stream) => {
      const room = await providerRoom(place)
      room.mock.on({}, { content: 'never' }, { chaos: { malformedRate: 1 } })
      const { end } = await room.ask('Hello?', { request: { stream } })
      expect(end).toMatchObject({ reason: 'model-error', error: { code: 'DP_MODEL_CUT' } })
      expect(room.requests).toHaveLength(3)
    },
  )
})

describe.each(PLACES.filter((place) => place !== OLLAMA))(
  '$spec, as the mock cannot be Ollama,',
  (place) => {
    it('ends the run where the key is wrong, and names no key', async () => {
      const room = await providerRoom({ ...place, seat: { key: 'a-wrong-key' } })
      const run = await room.ask('Hello?')
      expect(run.end).toMatchObject({ reason: 'model-error', error: { code: 'DP_MODEL_KEY' } })
      expect(String(run.end.error?.message)).not.toContain('a-wrong-key')
    })

    it('makes no call of a reply that was cut at its length', async () => {
      const room = await providerRoom(place)
      room.mock.on({ hasToolResult: true }, { content: 'I stop here.' })
      room.mock.on({}, { toolCalls: [weather('Rome')], finishReason: 'length' })
      const run = await room.ask('Rome?')
      expect(room.server.calls).toEqual([])
      expect(run.end).toMatchObject({ reason: 'done', text: 'I stop here.' })
      expect(eventsOf(run, 'warning').map(({ kind }) => kind)).toContain('truncated')
    })

    it('adds up what the provider counted', async () => {
      const room = await providerRoom(place)
      const usage = (input: number): Record<string, number> =>
        place !== RESPONSES && place !== MESSAGES
          ? { prompt_tokens: input, completion_tokens: 7, total_tokens: input + 7 }
          : { input_tokens: input, output_tokens: 7 }
      room.mock.on({ hasToolResult: true }, { content: 'Sun.', usage: usage(140) })
      room.mock.on({}, { toolCalls: [weather('Rome')], usage: usage(100) })
      const { end } = await room.ask('Rome?')
      expect(end.usage).toEqual({ input: 240, output: 14 })
    })
  },
)

describe('reasoning', () => {
  it.each([true, false])(
    'of Responses goes back encrypted, as it came (streaming: %s)',
    async (stream) => {
      const room = await providerRoom(RESPONSES)
      room.mock.on({ hasToolResult: true }, { content: 'Sun.' })
      room.mock.on({}, { toolCalls: [weather('Rome')], reasoning: 'I look it up ☃.' })
      const run = await room.ask('Rome?', { request: { stream, effort: 'low' } })
      expect(run.end).toMatchObject({ reason: 'done', text: 'Sun.' })
      expect(streamed(run, 'reasoning')).toContain('I look it up ☃.')
      expect(sentTalk(room.requests[1]).reasoning).toMatchObject([
        {
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: 'I look it up ☃.' }],
          encrypted_content: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
        },
      ])
    },
  )

  it.each([true, false])(
    'of Messages goes back with its signature, before the call (streaming: %s)',
    async (stream) => {
      const room = await providerRoom(MESSAGES)
      const thought = { reasoning: 'I look it up ☃.', reasoningSignature: 'EqQB==' }
      room.mock.on({ hasToolResult: true }, { content: 'Sun.' })
      room.mock.on({}, { toolCalls: [weather('Rome')], ...thought, redactedThinking: ['Emwk=='] })
      const run = await room.ask('Rome?', { request: { stream, effort: 'low' } })
      // The mock is strict: a turn that thought and called must begin with what it thought.
      expect(run.end).toMatchObject({ reason: 'done', text: 'Sun.' })
      expect(streamed(run, 'reasoning')).toContain('I look it up ☃.')
      expect(sentTalk(room.requests[1]).reasoning).toEqual([
        { type: 'redacted_thinking', data: 'Emwk==' },
        { type: 'thinking', thinking: 'I look it up ☃.', signature: 'EqQB==' },
      ])
    },
  )

  it.each([
    [CHAT, []],
    [COMPATIBLE, []],
    [LLAMACPP, ['I look it up ☃.']],
    [VLLM, ['I look it up ☃.']],
    [OPENROUTER, ['I look it up ☃.']],
  ] as const)('of $0.spec goes back as the server takes it', async (place, back) => {
    const room = await providerRoom(place)
    room.mock.on({ hasToolResult: true }, { content: 'Sun.' })
    room.mock.on({}, { toolCalls: [weather('Rome')], reasoning: 'I look it up ☃.' })
    const run = await room.ask('Rome?')
    expect(run.end).toMatchObject({ reason: 'done', text: 'Sun.' })
    expect(streamed(run, 'reasoning')).toBe('I look it up ☃.')
    expect(sentTalk(room.requests[1]).reasoning).toEqual(back)
  })

  it.each([true, false])('of Ollama goes back as thinking (streaming: %s)', async (stream) => {
    const call = { function: { name: 'town__weather', arguments: { city: 'Rome' } } }
    const parts = stream
      ? [{ thinking: 'I look ' }, { thinking: 'it up ☃.' }, { tool_calls: [call] }]
      : [{ thinking: 'I look it up ☃.', tool_calls: [call] }]
    const room = await standInRoom(OLLAMA, [
      ollama(stream, ...parts),
      ollama(stream, { content: 'Sun.' }),
    ])
    const run = await room.ask('Rome?', { request: { stream, effort: 'high' } })
    expect(run.end).toMatchObject({
      reason: 'done',
      text: 'Sun.',
      usage: { input: 200, output: 14 },
    })
    expect(streamed(run, 'reasoning')).toContain('I look it up ☃.')
    expect(room.requests[1]).toMatchObject({ think: true })
    expect(sentTalk(room.requests[1]).reasoning).toEqual(['I look it up ☃.'])
  })
})

describe('a stream that fails on its way', () => {
  const said = saidItem('Half of')
  const half = responseEvents([said]).slice(0, -2)
  it.each<readonly [ProviderPlace, string, string]>([
    [
      RESPONSES,
      namedEvents(...half, { type: 'error', code: 'server_error', message: 'Oh.' }),
      namedEvents(...responseEvents([saidItem('Whole.')])),
    ],
    [
      MESSAGES,
      namedEvents(...messageEvents([{ type: 'text', text: 'Half of' }], 'end_turn').slice(0, -3), {
        type: 'error',
        error: { type: 'overloaded_error', message: 'Oh.' },
      }),
      namedEvents(...messageEvents([{ type: 'text', text: 'Whole.' }], 'end_turn')),
    ],
    [
      OLLAMA,
      `${line({ content: 'Half of' })}{"error":"Oh."}\n`,
      `${line({ content: 'Whole.' })}${LAST}`,
    ],
  ])('of $spec is asked for again', async (place, broken, whole) => {
    const type = place === OLLAMA ? 'application/x-ndjson' : 'text/event-stream'
    const room = await standInRoom(place, [answer(type, broken), answer(type, whole)])
    const run = await room.ask('Hello?')
    expect(run.end).toMatchObject({ reason: 'done', text: 'Whole.' })
    expect(streamed(run, 'text')).toBe('Whole.')
    expect(eventsOf(run, 'retry').map(({ why }) => why)).toEqual([expect.stringContaining('Oh.')])
  })
})

describe('a reply of Ollama that was cut at its length', () => {
  it('makes no call, and the model is told', async () => {
    const call = { function: { name: 'town__weather', arguments: { city: 'Rome' } } }
    const cut = `${line({ tool_calls: [call] })}${LAST.replace('"stop"', '"length"')}`
    const type = 'application/x-ndjson'
    const room = await standInRoom(OLLAMA, [
      answer(type, cut),
      ollama(true, { content: 'I stop here.' }),
    ])
    const run = await room.ask('Rome?')
    expect(run.end).toMatchObject({ reason: 'done', text: 'I stop here.' })
    expect(room.server.calls).toEqual([])
    expect(sentTalk(room.requests[1]).results[0]?.text).toContain('cut')
  })
})

describe('what a provider read from its cache', () => {
  it.each<readonly [ProviderPlace, string, object]>([
    [
      RESPONSES,
      JSON.stringify(response([saidItem('Yes.')])),
      { input: 90, cachedInput: 64, output: 30, reasoning: 20 },
    ],
    [
      MESSAGES,
      JSON.stringify(message([{ type: 'text', text: 'Yes.' }], 'end_turn')),
      { input: 1210, cachedInput: 1000, cacheWrite: 200, output: 40 },
    ],
  ])('is part of the usage of $spec', async (place, body, usage) => {
    const room = await standInRoom(place, [answer('application/json', body)])
    const { end } = await room.ask('Hello?', { request: { stream: false } })
    expect(end).toMatchObject({ reason: 'done', text: 'Yes.', usage })
  })
})

describe('a reply that the provider stopped', () => {
  const refusal = { ...saidItem(''), content: [{ type: 'refusal', refusal: 'I may not.' }] }
  const call: Members = { type: 'tool_use', id: 't1', name: 'town__weather', input: {} }
  it.each<readonly [ProviderPlace, string]>([
    [
      RESPONSES,
      namedEvents(...responseEvents([refusal, { ...callItem('c1', '{}'), name: 'town__weather' }])),
    ],
    [MESSAGES, namedEvents(...messageEvents([call], 'refusal'))],
  ])('of $spec makes no call and ends the run', async (place, body) => {
    const room = await standInRoom(place, [answer('text/event-stream', body)])
    const { end } = await room.ask('Rome?')
    expect(end.reason).toBe('filtered')
    expect(room.server.calls).toEqual([])
  })
})

const LAST = `${JSON.stringify({ model: 'qwen3:8b', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 100, eval_count: 7 })}\n`

function line(said: Members): string {
  const told = { role: 'assistant', content: '', ...said }
  return `${JSON.stringify({ model: 'qwen3:8b', message: told, done: false })}\n`
}

/** An answer of Ollama's: each part a line, or the first of them with the counts of the last. */
function ollama(stream: boolean, ...parts: readonly Members[]): (response: ServerResponse) => void {
  if (stream)
    return answer('application/x-ndjson', `${parts.map((part) => line(part)).join('')}${LAST}`)
  const whole: Members = JSON.parse(LAST) as Members // an object, as it stands above
  const told = { role: 'assistant', content: '', ...parts[0] }
  return answer('application/json', JSON.stringify({ ...whole, message: told }))
}

function answer(type: string, body: string): (response: ServerResponse) => void {
  return (far) => void far.writeHead(200, { 'content-type': type }).end(body)
}
