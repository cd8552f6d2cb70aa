import { describe, expect, it } from 'vitest'
import { ScriptedExchange } from '../../test/support/http/scripted-exchange.ts'
import { hostTool } from '../../test/support/host-tools.ts'
import { ModelError, UsageError } from '../base/errors.ts'
import { ToolDiscovery } from './find-tools.ts'
import { modelOf, placeOf, type ModelOptions } from './providers.ts'
import { PROVIDER_NAMES } from './provider-table.ts'

const ALL_KEYS = {
  DEEPSEEK_API_KEY: 'sk-deepseek-0001',
  OPENAI_API_KEY: 'sk-openai-0001',
  ANTHROPIC_API_KEY: 'sk-anthropic-0001',
  OPENROUTER_API_KEY: 'sk-openrouter-0001',
  DEEP_PILOT_API_KEY: 'sk-own-0001',
}

interface Asked {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly model?: string }
}

/** What is sent when the model that is named is asked. */
async function asked(
  spec: string | undefined,
  options: Partial<ModelOptions> = {},
): Promise<Asked> {
  const far = new ScriptedExchange()
  const { model } = modelOf(spec, { env: ALL_KEYS, exchange: far.exchange, ...options })
  const stop = new AbortController()
  const reply = model.reply(
    { messages: [{ role: 'user', parts: [{ type: 'text', text: 'x' }] }], tools: [] },
    { signal: stop.signal },
  )
  const { request } = await far.call(0)
  stop.abort(new Error('seen'))
  await expect(reply).rejects.toThrow('seen')
  return { url: request.url, headers: request.headers, body: JSON.parse(request.body ?? '{}') }
}

function find(spec: string | undefined, options: Partial<ModelOptions> = {}) {
  return modelOf(spec, { env: ALL_KEYS, exchange: new ScriptedExchange().exchange, ...options })
}

describe('the model that is named', () => {
  it.each([
    ['deepseek', 'https://api.deepseek.com/chat/completions', 'deepseek-flash'],
    ['deepseek:deepseek-v4-pro', 'https://api.deepseek.com/chat/completions', 'deepseek-v4-pro'],
    ['openai:gpt-x', 'https://api.openai.com/v1/responses', 'gpt-x'],
    ['openai-chat:gpt-x', 'https://api.openai.com/v1/chat/completions', 'gpt-x'],
    ['anthropic:claude-x', 'https://api.anthropic.com/v1/messages', 'claude-x'],
    ['openrouter:a/b:free', 'https://openrouter.ai/api/v1/chat/completions', 'a/b:free'],
    ['ollama:qwen3:8b', 'http://127.0.0.1:11434/api/chat', 'qwen3:8b'],
    ['llamacpp:any', 'http://127.0.0.1:8080/v1/chat/completions', 'any'],
    ['vllm:org/name', 'http://127.0.0.1:8000/v1/chat/completions', 'org/name'],
  ])('%s is asked where it is, in its own words', async (spec, url, name) => {
    const { url: sentTo, body } = await asked(spec)
    expect(sentTo).toBe(url)
    expect(body.model).toBe(name)
  })

  it.each([
    ['deepseek', { authorization: 'Bearer sk-deepseek-0001' }],
    ['openai:x', { authorization: 'Bearer sk-openai-0001' }],
    ['openai-chat:x', { authorization: 'Bearer sk-openai-0001' }],
    ['anthropic:x', { 'x-api-key': 'sk-anthropic-0001', 'anthropic-version': '2023-06-01' }],
    ['openrouter:x', { authorization: 'Bearer sk-openrouter-0001' }],
  ])('%s is given its own key and no other', async (spec, expected) => {
    const { headers } = await asked(spec)
    expect(headers).toMatchObject(expected)
    const own = Object.values(expected)[0] ?? ''
    const others = Object.values(ALL_KEYS).filter((key) => !own.includes(key))
    for (const other of others) expect(JSON.stringify(headers)).not.toContain(other)
  })

  it('is what the environment says when no option does, and DeepSeek at last', async () => {
    const env = { ...ALL_KEYS, DEEP_PILOT_MODEL: 'openai:from-env' }
    expect((await asked(undefined, { env })).body.model).toBe('from-env')
    expect((await asked('deepseek', { env })).body.model).toBe('deepseek-flash')
    expect((await asked(undefined)).body.model).toBe('deepseek-flash')
    expect((await asked('  ', { env: { ...env, DEEP_PILOT_MODEL: ' ' } })).body.model).toBe(
      'deepseek-flash',
    )
  })

  it('may be any name at an address of one’s own', async () => {
    const { url, body } = await asked('qwen3:8b', { baseUrl: 'http://localhost:9000/v1/' })
    expect(url).toBe('http://localhost:9000/v1/chat/completions')
    expect(body.model).toBe('qwen3:8b')
  })

  it('is asked at the address that the environment says, whichever it is', async () => {
    const env = { ...ALL_KEYS, DEEP_PILOT_BASE_URL: 'https://proxy.test/x' }
    expect((await asked('anthropic:c', { env })).url).toBe('https://proxy.test/x/messages')
    expect((await asked('a', { env, baseUrl: 'https://flag.test' })).url).toBe(
      'https://flag.test/chat/completions',
    )
  })

  it('has to be one: words that name none are refused with the ways to write it', () => {
    for (const spec of ['gpt-4', 'nobody:x', ':x', 'deep seek'])
      expect(() => find(spec)).toThrow(UsageError)
    expect(() => find('gpt-4')).toThrow(/openai, openai-chat/)
    for (const name of PROVIDER_NAMES.filter((one) => one !== 'deepseek'))
      expect(() => find(name, { baseUrl: 'http://127.0.0.1' })).toThrow(`${name}:NAME`)
    expect(() => find('openai:')).toThrow('openai:NAME')
    expect(() => find('compatible:x')).toThrow(/--base-url/)
  })

  it('shows no controls of a name that is none', () => {
    expect(() => find('\u001b[2Jx')).toThrow(/names no model/)
    expect(() => find('\u001b[2Jx')).not.toThrow('\u001b')
  })
})

