import { expect, it } from 'vitest'
import { EventFeed } from './event-feed.ts'
import type { AgentCall, AgentEvent } from './events.ts'
import type { ModelDelta } from './model.ts'

const delta = (one: ModelDelta): AgentEvent => ({ type: 'delta', turn: 't1', delta: one })
const text = (words: string): AgentEvent => delta({ kind: 'text', text: words })
const call: AgentCall = {
  id: 't1c1',
  turn: 't1',
  modelCall: { id: 'x', name: 'x', argumentsText: '' },
  alias: 'x',
  server: undefined,
  tool: 'x',
  args: {},
}

it('puts pieces together that nobody has taken yet, and nothing else', () => {
  const feed = new EventFeed()
  for (const word of ['a', 'b', 'c']) feed.push(text(word))
  feed.push(delta({ kind: 'reasoning', text: 'r' }))
  feed.push(text('d'))
  feed.push(delta({ kind: 'arguments', index: 0, text: '{' }))
  feed.push(delta({ kind: 'arguments', index: 0, text: '}' }))
  feed.push(delta({ kind: 'arguments', index: 1, text: '{}' }))
  feed.push(delta({ kind: 'restart' }))
  feed.push(delta({ kind: 'restart' }))
  expect(feed.take()).toEqual([
    text('abc'),
    delta({ kind: 'reasoning', text: 'r' }),
    text('d'),
    delta({ kind: 'arguments', index: 0, text: '{}' }),
    delta({ kind: 'arguments', index: 1, text: '{}' }),
    delta({ kind: 'restart' }),
    delta({ kind: 'restart' }),
  ])
})

it('holds a bounded number of steps of progress, however many come', () => {
  const feed = new EventFeed()
  for (let progress = 0; progress < 10_000; progress += 1)
    feed.push({ type: 'progress', call, progress: { progress } })
  feed.push({ type: 'call', call })
  const events = feed.take() ?? []
  expect(events.length).toBeLessThanOrEqual(257)
  expect(events.at(-1)).toEqual({ type: 'call', call })
})

it('gives what is left after its end, and then nothing', async () => {
  const feed = new EventFeed()
  feed.push(text('a'))
  feed.end()
  feed.push(text('b'))
  await feed.ready()
  expect(feed.take()).toEqual([text('a')])
  await feed.ready()
  expect(feed.take()).toBeUndefined()
  await feed.seen()
})

it('lets go on only when the reader has dealt with all that it took', async () => {
  const feed = new EventFeed()
  await feed.seen()
  feed.push(text('a'))
  let seen = false
  const waiting = feed.seen().then(() => (seen = true))
  await feed.ready()
  feed.take()
  await new Promise(setImmediate)
  expect(seen).toBe(false)
  feed.dealtWith()
  await waiting
  expect(seen).toBe(true)
})
