import { describe, expect, it } from 'vitest'
import { faultsOf } from '../../test/support/agent-room.ts'
import { dice } from '../../test/support/seeded.ts'
import { messageTokens, planCompaction } from './compaction.ts'
import type { Message } from './conversation.ts'
import { Transcript } from './transcript.ts'

const SEED = 7
const user: Message = { role: 'user', parts: [{ type: 'text', text: 'Hi.' }] }
const reply = (...ids: readonly string[]): Message => ({
  role: 'assistant',
  text: '',
  calls: ids.map((id) => ({ id, name: 'x', argumentsText: '{}' })),
})
const result = (callId: string): Message => ({
  role: 'tool',
  callId,
  name: 'x',
  text: 'y',
  failed: false,
})
/** Each message weighs 1. */
const plan = (messages: readonly Message[], target: number) =>
  planCompaction(messages, { target, tokensOf: () => 1 })

describe('the plan', () => {
  const turn = [user, reply('a'), result('a'), reply()]

  it('leaves out nothing of what fits', () => {
    expect(plan([...turn, ...turn], 8)).toEqual([])
    expect(plan([], 0)).toEqual([])
  })

  it('leaves out whole pieces from the oldest on', () => {
    expect(plan([...turn, ...turn, ...turn], 8)).toEqual([{ from: 0, count: 4, replies: 2 }])
    expect(plan([...turn, ...turn, ...turn], 7)).toEqual([{ from: 0, count: 8, replies: 4 }])
  })

  it('keeps what the user said last and the last two replies, whatever the target', () => {
    const long = [user, ...['a', 'b', 'c', 'd'].flatMap((id) => [reply(id), result(id)])]
    expect(plan(long, 0)).toEqual([{ from: 1, count: 4, replies: 2 }])
    expect(plan([...turn, ...long], 0)).toEqual([
      { from: 0, count: 4, replies: 2 },
      { from: 1, count: 4, replies: 2 },
    ])
    expect(plan(long, 7)).toEqual([{ from: 1, count: 2, replies: 1 }])
    expect(plan([user], 0)).toEqual([])
  })

  it(`can be carried out on any conversation, and comes to the target if anything does (seed ${SEED})`, () => {
    const random = dice(SEED)
    let calls = 0
    for (let round = 0; round < 500; round += 1) {
      const transcript = new Transcript()
      for (let turns = random.between(1, 6); turns > 0; turns -= 1) {
        transcript.append(user)
        for (let replies = random.between(0, 5); replies > 0; replies -= 1) {
          const ids = Array.from({ length: random.between(0, 3) }, () => `c${(calls += 1)}`)
          transcript.append(reply(...ids))
          for (const id of ids) transcript.append(result(id))
        }
      }
      const before = transcript.messages
      const target = random.between(0, before.length)
      for (const { from, count } of plan(before, target)) transcript.compact(from, count)
      const after = transcript.messages
      expect(faultsOf(after)).toEqual([])
      expect(after[0]?.role).toBe('user')
      expect(after.at(-1)?.role).toBe(before.at(-1)?.role)
      const count = (role: Message['role']): number =>
        after.filter((message) => message.role === role).length
      const isLeast = count('user') === 1 && count('assistant') <= 2
      expect(after.length <= target || isLeast).toBe(true)
    }
  })
})

describe('the weight of a message', () => {
  it('counts all that is sent of it', () => {
    const long = 'x'.repeat(400)
    const plain = messageTokens({ role: 'assistant', text: long, calls: [] })
    expect(plain).toBeGreaterThan(90)
    expect(plain).toBeLessThan(140)
    for (const more of [
      { reasoning: long },
      { calls: [{ id: 'a', name: 'x', argumentsText: long }] },
      { kept: { codec: 'x', items: [long] } },
    ]) {
      const message = { role: 'assistant', text: long, calls: [], ...more } as const
      expect(messageTokens(message)).toBeGreaterThan(plain + 90)
    }
  })

  it('takes a Chinese text for more than an English one of the same length', () => {
    const said = (text: string): number =>
      messageTokens({ ...user, parts: [{ type: 'text', text }] })
    expect(said('天'.repeat(400))).toBeGreaterThan(said('x'.repeat(400)) * 1.5)
  })

  it('looks at both ends of a text of millions of characters, and at no more of it', () => {
    const said = (text: string): number =>
      messageTokens({ ...user, parts: [{ type: 'text', text }] })
    const end = 'x'.repeat(40_000)
    const middle = 5_000_000
    expect(said(end + '天'.repeat(middle) + end)).toBe(said(end + 'x'.repeat(middle) + end))
  })
})
