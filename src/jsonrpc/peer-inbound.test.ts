import { describe, expect, it } from 'vitest'
import { ask, result, stage, turn } from '../../test/support/peer-stage.ts'
import { RpcRefusal } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { InboundRequest } from './inbound-request.ts'
import type { Request } from './message.ts'

describe('requests of the far side', () => {
  it('are answered exactly once, also when their id equals one of ours [RPC-15, RPC-06]', async () => {
    const { link, peer } = await stage({ onRequest: ({ method }: Request) => ({ told: method }) })
    const ours = peer.request('m').result
    await link.say(ask(1, 'theirs'))
    await link.say(result(1, { mine: true }))
    expect(await ours).toEqual({ mine: true })
    expect(link.written).toEqual([ask(1, 'm'), result(1, { told: 'theirs' })])
  })

  it('run at the same time and are answered when each is done', async () => {
    const finish = new Map<unknown, (value: JsonObject) => void>()
    const { link } = await stage({
      onRequest: ({ id }) => new Promise((resolve) => finish.set(id, resolve)),
    })
    for (const id of ['a', 'b', 'c']) await link.say(ask(id))
    await turn()
    for (const id of ['c', 'a', 'b']) finish.get(id)?.({})
    await turn()
    expect(link.written.map(({ id }) => id)).toEqual(['c', 'a', 'b'])
  })

  it('get the error that was thrown for them, or an internal one without a word of what it was [ERR-01]', async () => {
    const { link } = await stage({
      onRequest: ({ method }) => {
        throw method === 'refused'
          ? new RpcRefusal(-32602, 'no such thing')
          : new Error('secret path /etc')
      },
      encodeError: (error) =>
        error instanceof RpcRefusal
          ? { error: { code: error.rpcCode, message: error.message } }
          : { error: { code: -32603, message: 'Internal error' } },
    })
    await link.say(ask(1, 'refused'))
    await link.say(ask(2, 'broken'))
    await turn()
    expect(link.written.map(({ error }) => error)).toEqual([
      { code: -32602, message: 'no such thing' },
      { code: -32603, message: 'Internal error' },
    ])
  })

  it('get an internal error when their result is not JSON', async () => {
    const cycle: JsonObject = {}
    cycle['self'] = cycle
    const { link } = await stage({ onRequest: () => cycle })
    await link.say(ask(1))
    await turn()
    expect(link.written).toMatchObject([{ id: 1, error: { code: -32603 } }])
  })

  it('are stopped and not answered when they are cancelled [CANC-02, STDIO-15]', async () => {
    let inbound: InboundRequest | undefined
    let finish: (value: JsonObject) => void = () => {}
    const { link } = await stage({
      onRequest: (_request, received) => {
        inbound = received
        return new Promise((resolve) => (finish = resolve))
      },
    })
    await link.say(ask(9))
    await turn()
    const { signal } = inbound ?? {}
    await link.say({ jsonrpc: '2.0', method: 'cancelled', params: { id: 9 } })
    await turn()
    expect(signal?.aborted).toBe(true)
    inbound?.notify('progress', {})
    finish({})
    await turn()
    expect(link.written).toEqual([])
  })

  it('are not disturbed by a cancellation of something else [CANC-03]', async () => {
    const { link } = await stage()
    await link.say({ jsonrpc: '2.0', method: 'cancelled', params: { id: 'nobody' } })
    await link.say({ jsonrpc: '2.0', method: 'cancelled' })
    await link.say(ask(1))
    await turn()
    expect(link.written).toEqual([result(1)])
  })

  it('are refused while one of the same id runs, and that one goes on [RPC-04]', async () => {
    let finish: (value: JsonObject) => void = () => {}
    const { link } = await stage({ onRequest: () => new Promise((resolve) => (finish = resolve)) })
    await link.say(ask(1))
    await link.say(ask(1))
    await turn()
    finish({ first: true })
    await turn()
    expect(link.written).toMatchObject([
      { id: 1, error: { code: -32600 } },
      { id: 1, result: { first: true } },
    ])
  })

  it('are refused beyond the limit, each with an error of its own', async () => {
    const { link } = await stage({ maxActive: 2, onRequest: () => new Promise(() => {}) })
    for (const id of [1, 2, 3]) await link.say(ask(id))
    await turn()
    expect(link.written).toMatchObject([{ id: 3, error: { code: -32603 } }])
  })

  it('are not read on while nobody reads their answers, and go on when somebody does', async () => {
    const { link, peer } = await stage({ maxActive: 2, onRequest: () => new Promise(() => {}) })
    link.backlogBytes = 1024 * 1024
    for (const id of [1, 2, 3, 4]) await link.say(ask(id))
    await turn()
    expect([peer.active, link.written.length]).toEqual([1, 0])
    link.backlogBytes = 0
    link.drain()
    await turn()
    expect(link.written.map(({ id }) => id)).toEqual([3, 4])
  })

  it('are not answered in a revision that forbids it [RPC-17]', async () => {
    const { link, notes } = await stage({ answersRequests: () => false })
    await link.say(ask(1))
    await turn()
    expect([link.written, notes]).toEqual([[], ['unexpected-request']])
  })

  it('abort when the far side is gone', async () => {
    let inbound: InboundRequest | undefined
    const { link, peer } = await stage({
      onRequest: (_request, received) => {
        inbound = received
        return new Promise(() => {})
      },
    })
    await link.say(ask(1))
    await turn()
    const { signal } = inbound ?? {}
    link.end()
    await peer.ended
    expect(signal?.aborted).toBe(true)
  })
})

describe('everything else', () => {
  it('never answers a notification, also when its listener throws [RPC-10]', async () => {
    const { link } = await stage({
      onNotification: () => {
        throw new Error('listener')
      },
    })
    await link.say({ jsonrpc: '2.0', method: 'anything' })
    await link.say(ask(1))
    await turn()
    expect(link.written).toEqual([result(1)])
  })

  it('answers what cannot be read where that is wanted, and never an answer [STDIO-21, RPC-08]', async () => {
    const { link, notes } = await stage({ answersMalformed: () => true, nullId: () => true })
    await link.say('hello')
    await link.say({ jsonrpc: '2.0', id: 5, method: 1 })
    await link.say({ jsonrpc: '2.0', id: 6, result: 5 })
    await turn()
    expect(link.written).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: 5, error: { code: -32600 } },
    ])
    expect(notes).toEqual(['stray', 'stray', 'malformed'])
  })

  it('only notes what cannot be read elsewhere', async () => {
    const { link, notes } = await stage()
    await link.say('banner line')
    await turn()
    expect([link.written, notes]).toEqual([[], ['stray']])
  })
})
