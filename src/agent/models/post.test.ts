import { describe, expect, it } from 'vitest'
import { fakeClock, type FakeClock } from '../../../test/support/fake-clock.ts'
import { ScriptedExchange } from '../../../test/support/http/scripted-exchange.ts'
import { plainCodec } from '../../../test/support/plain-codec.ts'
import { ModelError, TimeoutError, TransportError } from '../../base/errors.ts'
import type { Model, ModelDelta, ModelLeg, ModelReply, ModelRequest } from '../model.ts'
import { modelAt, type Endpoint } from './post.ts'

const KEY = 'sk-0123456789abcdef'
const TRAITS = {
  window: 1000,
  maxTools: 10,
  maxDescription: 100,
  images: false,
  resultImages: false,
}
const ASK: ModelRequest = {
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
  tools: [],
}

interface Stage {
  readonly model: Model
  readonly far: ScriptedExchange
  readonly clock: FakeClock
  readonly deltas: ModelDelta[]
  readonly legs: ModelLeg[]
  ask(request?: Partial<ModelRequest>, signal?: AbortSignal): Promise<ModelReply>
  /** Lets what has happened sink in, then moves time. */
  later(ms: number): Promise<void>
}

/** A model whose far side is in the hands of the test; chance always draws the longest wait. */
function stage(parts: Partial<Endpoint> = {}): Stage {
  const far = new ScriptedExchange()
  const clock = fakeClock()
  const deltas: ModelDelta[] = []
  const legs: ModelLeg[] = []
  const model = modelAt(
    {
      provider: 'plain',
      baseUrl: 'https://models.test/v1/',
      key: KEY,
      keyHeader: 'bearer',
      codec: plainCodec,
      exchange: far.exchange,
      clock,
      random: (bytes) => new Uint8Array(bytes).fill(255),
      ...parts,
    },
    { name: 'plain-1', dialect: 'plain', traits: TRAITS, namesPath: '/models' },
  )
  return {
    model,
    far,
    clock,
    deltas,
    legs,
    async later(ms) {
      await clock.advance(0)
      await clock.advance(ms)
    },
    ask: (request = {}, signal) =>
      model.reply(
        { ...ASK, ...request },
        {
          onDelta: (delta) => void deltas.push(delta),
          onLeg: (leg) => void legs.push(leg),
          ...(signal !== undefined && { signal }),
        },
      ),
  }
}

const texts = (deltas: readonly ModelDelta[]): readonly string[] =>
  deltas.map((delta) => (delta.kind === 'text' ? delta.text : `<${delta.kind}>`))

/** What a promise was rejected with. */
async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('It was not rejected.')
}