describe('the key of a model', () => {
  it.each([
    ['deepseek', 'DEEPSEEK_API_KEY'],
    ['openai:x', 'OPENAI_API_KEY'],
    ['openai-chat:x', 'OPENAI_API_KEY'],
    ['anthropic:x', 'ANTHROPIC_API_KEY'],
    ['openrouter:x', 'OPENROUTER_API_KEY'],
  ])('that is missing for %s is told by its variable', (spec, variable) => {
    const env = { ...ALL_KEYS, [variable]: '' }
    expect(() => find(spec, { env })).toThrow(ModelError)
    expect(() => find(spec, { env })).toThrow(variable)
    expect(placeOf(spec, { env }).keyVariables).toEqual([variable])
  })

  it.each(['deepseek', 'openai:x', 'anthropic:x', 'openrouter:x', 'openai-chat:x'])(
    'of %s never goes to an address that is not its own',
    async (spec) => {
      const { headers } = await asked(spec, { baseUrl: 'https://proxy.test/v1' })
      const sent = JSON.stringify(headers)
      expect(sent).toContain('sk-own-0001')
      expect(sent).not.toMatch(/sk-(deepseek|openai|anthropic|openrouter)/)
      const bare = { ...ALL_KEYS, DEEP_PILOT_API_KEY: undefined }
      const without = await asked(spec, { baseUrl: 'https://proxy.test/v1', env: bare })
      expect(JSON.stringify(without.headers)).not.toContain('sk-')
    },
  )

  it('goes to another path of the provider’s own address', async () => {
    const { headers } = await asked('deepseek', { baseUrl: 'https://api.deepseek.com/beta' })
    expect(headers['authorization']).toBe('Bearer sk-deepseek-0001')
    const downgraded = { baseUrl: 'http://api.deepseek.com', insecureHttp: true }
    expect((await asked('deepseek', downgraded)).headers['authorization']).toBe(
      'Bearer sk-own-0001',
    )
  })

  it('is told to whoever must hide it', () => {
    expect(find('deepseek').secrets).toEqual(['sk-deepseek-0001'])
    expect(find('ollama:x', { env: {} }).secrets).toEqual([])
  })

  it('is not needed for servers of one’s own', () => {
    for (const spec of ['ollama:x', 'vllm:x', 'llamacpp:x'])
      expect(placeOf(spec, { env: {} }).keyVariables).toEqual([])
  })
})

describe('an address of plain http', () => {
  it.each([
    'http://127.0.0.1:1',
    'http://127.9.9.9',
    'http://localhost:2',
    'http://x.localhost',
    'http://[::1]:3',
  ])('%s is this machine and allowed', (baseUrl) => {
    expect(placeOf('m', { env: {}, baseUrl }).baseUrl).toBe(baseUrl)
  })

  it.each([
    'http://example.com',
    'http://10.0.0.5:8000',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://0.0.0.0:8000',
    'http://[::ffff:8.8.8.8]',
  ])('%s is refused unless that is allowed', (baseUrl) => {
    expect(() => placeOf('m', { env: {}, baseUrl })).toThrow(UsageError)
    expect(placeOf('m', { env: {}, baseUrl, insecureHttp: true }).baseUrl).toBe(baseUrl)
  })
})

