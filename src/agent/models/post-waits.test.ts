import { describe, expect, it } from 'vitest'
import { KEY, errorOf, stage } from '../../../test/support/model-stage.ts'
import { TimeoutError } from '../../base/errors.ts'

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
    for (const [at, body] of ['{}', '<html>', '['.repeat(500), 'null'].entries()) {
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
