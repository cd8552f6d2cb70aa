import { describe, expect, it } from 'vitest'
import type { Message } from '../conversation.ts'
import { CallIds, MAX_CALL_ID } from './call-ids.ts'

const before: readonly Message[] = [
  { role: 'assistant', text: '', calls: [{ id: 'c1', name: 'a', argumentsText: '{}' }] },
  { role: 'tool', callId: 'c1', name: 'a', text: 'x', failed: false },
]

describe('ids of calls', () => {
  it('are those that were given', () => {
    const ids = new CallIds(before)
    expect([ids.take('c2'), ids.take('x y'), ids.take(7)]).toEqual([
      { id: 'c2' },
      { id: 'x y' },
      { id: '7' },
    ])
  })

  it('are made where one is missing, is there already or is too long', () => {
    const ids = new CallIds(before)
    const taken = [undefined, null, '', 'c1', 'n'.repeat(MAX_CALL_ID + 1), {}].map((one) =>
      ids.take(one),
    )
    expect(taken.map(({ made }) => made)).toEqual([
      'missing',
      'missing',
      'missing',
      'twice',
      'too-long',
      'missing',
    ])
    const all = new Set(['c1', ...taken.map(({ id }) => id)])
    expect(all.size).toBe(taken.length + 1)
  })

  it('that are made have nine letters and digits, as some templates want', () => {
    expect(new CallIds([]).take(undefined).id).toMatch(/^[a-z0-9]{9}$/)
  })

  it('that are made are never one that comes later by itself', () => {
    const ids = new CallIds([])
    const first = ids.take(undefined).id
    expect(ids.take(first)).toMatchObject({ made: 'twice' })
  })

  it('that are made are the same for the same conversation and reply', () => {
    const one = new CallIds(before).take(undefined)
    expect(new CallIds(before).take(undefined)).toEqual(one)
  })
})
