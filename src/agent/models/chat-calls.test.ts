import { describe, expect, it } from 'vitest'
import type { ModelDelta } from '../model.ts'
import { ChatCalls, type CallPiece } from './chat-calls.ts'

function gathered(...pieces: readonly CallPiece[]) {
  const deltas: ModelDelta[] = []
  const warnings: string[] = []
  const calls = new ChatCalls({
    provider: 'p',
    messages: [],
    onDelta: (delta) => deltas.push(delta),
    warn: (kind) => warnings.push(kind),
  })
  for (const piece of pieces) calls.add(piece)
  return { calls: calls.done(), deltas, warnings }
}

const named = ({ calls }: ReturnType<typeof gathered>): readonly string[] =>
  calls.map(({ id, name, argumentsText }) => `${id} ${name} ${argumentsText}`)

describe('pieces of calls', () => {
  it('are put together by their place, also when they come crossed', () => {
    const heard = gathered(
      { index: 1, id: 'b', name: 'two', arguments: '' },
      { index: 0, id: 'a', name: 'one', arguments: '' },
      { index: 1, arguments: '{"x":' },
      { index: 0, arguments: '{}' },
      { index: 1, arguments: '1}' },
    )
    expect(named(heard)).toEqual(['b two {"x":1}', 'a one {}'])
  })

  it('without a place go on with the last call', () => {
    const heard = gathered(
      { id: 'a', name: 'one', arguments: '{' },
      { arguments: '}' },
      { id: 'b', name: 'two', arguments: '{}' },
    )
    expect(named(heard)).toEqual(['a one {}', 'b two {}'])
  })

  it('that all have the place 0 are told apart by id and name', () => {
    const heard = gathered(
      { index: 0, id: 'a', name: 'one', arguments: '{}' },
      { index: 0, id: 'b', name: 'one', arguments: '{}' },
      { index: 0, arguments: ' ' },
    )
    expect(named(heard)).toEqual(['a one {}', 'b one {} '])
  })

  it('that repeat the name with each piece are one call', () => {
    const heard = gathered(
      { index: 0, id: 'a', name: 'one', arguments: '{' },
      { index: 0, id: 'a', name: 'one', arguments: '}' },
    )
    expect(named(heard)).toEqual(['a one {}'])
  })

  it('that bring an id of their own and no name are one call', () => {
    const heard = gathered(
      { index: 0, id: 'a', name: 'one', arguments: '{' },
      { index: 0, id: 'zz', arguments: '}' },
    )
    expect(named(heard)).toEqual(['a one {}'])
  })

  it('without ids and places are calls of their own when each has a name', () => {
    const heard = gathered({ name: 'one', arguments: '{}' }, { name: 'one', arguments: '{}' })
    expect(heard.calls.map(({ name }) => name)).toEqual(['one', 'one'])
    expect(new Set(heard.calls.map(({ id }) => id)).size).toBe(2)
    expect(heard.warnings).toEqual(['made-id', 'made-id'])
  })

  it('say of an id that is made what was wrong with that which came', () => {
    const told: string[] = []
    const heard = new ChatCalls({
      provider: 'ollama',
      messages: [
        { role: 'assistant', text: '', calls: [{ id: 'call_0', name: 'x', argumentsText: '{}' }] },
      ],
      onDelta: undefined,
      warn: (_kind, message) => void told.push(message),
    })
    heard.add({ id: 'call_0', name: 'look', isWhole: true })
    heard.done()
    expect(told).toEqual([
      'Call 1 of the reply came with an id that another call has; it goes by "call00002".',
    ])
  })

  it('are told only with a name, and then with all that came before it', () => {
    const heard = gathered(
      { index: 0, id: 'a', arguments: '{"x"' },
      { index: 0, name: 'one', arguments: ':1}' },
    )
    expect(heard.deltas).toEqual([
      { kind: 'call', index: 0, id: 'a', name: 'one' },
      { kind: 'arguments', index: 0, text: '{"x":1}' },
    ])
  })
})

describe('a call', () => {
  it('without a name is given all the same, for it has to be answered', () => {
    expect(named(gathered({ id: 'a', arguments: '{}' }))).toEqual(['a  {}'])
  })

  it('without anything is left out and told', () => {
    const heard = gathered({}, { index: 1, id: 'b', name: 'two' })
    expect(named(heard)).toEqual(['b two '])
    expect(heard.warnings).toEqual(['odd-reply'])
  })

  it('has arguments exactly as they were written', () => {
    const text = '{ "a" : 1e400, "a":2 ,'
    expect(gathered({ id: 'a', name: 'one', arguments: text }).calls[0]?.argumentsText).toBe(text)
  })

  it.each([undefined, null, 7, true])('has no arguments when they are %s', (given) => {
    const heard = gathered({ id: 'a', name: 'one', arguments: given })
    expect(heard.calls[0]?.argumentsText).toBe('')
  })

  it('keeps no name without end', () => {
    const heard = gathered({ id: 'a', name: 'n'.repeat(5000) })
    expect(heard.calls[0]?.name).toHaveLength(1024)
    expect(heard.warnings).toEqual(['odd-reply'])
  })
})
