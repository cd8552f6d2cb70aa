import { describe, expect, it } from 'vitest'
import type { Direction, WireEvent } from '../jsonrpc/wire.ts'
import { RecordedCalls } from './recorded-calls.ts'

function callsOf(
  ...texts: readonly (readonly [Direction, unknown, string?])[]
): ReturnType<RecordedCalls['all']> {
  const calls = new RecordedCalls()
  texts.forEach(([direction, value, connection = 'c1'], seq) => {
    const text =
      typeof value === 'string' ? value : JSON.stringify({ jsonrpc: '2.0', ...(value as object) })
    const event: WireEvent = {
      type: 'message',
      seq,
      connection,
      transport: 'files',
      at: 0,
      wall: 0,
      direction,
      text,
    }
    calls.push(event)
  })
  return calls.all()
}

const call = { id: 2, method: 'tools/call', params: { name: 'read', arguments: { path: 'a' } } }

describe('the calls of a recording', () => {
  it('are the requests that left, with server, tool and arguments', () => {
    expect(callsOf(['out', call])).toEqual([
      { server: 'files', tool: 'read', args: { path: 'a' }, hints: undefined },
    ])
    expect(callsOf(['in', call])).toEqual([])
  })

  it('have the hints that the same connection was told before', () => {
    const list = ['out', { id: 1, method: 'tools/list' }] as const
    const tools = [{ name: 'read', annotations: { readOnlyHint: true } }, null, { name: 7 }]
    const told = ['in', { id: 1, result: { tools } }] as const
    expect(callsOf(list, told, ['out', call])[0]?.hints?.readOnly).toBe(true)
    expect(callsOf(told, ['out', call])[0]?.hints).toBeUndefined()
    expect(callsOf(list, told, ['out', call, 'c2'])[0]?.hints).toBeUndefined()
  })

  it('are one where the same call is made again with what its server asked for', () => {
    const again = { ...call, params: { ...call.params, requestState: 's', inputResponses: {} } }
    expect(callsOf(['out', call], ['out', again])).toHaveLength(1)
  })

  it('are reads of resources as well, as they were judged', () => {
    const read = { id: 3, method: 'resources/read', params: { uri: 'note:///a', _meta: {} } }
    expect(callsOf(['out', read])).toMatchObject([
      {
        server: 'files',
        tool: 'resources/read',
        args: { uri: 'note:///a' },
        hints: { readOnly: true, openWorld: true },
      },
    ])
  })

  it('are none of texts that are no messages, and odd arguments are empty', () => {
    expect(callsOf(['out', '{'], ['out', '[]'], ['out', { id: 1, method: 'tools/call' }])).toEqual(
      [],
    )
    const odd = { id: 3, method: 'tools/call', params: { name: 'x', arguments: [1] } }
    expect(callsOf(['out', odd])[0]?.args).toEqual({})
  })
})
