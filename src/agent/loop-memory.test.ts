import { describe, expect, it } from 'vitest'
import { agentRoom, faultsOf } from '../../test/support/agent-room.ts'
import { eventsOf, runToEnd } from '../../test/support/agent-run.ts'
import { tool, toolServer } from '../../test/support/host-room.ts'
import { ModelError } from '../base/errors.ts'
import { defineTool } from '../tools/define.ts'
import { compact } from './compaction.ts'
import type { Message } from './conversation.ts'
import { Transcript } from './transcript.ts'

const reasonings = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === 'assistant' ? [message.reasoning] : []))

const firstText = (messages: readonly Message[]) => {
  const [first] = messages
  const [part] = first?.role === 'user' ? first.parts : []
  return part?.type === 'text' ? part.text : ''
}

describe('reasoning', () => {
  it('goes back unchanged in every later request, over three turns of the user', async () => {
    const room = await agentRoom({ fs: toolServer(tool('look')) }, (_request, n) =>
      n % 2 === 0
        ? { reasoning: `because ${n}\n`, calls: [{ name: 'fs__look', args: { n } }] }
        : { reasoning: ` so ${n} `, text: 'Well.' },
    )
    await runToEnd(room.options)
    for (const words of ['And?', 'And then?']) {
      room.transcript.say(words)
      await runToEnd(room.options)
    }
    expect(room.model.requests).toHaveLength(6)
    for (const [n, { messages }] of room.model.requests.entries()) {
      const all = Array.from({ length: n }, (_, at) =>
        at % 2 === 0 ? `because ${at}\n` : ` so ${at} `,
      )
      expect(reasonings(messages)).toEqual(all)
    }
  })

  it('and what only a provider understands come back from a file as they were', () => {
    const lines: string[] = []
    const transcript = new Transcript({ write: (line) => lines.push(line) })
    transcript.say('Hi.')
    const kept = { codec: 'x', items: [{ signature: 'a+/=', nested: [null, 1.5] }] }
    transcript.append({ role: 'assistant', text: '', reasoning: ' hm ', calls: [], kept })
    expect(Transcript.read(lines.join('')).transcript.messages).toEqual(transcript.messages)
  })
})

