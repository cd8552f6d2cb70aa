/**
 * The loop and DeepSeek's adapter against a mock that nobody here wrote, behind the rules of DeepSeek that the recordings have judged:
 * calls at once, reasoning over many turns, failures, streams that are cut, and arguments that are none.
 */
import { describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '../../src/base/json.ts'
import { eventsOf, streamed } from '../support/agent-run.ts'
import { streamFaults } from '../support/deepseek-shape.ts'
import { itemsOf } from '../support/deepseek-turn.ts'
import { cityOf, deepseekRoom, type DeepSeekRoom } from '../support/mock-room.ts'
import { messagesOf } from '../support/rules-proxy.ts'

const weather = (city: string): { name: string; arguments: string } => ({
  name: 'town__weather',
  arguments: JSON.stringify({ city }),
})

/** Nothing was refused, and all reasoning came back as it was. */
function expectTaken({ proxy }: DeepSeekRoom): void {
  expect(proxy.refusals).toEqual([])
  expect(proxy.rules.altered).toEqual([])
  expect(proxy.streams.flatMap((stream) => streamFaults(stream))).toEqual([])
}

const toolTexts = (request: JsonObject | undefined): readonly unknown[] =>
  messagesOf(request).flatMap(({ role, content }) => (role === 'tool' ? [content] : []))

describe('calls', () => {
  it('of one reply that only read are made at once, and answered in their order', async () => {
    const room = await deepseekRoom({ chunking: { seed: 1 } })
    room.mock.on({ hasToolResult: true }, { content: 'Sun in both.' })
    room.mock.on({}, { toolCalls: [weather('Rome'), weather('Oslo')], reasoning: 'Two cities.' })
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
    const run = await room.ask('The weather in Rome and Oslo?')
    expect(run.end).toMatchObject({ reason: 'done', text: 'Sun in both.', turns: 2 })
    expect(arrived.toSorted()).toEqual(['Oslo', 'Rome'])
    expect(toolTexts(room.proxy.requests[1])).toEqual(['sun in Rome', 'sun in Oslo'])
    expectTaken(room)
  })

  it('whose arguments are no JSON are not made, and the model is told and can mend it', async () => {
    const room = await deepseekRoom()
    room.mock.on({ toolResultContains: 'weather of Rome' }, { content: 'Sun.' })
    room.mock.on({ hasToolResult: true }, { toolCalls: [weather('Rome')] })
    room.mock.on({}, { toolCalls: [{ name: 'town__weather', arguments: '{"city": "Ro' }] })
    const run = await room.ask('The weather in Rome?')
    expect(run.end).toMatchObject({ reason: 'done', text: 'Sun.', turns: 3 })
    expect(room.server.calls).toEqual([{ name: 'weather', arguments: { city: 'Rome' } }])
    expect(eventsOf(run, 'result').map(({ failed }) => failed)).toEqual([true, false])
    expectTaken(room)
  })

  it('of tools that are not there, or that lack what is required, are answered beside the good one', async () => {
    const room = await deepseekRoom()
    room.mock.on({ hasToolResult: true }, { content: 'Sun.' })
    room.mock.on(
      {},
      {
        toolCalls: [
          { name: 'town__wether', arguments: '{"city":"Rome"}' },
          { name: 'town__news', arguments: '{}' },
          weather('Rome'),
        ],
      },
    )
    const run = await room.ask('The weather in Rome?')
    expect(run.end.reason).toBe('done')
    const [unknown, unfit, good] = toolTexts(room.proxy.requests[1])
    expect(unknown).toContain('town__weather')
    expect(unfit).toContain('city')
    expect(good).toBe('weather of Rome')
    expect(room.server.calls).toHaveLength(1)
    expectTaken(room)
  })

  it('of a reply that was cut at its length are not made', async () => {
    const room = await deepseekRoom()
    room.mock.on({ hasToolResult: true }, { content: 'I stop here.' })
    room.mock.on({}, { toolCalls: [weather('Rome')], finishReason: 'length' })
    const run = await room.ask('The weather in Rome?')
    expect(room.server.calls).toEqual([])
    expect(run.end).toMatchObject({ reason: 'done', text: 'I stop here.' })
    expect(eventsOf(run, 'warning').map(({ kind }) => kind)).toContain('truncated')
    expectTaken(room)
  })

  it('that a model makes over and over are ended', async () => {
    const room = await deepseekRoom()
    room.mock.on({}, { toolCalls: [weather('Rome')], reasoning: 'Once more.' })
    const run = await room.ask('The weather in Rome?')
    expect(run.end.reason).toBe('loop')
    expect(room.server.calls.length).toBeLessThanOrEqual(5)
    expectTaken(room)
  })
})

describe('reasoning', () => {
  it('of every earlier turn goes back unchanged over three questions, with and without calls', async () => {
    const room = await deepseekRoom({ chunking: 1 })
    const { mock, proxy } = room
    mock.on(
      { userMessage: 'Rome', hasToolResult: true },
      { content: 'Sun.', reasoning: 'It\nsaid "sun" ☃.' },
    )
    mock.on(
      { userMessage: 'Rome' },
      { toolCalls: [weather('Rome')], reasoning: 'I look it up.', content: 'A moment.' },
    )
    mock.on(
      { userMessage: 'Thanks' },
      { content: 'You are welcome.', reasoning: 'Just politeness.' },
    )
    mock.on({ userMessage: 'Oslo', hasToolResult: true }, { content: 'Snow.' })
    mock.on({ userMessage: 'Oslo' }, { toolCalls: [weather('Oslo')], reasoning: 'Again.' })
    for (const question of ['Rome?', 'Thanks!', 'Oslo?']) {
      const { end } = await room.ask(question)
      expect(end.reason).toBe('done')
    }
    expectTaken(room)
    const said = messagesOf(proxy.requests.at(-1)).filter(({ role }) => role === 'assistant')
    expect(said.map(({ reasoning_content: reasoning }) => reasoning)).toEqual([
      'I look it up.',
      'It\nsaid "sun" ☃.',
      'Just politeness.',
      'Again.',
    ])
  })

  it('is told as it comes, apart from the text', async () => {
    const room = await deepseekRoom()
    room.mock.on({}, { content: 'Yes.', reasoning: 'A plain question.' }, { chunkSize: 3 })
    const run = await room.ask('Is it so?')
    expect([streamed(run, 'reasoning'), streamed(run, 'text')]).toEqual([
      'A plain question.',
      'Yes.',
    ])
    expect(eventsOf(run, 'reply')[0]?.reply.message.reasoning).toBe('A plain question.')
  })

  it('is there in a reply in one piece as well, behind blank lines', async () => {
    const room = await deepseekRoom()
    room.mock.on({ hasToolResult: true }, { content: 'Sun.' })
    room.mock.on({}, { toolCalls: [weather('Rome')], reasoning: 'I look it up.' })
    const run = await room.ask('Rome?', { request: { stream: false } })
    expect(run.end).toMatchObject({ reason: 'done', text: 'Sun.' })
    expect(room.proxy.streams).toEqual([])
    expectTaken(room)
  })

  it('goes with its turn when old turns are left out, and never without it', async () => {
    const room = await deepseekRoom()
    room.mock.on({ hasToolResult: true }, { content: 'Sun.', reasoning: 'I have it.' })
    room.mock.on({}, { toolCalls: [weather('Rome')], reasoning: 'I look it up.' })
    for (let turn = 0; turn < 4; turn += 1) await room.ask(`Rome, for the time ${turn}?`)
    room.transcript.compact(0, 4)
    const { end } = await room.ask('Rome again?')
    expect(end.reason).toBe('done')
    expect(
      messagesOf(room.proxy.requests.at(-1)).filter(({ role }) => role === 'user'),
    ).toHaveLength(4)
    expectTaken(room)
  })
})

describe('a forced choice of tools', () => {
  it('is lowered while the model thinks, and told', async () => {
    const room = await deepseekRoom()
    room.mock.on({ hasToolResult: true }, { content: 'Sun.' })
    room.mock.on({}, { toolCalls: [weather('Rome')] })
    const run = await room.ask('Rome?', { request: { choice: 'required' } })
    expect(run.end.reason).toBe('done')
    expect(eventsOf(run, 'warning').map(({ kind }) => kind)).toContain('choice-lowered')
    expectTaken(room)
  })

  it('is sent as it is where it does not think, for the first request alone', async () => {
    const room = await deepseekRoom()
    room.mock.on({ hasToolResult: true }, { content: 'Sun.' })
    room.mock.on({}, { toolCalls: [weather('Rome')] })
    const run = await room.ask('Rome?', { request: { choice: 'required', effort: 'none' } })
    expect(run.end.reason).toBe('done')
    expect(room.proxy.requests.map(({ tool_choice: choice }) => choice ?? 'auto')).toEqual([
      'required',
      'auto',
    ])
    expectTaken(room)
  })
})

describe('what it costs', () => {
  it('is what the last choice of each stream says, with the cached part', async () => {
    const room = await deepseekRoom()
    const usage = (prompt: number): Record<string, unknown> => ({
      prompt_tokens: prompt,
      completion_tokens: 7,
      total_tokens: prompt + 7,
    })
    room.mock.on({ hasToolResult: true }, { content: 'Sun.', usage: usage(140) })
    room.mock.on({}, { toolCalls: [weather('Rome')], usage: usage(100) })
    const { end } = await room.ask('Rome?')
    expect(end.usage).toEqual({ input: 240, cachedInput: 100, output: 14 })
  })
})

describe('a failure', () => {
  it('of too many requests is waited out as long as the provider says', async () => {
    const room = await deepseekRoom()
    room.mock.on(
      { sequenceIndex: 0 },
      { error: { message: 'slow down' }, status: 429, retryAfter: 3 },
    )
    room.mock.on({}, { content: 'Now.' })
    const run = await room.ask('Hello?')
    expect(run.end).toMatchObject({ reason: 'done', text: 'Now.' })
    const retries = eventsOf(run, 'retry')
    expect(retries).toHaveLength(1)
    expect(retries[0]?.delayMs).toBeGreaterThanOrEqual(3000)
    expect(room.proxy.requests).toHaveLength(2)
  })

  it.each([500, 503])(
    'of the server (%i) is tried again, and no call is made twice over it',
    async (status) => {
      const room = await deepseekRoom()
      room.mock.on(
        { hasToolResult: true, sequenceIndex: 0 },
        { error: { message: 'overloaded' }, status },
      )
      room.mock.on({ hasToolResult: true }, { content: 'Sun.' })
      room.mock.on({}, { toolCalls: [weather('Rome')] })
      const run = await room.ask('Rome?')
      expect(run.end).toMatchObject({ reason: 'done', text: 'Sun.', turns: 2 })
      expect(eventsOf(run, 'retry')).toHaveLength(1)
      expect(room.server.calls).toHaveLength(1)
    },
  )

  it.each([
    [402, 'DP_MODEL_BALANCE'],
    [400, 'DP_MODEL_REQUEST'],
    [422, 'DP_MODEL_REQUEST'],
  ])('of status %i ends the run at once', async (status, code) => {
    const room = await deepseekRoom()
    room.mock.on({}, { error: { message: 'Insufficient Balance' }, status })
    const run = await room.ask('Hello?')
    expect(run.end).toMatchObject({ reason: 'model-error', error: { code } })
    expect(run.end.error?.message).toContain('Insufficient Balance')
    expect(room.proxy.requests).toHaveLength(1)
  })

  it('of the key ends the run, and names no key', async () => {
    const room = await deepseekRoom({ seat: { key: 'a-wrong-key' } })
    const run = await room.ask('Hello?')
    expect(run.end).toMatchObject({ reason: 'model-error', error: { code: 'DP_MODEL_KEY' } })
    expect(String(run.end.error?.message)).not.toContain('a-wrong-key')
    expect(room.proxy.requests).toHaveLength(1)
  })

  it('that lasts ends the run after three tries, and the conversation goes on later', async () => {
    const room = await deepseekRoom()
    for (const sequenceIndex of [0, 1, 2])
      room.mock.on({ sequenceIndex }, { error: { message: 'down' }, status: 500 })
    room.mock.on({}, { content: 'Back.' })
    expect((await room.ask('Hello?')).end).toMatchObject({ reason: 'model-error' })
    expect(room.proxy.requests).toHaveLength(3)
    expect((await room.ask('And now?')).end).toMatchObject({ reason: 'done', text: 'Back.' })
    expectTaken(room)
  })

  it('that is JSON without an end is tried again, and then told as a reply that broke off', async () => {
    const room = await deepseekRoom()
    room.mock.on({}, { content: 'never' }, { chaos: { malformedRate: 1 } })
    const run = await room.ask('Hello?')
    expect(run.end).toMatchObject({ reason: 'model-error', error: { code: 'DP_MODEL_CUT' } })
  })

  it('of a connection that is closed without a word is tried again', async () => {
    const room = await deepseekRoom()
    room.mock.on({ sequenceIndex: 0 }, { content: 'never' }, { chaos: { disconnectRate: 1 } })
    room.mock.on({}, { content: 'Here.' })
    const run = await room.ask('Hello?')
    expect(run.end).toMatchObject({ reason: 'done', text: 'Here.' })
    expect(eventsOf(run, 'retry')).toHaveLength(1)
  })
})

describe('a stream that is cut', () => {
  it('in its text is asked for again, and what was told of it is taken back', async () => {
    const room = await deepseekRoom()
    const cut = { chunkSize: 4, latency: 2, truncateAfterChunks: 4 }
    room.mock.on(
      { sequenceIndex: 0 },
      { content: 'Half of a sentence that was', reasoning: 'Hm.' },
      cut,
    )
    room.mock.on({}, { content: 'A whole sentence.' })
    const run = await room.ask('Tell me.')
    expect(run.end).toMatchObject({ reason: 'done', text: 'A whole sentence.', turns: 2 })
    expect(eventsOf(run, 'delta').map(({ delta }) => delta.kind)).toContain('restart')
    expect(streamed(run, 'text')).toBe('A whole sentence.')
    expect(room.transcript.messages).toHaveLength(2)
  })

  it('in the arguments of a call makes no call', async () => {
    const room = await deepseekRoom()
    const cut = { chunkSize: 4, latency: 2, truncateAfterChunks: 3 }
    room.mock.on({ hasToolResult: true }, { content: 'Sun.' })
    room.mock.on({ sequenceIndex: 0 }, { toolCalls: [weather('Venice')] }, cut)
    room.mock.on({}, { toolCalls: [weather('Rome')] })
    const run = await room.ask('Where is sun?')
    expect(run.end).toMatchObject({ reason: 'done', text: 'Sun.' })
    expect(room.server.calls).toEqual([{ name: 'weather', arguments: { city: 'Rome' } }])
  })

  it('each time ends the run, with the calls of earlier turns answered', async () => {
    const room = await deepseekRoom()
    const cut = { chunkSize: 2, latency: 2, truncateAfterChunks: 3 }
    room.mock.on(
      { userMessage: 'Rome', hasToolResult: true },
      { content: 'Never to be read whole.' },
      cut,
    )
    room.mock.on({ userMessage: 'Rome' }, { toolCalls: [weather('Rome')], reasoning: 'I look.' })
    room.mock.on({}, { content: 'Well.' })
    const run = await room.ask('Rome?')
    expect(run.end).toMatchObject({ reason: 'model-error' })
    expect((await room.ask('Never mind.')).end).toMatchObject({ reason: 'done', text: 'Well.' })
    expect(room.proxy.refusals).toEqual([])
    expect(room.proxy.rules.altered).toEqual([])
    const last = messagesOf(room.proxy.requests.at(-1))
    expect(last.filter(({ role }) => role === 'tool')).toHaveLength(1)
  })
})

describe('what is sent', () => {
  it('has the same tools in the same bytes in every request of a conversation', async () => {
    const room = await deepseekRoom()
    room.mock.on({ userMessage: 'Rome', hasToolResult: true }, { content: 'Sun.' })
    room.mock.on({ userMessage: 'Rome' }, { toolCalls: [weather('Rome')] })
    room.mock.on({}, { content: 'Well.' })
    await room.ask('Rome?')
    await room.ask('Thanks.')
    const texts = room.proxy.requests.map(({ tools }) => JSON.stringify(tools))
    expect(new Set(texts).size).toBe(1)
    expect(itemsOf(room.proxy.requests[0]?.['tools'])).toHaveLength(3)
    const systems = room.proxy.requests.map(({ messages }) => JSON.stringify(itemsOf(messages)[0]))
    expect(new Set(systems).size).toBe(1)
    expect(isJsonObject(room.proxy.requests[0]?.['stream_options'])).toBe(true)
  })

  it('stops when the user stops it, and the conversation goes on', async () => {
    const room = await deepseekRoom()
    const stop = new AbortController()
    room.mock.on(
      { userMessage: 'Rome' },
      { content: 'A long story. '.repeat(200) },
      { chunkSize: 5, latency: 1 },
    )
    room.mock.on({}, { content: 'As you like.' })
    const run = await room.ask('Rome?', { signal: stop.signal }, (event) => {
      if (event.type === 'delta' && event.delta.kind === 'text') stop.abort()
    })
    expect(run.end.reason).toBe('cancelled')
    expect((await room.ask('Enough.')).end).toMatchObject({ reason: 'done', text: 'As you like.' })
    expect(room.proxy.refusals).toEqual([])
  })
})
