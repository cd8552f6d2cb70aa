/**
 * The stand-ins for providers, before anything is held against them: the one that replays recordings notices every difference that has
 * a meaning, and the one in front of the mock makes of its replies what DeepSeek gives.
 */
import { LLMock } from '@copilotkit/aimock'
import { afterEach, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts'
import { streamFaults } from '../support/deepseek-shape.ts'
import { saidTurn } from '../support/deepseek-turn.ts'
import type { RecordedExchange } from '../support/recorded-exchanges.ts'
import {
  replayProvider,
  type ReplayOptions,
  type ReplayProvider,
} from '../support/replay-provider.ts'
import { rulesProxy, type RulesProxy, type RulesProxyOptions } from '../support/rules-proxy.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

interface Answered {
  readonly status: number
  readonly type: string
  readonly text: string
  /** Sizes of the pieces in which it came. */
  readonly pieces: readonly number[]
}

async function post(
  url: string,
  body: JsonValue,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const pieces: Uint8Array[] = []
  for await (const piece of response.body ?? []) pieces.push(piece)
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: Buffer.concat(pieces).toString('utf8'),
    pieces: pieces.map(({ length }) => length),
  }
}

const TOOL = { type: 'function', function: { name: 'add', parameters: { type: 'object' } } }

const ASKED: JsonObject = {
  model: 'm',
  stream: true,
  messages: [
    { role: 'user', content: 'add' },
    {
      role: 'assistant',
      content: '',
      reasoning_content: 'two numbers',
      tool_calls: [
        { index: 0, id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a": 1}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: '3' },
  ],
  tools: [TOOL],
  tool_choice: { type: 'function', function: { name: 'add' } },
}

const RECORDED: RecordedExchange = {
  path: '/chat/completions',
  method: 'POST',
  headers: {},
  body: JSON.stringify(ASKED),
  status: 200,
  replyHeaders: { 'content-type': 'text/event-stream' },
  reply: 'data: {"name":"add","text":"☃☃☃"}\n\ndata: [DONE]\n\n',
}

async function replay(options: ReplayOptions = {}): Promise<ReplayProvider> {
  const provider = await replayProvider([RECORDED, RECORDED], options)
  open.push(() => provider.close())
  return provider
}

/** A copy with one member set, by a path of keys and places. */
function changed(
  value: JsonValue,
  path: readonly (string | number)[],
  to: JsonValue | undefined,
): JsonValue {
  const copy: JsonValue = structuredClone(value)
  let at: unknown = copy
  for (const key of path.slice(0, -1))
    at = (at as Record<string | number, unknown>)[key] // the paths below exist
  ;(at as Record<string | number, unknown>)[path.at(-1) ?? ''] = to
  return copy
}

describe('the provider that replays', () => {
  it.each(['whole', 1, 97, { seed: 7 }] as const)(
    'gives the recorded bytes, cut %o',
    async (chunking) => {
      const provider = await replay({ chunking })
      const answer = await post(provider.url, ASKED)
      expect(answer).toMatchObject({ status: 200, type: 'text/event-stream', text: RECORDED.reply })
      expect(provider.differences).toEqual([])
      expect(provider.left).toBe(1)
    },
  )

  it('takes another spelling of the same request', async () => {
    const provider = await replay()
    const call = ['messages', 1, 'tool_calls', 0]
    const spelled = changed(
      changed(ASKED, [...call, 'function', 'arguments'], '{"a":1}'),
      [...call, 'index'],
      undefined,
    )
    expect(await post(provider.url, spelled)).toMatchObject({ status: 200 })
    const written = changed(ASKED, ['thinking'], { type: 'enabled' })
    expect(await post(provider.url, written)).toMatchObject({ status: 200 })
  })

  it.each([
    [['messages', 0, 'role'], 'system'],
    [['messages', 0, 'content'], 'add!'],
    [['messages', 1, 'reasoning_content'], undefined],
    [['messages', 1, 'content'], null],
    [['messages', 1, 'tool_calls', 0, 'id'], 'c2'],
    [['messages', 1, 'tool_calls', 0, 'function', 'name'], 'sub'],
    [['messages', 1, 'tool_calls', 0, 'function', 'arguments'], '{"a":2}'],
    [['messages', 2, 'tool_call_id'], 'c2'],
    [['messages', 3], { role: 'user', content: 'more' }],
    [['tools', 0, 'function', 'description'], 'Adds.'],
    [['tools', 0, 'function', 'parameters', 'type'], 'string'],
    [['tool_choice', 'function', 'name'], 'sub'],
    [['stream'], undefined],
    [['thinking'], { type: 'disabled' }],
    [['tool_choice'], undefined],
    [['model'], 'n'],
    [['temperature'], 0],
  ] as const)('answers 500 with the difference when %j is %j', async (path, value) => {
    const provider = await replay()
    const answer = await post(provider.url, changed(ASKED, path, value))
    expect(answer.status).toBe(500)
    expect(provider.differences).toHaveLength(1)
    expect(answer.text).toContain('not as recorded')
  })

  it('answers 500 to one request more than there were', async () => {
    const provider = await replay()
    for (const status of [200, 200, 500])
      expect(await post(provider.url, ASKED)).toMatchObject({ status })
    expect(provider.left).toBe(0)
  })

  it('speaks of tools by their new names, and compares the recorded ones', async () => {
    const provider = await replay({ names: new Map([['add', 's__add']]) })
    const ours = JSON.parse(
      JSON.stringify(ASKED).replaceAll('"name":"add"', '"name":"s__add"'),
    ) as JsonObject // it was one
    const answer = await post(provider.url, ours)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.text).toContain('"name":"s__add"')
    expect((await post(provider.url, ASKED)).text).not.toContain('"text"')
  })
})

async function proxied(
  prepare: (mock: LLMock) => void,
  options: Partial<RulesProxyOptions> = {},
): Promise<RulesProxy> {
  const mock = new LLMock({ port: 0 })
  prepare(mock)
  await mock.start()
  open.push(() => mock.stop())
  const proxy = await rulesProxy({ upstream: mock.url, ...options })
  open.push(() => proxy.close())
  return proxy
}

const HELLO: JsonObject = {
  model: 'deepseek-flash',
  messages: [{ role: 'user', content: 'hello' }],
}
const STREAMED = { ...HELLO, stream: true, stream_options: { include_usage: true }, tools: [TOOL] }

describe('the proxy before the mock', () => {
  it.each(['whole', 1, { seed: 3 }] as const)(
    'gives streams DeepSeek’s shape, cut %o',
    async (chunking) => {
      const proxy = await proxied(
        (mock) =>
          mock.on(
            {},
            {
              content: 'I add.',
              reasoning: 'Two numbers.',
              toolCalls: [{ name: 'add', arguments: '{"a":1}' }],
            },
          ),
        { chunking },
      )
      const { text } = await post(proxy.url, STREAMED)
      expect(streamFaults(text)).toEqual([])
      expect(text.startsWith(': keep-alive\n\n')).toBe(true)
      expect(saidTurn(text)).toMatchObject({
        content: 'I add.',
        reasoning: 'Two numbers.',
        finish: 'tool_calls',
        calls: [{ name: 'add', args: '{"a":1}' }],
      })
    },
  )

  it('counts as cached what was asked before', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 2, total_tokens: 102 }
    const proxy = await proxied((mock) => mock.on({}, { content: 'hi', usage }))
    const usages = []
    for (let turn = 0; turn < 2; turn += 1) {
      const { text } = await post(proxy.url, HELLO)
      expect(text.startsWith('\n')).toBe(true)
      const value: JsonValue = JSON.parse(text)
      usages.push(isJsonObject(value) ? value['usage'] : undefined)
    }
    expect(usages).toMatchObject([
      { prompt_cache_hit_tokens: 0, prompt_cache_miss_tokens: 100 },
      { prompt_cache_hit_tokens: 100, prompt_cache_miss_tokens: 0 },
    ])
  })

  it('refuses by the rules before the mock hears of it', async () => {
    const proxy = await proxied((mock) => mock.on({}, { content: 'hi' }), { key: 'k' })
    const forced = { ...STREAMED, tool_choice: 'required' }
    const headers = { authorization: 'Bearer k' }
    expect(await post(proxy.url, forced, headers)).toMatchObject({
      status: 400,
      type: 'application/octet-stream',
    })
    expect(await post(proxy.url, STREAMED)).toMatchObject({ status: 401 })
    expect(await post(proxy.url, STREAMED, headers)).toMatchObject({ status: 200 })
    expect(proxy.refusals).toHaveLength(2)
  })

  it('asks back the reasoning of a turn without calls that it gave out', async () => {
    const proxy = await proxied((mock) => mock.on({}, { content: 'hi', reasoning: 'A greeting.' }))
    await post(proxy.url, STREAMED)
    const said = { role: 'assistant', content: 'hi' }
    const again = (message: JsonObject): JsonObject => ({
      ...STREAMED,
      messages: [{ role: 'user', content: 'hello' }, message, { role: 'user', content: 'again' }],
    })
    expect(await post(proxy.url, again(said))).toMatchObject({ status: 400 })
    const whole = again({ ...said, reasoning_content: 'A greeting.' })
    expect(await post(proxy.url, whole)).toMatchObject({ status: 200 })
    expect(proxy.rules.altered).toEqual([])
    await post(proxy.url, again({ ...said, reasoning_content: '' }))
    expect(proxy.rules.altered).toHaveLength(1)
  })

  it('passes failures on with their word on when to come again', async () => {
    const proxy = await proxied((mock) =>
      mock.on(
        {},
        { error: { message: 'slow down', type: 'rate_limit' }, status: 429, retryAfter: 3 },
      ),
    )
    const response = await fetch(`${proxy.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(HELLO),
      headers: { 'content-type': 'application/json' },
    })
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('3')
    expect(await response.text()).toContain('slow down')
  })

  it('cuts the streams that the mock cuts, behind all that came of them', async () => {
    const proxy = await proxied((mock) =>
      mock.on(
        {},
        { content: 'one two three four five six' },
        { chunkSize: 4, latency: 5, truncateAfterChunks: 3 },
      ),
    )
    await expect(post(proxy.url, STREAMED)).rejects.toThrow('terminated')
    const [stream = ''] = proxy.streams
    expect(stream).toContain('"content":"one "')
    expect(stream).not.toContain('[DONE]')
  })
})
