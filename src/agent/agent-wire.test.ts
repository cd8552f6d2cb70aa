import { describe, expect, it } from 'vitest'
import { agentRoom, type AgentRoom } from '../../test/support/agent-room.ts'
import { eventsOf, runToEnd } from '../../test/support/agent-run.ts'
import { tool, toolServer } from '../../test/support/host-room.ts'
import { fakeClock } from '../../test/support/fake-clock.ts'
import { ModelError } from '../base/errors.ts'
import type { WireEvent, WireNoteEvent } from '../jsonrpc/wire.ts'
import { AgentWire } from './agent-wire.ts'

/** A run on one wire with its host. */
async function wired(room: AgentRoom): Promise<readonly WireEvent[]> {
  await runToEnd({ ...room.options, run: 'run-1', wire: (event) => void room.events.push(event) })
  return room.events
}

const isNote = (event: WireEvent): event is WireNoteEvent => event.type === 'note'
const notesOf = (events: readonly WireEvent[], kind: string) =>
  events.filter(isNote).flatMap(({ note }) => (note.kind === kind ? [note] : []))

describe('the chain of a call', () => {
  it('has the same ids from the words of the model to the frames and back', async () => {
    const fs = toolServer(tool('look'))
    const room = await agentRoom(
      { fs },
      [{ text: 'I look.', calls: [{ name: 'fs__look', args: '{ "a": 1 }', id: 'x-1' }] }, 'Done.'],
      { run: 'run-1' },
    )
    const events = await wired(room)
    const chain = { run: 'run-1', turn: 't1' }
    const call = { ...chain, call: 't1c1' }
    const [request] = notesOf(events, 'model-request')
    expect(request).toMatchObject({ chain: { ...chain, attempt: 1 }, direction: 'out' })
    expect(JSON.parse(request?.text ?? '')).toMatchObject({ tools: [{ name: 'fs__look' }] })
    expect(notesOf(events, 'model-reply')[0]).toMatchObject({
      chain: { ...chain, attempt: 1 },
      direction: 'in',
      data: { status: 200, finish: 'tool-calls', model: 'scripted-1' },
    })
    expect(notesOf(events, 'tool-call')).toMatchObject([
      {
        chain: call,
        data: {
          modelCall: 'x-1',
          name: 'fs__look',
          alias: 'fs__look',
          server: 'fs',
          tool: 'look',
          argumentsText: '{ "a": 1 }',
        },
      },
    ])
    expect(notesOf(events, 'decision')).toMatchObject([{ chain: call }])
    // The answer to it has its id.
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'message',
        direction: 'out',
        chain: { ...call, attempt: 1 },
      }),
    )
    expect(notesOf(events, 'tool-result')).toMatchObject([
      { chain: call, text: 'done', data: { bytes: 4, shownBytes: 4, failed: false } },
    ])
    const kinds = events.filter(isNote).map(({ note }) => note.kind)
    const order = kinds.slice(kinds.indexOf('model-request'))
    expect(order).toEqual([
      'model-request',
      'model-reply',
      'tool-call',
      'decision',
      'tool-result',
      'model-request',
      'model-reply',
    ])
  })

  it('is there for a call that is not made as well', async () => {
    const room = await agentRoom({}, [{ calls: [{ name: 'nobody' }] }, 'Done.'])
    const events = await wired(room)
    expect(notesOf(events, 'tool-call')).toMatchObject([{ data: { server: null, tool: null } }])
    expect(notesOf(events, 'tool-result')).toMatchObject([{ data: { failed: true } }])
  })

  it('counts on within a place of its own, from open to close', async () => {
    const room = await agentRoom({}, ['Done.'])
    const own = (await wired(room)).filter(({ transport }) => transport === 'agent')
    expect(own.map(({ type }) => type)).toEqual(['open', 'note', 'note', 'close'])
    expect(own.map(({ seq }) => seq)).toEqual([0, 1, 2, 3])
    expect(new Set(own.map(({ connection }) => connection)).size).toBe(1)
  })
})

describe('the way to the model', () => {
  it('has each attempt, what failed, and the wait between', () => {
    const events: WireEvent[] = []
    const wire = new AgentWire((event) => void events.push(event), fakeClock(), 'r')
    const reply = { kind: 'reply', contentType: 'text/plain' } as const
    wire.leg('t1', 'm', { kind: 'request', attempt: 1, url: 'https://x/', body: '{}' })
    wire.leg('t1', 'm', { ...reply, attempt: 1, status: 503, body: 'busy' })
    wire.leg('t1', 'm', { kind: 'retry', attempt: 1, delayMs: 20, why: '503' })
    wire.leg('t1', 'm', { kind: 'request', attempt: 2, url: 'https://x/', body: '{}' })
    wire.leg('t1', 'm', { ...reply, attempt: 2, status: 500, body: 'broken' })
    wire.replied(undefined)
    wire.close()
    expect(events.filter(isNote).map(({ note }) => [note.kind, note.chain?.attempt])).toEqual([
      ['model-request', 1],
      ['model-reply', 1],
      ['model-retry', 1],
      ['model-request', 2],
      ['model-reply', 2],
    ])
    expect(notesOf(events, 'model-reply').map(({ text }) => text)).toEqual(['busy', 'broken'])
    expect(notesOf(events, 'model-retry')[0]?.data).toEqual({ attempt: 1, delayMs: 20, why: '503' })
  })

  it('tells of repeats while they happen', async () => {
    const room = await agentRoom({}, [])
    const model: typeof room.model = {
      ...room.model,
      reply: (_request, options) => {
        options?.onLeg?.({ kind: 'retry', attempt: 1, delayMs: 20, why: 'busy' })
        return Promise.reject(new ModelError('DP_MODEL_BUSY', 'Busy.', { provider: 'x' }))
      },
    }
    const run = await runToEnd({ ...room.options, model })
    expect(eventsOf(run, 'retry')).toMatchObject([{ turn: 't1', attempt: 1, delayMs: 20 }])
  })
})