describe('the window', () => {
  const window = (spec: string, options: Partial<ModelOptions> = {}): number | undefined =>
    find(spec, options).model.traits.window
  const env = { ...ALL_KEYS, DEEP_PILOT_CONTEXT: ' 32768 ' }

  it.each(PROVIDER_NAMES.map((name) => `${name}:m`))('of %s is as it is given', (spec) => {
    const baseUrl = 'http://localhost:9000/v1'
    expect(window(spec, { contextTokens: 4096, env, baseUrl })).toBe(4096)
    expect(window(spec, { env, baseUrl })).toBe(32_768)
  })

  it('is that of the table where nothing is given', () => {
    expect(window('openai:gpt-4o')).toBe(128_000)
    expect(window('anthropic:claude-haiku-4-5')).toBe(200_000)
    expect(window('vllm:gpt-4o')).toBeUndefined()
    const facts = { asOf: undefined, models: [{ provider: 'vllm', model: '*', window: 5000 }] }
    expect(window('vllm:gpt-4o', { facts })).toBe(5000)
  })

  it.each(['0', '-1', '1.5', '32k', '١٢'])('cannot be %s', (words) => {
    const make = () => window('vllm:m', { env: { DEEP_PILOT_CONTEXT: words } })
    expect(make).toThrow(UsageError)
    expect(make).toThrow('DEEP_PILOT_CONTEXT')
  })

  it('is asked for where a server would make a small one', async () => {
    const { body } = await asked('ollama:m', { contextTokens: 16_384 })
    expect(body).toMatchObject({ options: { num_ctx: 16_384 } })
    expect(JSON.stringify((await asked('ollama:m')).body)).not.toContain('num_ctx')
    const other = await asked('vllm:m', { contextTokens: 16_384 })
    expect(JSON.stringify(other.body)).not.toContain('16384')
  })
})

it('takes facts of models from a table: what is meant by a provider alone, and images', () => {
  const models = [{ provider: 'ollama', model: 'qwen3:8b', usual: true, images: true }]
  const facts = { asOf: undefined, models }
  const { model } = find('ollama', { facts })
  expect([model.name, model.traits.images]).toEqual(['qwen3:8b', true])
  expect(find('openai:x', { facts }).model.traits).toMatchObject({ images: true })
})

it('has big tools of other providers looked for too, once their window is known', () => {
  const tools = Array.from({ length: 30 }, (_, at) =>
    hostTool(`s__t${at}`, { description: 'word '.repeat(3_000) }),
  )
  const isDeferred = (spec: string, contextTokens?: number): boolean =>
    new ToolDiscovery().offer(tools, find(spec, { contextTokens }).model.traits).deferred
  expect(isDeferred('openai-chat:gpt-4o')).toBe(true)
  expect(isDeferred('vllm:m')).toBe(false)
  expect(isDeferred('vllm:m', 32_768)).toBe(true)
})

describe('a key that is not accepted', () => {
  const refusedBy = async (spec: string, options: Partial<ModelOptions>): Promise<unknown> => {
    const far = new ScriptedExchange()
    const { model } = modelOf(spec, { env: {}, exchange: far.exchange, ...options })
    const reply = model.reply({ messages: [], tools: [] })
    const call = await far.call(0)
    call.json({ error: { message: 'No entry.' } }, 401)
    return reply.then(
      () => undefined,
      (error: unknown) => error,
    )
  }
  const baseUrl = 'http://127.0.0.1:1234/v1?token=hidden'

  it('is named by the variable that it came from', async () => {
    expect(await refusedBy('deepseek', { env: ALL_KEYS })).toMatchObject({
      code: 'DP_MODEL_KEY',
      status: 401,
      message:
        'deepseek answered 401: No entry. Check the key in the variable DEEPSEEK_API_KEY, which it does not accept.',
    })
  })

  it('and was not sent is asked for by the variable that would be read, at the address of the server', async () => {
    expect(await refusedBy('odd', { baseUrl })).toMatchObject({
      message:
        'http://127.0.0.1:1234/v1 answered 401: No entry. No key was sent: put one into the variable DEEP_PILOT_API_KEY.',
      detail: { key: { sent: false, variable: 'DEEP_PILOT_API_KEY' } },
    })
  })
})
