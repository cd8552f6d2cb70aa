/** A provider that is out for its client: answers without end, lies about sizes and costs, the key led elsewhere or echoed. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Model, ModelReply } from '../../src/agent/model.ts'
import { Transcript } from '../../src/agent/transcript.ts'
import type { ModelLimits } from '../../src/agent/models/post.ts'
import { modelOf } from '../../src/agent/providers.ts'
import { costOf } from '../../src/agent/prices.ts'
import { readPrices } from '../../src/agent/read-prices.ts'
import { ModelError } from '../../src/base/errors.ts'
import { ASK, errorOf, KEY, stage } from '../support/model-stage.ts'
import { deepseekCodec } from '../../src/agent/models/deepseek.ts'
import { modelSeatedAt } from '../support/provider-models.ts'

const PROVIDERS = ['openai-chat:m', 'openai:m', 'anthropic:m', 'ollama:m'] as const
const LIMITS: Partial<ModelLimits> = { tries: 1, maxReplyBytes: 256 * 1024 }

const servers: Server[] = []
const models: Model[] = []
afterEach(() => {
  for (const model of models.splice(0)) model.close?.()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function served(listener: RequestListener): Promise<string> {
  const server = createServer({ maxHeaderSize: 1024 * 1024 }, listener)
  servers.push(server)
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
}

async function seated(
  spec: string,
  listener: RequestListener,
  limits: Partial<ModelLimits> = LIMITS,
): Promise<Model> {
  const model = modelSeatedAt(await served(listener), spec, { key: KEY, limits })
  models.push(model)
  return model
}

/** An answer with this body, whatever is asked. */
const answering =
  (body: string | Uint8Array, type = 'application/json', status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': type })
    response.end(body)
  }

const told = (error: unknown): string =>
  JSON.stringify([String(error), error, Object(error).said, Object(error).stack])

describe('an answer', () => {
  const pieces: Readonly<Record<string, string>> = {
    'of comments': ': alive\n\n',
    'of events without an end': `data: {"choices":[{"delta":{"content":"${'x'.repeat(100)}"}}]}\n\n`,
    'of reasoning': `data: {"choices":[{"delta":{"reasoning_content":"${'x'.repeat(1000)}"}}]}\n\n`,
    'of one line': 'x'.repeat(4096),
    'of one event': `data: ${'x'.repeat(4096)}\n`,
    'of one object': `{"a":"${'x'.repeat(4096)}`,
    'of blanks': ' '.repeat(4096),
  }
  it.each(PROVIDERS.flatMap((spec) => Object.keys(pieces).map((way) => [way, spec] as const)))(
    'without end is given up at its limit: %s, %s (A27, A30)',
    async (way, spec) => {
      let sent = 0
      const model = await seated(spec, (_, response) => {
        response.writeHead(200, {
          'content-type': spec.startsWith('ollama') ? 'application/x-ndjson' : 'text/event-stream',
        })
        const piece = (pieces[way] ?? '').repeat(16)
        const more = (): void => {
          while (!response.destroyed && response.write(piece)) sent += piece.length
          if (!response.destroyed) response.once('drain', more)
        }
        more()
      })
      expect(await errorOf(model.reply(ASK, {}))).toBeInstanceOf(ModelError)
      expect(sent).toBeLessThan(64 * 1024 * 1024)
    },
  )

  it('with a head that is larger than heads are is no answer (A27)', async () => {
    const model = await seated('openai-chat:m', (_, response) => {
      response.writeHead(200, { 'x-large': 'x'.repeat(512 * 1024) })
      response.end('{}')
    })
    expect(await errorOf(model.reply(ASK, {}))).toBeInstanceOf(Error)
  })

  it.each(PROVIDERS)('of bytes that are no UTF-8 is refused: %s (A32)', async (spec) => {
    const bytes = Buffer.concat([
      Buffer.from('{"choices":[{"message":{"content":"'),
      Buffer.from([0xff, 0xfe, 0xc0, 0x80]),
      Buffer.from('"},"finish_reason":"stop"}]}\n'),
    ])
    for (const type of ['application/json', 'text/event-stream', 'application/x-ndjson']) {
      const model = await seated(spec, answering(bytes, type))
      expect(await errorOf(model.reply(ASK, {})), type).toBeInstanceOf(ModelError)
    }
  })

  const ODD: readonly string[] = [
    'null',
    '[]',
    '{}',
    '{"choices":null,"output":3,"content":{},"message":[]}',
    '{"choices":[{"message":{"tool_calls":{"length":1e9}}}]}',
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    '{"__proto__":{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}}',
    '{"error":{"message":{"a":1},"code":[],"type":{"__proto__":1}}}',
  ]
  it.each(PROVIDERS)(
    'of any other shape is an error that says so, and no crash: %s (A31)',
    async (spec) => {
      for (const body of ODD)
        for (const type of ['application/json', 'text/event-stream'])
          for (const text of type === 'text/event-stream'
            ? [`data: ${body}\n\n`]
            : [body, `${body}\n`]) {
            const model = await seated(spec, answering(text, type))
            // What has nothing in it may be a reply that says nothing.
            const came = await model.reply({ ...ASK, stream: false }, {}).then(
              ({ message: { text: reply, calls } }) => reply + calls.length,
              (error: unknown) => error,
            )
            expect(came === '0' || came instanceof ModelError, text.slice(0, 60)).toBe(true)
            expect(told(came).length).toBeLessThan(20_000)
          }
    },
  )

  it('that packs a bomb is not unpacked (A27)', async () => {
    const model = await seated('openai-chat:m', (request, response) => {
      expect(request.headers['accept-encoding']).toMatch(/^identity(?:, identity)*$/)
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' })
      response.end(Buffer.alloc(1000))
    })
    expect(await errorOf(model.reply(ASK, {}))).toBeInstanceOf(Error)
  })
})

