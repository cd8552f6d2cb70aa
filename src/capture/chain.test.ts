import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../base/json.ts'
import type { Chain, Direction, WireEvent } from '../jsonrpc/wire.ts'
import { ChainReader, type CallChain, type ChainWish } from './chain.ts'

/** A wire of several connections, one event a millisecond. */
class Wire {
  readonly events: WireEvent[] = []

  note(kind: string, chain: Chain | undefined, data: JsonObject = {}, text?: string): this {
    const note = {
      kind,
      data,
      ...(text !== undefined && { text }),
      ...(chain !== undefined && { chain }),
    }
    return this.#push({ type: 'note', note }, 'agent-1')
  }

  frame(
    direction: Direction,
    value: JsonObject | string,
    chain?: Chain,
    connection = 'fs-1',
  ): this {
    const text = typeof value === 'string' ? value : JSON.stringify({ jsonrpc: '2.0', ...value })
    return this.#push(
      { type: 'message', direction, text, ...(chain !== undefined && { chain }) },
      connection,
    )
  }

  close(connection: string): this {
    return this.#push({ type: 'close' }, connection)
  }

  #push(
    event:
      | Pick<Extract<WireEvent, { type: 'message' }>, 'type' | 'direction' | 'text'>
      | Pick<Extract<WireEvent, { type: 'note' }>, 'type' | 'note'>
      | { type: 'close' },
    connection: string,
  ): this {
    const at = this.events.length
    this.events.push({
      seq: at,
      connection,
      transport: connection.slice(0, 2),
      at,
      wall: 1000 + at,
      ...event,
    })
    return this
  }

  chain(wish: ChainWish | string): CallChain | undefined {
    return this.reader(wish).chain()
  }

  reader(wish?: ChainWish | string): ChainReader {
    const reader = new ChainReader(typeof wish === 'string' ? { call: wish } : wish)
    for (const event of this.events) reader.push(event)
    return reader
  }
}

const T1: Chain = { run: 'r1', turn: 't1', attempt: 1 }
const C1: Chain = { run: 'r1', turn: 't1', call: 't1c1' }
const SENT: Chain = { ...C1, attempt: 1 }
const WRITTEN = {
  modelCall: 'call_9',
  name: 'fs__read',
  argumentsText: '{}',
  alias: 'fs__read',
  server: 'fs',
  tool: 'read',
}

const ask = (id: number | string, meta?: JsonObject): JsonObject => ({
  id,
  method: 'tools/call',
  params: { name: 'read', ...(meta !== undefined && { _meta: meta }) },
})

/** One call of one turn, and one of another turn behind it. */
function twoTurns(): Wire {
  return new Wire()
    .note('model-request', T1, { model: 'm' }, 'request 1')
    .note('model-reply', T1, { status: 200 }, 'reply 1')
    .note('tool-call', C1, WRITTEN)
    .note('decision', SENT, { verdict: 'allow', alias: 'fs__read' })
    .frame('out', ask(1), SENT)
    .frame('in', { id: 1, result: { content: [] } })
    .note('tool-result', C1, { bytes: 9, shownBytes: 4, artifact: 'a1', failed: false }, 'told')
    .note('model-request', { ...T1, turn: 't2' }, { model: 'm' }, 'request 2')
    .note('model-reply', { ...T1, turn: 't2' }, { status: 200 }, 'reply 2')
    .note('tool-call', { ...C1, turn: 't2', call: 't2c1' }, { ...WRITTEN, modelCall: 'call_10' })
    .note('tool-result', { ...C1, turn: 't2', call: 't2c1' }, { failed: true }, 'refused')
}

