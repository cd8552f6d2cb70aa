import { describe, expect, it } from 'vitest'
import type { WireMessageEvent } from '../../jsonrpc/wire.ts'
import { callFrames, listAnswer } from './chain.ts'

let seq = 0
function frame(direction: 'in' | 'out', message: object, call?: string): WireMessageEvent {
  seq += 1
  return {
    type: 'message',
    direction,
    seq,
    connection: 'c',
    transport: 't',
    at: seq,
    wall: seq,
    text: JSON.stringify({ jsonrpc: '2.0', ...message }),
    ...(call !== undefined && { chain: { call } }),
  }
}

describe('the frames of a call', () => {
  it('are tied by the name of the call on the way out and by the id on the way back', () => {
    const other = frame('out', { id: 4, method: 'tools/call' }, 'call-9')
    const sent = frame('out', { id: 5, method: 'tools/call' }, 't1c1')
    const early = frame('in', { id: 4, result: {} })
    const answer = frame('in', { id: 5, result: {} })
    expect(callFrames([other, sent, early, answer])).toEqual({ id: 5, sent, answer })
  })

  it('are none while there is no answer', () => {
    expect(callFrames([frame('out', { id: 5, method: 'tools/call' }, 't1c1')])).toBeUndefined()
    expect(callFrames([])).toBeUndefined()
  })

  it('are not mistaken for a request of the server with the same id', () => {
    const sent = frame('out', { id: 5, method: 'tools/call' }, 't1c1')
    expect(callFrames([sent, frame('in', { id: 5, method: 'ping' })])).toBeUndefined()
  })
})

it('finds the last list that was asked for', () => {
  const answer = frame('in', { id: 3, result: { tools: [] } })
  const frames = [
    frame('out', { id: 1, method: 'tools/list' }),
    frame('in', { id: 1, result: { tools: [] } }),
    frame('out', { id: 3, method: 'tools/list' }),
    answer,
  ]
  expect(listAnswer(frames)).toBe(answer)
})