describe('calls of a provider', () => {
  const chunk = (calls: object): string =>
    `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [calls] } }] })}\n\n`
  const END = 'data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n'

  function read(text: string): ModelReply {
    const reader = deepseekCodec('m').reader({
      contentType: 'text/event-stream',
      request: ASK,
      maxBytes: 64 * 1024 * 1024,
    })
    reader.push(new TextEncoder().encode(text))
    return reader.end()
  }

  it('at any place are few, and make no list as long as the place says (A31)', () => {
    for (const index of [1e9, -1, 0.5, '__proto__', null, 2 ** 53]) {
      const { message } = read(
        chunk({ index, id: 'a', function: { name: 'x', arguments: '{}' } }) + END,
      )
      expect(message.calls.map(({ name }) => name)).toEqual(['x'])
    }
  })

  it('more than are made, or with more arguments than are taken, end the reply (A27)', () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      chunk({ index, id: `c${index}`, function: { name: 'x' } }),
    ).join('')
    const large = chunk({
      index: 0,
      id: 'a',
      function: { name: 'x', arguments: 'x'.repeat(2 ** 20) },
    })
    for (const text of [many, large.repeat(5)]) expect(() => read(text + END)).toThrow(ModelError)
  })

  it('by names with controls go back to it as names that can be sent, and hide nothing (A54)', () => {
    const name = 'a\u001b[2J\u0000\u202e\n{"x"'
    const { message } = read(
      chunk({ index: 0, id: 'i\u001b', function: { name, arguments: '{}' } }) + END,
    )
    const transcript = new Transcript()
    transcript.say('Go.')
    transcript.append(message)
    const { text } = deepseekCodec('m').encode({ messages: transcript.messages, tools: [] })
    const sent = Object(JSON.parse(text)).messages[1].tool_calls[0].function.name
    expect(sent).toMatch(/^[\w-]{1,64}$/)
  })
})

