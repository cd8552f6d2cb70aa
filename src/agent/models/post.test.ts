import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { KEY, errorOf, stage, texts } from '../../../test/support/model-stage.ts'
import { ModelError, TransportError } from '../../base/errors.ts'

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

  it('waits as long as the provider asks, in seconds or until a date', async () => {
    const seconds = stage()
    void errorOf(seconds.ask())
    ;(await seconds.far.call(0)).json({}, 429, { 'retry-after': '7' })
    await seconds.clock.advance(0)
    const error = { code: 'DP_MODEL_BUSY', status: 429 }
    expect(seconds.legs.at(-1)).toMatchObject({ kind: 'retry', delayMs: 7_000, error })

    const dated = fakeClock(Date.parse('2026-12-02T10:00:00Z'))
    const date = stage({ clock: dated })
    void errorOf(date.ask())
    const headers = { 'retry-after': 'Wed, 02 Dec 2026 10:00:09 GMT' }
    ;(await date.far.call(0)).json({}, 503, headers)
    await dated.advance(0)
    expect(date.legs.at(-1)).toMatchObject({ kind: 'retry', delayMs: 9_000 })

    const long = stage()
    void errorOf(long.ask())
    ;(await long.far.call(0)).json({}, 429, { 'retry-after': '300' })
    await long.clock.advance(0)
    expect(long.legs.at(-1)).toMatchObject({
      kind: 'retry',
      delayMs: 300_000,
      why: expect.stringContaining('300 seconds'),
    })
  })

  it('is not made when the provider asks for more than five minutes, and the error names the time', async () => {
    const { far, ask, clock, legs } = stage()
    const asked = errorOf(ask())
    ;(await far.call(0)).json({}, 429, { 'retry-after': '301' })
    expect(await asked).toMatchObject({
      code: 'DP_MODEL_BUSY',
      retryAfterMs: 301_000,
      message: expect.stringContaining('301 seconds'),
    })
    expect(legs.map(({ kind }) => kind)).toEqual(['request', 'reply'])
    expect(clock.pending).toBe(0)
  })

  it('is not made when its wait would go beyond the time that the caller has', async () => {
    const fits = stage()
    void errorOf(fits.ask({}, undefined, 7_001))
    ;(await fits.far.call(0)).json({}, 429, { 'retry-after': '7' })
    await fits.clock.advance(0)
    expect(fits.legs.at(-1)).toMatchObject({ kind: 'retry', delayMs: 7_000 })

    const over = stage()
    const asked = errorOf(over.ask({}, undefined, 7_000))
    ;(await over.far.call(0)).json({}, 429, { 'retry-after': '7' })
    expect(await asked).toMatchObject({ retryAfterMs: 7_000 })
    expect(over.far.calls).toHaveLength(1)
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

  it('is called the same however the stream was cut after its head', async () => {
    const errors: unknown[] = []
    for (const cut of ['end', 'fail'] as const)
      for (const sent of [[], ['t:half\n'], ['t:ha']]) {
        const { far, ask } = stage({ limits: { tries: 1 } })
        const asked = errorOf(ask())
        ;(await far.call(0)).stream(...sent)[cut]()
        errors.push(await asked)
      }
    for (const error of errors)
      expect(error).toMatchObject({ code: 'DP_MODEL_CUT', family: 'model' })
    expect(errors).toHaveLength(6)
    expect(errors.at(-1)).toMatchObject({ cause: expect.any(TransportError) })
  })

  it('is called a failure of the carrier where no answer had begun', async () => {
    const { far, ask } = stage({ limits: { tries: 1 } })
    const asked = errorOf(ask())
    ;(await far.call(0)).sending().fail()
    expect(await asked).toMatchObject({ family: 'transport' })
  })

  it('of a list of models that broke off is no list that cannot be read', async () => {
    const { far, model } = stage()
    const asked = errorOf(model.names?.() ?? Promise.resolve())
    ;(await far.call(0)).stream('{"data":[{"id"').fail()
    expect(await asked).toMatchObject({ code: 'DP_MODEL_CUT' })
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