describe('a request to a model', () => {
  it('posts the text of the codec below the base URL with the key in its header', async () => {
    const { far, ask } = stage({ headers: { 'x-more': '1' } })
    const asked = ask()
    const call = await far.call(0)
    call.stream('t:hi\n.stop\n').end()
    expect((await asked).message.text).toBe('hi')
    expect(call.request).toMatchObject({
      method: 'POST',
      url: 'https://models.test/v1/ask',
      body: '{"say":1}',
    })
    expect(call.header).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'x-more': '1',
    })
  })

  it('tells the key in the header that the provider reads, or in none', async () => {
    const named = stage({ keyHeader: 'x-api-key' })
    void named.ask()
    expect((await named.far.call(0)).header).toMatchObject({ 'x-api-key': KEY })
    expect((await named.far.call(0)).header).not.toHaveProperty('authorization')
    const none = stage({ keyHeader: 'none' })
    void none.ask()
    expect(JSON.stringify((await none.far.call(0)).header)).not.toContain(KEY)
  })

  it('takes blanks off a key, and refuses one that no header can hold without showing it', () => {
    expect(() => stage({ key: ` ${KEY}\n` })).not.toThrow()
    for (const key of ['sk-with blank', 'sk-ключ', 'sk\r\nx: y']) {
      expect(() => stage({ key })).toThrow(ModelError)
      expect(() => stage({ key })).not.toThrow(key)
    }
  })

  it('keeps the query of a base URL, and does not show it', async () => {
    const { far, ask, legs } = stage({ baseUrl: 'https://models.test/x?version=secret' })
    void ask()
    expect((await far.call(0)).request.url).toBe('https://models.test/x/ask?version=secret')
    expect(legs).toEqual([
      { kind: 'request', attempt: 1, url: 'https://models.test/x/ask?…', body: '{"say":1}' },
    ])
  })

  it('refuses a base URL that is none, and one with credentials in it without repeating them', () => {
    for (const baseUrl of ['models.test', 'ftp://models.test', '', 'https://me:hidden@models.test'])
      expect(() => stage({ baseUrl })).toThrow(/The base URL of the model/)
    expect(() => stage({ baseUrl: 'https://me:hidden@models.test' })).not.toThrow(/hidden/)
  })

  it('adds the warnings of the request to those of the reply', async () => {
    const { far, ask } = stage()
    const asked = ask({ temperature: 1 })
    ;(await far.call(0)).stream('.stop\n').end()
    expect((await asked).warnings.map(({ kind }) => kind)).toEqual(['ignored-option'])
  })

  it('tells each leg with the exact text of both ways', async () => {
    const { far, ask, legs } = stage()
    const asked = ask()
    ;(await far.call(0)).stream('t:ä', '\n.stop\n').end()
    await asked
    expect(legs).toEqual([
      { kind: 'request', attempt: 1, url: 'https://models.test/v1/ask', body: '{"say":1}' },
      {
        kind: 'reply',
        attempt: 1,
        status: 200,
        contentType: 'text/event-stream',
        body: 't:ä\n.stop\n',
      },
    ])
  })

  it('ends with what closes its connections', () => {
    const { model, far } = stage()
    model.close?.()
    expect(far.closed).toBe(1)
  })
})