describe('counts of a provider', () => {
  const bad: readonly unknown[] = [-5, 1e308, '7', null, 0.5, {}, true, 2 ** 60]
  const bodies: Readonly<Record<string, (n: unknown) => object>> = {
    'openai-chat:m': (n) => ({
      choices: [{ message: { content: 'x' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: n, completion_tokens: n, prompt_cache_hit_tokens: n },
    }),
    'openai:m': (n) => ({
      object: 'response',
      status: 'completed',
      output: [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x' }] },
      ],
      usage: { input_tokens: n, output_tokens: n },
    }),
    'anthropic:m': (n) => ({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'x' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: n, output_tokens: n, cache_read_input_tokens: n },
    }),
    'ollama:m': (n) => ({
      message: { role: 'assistant', content: 'x' },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: n,
      eval_count: n,
    }),
  }

  it.each(PROVIDERS)(
    'that are none count as not told, so that a budget cannot be talked down: %s (A31)',
    async (spec) => {
      for (const count of bad) {
        const model = await seated(spec, answering(`${JSON.stringify(bodies[spec]?.(count))}\n`))
        const { usage, message } = await model.reply({ ...ASK, stream: false }, {})
        expect([message.text, usage], JSON.stringify(count)).toEqual(['x', undefined])
      }
    },
  )

  it('by prices that are none cost nothing that is known (A31)', () => {
    const price = { provider: 'p', model: 'm', input: 1, output: 1 }
    const evil = [
      ...[-1, Number.MAX_VALUE * 2, '1', null, {}].map((input) => ({ ...price, input })),
      { ...price, cachedInput: -1 },
      { ...price, peak: { factor: -1, days: [0], hours: [{ from: 0, to: 24 }] } },
      { ...price, peak: { factor: 2, days: '__proto__', hours: [] } },
      { ...price, provider: { toString: 'p' } },
      null,
    ]
    const { prices, problems } = readPrices(JSON.stringify({ models: evil }))
    expect([prices.models, problems.length]).toEqual([[], evil.length])
    const usage = { input: 5, output: 5 }
    expect(costOf(usage, { provider: 'p', name: 'm' }, { prices, at: 0 })).toBeUndefined()
    for (const text of ['', 'null', '[]', '{"models":{"length":1e9}}', '['.repeat(1e5)])
      expect(readPrices(text).prices.models).toEqual([])
  })
})

describe('the key', () => {
  it.each([301, 302, 303, 307, 308])(
    'does not follow a redirect to anywhere: %i (A47)',
    async (status) => {
      const got: unknown[] = []
      const other = await served((request, response) => {
        got.push(request.headers)
        response.end('{}')
      })
      const model = await seated('openai-chat:m', (_, response) => {
        response.writeHead(status, { location: `${other}/steal` })
        response.end()
      })
      expect(await errorOf(model.reply(ASK, {}))).toBeInstanceOf(ModelError)
      expect(await errorOf(model.names?.() ?? Promise.resolve())).toBeInstanceOf(ModelError)
      expect(got).toEqual([])
    },
  )

  it('of one provider goes to no other address, not by a variable either (A47)', async () => {
    const got: string[] = []
    const url = await served((request, response) => {
      got.push(JSON.stringify(request.headers))
      response.end('{}')
    })
    const { far } = stage()
    const env = {
      DEEPSEEK_API_KEY: KEY,
      OPENAI_API_KEY: KEY,
      ANTHROPIC_API_KEY: KEY,
      OPENROUTER_API_KEY: KEY,
    }
    for (const spec of ['deepseek', 'openai:m', 'anthropic:m', 'openrouter:m/m']) {
      const { model } = modelOf(spec, {
        env: { ...env, DEEP_PILOT_BASE_URL: url },
        exchange: far.exchange,
      })
      const asked = errorOf(model.reply(ASK, {}))
      const call = await far.call(far.calls.length - 1)
      expect(JSON.stringify(call.request)).not.toContain(KEY)
      call.json({ error: 'no' }, 400)
      await asked
    }
  })

  it('is in no error, leg or list that the provider echoes it in (A47)', async () => {
    const echo = `Bearer ${KEY} is wrong`
    const bodies = [
      { error: { message: echo, code: KEY, type: KEY } },
      { message: echo },
      { error: echo },
      `<html>${echo}</html>`,
      `${'x'.repeat(1990)}${KEY}`,
    ]
    for (const status of [400, 401, 403, 404, 422, 429, 500, 200]) {
      for (const body of bodies) {
        const { model, far, ask, legs } = stage({ limits: { tries: 1 }, codec: deepseekCodec('m') })
        const asked = errorOf(ask())
        const call = await far.call(0)
        call.head(status, { 'content-type': 'application/json', 'x-echo': KEY })
        call.data(typeof body === 'string' ? body : JSON.stringify(body)).end()
        const listed = errorOf(model.names?.() ?? Promise.resolve())
        const list = await far.call(1)
        list.head(status, { 'content-type': 'application/json' })
        list.data(typeof body === 'string' ? body : JSON.stringify(body)).end()
        const all = told(await asked) + told(await listed) + JSON.stringify(legs)
        expect(all, `${status} ${JSON.stringify(body).slice(0, 40)}`).not.toContain(KEY)
      }
    }
  })

  it('is in no reply in which the provider says it again, whole or in pieces (A47)', async () => {
    const { far, ask, deltas, legs } = stage({ codec: deepseekCodec('m') })
    const asked = ask()
    const call = await far.call(0)
    const event = (delta: object): string => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`
    call.stream(
      event({ reasoning_content: `I know ${KEY}` }),
      event({ content: `It is ${KEY.slice(0, 9)}` }),
      event({ content: `${KEY.slice(9)}.` }),
      event({
        tool_calls: [{ index: 0, id: KEY, function: { name: KEY, arguments: `{"k":"${KEY}"}` } }],
      }),
      'data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}\n\n',
      'data: [DONE]\n\n',
    )
    call.end()
    const reply = await asked
    expect(JSON.stringify([reply, legs])).not.toContain(KEY)
    expect(reply.message).toMatchObject({ text: 'It is [key].', reasoning: 'I know [key]' })
    const shown = deltas.map((delta) => ('text' in delta ? delta.text : JSON.stringify(delta)))
    expect(shown.filter((text) => text.includes(KEY))).toEqual([])
  })

  it('has no place in an address, and none that is open goes over the network (A47)', () => {
    const env = { DEEP_PILOT_API_KEY: KEY }
    const { far } = stage()
    for (const baseUrl of [
      `https://u:${KEY}@x.test/`,
      'http://models.test/v1',
      'file:///x',
      'javascript:1',
    ])
      expect(() => modelOf('compatible:m', { env, exchange: far.exchange, baseUrl })).toThrow(
        /base URL|plain http|HTTP/i,
      )
    expect(far.calls).toEqual([])
  })
})

