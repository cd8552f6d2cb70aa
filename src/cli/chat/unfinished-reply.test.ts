import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../agent/events.ts'
import type { ModelDelta } from '../../agent/model.ts'
import { UnfinishedReply } from './unfinished-reply.ts'

const turn: AgentEvent = { type: 'turn', turn: 't1' }
const delta = (one: ModelDelta): AgentEvent => ({ type: 'delta', turn: 't1', delta: one })
const text = (piece: string): AgentEvent => delta({ kind: 'text', text: piece })
const after = (...events: readonly AgentEvent[]): string => {
  const reply = new UnfinishedReply()
  for (const event of events) reply.hear(event)
  return reply.text
}

describe('the text of a reply that is under way', () => {
  it('is all that came of it, without what was thought', () => {
    const thought = delta({ kind: 'reasoning', text: 'hm' })
    expect(after(turn, thought, text('A lo'), text('ng'))).toBe('A long')
  })

  it('is none of an earlier reply, and none that was void', () => {
    expect(after(turn, text('old'), turn)).toBe('')
    expect(after(turn, text('void'), delta({ kind: 'restart' }), text('new'))).toBe('new')
  })
})
