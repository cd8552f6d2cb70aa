import { describe, expect, it } from 'vitest'
import { MAX_DETAILS, ReasoningDetails } from './chat-details.ts'

describe('signed reasoning', () => {
  it('is joined by type and place; others stand for themselves', () => {
    const details = new ReasoningDetails()
    details.add([{ type: 'reasoning.summary', summary: 'A', index: 0 }])
    details.add([
      { type: 'reasoning.summary', summary: 'B', index: 0, id: null },
      { type: 'reasoning.encrypted', data: 'x', index: 1, id: 'i' },
    ])
    details.add([{ type: 'reasoning.encrypted', data: 'y', index: 1 }])
    details.add([
      { type: 'reasoning.text', text: 'T' },
      { type: 'reasoning.text', text: 'U' },
    ])
    expect(details.items).toEqual([
      { type: 'reasoning.summary', summary: 'AB', index: 0 },
      { type: 'reasoning.encrypted', data: 'xy', index: 1, id: 'i' },
      { type: 'reasoning.text', text: 'T' },
      { type: 'reasoning.text', text: 'U' },
    ])
  })

  it.each([undefined, null, 'x', {}, [], [null, 7, 'x']])('is none in %j', (given) => {
    const details = new ReasoningDetails()
    details.add(given)
    expect(details.items).toEqual([])
  })

  it('sets no prototype, whatever its members are called', () => {
    const details = new ReasoningDetails()
    details.add(JSON.parse('[{"type":"t","index":0},{"type":"t","index":0,"__proto__":{"a":1}}]'))
    expect(JSON.stringify(details.items)).toBe('[{"type":"t","index":0,"__proto__":{"a":1}}]')
    expect(Object.getPrototypeOf(details.items[0])).toBe(Object.prototype)
  })

  it('has an end', () => {
    const details = new ReasoningDetails()
    details.add(Array.from({ length: MAX_DETAILS + 5 }, (_, index) => ({ type: 't', index })))
    expect(details.items).toHaveLength(MAX_DETAILS)
  })
})