it('a wait that a provider asks for is not waited for beyond five minutes (A30)', async () => {
  for (const wait of [
    '301',
    '1000000000',
    '9'.repeat(15),
    'Fri, 31 Dec 9999 23:59:59 GMT',
    '-5',
    'NaN',
    '1e9',
  ]) {
    const { far, ask, legs, later } = stage({ limits: { tries: 2 } })
    const asked = ask().catch((error: unknown) => error)
    ;(await far.call(0)).empty(429, { 'retry-after': wait })
    await later(60_000)
    if (far.calls.length > 1) far.calls[1]?.empty(400)
    expect(await asked, wait).toBeInstanceOf(ModelError)
    const waits = legs.map((leg) => (leg.kind === 'retry' ? leg.delayMs : 0))
    expect(Math.max(...waits)).toBeLessThanOrEqual(60_000)
  }
})

it('names that a provider or a person gives a model lead nowhere else (A01, A54)', async () => {
  const { far } = stage()
  for (const name of [
    '../../admin',
    'm?x=1#y',
    'm\u001b[2J',
    '__proto__',
    'm\r\nx: y',
    'http://evil.example/',
  ]) {
    const { model } = modelOf(`compatible:${name}`, {
      env: {},
      exchange: far.exchange,
      baseUrl: 'http://127.0.0.1:1/v1',
    })
    const asked = errorOf(model.reply(ASK, {}))
    const call = await far.call(far.calls.length - 1)
    expect(call.request.url).toBe('http://127.0.0.1:1/v1/chat/completions')
    expect(JSON.stringify(call.header)).not.toContain('x: y')
    call.json({ error: 'no' }, 400)
    await asked
  }
})
