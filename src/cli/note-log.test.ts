import { describe, expect, it } from 'vitest'
import { createLogger, type LogRecord } from '../base/log.ts'
import { readMessage } from '../jsonrpc/message.ts'
import type { WireEvent, WireNote, WireSink } from '../jsonrpc/wire.ts'
import { noteSink } from './note-log.ts'

const STAMP = { seq: 0, transport: 'x', at: 0, wall: 0 } as const

function listen(): { readonly sink: WireSink; readonly records: LogRecord[] } {
  const records: LogRecord[] = []
  return {
    sink: noteSink(createLogger((record) => void records.push(record), { level: 'debug' })),
    records,
  }
}

const note = (connection: string, kind: string): WireEvent => ({
  type: 'note',
  ...STAMP,
  connection,
  note: { kind, text: 'y' },
})

describe('the log of the wire', () => {
  it('tells of twenty like remarks and then that there are more, once', () => {
    const { sink, records } = listen()
    for (let count = 0; count < 500; count += 1) sink(note('c1', 'stray'))
    expect(records.filter(({ message }) => message === 'stray')).toHaveLength(20)
    expect(records).toHaveLength(21)
    expect(records.at(-1)?.message).toBe('stray: more of these are not told')
  })

  it('counts each kind and each connection by itself', () => {
    const { sink, records } = listen()
    for (let count = 0; count < 30; count += 1) sink(note('c1', 'stray'))
    sink(note('c1', 'odd'))
    sink(note('c2', 'stray'))
    expect(records.slice(-2).map(({ message }) => message)).toEqual(['odd', 'stray'])
  })

  it('says in each record whose server it is', () => {
    const { sink, records } = listen()
    sink(note('c1', 'stray'))
    expect(records).toMatchObject([{ level: 'warn', data: { server: 'x', text: 'y' } }])
  })

  it.each([
    ['an answer that names its request', { kind: 'malformed', text: '{"id":1,"result":3}' }],
    ['bytes that are told of as what they were to be', { kind: 'not-utf8' }],
    ['an answer that is too large', { kind: 'too-large', data: { size: 9, id: 1 } }],
    ['a message too large for its connection', { kind: 'too-large', data: { limit: 9 } }],
    ['a frame that ends its connection', { kind: 'stray', bytes: new Uint8Array(1) }],
    ['events of other kinds', { kind: 'sse-event', text: '' }],
  ] satisfies [string, WireNote][])('does not warn of %s: the rest tells', (_, odd) => {
    expect(levelOf(odd)).toBe('debug')
  })

  it.each([
    ['an answer that names no request', { kind: 'malformed', text: '{"result":{}}' }],
    ['what was skipped and is not known', { kind: 'too-large', data: { size: 9 } }],
    ['text that is no message', { kind: 'stray', text: 'ready' }],
  ] satisfies [string, WireNote][])('warns of %s', (_, odd) => {
    expect(levelOf(odd)).toBe('warn')
  })

  it('names the tool that a remark is about, also on a later page', () => {
    const { sink, records } = listen()
    const bad = (index: number) => event({ kind: 'bad-tool', data: { index, problem: PROBLEM } })
    sink(answer({ tools: [tool('a'), { name: 'b' }], nextCursor: 'more' }))
    sink(bad(1))
    sink(answer({ tools: [tool('c'), { name: 'd', inputSchema: 3 }] }))
    sink(bad(3))
    sink(answer({ tools: [{ name: 'e' }] }))
    sink(bad(0))
    expect(records.map(({ data }) => data?.['name'])).toEqual(['b', 'd', 'e'])
  })

  it('names no tool where the one in that place has no such fault', () => {
    const { sink, records } = listen()
    sink(answer({ tools: [tool('a')] }))
    sink(event({ kind: 'bad-tool', data: { index: 0, problem: PROBLEM } }))
    sink(event({ kind: 'bad-tool', data: { index: 7, problem: PROBLEM } }))
    expect(records.map(({ data }) => data)).toEqual([
      { server: 'x', index: 0, problem: PROBLEM },
      { server: 'x', index: 7, problem: PROBLEM },
    ])
  })
})

const PROBLEM = 'its inputSchema is no object'
const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })
const event = (one: WireNote): WireEvent => ({
  type: 'note',
  ...STAMP,
  connection: 'c1',
  note: one,
})

function levelOf(one: WireNote): string | undefined {
  const { sink, records } = listen()
  sink(event(one))
  return records[0]?.level
}

function answer(result: object): WireEvent {
  const reading = readMessage({ jsonrpc: '2.0', id: 1, result })
  return { type: 'message', ...STAMP, connection: 'c1', direction: 'in', text: '', reading }
}