describe('a repeat', () => {
  it.each([429, 500, 502, 503, 504, 529])('is made after status %i', async (status) => {
    const { far, ask, later, legs } = stage()
    const asked = ask()
    ;(await far.call(0)).json({ error: { message: 'later' } }, status)
    await later(1_000)
    ;(await far.call(1)).stream('t:ok\n.stop\n').end()
    expect((await asked).message.text).toBe('ok')
    expect(legs.map(({ kind, attempt }) => `${kind} ${attempt}`)).toEqual([
      'request 1',
      'reply 1',
      'retry 1',
      'request 2',
      'reply 2',
    ])
  })

  it.each([400, 401, 402, 403, 404, 413, 422])('is not made after status %i', async (status) => {
    const { far, ask, clock } = stage()
    const asked = errorOf(ask())
    ;(await far.call(0)).json({ error: { message: 'no' } }, status)
    expect(await asked).toMatchObject({ status, said: 'no', retryable: false })
    expect(far.calls).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  it('is made twice and no more, and the last failure is told', async () => {
    const { far, ask, later } = stage()
    const asked = errorOf(ask())
    for (const at of [0, 1, 2]) {
      ;(await far.call(at)).json({ error: `failure ${at}` }, 500)
      await later(30_000)
    }
    expect(await asked).toMatchObject({ code: 'DP_MODEL_FAILED', said: 'failure 2' })
    expect(far.calls).toHaveLength(3)
  })

  it('waits as long as the provider asks, in seconds or until a date, and a minute at most', async () => {
    const seconds = stage()
    void errorOf(seconds.ask())
    ;(await seconds.far.call(0)).json({}, 429, { 'retry-after': '7' })
    await seconds.clock.advance(0)
    expect(seconds.legs.at(-1)).toMatchObject({ kind: 'retry', delayMs: 7_000 })

    const dated = fakeClock(Date.parse('2026-12-02T10:00:00Z'))
    const date = stage({ clock: dated })
    void errorOf(date.ask())
    const headers = { 'retry-after': 'Wed, 02 Dec 2026 10:00:09 GMT' }
    ;(await date.far.call(0)).json({}, 503, headers)
    await dated.advance(0)
    expect(date.legs.at(-1)).toMatchObject({ kind: 'retry', delayMs: 9_000 })

    const long = stage()
    void errorOf(long.ask())
    ;(await long.far.call(0)).json({}, 429, { 'retry-after': '86400' })
    await long.clock.advance(0)
    expect(long.legs.at(-1)).toMatchObject({ kind: 'retry', delayMs: 60_000 })
  })

  it('is not made before its time', async () => {
    const { far, ask, clock, later } = stage()
    void errorOf(ask())
    ;(await far.call(0)).json({}, 429, { 'retry-after': '7' })
    await later(6_999)
    expect(far.calls).toHaveLength(1)
    await clock.advance(1)
    expect(far.calls).toHaveLength(2)
  })

  it('is made when nobody was reached or the connection was reset', async () => {
    const { far, ask, later } = stage()
    const asked = ask()
    const refused = new TransportError('DP_TRANSPORT_CONNECT', 'not there', { sent: 'no' })
    ;(await far.call(0)).fail(refused)
    await later(1_000)
    ;(await far.call(1)).sending().fail()
    await later(2_000)
    ;(await far.call(2)).stream('.stop\n').end()
    expect((await asked).finish).toBe('stop')
  })

  it('is made after a stream that was cut, and what was shown is called back first', async () => {
    const { far, ask, later, deltas } = stage()
    const asked = ask()
    ;(await far.call(0)).stream('w\n', 't:half\n').end()
    await later(1_000)
    ;(await far.call(1)).stream('t:whole\n', '.stop\n').end()
    expect((await asked).message.text).toBe('whole')
    expect(texts(deltas)).toEqual(['<waiting>', 'half', '<restart>', 'whole'])
  })

  it('calls nothing back where nothing but signs of life was shown', async () => {
    const { far, ask, later, deltas } = stage()
    const asked = ask()
    ;(await far.call(0)).stream('w\n').end()
    await later(1_000)
    ;(await far.call(1)).stream('.stop\n').end()
    await asked
    expect(texts(deltas)).toEqual(['<waiting>'])
  })

  it('is made after a failure within the stream when that may pass', async () => {
    const { far, ask, later } = stage()
    const asked = ask()
    const first = (await far.call(0)).stream('t:x\n', '!overloaded\n')
    await later(1_000)
    expect(first.aborted).toBe(true)
    ;(await far.call(1)).stream('.stop\n').end()
    expect((await asked).finish).toBe('stop')
  })

  it('is not made after a failure within the stream that is final', async () => {
    const { far, ask } = stage()
    const asked = errorOf(ask())
    ;(await far.call(0)).stream('#not like this\n')
    expect(await asked).toMatchObject({ code: 'DP_MODEL_REQUEST', said: 'not like this' })
    expect(far.calls).toHaveLength(1)
  })

  it('is made of a reply that the provider broke off, which is given as it is at last', async () => {
    const { far, ask, later, deltas } = stage()
    const asked = ask()
    for (const at of [0, 1, 2]) {
      ;(await far.call(at)).stream(`t:${at}\n.interrupted\n`).end()
      await later(5_000)
    }
    expect(await asked).toMatchObject({ finish: 'interrupted', message: { text: '2' } })
    expect(texts(deltas)).toEqual(['0', '<restart>', '1', '<restart>', '2'])
  })

  it('is not made when its wait would go beyond the time for all tries', async () => {
    const { far, ask } = stage({ limits: { totalMs: 5_000 } })
    const asked = errorOf(ask())
    ;(await far.call(0)).json({ error: 'busy' }, 429, { 'retry-after': '6' })
    expect(await asked).toMatchObject({ code: 'DP_MODEL_BUSY', retryAfterMs: 6_000 })
    expect(far.calls).toHaveLength(1)
  })

  it('is never made of what follows a redirect, which is told', async () => {
    const { far, ask } = stage()
    const asked = errorOf(ask())
    ;(await far.call(0)).empty(307, { location: 'https://elsewhere.test/' })
    expect(await asked).toMatchObject({ code: 'DP_MODEL_FAILED', status: 307 })
    expect(far.calls).toHaveLength(1)
  })
})

describe('a wait for a model', () => {
  it('ends after ten minutes without a byte, and is not made again', async () => {
    const { far, ask, clock } = stage()
    const asked = errorOf(ask())
    const call = (await far.call(0)).stream()
    await clock.advance(600_000)
    expect(await asked).toMatchObject({ timer: 'start', ms: 600_000 })
    expect(call.aborted).toBe(true)
    expect(far.calls).toHaveLength(1)
  })

  it('ends after two minutes of silence within the answer, for which any byte is no silence', async () => {
    const { far, ask, clock } = stage({ limits: { tries: 1 } })
    const asked = errorOf(ask())
    const call = (await far.call(0)).stream('t:x\n')
    for (let minute = 0; minute < 10; minute += 1) {
      await clock.advance(119_999)
      call.data('w\n')
    }
    expect(call.aborted).toBe(false)
    await clock.advance(120_000)
    expect(await asked).toBeInstanceOf(TimeoutError)
    expect(await asked).toMatchObject({ timer: 'idle', ms: 120_000 })
    expect(call.aborted).toBe(true)
  })

  it('ends after half an hour, whatever comes', async () => {
    const { far, ask, clock } = stage()
    const asked = errorOf(ask())
    const call = (await far.call(0)).stream()
    for (let minute = 0; minute < 30; minute += 1) {
      call.data('w\n')
      await clock.advance(60_000)
    }
    expect(await asked).toMatchObject({ timer: 'total', ms: 1_800_000 })
  })

  it('is over with a whole reply also when the far side does not hang up, or not in good manners', async () => {
    const silent = stage()
    const first = silent.ask()
    ;(await silent.far.call(0)).stream('t:a\n.stop\n')
    await silent.clock.advance(120_000)
    expect((await first).message.text).toBe('a')

    const reset = stage()
    const second = reset.ask()
    ;(await reset.far.call(0)).stream('t:b\n.stop\n').fail()
    expect((await second).message.text).toBe('b')
  })

  it('tells the status also when the body of a failure never ends', async () => {
    const { far, ask, clock } = stage()
    const asked = errorOf(ask())
    const call = (await far.call(0)).sending().head(402).data('{"error":"Insufficient Balance"}')
    await clock.advance(120_000)
    expect(await asked).toMatchObject({ code: 'DP_MODEL_BALANCE', said: 'Insufficient Balance' })
    expect(call.aborted).toBe(true)
  })

  it('ends at an answer with more bytes than are accepted', async () => {
    const { far, ask } = stage({ limits: { maxReplyBytes: 100 } })
    const asked = errorOf(ask())
    const call = (await far.call(0)).stream(`t:${'x'.repeat(99)}`)
    expect(await asked).toMatchObject({ code: 'DP_MODEL_UNREADABLE' })
    expect(call.aborted).toBe(true)
  })

  it('reads no more than 64 KiB of what is said of a failure', async () => {
    const { far, ask } = stage()
    const asked = errorOf(ask())
    const call = (await far.call(0)).sending().head(400)
    for (let piece = 0; piece < 64; piece += 1) call.data('y'.repeat(1024))
    expect(await asked).toMatchObject({ status: 400 })
    expect(call.aborted).toBe(true)
  })

  it('ends with the reason of its signal, under way and between two tries, and leaves no timer', async () => {
    const reason = new Error('enough')
    const under = stage()
    const stop = new AbortController()
    const first = errorOf(under.ask({}, stop.signal))
    const call = (await under.far.call(0)).stream('t:x\n')
    stop.abort(reason)
    expect(await first).toBe(reason)
    expect(call.aborted).toBe(true)
    expect(under.clock.pending).toBe(0)

    const between = stage()
    const later = new AbortController()
    const second = errorOf(between.ask({}, later.signal))
    ;(await between.far.call(0)).json({}, 503)
    await between.clock.advance(1)
    later.abort(reason)
    expect(await second).toBe(reason)
    expect(between.far.calls).toHaveLength(1)
    expect(between.clock.pending).toBe(0)
  })

  it('does not begin with a signal that is aborted', async () => {
    const { far, ask } = stage()
    const error = await errorOf(ask({}, AbortSignal.abort('tired')))
    expect(error).toMatchObject({ code: 'DP_CANCELLED', reason: 'tired' })
    expect(far.calls).toHaveLength(0)
  })
})

describe('the key of a model', () => {
  it('stands neither in errors nor in legs when the far side repeats it', async () => {
    const { far, ask, legs } = stage()
    const asked = errorOf(ask())
    ;(await far.call(0)).json({ error: { message: `bad key ${KEY}`, code: KEY } }, 401)
    const error = await asked
    expect(error).toMatchObject({ code: 'DP_MODEL_KEY', said: 'bad key [key]' })
    expect(JSON.stringify([legs, error, String(error)])).not.toContain(KEY)
  })

  it('stands in no error that was told within a stream', async () => {
    const { far, ask, legs } = stage()
    const asked = errorOf(ask())
    ;(await far.call(0)).stream(`#you sent ${KEY}\n`)
    const error = await asked
    expect(error).toMatchObject({ code: 'DP_MODEL_REQUEST', said: 'you sent [key]' })
    expect(JSON.stringify([legs, error, String(error)])).not.toContain(KEY)
  })
})

describe('the names of models', () => {
  it('are asked for below the base URL with the key', async () => {
    const { far, model } = stage()
    const asked = model.names?.()
    const call = await far.call(0)
    call.json({ object: 'list', data: [{ id: 'a' }, { id: 'b' }, { id: 'a' }, { id: 7 }] })
    expect(await asked).toEqual(['a', 'b'])
    expect(call.request).toMatchObject({ method: 'GET', url: 'https://models.test/v1/models' })
    expect(call.header['authorization']).toBe(`Bearer ${KEY}`)
  })

  it('are read from the other shapes in use', async () => {
    const { far, model } = stage()
    const first = model.names?.()
    ;(await far.call(0)).json({ models: [{ name: 'qwen:8b', model: 'qwen:8b' }] })
    expect(await first).toEqual(['qwen:8b'])
    const second = model.names?.()
    ;(await far.call(1)).json([{ id: 'x' }])
    expect(await second).toEqual(['x'])
  })

  it('end with an error where the answer is a failure or no list', async () => {
    const { far, model } = stage()
    const first = errorOf(Promise.resolve(model.names?.()))
    ;(await far.call(0)).json({ error: { message: 'who?' } }, 401)
    expect(await first).toMatchObject({ code: 'DP_MODEL_KEY' })
    for (const [at, body] of ['{}', '<html>', `${'['.repeat(500)}`, 'null'].entries()) {
      const asked = errorOf(Promise.resolve(model.names?.()))
      ;(await far.call(at + 1)).sending().head(200).data(body).end()
      expect(await asked).toMatchObject({ code: 'DP_MODEL_UNREADABLE' })
    }
  })

  it('are no more than ten thousand', async () => {
    const { far, model } = stage()
    const asked = model.names?.()
    ;(await far.call(0)).json({
      data: Array.from({ length: 10_050 }, (_, at) => ({ id: `m${at}` })),
    })
    expect(await asked).toHaveLength(10_000)
  })
})