describe('a conversation that is too long for the window', () => {
  const long = 'z'.repeat(4_000)
  const chatty = (n: number) => ({ reasoning: `why ${n}`, text: `${n} ${long}` })

  it('loses whole old pieces, keeps the last, and says so', async () => {
    const room = await agentRoom({}, (_request, n) => chatty(n), {
      model: { traits: { window: 10_000 } },
      says: 'Question 0',
    })
    let compacted = 0
    for (let n = 0; n < 20; n += 1) {
      if (n > 0) room.transcript.say(`Question ${n}`)
      const run = await runToEnd({ ...room.options, system: '' })
      compacted += eventsOf(run, 'compacted').length
      const { messages } = room.model.requests[n] ?? { messages: [] }
      expect(messages.at(-1)).toMatchObject({
        role: 'user',
        parts: [{ text: expect.stringContaining(`Question ${n}`) }],
      })
      expect(messages[0]?.role).toBe('user')
      // Each reply that is still there is whole.
      for (const message of messages) {
        if (message.role !== 'assistant') continue
        expect(message).toEqual({
          role: 'assistant',
          calls: [],
          ...chatty(Number.parseInt(message.text, 10)),
        })
      }
      expect(JSON.stringify(messages).length * 0.35).toBeLessThan(10_000)
    }
    expect(compacted).toBeGreaterThan(1)
    const last = room.model.requests.at(-1)?.messages ?? []
    expect(firstText(last)).toMatch(/^\[Earlier parts of this conversation were left out/)
  })

  it('counts by what the provider tells', async () => {
    const usage = { input: 7_000, output: 1_500 }
    const room = await agentRoom({}, () => ({ text: 'Short.', usage }), {
      model: { traits: { window: 10_000 } },
    })
    await runToEnd(room.options)
    room.transcript.say('More.')
    const run = await runToEnd(room.options)
    expect(eventsOf(run, 'compacted')).toMatchObject([{ turns: 1, messages: 2 }])
  })

  it('loses old replies with their results where one piece is too long alone', async () => {
    const fs = toolServer(tool('look'))
    fs.answer = () => ({ content: [{ type: 'text', text: `${fs.calls.length} ${long}` }] })
    const room = await agentRoom(
      { fs },
      (_request, n) =>
        n < 15 ? { reasoning: `why ${n}`, calls: [{ name: 'fs__look', args: { n } }] } : 'Done.',
      { model: { traits: { window: 10_000 } }, says: 'The task.' },
    )
    const run = await runToEnd(room.options)
    expect(run.end.reason).toBe('done')
    expect(eventsOf(run, 'compacted').length).toBeGreaterThan(0)
    for (const { messages } of room.model.requests) {
      expect(faultsOf(messages)).toEqual([])
      expect(firstText(messages.slice(1))).toContain('The task.')
      expect(reasonings(messages).every((words) => words?.startsWith('why ') === true)).toBe(true)
    }
    const last = room.model.requests.at(-1)?.messages ?? []
    expect(last.length).toBeLessThan(20)
    expect(reasonings(last).at(-1)).toBe('why 14')
  })

  it('is shortened and sent again when the provider says that it is too long', async () => {
    const error = new ModelError('DP_MODEL_REQUEST', 'Too long.', {
      provider: 'x',
      status: 400,
      kind: 'context_length_exceeded',
      said: "This model's maximum context length is 4096 tokens.",
    })
    const room = await agentRoom({}, (_request, n) => (n === 2 ? { error } : `Reply ${n}`))
    for (const words of ['One.', 'Two.']) {
      await runToEnd(room.options)
      room.transcript.say(words)
    }
    const run = await runToEnd(room.options)
    expect(run.end).toMatchObject({ reason: 'done', text: 'Reply 3', turns: 1 })
    expect(eventsOf(run, 'compacted')).toHaveLength(1)
    expect(room.model.requests[3]?.messages.length).toBeLessThan(
      room.model.requests[2]?.messages.length ?? 0,
    )
  })

  it('ends the run where nothing can be left out', async () => {
    const error = new ModelError('DP_MODEL_REQUEST', 'Too long.', {
      provider: 'x',
      status: 400,
      kind: 'context_length_exceeded',
    })
    const room = await agentRoom({}, [{ error }, 'Never.'])
    expect((await runToEnd(room.options)).end).toMatchObject({ reason: 'model-error', error })
  })

  it('can be shortened by hand, and reads the same from its lines', async () => {
    const lines: string[] = []
    const transcript = new Transcript({ write: (line) => lines.push(line) })
    for (let n = 0; n < 6; n += 1) {
      transcript.say(`Question ${n}`)
      transcript.append({ role: 'assistant', text: `Answer ${n}`, calls: [] })
    }
    expect(compact(transcript)).toEqual({ messages: 6, replies: 3 })
    expect(firstText(transcript.messages)).toContain('6 messages, 3 of them replies')
    expect(firstText(transcript.messages)).toContain('Question 3')
    const { transcript: again, problems } = Transcript.read(lines.join(''))
    expect(problems).toEqual([])
    expect(again.messages).toEqual(transcript.messages)
  })
})

describe('a conversation of thousands of turns', () => {
  /** CPU time of a run of so many turns, in ms. */
  async function costOf(turns: number): Promise<number> {
    const room = await agentRoom(
      {},
      (_request, n) =>
        n < turns
          ? { calls: [{ name: 'look', args: { n } }], usage: { input: 10 * n + 1, output: 5 } }
          : 'Done.',
      { model: { traits: { window: 1_000_000_000 } } },
    )
    room.host.mount([defineTool({ name: 'look', run: () => 'seen' })])
    const before = process.cpuUsage()
    await runToEnd({ ...room.options, budget: { turns: turns + 1 } })
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }

  it('costs the loop no more for a turn than a short one does', async () => {
    await costOf(200)
    let best = Number.POSITIVE_INFINITY
    // Square growth would be 64 times the cost.
    for (let tries = 0; tries < 4 && best > 20; tries += 1) {
      const once = await costOf(200)
      best = Math.min(best, (await costOf(1_600)) / once)
    }
    expect(best).toBeLessThan(24)
  })
})

describe('a transcript that cannot be written', () => {
  it('is told once, and the run goes on', async () => {
    const room = await agentRoom({}, ['One.', 'Two.'])
    const transcript = new Transcript({
      write: () => {
        throw new Error('disk full')
      },
    })
    transcript.say('Hi.')
    const first = await runToEnd({ ...room.options, transcript })
    transcript.say('Hi.')
    const second = await runToEnd({ ...room.options, transcript })
    expect(eventsOf(first, 'warning')).toMatchObject([
      { kind: 'transcript', message: expect.stringContaining('disk full') },
    ])
    expect(eventsOf(second, 'warning')).toEqual([])
    expect(second.end.text).toBe('Two.')
  })
})
