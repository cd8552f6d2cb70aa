import { describe, expect, it } from 'vitest'
import type { WireEvent, WireMessageEvent, WireNoteEvent } from '../../jsonrpc/wire.ts'
import { CallOutcomes } from './outcomes.ts'

const at = { at: 1, wall: 1 }
const sent = (call: string, id: number): WireEvent =>
  ({
    type: 'message',
    direction: 'out',
    connection: 'c1',
    transport: 'fs',
    text: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x' } }),
    chain: { run: 'r', call },
    ...at,
  }) as unknown as WireMessageEvent // what a recording gives of a message
const came = (message: object): WireMessageEvent =>
  ({
    type: 'message',
    direction: 'in',
    connection: 'c1',
    transport: 'fs',
    text: JSON.stringify({ jsonrpc: '2.0', ...message }),
    ...at,
  }) as unknown as WireMessageEvent // as above
const noted = (kind: string, call: string, data: object): WireEvent =>
  ({
    type: 'note',
    note: { kind, data, chain: { run: 'r', call } },
    ...at,
  }) as unknown as WireNoteEvent // as above
const outcomesOf = (...events: readonly WireEvent[]) => {
  const outcomes = new CallOutcomes()
  for (const event of events) outcomes.push(event)
  return (call: string) => outcomes.of({ run: 'r', call })
}

describe('the outcome of a recorded call', () => {
  it('is that of its answer where nobody wrote down what a model was told', () => {
    const of = outcomesOf(
      sent('good', 1),
      sent('bad', 2),
      sent('broken', 3),
      sent('open', 4),
      came({ id: 2, result: { isError: true, content: [] } }),
      came({ id: 3, error: { code: -32603, message: 'oh' } }),
      came({ id: 1, result: { content: [] } }),
    )
    expect(['good', 'bad', 'broken', 'open'].map(of)).toEqual([
      'ok',
      'failed',
      'failed',
      'no-result',
    ])
  })

  it('is a refusal where the decision was a no, whatever the model was told', () => {
    const of = outcomesOf(
      noted('decision', 'c', { verdict: 'deny' }),
      noted('tool-result', 'c', { failed: true }),
    )
    expect(of('c')).toBe('refused')
  })

  it('is a failure of a tool of the program itself, and of another that it was not called', () => {
    const of = outcomesOf(
      noted('tool-call', 'own', { server: null, tool: 'read_artifact' }),
      noted('tool-result', 'own', { failed: true }),
      noted('tool-call', 'none', { server: null, tool: null }),
      noted('tool-result', 'none', { failed: true }),
    )
    expect([of('own'), of('none')]).toEqual(['failed', 'not-called'])
  })

  it('is not known where nothing tells', () => {
    const of = outcomesOf(noted('decision', 'c', { verdict: 'allow' }))
    expect([of('c'), of('other')]).toEqual([undefined, undefined])
  })

  it('takes no answer of another connection, and no deep one', () => {
    const deep = `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(5000)}${']'.repeat(5000)}}`
    const of = outcomesOf(
      sent('c', 1),
      { ...came({ id: 1, result: {} }), connection: 'c2' },
      { ...came({}), text: deep },
    )
    expect(of('c')).toBe('no-result')
  })
})
