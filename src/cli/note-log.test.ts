import { describe, expect, it } from 'vitest'
import { createLogger, type LogRecord } from '../base/log.ts'
import type { WireEvent, WireSink } from '../jsonrpc/wire.ts'
import { noteSink } from './note-log.ts'

const STAMP = { seq: 0, transport: 'x', at: 0, wall: 0 } as const

function listen(): { readonly sink: WireSink; readonly records: LogRecord[] } {
  const records: LogRecord[] = []
  return { sink: noteSink(createLogger((record) => void records.push(record))), records }
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
})
