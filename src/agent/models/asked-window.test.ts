import { describe, expect, it } from 'vitest'
import { fakeClock, type FakeClock } from '../../../test/support/fake-clock.ts'
import { ScriptedExchange } from '../../../test/support/http/scripted-exchange.ts'
import type { Model, ModelReply, ModelRequest } from '../model.ts'
import { modelOf, type ModelOptions } from '../providers.ts'

interface Room {
  readonly model: Model
  readonly far: ScriptedExchange
  readonly clock: FakeClock
  /** Asks, and gives each question its answer in turn. */
  readonly prepared: (...answers: readonly unknown[]) => Promise<number | undefined>
}

function room(spec: string, options: Partial<ModelOptions> = {}): Room {
  const far = new ScriptedExchange()
  const clock = fakeClock()
  const { model } = modelOf(spec, { env: {}, exchange: far.exchange, clock, ...options })
  return {
    model,
    far,
    clock,
    async prepared(...answers) {
      const ready = model.prepare?.()
      for (const [at, answer] of answers.entries()) (await far.call(at)).json(answer)
      await ready
      return model.traits.window
    },
  }
}

const LOADED = { models: [{ name: 'other:8b' }, { name: 'qwen3:8b', context_length: 8192 }] }
const NOT_LOADED = { models: [] }
const SHOWN = { parameters: 'stop    "<|x|>"\nnum_ctx                        16384', license: '' }

describe('a window that nobody named', () => {
  it.each([
    ['ollama:qwen3:8b', [LOADED], 8192],
    ['ollama:qwen3:8b', [NOT_LOADED, SHOWN], 16_384],
    ['ollama:m', [{ models: [{ name: 'm:latest', context_length: 4096 }] }], 4096],
    ['ollama:m', [NOT_LOADED, { parameters: 'num_ctx 1 2' }], undefined],
    ['llamacpp:any', [{ default_generation_settings: { n_ctx: 65_536 } }], 65_536],
    ['vllm:a/b', [{ data: [{ id: 'x' }, { id: 'a/b', max_model_len: 40_960 }] }], 40_960],
    ['vllm:a/b', [{ data: [{ id: 'x', max_model_len: 40_960 }] }], undefined],
  ] as const)('of %s is what the server says of it: %j', async (spec, answers, window) => {
    const { prepared, far } = room(spec)
    expect(await prepared(...answers)).toBe(window)
    expect(far.calls).toHaveLength(answers.length)
  })

  it('is asked for where each server tells it, with the key that it has', async () => {
    const env = { DEEP_PILOT_API_KEY: 'sk-own-0001' }
    const ollama = room('ollama:qwen3:8b', { env })
    await ollama.prepared(NOT_LOADED, SHOWN)
    const [first, second] = ollama.far.calls.map(({ request }) => request)
    expect([first?.method, first?.url]).toEqual(['GET', 'http://127.0.0.1:11434/api/ps'])
    expect([second?.method, second?.url]).toEqual(['POST', 'http://127.0.0.1:11434/api/show'])
    expect(second?.body).toBe('{"model":"qwen3:8b"}')
    expect(first?.headers).toMatchObject({ authorization: 'Bearer sk-own-0001' })
    const llamacpp = room('llamacpp:m')
    await llamacpp.prepared({})
    expect(llamacpp.far.calls[0]?.request.url).toBe('http://127.0.0.1:8080/props')
    const vllm = room('vllm:m', { baseUrl: 'http://localhost:9000/models/v1/' })
    await vllm.prepared({})
    expect(vllm.far.calls[0]?.request.url).toBe('http://localhost:9000/models/v1/models')
  })

  it('is asked for once, and not where it is known', async () => {
    const once = room('llamacpp:m')
    await once.prepared({})
    await once.model.prepare?.()
    expect(once.far.calls).toHaveLength(1)
    const known = room('llamacpp:m', { contextTokens: 4096 })
    expect(await known.prepared()).toBe(4096)
    expect(known.far.calls).toHaveLength(0)
    const others = [
      room('deepseek', { env: { DEEPSEEK_API_KEY: 'sk-1' } }),
      room('m', { baseUrl: 'http://localhost/v1' }),
    ]
    for (const { model } of others) expect(model).not.toHaveProperty('prepare')
  })

  it.each([0, -4096, 100, 4096.5, 1e9, '4096', null, true, { n: 1 }, [4096]])(
    'is not believed to be %j',
    async (value) => {
      const { prepared } = room('llamacpp:m')
      expect(await prepared({ default_generation_settings: { n_ctx: value } })).toBeUndefined()
    },
  )

  it.each(['not there', 'a redirect', 'no JSON', 'a list', 'too deep', 'cut', 'endless'])(
    'stays unknown where the answer is %s',
    async (what) => {
      const { model, far } = room('llamacpp:m')
      const ready = model.prepare?.()
      const call = await far.call(0)
      const settings = { default_generation_settings: { n_ctx: 4096 } }
      if (what === 'not there') call.json(settings, 404)
      else if (what === 'a redirect') call.json(settings, 302, { location: 'http://10.0.0.1/' })
      else if (what === 'no JSON') call.stream('<html>').end()
      else if (what === 'a list') call.json([settings])
      else if (what === 'too deep') call.stream('{"a":['.repeat(2_000)).end()
      else if (what === 'cut') call.stream('{"default_').fail()
      else for (let piece = 0; piece < 5; piece += 1) call.stream(' '.repeat(1024 * 1024))
      await ready
      expect(model.traits.window).toBeUndefined()
      expect(far.calls).toHaveLength(1)
    },
  )

  it('is no longer read than four megabytes', async () => {
    const { model, far } = room('llamacpp:m')
    const ready = model.prepare?.()
    const call = (await far.call(0)).stream(' '.repeat(4 * 1024 * 1024))
    await ready
    expect([call.aborted, model.traits.window]).toEqual([true, undefined])
  })

  it('is not asked for behind the back of who did not ask', async () => {
    const { model, far } = room('ollama:m')
    const asked = model.reply(talk(1))
    answer(await far.call(0), 10)
    await asked
    expect(far.calls).toHaveLength(1)
  })

  it('is not waited for longer than two seconds', async () => {
    const { model, far, clock } = room('llamacpp:m')
    const ready = model.prepare?.()
    const call = await far.call(0)
    await clock.advance(2_000)
    await ready
    expect(call.aborted).toBe(true)
    expect(model.traits.window).toBeUndefined()
  })

  it('is asked of Ollama for each request, once it is known', async () => {
    const { model, far, prepared } = room('ollama:qwen3:8b')
    await prepared(LOADED)
    const reply = model.reply(talk(1))
    const call = await far.call(1)
    expect(JSON.parse(call.request.body ?? '')).toMatchObject({ options: { num_ctx: 8192 } })
    answer(call, 10)
    await reply
    expect(far.calls).toHaveLength(2)
  })
})

