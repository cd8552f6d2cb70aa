import { describe, expect, it } from 'vitest'
import {
  mayBecomeReady,
  nextState,
  SERVER_EVENTS,
  SERVER_STATES,
  takesCalls,
  type ServerEvent,
  type ServerState,
} from './state.ts'

/** What is expected of every pair; a dot means that nothing changes. */
const TABLE = `
            start       opened  broke       gave-up  refused     retry       trouble   well   restart     stop
disabled    .           .       .           .        .           .           .         .      .           .
idle        connecting  .       .           .        .           .           .         .      connecting  disabled
connecting  .           ready   restarting  failed   needs-auth  .           .         .      connecting  disabled
needs-auth  .           .       .           .        .           .           .         .      connecting  disabled
ready       .           .       restarting  failed   needs-auth  .           degraded  .      connecting  disabled
degraded    .           .       restarting  failed   needs-auth  .           .         ready  connecting  disabled
restarting  .           ready   restarting  failed   needs-auth  connecting  .         .      connecting  disabled
failed      .           .       .           .        .           .           .         .      connecting  disabled
`

interface Case {
  readonly state: ServerState
  readonly event: ServerEvent
  readonly next: string
}

function readTable(text: string): readonly Case[] {
  const [head = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  return rows.flatMap(([state, ...cells]) =>
    cells.map((cell, at) => ({
      state: SERVER_STATES.find((one) => one === state) ?? 'failed',
      event: SERVER_EVENTS.find((one) => one === head[at]) ?? 'stop',
      next: cell === '.' ? (state ?? '') : cell,
    })),
  )
}

const CASES = readTable(TABLE)

describe('the states of a server', () => {
  it('has an expectation for every state and every event', () => {
    const pairs = new Set(CASES.map(({ state, event }) => `${state} ${event}`))
    expect(pairs.size).toBe(SERVER_STATES.length * SERVER_EVENTS.length)
  })

  it.each(CASES)('goes from $state by $event to $next', ({ state, event, next }) => {
    expect(nextState(state, event)).toBe(next)
  })

  it('takes calls when it is ready, also with troubles', () => {
    expect(SERVER_STATES.filter(takesCalls)).toEqual(['ready', 'degraded'])
  })

  it('lets calls wait where it may come by itself', () => {
    expect(SERVER_STATES.filter(mayBecomeReady)).toEqual(['idle', 'connecting', 'restarting'])
  })

  it('can be brought back from everywhere but the end', () => {
    const stuck = SERVER_STATES.filter((state) => nextState(state, 'restart') !== 'connecting')
    expect(stuck).toEqual(['disabled'])
  })
})
