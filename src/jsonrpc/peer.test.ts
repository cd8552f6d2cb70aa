import { describe, expect, it } from 'vitest'
import { ask, result, stage, turn } from '../../test/support/peer-stage.ts'
import { TransportError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { Notification } from './message.ts'

describe('requests of ours', () => {
  it('get ids that count up and are never used again [RPC-03, RPC-04, RPC-05]', async () => {
    const { link, peer } = await stage()
    for (let count = 0; count < 3; count += 1) {
      const { id, result: answer } = peer.request('m')
      await link.say(result(id))
      await answer
    }
    expect(link.written.map(({ id }) => id)).toEqual([1, 2, 3])
  })

  it('are matched by id, whatever the order of the answers [RPC-06]', async () => {
    const { link, peer } = await stage()
    const asked = [1, 2, 3].map(() => peer.request('m').result)
    for (const id of [3, 1, 2]) await link.say(result(id, { id }))
    expect(await Promise.all(asked)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  })

  it('are not ended by an id of another type, of nobody, or for the second time [RPC-06, RPC-29]', async () => {
    const { link, peer, notes } = await stage()
    const asked = peer.request('m').result
    for (const id of ['1', 77, 'x']) await link.say(result(id, { wrong: true }))
    await link.say(result(1, { right: true }))
    await link.say(result(1, { wrong: true }))
    expect(await asked).toEqual({ right: true })
    await turn()
    expect(notes).toEqual(['unknown-id', 'unknown-id', 'unknown-id', 'duplicate'])
  })

  it('reject with what the peer said, and with nothing of ours mixed in [ERR-13, RPC-09]', async () => {
    const { link, peer } = await stage()
    const asked = peer.request('m').result
    await link.say({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no', data: [1] } })
    await expect(asked).rejects.toMatchObject({
      family: 'rpc',
      rpcCode: -32602,
      message: 'no',
      data: [1],
      method: 'm',
      id: 1,
    })
  })

  it('are not ended by an error without an id, also when only one is open [RPC-08]', async () => {
    const { link, peer, notes } = await stage()
    const asked = peer.request('m').result
    await link.say({ jsonrpc: '2.0', error: { code: -1, message: 'x' } })
    await link.say({ jsonrpc: '2.0', id: null, error: { code: -1, message: 'x' } })
    await link.say(result(1))
    expect(await asked).toEqual({})
    expect(notes).toEqual(['error-without-id', 'error-without-id'])
  })

  it('may be saved by who sent them, who is given the answer where one came that is no message', async () => {
    const { link, peer } = await stage()
    const seen: unknown[] = []
    const requested = {
      encode: () => undefined,
      read: () => 'read',
      rescue: (error: Error, _: number, text?: string) => {
        seen.push([error.message, text])
        return text === undefined ? undefined : Promise.resolve('saved')
      },
    }
    const [bad, failed] = [peer.ask('m', requested, {}), peer.ask('m', requested, {})]
    const deep = `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(200)}${']'.repeat(200)}}`
    await link.say(deep)
    await link.say({ jsonrpc: '2.0', id: 2, error: { code: 1, message: 'no' } })
    expect(await bad.result).toBe('saved')
    await expect(failed.result).rejects.toThrow('no')
    const told = 'The answer to m is no valid JSON-RPC: nested deeper than 128 levels.'
    expect(seen).toEqual([
      [told, deep],
      ['no', undefined],
    ])
  })

  it('reject at once when their answer is no valid answer [RPC-07]', async () => {
    const { link, peer } = await stage()
    const asked = peer.request('m').result
    await link.say({ jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: 'x' } })
    await expect(asked).rejects.toMatchObject({
      code: 'DP_PROTOCOL_MESSAGE',
      requirement: 'RPC-07',
    })
  })

  it('fail alone when their answer is too large, and the link goes on', async () => {
    const { link, peer } = await stage()
    const [large, small] = [peer.request('m').result, peer.request('m').result]
    const head = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"result":{"x":"')
    link.unreadable({ reason: 'too-large', size: 1e8, head, tail: new Uint8Array(0) })
    await link.say(result(2, { ok: 1 }))
    await expect(large).rejects.toMatchObject({ code: 'DP_TRANSPORT_TOO_LARGE' })
    expect(await small).toEqual({ ok: 1 })
  })

  it('are refused beyond the limit, and nothing is sent', async () => {
    const { link, peer } = await stage({ maxPending: 2 })
    const kept = [peer.request('m').result, peer.request('m').result]
    await expect(peer.request('m').result).rejects.toMatchObject({
      code: 'DP_TRANSPORT_OVERLOADED',
      sent: 'no',
    })
    expect(link.written).toHaveLength(2)
    await link.say(result(1))
    await link.say(result(2))
    await Promise.all(kept)
  })

  it('all reject when the far side is gone, each with the exit facts and whether it was sent', async () => {
    const { link, peer } = await stage()
    link.sent = 'maybe'
    const asked = Array.from({ length: 100 }, () =>
      peer.request('m').result.catch((error: unknown) => error),
    )
    link.end(
      new TransportError('DP_TRANSPORT_EXIT', 'it ended', {
        exitCode: 7,
        stderr: 'last words',
        detail: { kind: 'exited' },
      }),
    )
    const errors = await Promise.all(asked)
    expect(new Set(errors.map((error) => (error as TransportError).code))).toEqual(
      new Set(['DP_TRANSPORT_EXIT']),
    )
    expect(errors[0]).toMatchObject({
      exitCode: 7,
      stderr: 'last words',
      sent: 'maybe',
      method: 'm',
      id: 1,
      detail: { kind: 'exited' },
    })
    expect(peer.pending).toBe(0)
  })
})

describe('time limits and cancellation', () => {
  it('end a request after its idle limit, tell the peer and say which limit and who set it [LIFE-18, CANC-01]', async () => {
    const { link, peer, clock } = await stage()
    const asked = peer
      .request('m', undefined, { idle: { ms: 800, setBy: 'call' } })
      .result.catch((error: unknown) => error)
    await clock.advance(799)
    expect(peer.pending).toBe(1)
    await clock.advance(20)
    expect(await asked).toMatchObject({
      code: 'DP_TIMEOUT',
      timer: 'idle',
      ms: 800,
      setBy: 'call',
      sent: 'yes',
    })
    expect(link.written.at(-1)).toMatchObject({ method: 'cancelled', params: { id: 1 } })
  })

  it('start the idle limit anew on progress, and never the total one [LIFE-20, PROG-02]', async () => {
    const { link, peer, clock } = await stage()
    const heard: Notification[] = []
    const options = {
      idle: { ms: 1000, setBy: 'call' },
      total: { ms: 2500, setBy: 'client' },
      onNotification: (notification: Notification) => void heard.push(notification),
    }
    const asked = peer.request('m', undefined, options).result.catch((error: unknown) => error)
    for (let step = 0; step < 3; step += 1) {
      await clock.advance(800)
      await link.say({ jsonrpc: '2.0', method: 'progress', params: { token: 1, step } })
      await turn()
    }
    await clock.advance(200)
    expect(await asked).toMatchObject({
      timer: 'total',
      ms: 2500,
      setBy: 'client',
      sinceProgressMs: expect.any(Number) as number,
    })
    expect(heard).toHaveLength(3)
  })

  it('do not start anew on progress when the caller says so [LIFE-19]', async () => {
    const { link, peer, clock } = await stage()
    const options = { idle: { ms: 1000, setBy: 'call' }, resetOnProgress: false }
    const asked = peer.request('m', undefined, options).result.catch((error: unknown) => error)
    await clock.advance(800)
    await link.say({ jsonrpc: '2.0', method: 'progress', params: { token: 1 } })
    await turn()
    await clock.advance(300)
    expect(await asked).toMatchObject({ timer: 'idle' })
  })

  it('let a late answer pass by as a note [CANC-04, RPC-29]', async () => {
    const { link, peer, notes } = await stage()
    const exchange = peer.request('m')
    exchange.cancel('enough')
    await expect(exchange.result).rejects.toMatchObject({ code: 'DP_CANCELLED', reason: 'enough' })
    await link.say(result(1))
    await turn()
    expect(notes).toEqual(['late'])
  })

  it('hold still while a question of the far side is being answered', async () => {
    let answer: (value: JsonObject) => void = () => {}
    const { link, peer, clock } = await stage({
      onRequest: () => new Promise((resolve) => (answer = resolve)),
    })
    const asked = peer.request('m', undefined, { idle: { ms: 1000, setBy: 'call' } }).result
    await link.say(ask('q', 'elicit'))
    await turn()
    await clock.advance(5000)
    expect(peer.pending).toBe(1)
    answer({})
    await turn()
    await link.say(result(1, { ok: 1 }))
    expect(await asked).toEqual({ ok: 1 })
  })

  it('obey a signal before, during and after, and leave no listener behind', async () => {
    const { link, peer } = await stage()
    const early = AbortSignal.abort('never')
    await expect(peer.request('m', undefined, { signal: early }).result).rejects.toMatchObject({
      code: 'DP_CANCELLED',
    })
    expect(link.written).toHaveLength(0)
    const controller = new AbortController()
    const during = peer
      .request('m', undefined, { signal: controller.signal })
      .result.catch((error: unknown) => error)
    controller.abort('stop')
    expect(await during).toMatchObject({ code: 'DP_CANCELLED', reason: 'stop' })
    expect(link.written.map(({ method }) => method)).toEqual(['m', 'cancelled'])
    const later = new AbortController()
    const { id, result: done } = peer.request('m', undefined, { signal: later.signal })
    await link.say(result(id))
    await done
    later.abort()
    expect(link.written).toHaveLength(3)
  })

  it('never cancel what must not be cancelled [LIFE-09]', async () => {
    const { link, peer, clock } = await stage()
    const asked = peer
      .request('initialize', undefined, {
        uncancellable: true,
        idle: { ms: 10, setBy: 'x' },
        timer: 'start',
      })
      .result.catch((error: unknown) => error)
    await clock.advance(50)
    expect(await asked).toMatchObject({ timer: 'start' })
    expect(link.written.map(({ method }) => method)).toEqual(['initialize'])
  })

  it('leave no timer armed after the end', async () => {
    const { link, peer, clock } = await stage()
    const asked = peer.request('m').result.catch(() => undefined)
    expect(clock.pending).toBe(1)
    link.end()
    await asked
    await peer.ended
    expect(clock.pending).toBe(0)
  })
})