/** A conversation of so many words of one token and a half, as estimates go. */
function talk(words: number): ModelRequest {
  const text = 'word '.repeat(words)
  return { messages: [{ role: 'user', parts: [{ type: 'text', text }] }], tools: [] }
}

function answer(call: Awaited<ReturnType<ScriptedExchange['call']>>, counted: number): void {
  const said = { message: { role: 'assistant', content: 'Hm.' }, done: true, done_reason: 'stop' }
  call.sending().left().head(200, { 'content-type': 'application/x-ndjson' })
  call.data(`${JSON.stringify({ ...said, prompt_eval_count: counted, eval_count: 3 })}\n`).end()
}

/** The reply of Ollama to so many words, with its count of the prompt and the window of what is loaded. */
async function replied(
  words: number,
  counted: number,
  loaded?: number,
): Promise<{ readonly reply: ModelReply; readonly window: number | undefined }> {
  const known = loaded === undefined ? { contextTokens: 4096 } : {}
  const { model, far } = room('ollama:m', known)
  const ready = loaded === undefined ? undefined : model.prepare?.()
  if (ready !== undefined) {
    for (const at of [0, 1]) (await far.call(at)).json(NOT_LOADED)
    await ready
  }
  const asked = model.reply(talk(words))
  const at = far.calls.length - 1
  answer(await far.call(at), counted)
  if (ready !== undefined)
    (await far.call(at + 1)).json({ models: [{ name: 'm', context_length: loaded }] })
  return { reply: await asked, window: model.traits.window }
}

const kinds = ({ warnings }: ModelReply): readonly string[] => warnings.map(({ kind }) => kind)

describe('a prompt that Ollama cut', () => {
  it.each([
    ['half of the window is counted', 3_000, 2_050],
    ['much more was sent than fits', 6_000, 3_100],
  ])('is told of where %s, and its counts are left out', async (_, words, counted) => {
    const { reply } = await replied(words, counted)
    expect(kinds(reply)).toEqual(['cut-prompt'])
    expect(reply.warnings[0]?.message).toContain('4096 tokens')
    expect(reply.warnings[0]?.message).toContain('--context')
    expect(reply.usage).toBeUndefined()
  })

  it.each([
    ['that fits', 1_900, 2_048],
    ['that is counted as it was sent', 3_000, 4_000],
    ['of which most was in a cache', 2_500, 12],
  ])('is not one %s', async (_, words, counted) => {
    const { reply } = await replied(words, counted)
    expect(kinds(reply)).toEqual([])
    expect(reply.usage?.input).toBe(counted)
  })

  it('is told of where the window is known only once the model is loaded', async () => {
    const { reply, window } = await replied(6_000, 2_050, 4096)
    expect([kinds(reply), window]).toEqual([['cut-prompt'], 4096])
  })

  it('is not looked for where the server refuses what is too long', async () => {
    const { model, far } = room('llamacpp:m', { contextTokens: 1_000 })
    const asked = model.reply(talk(6_000))
    const choice = { index: 0, message: { content: 'Hm.' }, finish_reason: 'stop' }
    const usage = { prompt_tokens: 500, completion_tokens: 1, total_tokens: 501 }
    ;(await far.call(0)).json({ choices: [choice], usage })
    expect(kinds(await asked)).toEqual([])
    expect(far.calls).toHaveLength(1)
  })
})
