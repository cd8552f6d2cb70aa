import { describe, expect, it } from 'vitest'
import { deepseekCodec } from '../../agent/models/deepseek.ts'
import { oneRound } from './round.ts'

const tools = [{ name: 'add', description: 'Adds', parameters: { type: 'object' } }]
const parts = {
  codec: deepseekCodec('m'),
  model: 'm',
  tools,
  task: 'Add.',
  args: { a: '1' },
  call: async () => '3',
}

describe('a round', () => {
  it('offers the tools, and makes the call that the reply holds', async () => {
    const calls: unknown[] = []
    const { call, told, answer } = await oneRound({
      ...parts,
      call: async (one) => {
        calls.push(one)
        return '3'
      },
    })
    expect(calls).toEqual([call])
    expect(call).toMatchObject({ id: 'call_1', name: 'add', argumentsText: '{"a":"1"}' })
    expect([told, answer]).toEqual(['3', '3'])
  })

  it('shows four bodies as they would cross, the last request with the outcome of the call', async () => {
    const { bodies } = await oneRound(parts)
    const [asked, , again] = bodies.map(
      (body) => JSON.parse(body) as { messages: unknown[]; tools: unknown },
    )
    expect(asked?.messages).toHaveLength(1)
    expect(again?.tools).toEqual(asked?.tools)
    expect(again?.messages.at(-1)).toEqual({ role: 'tool', tool_call_id: 'call_1', content: '3' })
  })
})