describe('the chain of a call', () => {
  it('leads from the words of the model to the bytes and back', () => {
    expect(twoTurns().chain('t1c1')).toEqual({
      call: 't1c1',
      run: 'r1',
      turn: 't1',
      model: [
        { kind: 'request', attempt: 1, wall: 1000, at: 0, text: 'request 1', data: { model: 'm' } },
        { kind: 'reply', attempt: 1, wall: 1001, at: 1, text: 'reply 1', data: { status: 200 } },
      ],
      written: WRITTEN,
      decision: { verdict: 'allow', alias: 'fs__read' },
      frames: [
        {
          attempt: 1,
          direction: 'out',
          text: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read"}}',
          connection: 'fs-1',
          transport: 'fs',
          wall: 1004,
          at: 4,
          kind: 'request',
          method: 'tools/call',
        },
        {
          attempt: 1,
          direction: 'in',
          text: '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}',
          connection: 'fs-1',
          transport: 'fs',
          wall: 1005,
          at: 5,
          kind: 'result',
          ms: 1,
        },
      ],
      told: { text: 'told', bytes: 9, shownBytes: 4, artifact: 'a1', failed: false },
      leftOut: 0,
    })
  })

  it('has the request and the reply of its own turn, with their repeats', () => {
    const again: Chain = { ...T1, turn: 't3', attempt: 2 }
    const chain = twoTurns()
      .note('model-request', { ...again, attempt: 1 }, {}, 'first')
      .note('model-retry', { ...again, attempt: 1 }, { why: 'busy' })
      .note('model-request', again, {}, 'second')
      .note('model-reply', again, {}, 'reply 3')
      .note('tool-call', { ...C1, turn: 't3', call: 't3c1' }, WRITTEN)
      .chain('t3c1')
    expect(chain?.model.map(({ kind, attempt, text }) => [kind, attempt, text])).toEqual([
      ['request', 1, 'first'],
      ['retry', 1, ''],
      ['request', 2, 'second'],
      ['reply', 2, 'reply 3'],
    ])
    expect(
      twoTurns()
        .chain('t2c1')
        ?.model.map(({ text }) => text),
    ).toEqual(['request 2', 'reply 2'])
  })

  it('is found by the id that the model gave the call', () => {
    expect(twoTurns().chain('call_10')?.call).toBe('t2c1')
  })

  it('is none for a call that is not there', () => {
    for (const call of ['t9c1', '', '__proto__', 'constructor'])
      expect(twoTurns().chain(call)).toBeUndefined()
  })

  it('is that of the last run with such a call, or of the one that is named', () => {
    const wire = twoTurns()
    for (const event of twoTurns().events) {
      if (event.type === 'note')
        wire.note(event.note.kind, { ...event.note.chain, run: 'r2' }, event.note.data)
    }
    const reader = wire.reader('t1c1')
    expect(reader.chain()?.run).toBe('r2')
    expect(reader.matches).toBe(2)
    expect(wire.chain({ call: 't1c1', run: 'r1' })?.run).toBe('r1')
    expect(wire.chain({ call: 't1c1', run: 'r3' })).toBeUndefined()
  })

  it('is there for a host that was called without any model', () => {
    const own: Chain = { run: 'r1', call: 'call-1', attempt: 1 }
    const chain = new Wire()
      .note('decision', own, { verdict: 'allow' })
      .frame('out', ask(7), own)
      .frame('in', { id: 7, error: { code: -1, message: 'no' } })
      .chain('call-1')
    expect(chain).toMatchObject({ turn: '', model: [], decision: { verdict: 'allow' } })
    expect(chain?.frames.map(({ kind }) => kind)).toEqual(['request', 'error'])
    expect(chain).not.toHaveProperty('written')
  })

  it('has each try, with the answer that is its own', () => {
    const chain = new Wire()
      .frame('out', ask(1), SENT)
      .frame('out', ask(1), { ...SENT, attempt: 2 }, 'fs-2')
      .frame('in', { id: 1, result: {} }, undefined, 'fs-2')
      .chain('t1c1')
    expect(chain?.frames.map(({ attempt, connection }) => [attempt, connection])).toEqual([
      [1, 'fs-1'],
      [2, 'fs-2'],
      [2, 'fs-2'],
    ])
  })

  it('has progress of the call and its cancellation, and nothing of other calls', () => {
    const other: Chain = { ...SENT, call: 't1c2' }
    const chain = new Wire()
      .frame('out', ask(1, { progressToken: 1 }), SENT)
      .frame('out', ask(2, { progressToken: 2 }), other)
      .frame('in', { method: 'notifications/progress', params: { progressToken: 2, progress: 1 } })
      .frame('in', { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } })
      .frame('in', { method: 'notifications/tools/list_changed' })
      .frame('in', { id: 2, result: {} })
      .frame('in', { id: '1', result: {} })
      .frame('out', { method: 'notifications/cancelled', params: { requestId: 1 } }, SENT)
      .frame('in', { id: 1, result: {} }, undefined, 'fs-2')
      .chain('t1c1')
    expect(chain?.frames.map(({ kind, method }) => method ?? kind)).toEqual([
      'tools/call',
      'notifications/progress',
      'notifications/cancelled',
    ])
  })

  it('takes an answer once, and none of a connection that was closed', () => {
    const chain = new Wire()
      .frame('out', ask(1), SENT)
      .frame('in', { id: 1, result: {} })
      .frame('in', { id: 1, result: { again: true } })
      .frame('out', ask(2), SENT)
      .close('fs-1')
      .frame('in', { id: 2, result: {} })
      .chain('t1c1')
    expect(chain?.frames).toHaveLength(3)
  })

  it('survives what is no message, too deep, or has members of other types', () => {
    const chain = new Wire()
      .note('tool-call', C1, { modelCall: 7, name: null, alias: [], server: 5 })
      .note('tool-result', C1, { bytes: 'x', shownBytes: -1, failed: 'yes', artifact: 3 }, 'told')
      .frame('out', ask(1), SENT)
      .frame('in', 'garbage')
      .frame('in', '['.repeat(100_000))
      .frame('in', { id: 1, result: {} })
      .chain('t1c1')
    expect(chain?.written).toEqual({
      modelCall: '',
      name: '',
      argumentsText: '',
      alias: '',
      server: null,
      tool: null,
    })
    expect(chain?.told).toEqual({ text: 'told', bytes: 0, shownBytes: 0, failed: false })
    expect(chain?.frames).toHaveLength(2)
  })

  it('keeps 1,000 frames and the answer, and counts the others', () => {
    const wire = new Wire().frame('out', ask(1, { progressToken: 't' }), SENT)
    for (let at = 0; at < 1500; at += 1)
      wire.frame('in', {
        method: 'notifications/progress',
        params: { progressToken: 't', progress: at },
      })
    const chain = wire.frame('in', { id: 1, result: {} }).chain('t1c1')
    expect(chain?.frames).toHaveLength(1001)
    expect(chain?.frames.at(-1)?.kind).toBe('result')
    expect(chain?.leftOut).toBe(501)
  })
})

describe('the calls of a wire', () => {
  it('are told in order, with what was decided and what came of them', () => {
    expect(twoTurns().reader().calls()).toEqual([
      {
        call: 't1c1',
        run: 'r1',
        alias: 'fs__read',
        argumentsText: '{}',
        verdict: 'allow',
        told: { bytes: 9, shownBytes: 4, artifact: 'a1', failed: false },
      },
      {
        call: 't2c1',
        run: 'r1',
        alias: 'fs__read',
        argumentsText: '{}',
        told: { bytes: 0, shownBytes: 0, failed: true },
      },
    ])
  })

  it('are 10,000 at most, their arguments cut', () => {
    const wire = new Wire()
    for (let at = 0; at < 10_001; at += 1)
      wire.note(
        'tool-call',
        { ...C1, call: `c${at}` },
        { ...WRITTEN, argumentsText: 'x'.repeat(at === 0 ? 9999 : 1) },
      )
    const calls = wire.reader().calls()
    expect(calls).toHaveLength(10_000)
    expect(calls[0]?.argumentsText).toHaveLength(512)
  })
})
