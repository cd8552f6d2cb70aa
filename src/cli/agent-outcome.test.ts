import { describe, expect, it } from 'vitest'
import type { AgentEnd, CallOutcome } from '../agent/events.ts'
import { ModelError, PolicyError, TransportError } from '../base/errors.ts'
import { LastCalls, outcomeCode, spentWith } from './agent-outcome.ts'
import { eventRecord } from './agent-records.ts'

const end = (reason: AgentEnd['reason'], error?: Error): AgentEnd => ({
  reason,
  text: reason === 'done' ? 'Here it is.' : '',
  turns: 1,
  usage: { input: 1, output: 1 },
  usd: undefined,
  ...(error !== undefined && { error }),
})
const denied = new PolicyError('DP_POLICY_DENIED', 'No.')
const outcome = (turn: string, failed: boolean, error?: Error): CallOutcome => ({
  call: {
    id: `${turn}c1`,
    turn,
    modelCall: { id: 'x', name: 'a', argumentsText: '{}' },
    alias: 'a',
    server: 's',
    tool: 'a',
    args: {},
  },
  raw: undefined,
  shown: 'x',
  bytes: 1,
  shownBytes: 1,
  failed,
  called: true,
  ms: 1,
  ...(error !== undefined && { error }),
})
const callsOf = (...outcomes: readonly CallOutcome[]): LastCalls => {
  const calls = new LastCalls()
  for (const one of outcomes) calls.add(one)
  return calls
}

describe('the exit code of a run', () => {
  it.each([
    ['done', 0],
    ['budget', 9],
    ['loop', 9],
    ['length', 9],
    ['filtered', 8],
    ['cancelled', 130],
  ] as const)('of one that ended as %s is %i', (reason, code) => {
    expect(outcomeCode(end(reason), callsOf())).toBe(code)
  })

  it('of one without a reply tells who failed: the key, the way or the model', () => {
    const model = (code: 'DP_MODEL_KEY' | 'DP_MODEL_FAILED'): Error =>
      new ModelError(code, 'x', { provider: 'p' })
    const of = (error: Error): number => outcomeCode(end('model-error', error), callsOf())
    expect(of(model('DP_MODEL_KEY'))).toBe(3)
    expect(of(model('DP_MODEL_FAILED'))).toBe(8)
    expect(of(new TransportError('DP_TRANSPORT_CONNECT', 'x'))).toBe(4)
  })

  it('is that of a failed model when it said nothing', () => {
    for (const text of ['', ' \n'])
      expect(outcomeCode({ ...end('done'), text }, callsOf(outcome('t1', false)))).toBe(8)
  })

  it('is 6 when a refusal was the last that happened', () => {
    expect(outcomeCode(end('done'), callsOf(outcome('t1', true, denied)))).toBe(6)
    const after = callsOf(outcome('t1', false), outcome('t2', true, denied))
    expect(outcomeCode(end('done'), after)).toBe(6)
  })

  it('is 0 when the model went another way after a refusal', () => {
    const later = callsOf(outcome('t1', true, denied), outcome('t2', false))
    expect(outcomeCode(end('done'), later)).toBe(0)
    const beside = callsOf(outcome('t1', true, denied), outcome('t1', false))
    expect(outcomeCode(end('done'), beside)).toBe(0)
    expect(outcomeCode(end('done'), callsOf(outcome('t1', true)))).toBe(0)
  })
})

describe('an event as JSON', () => {
  it('has its error as the record that all commands print', () => {
    expect(eventRecord({ type: 'result', ...outcome('t1', true, denied) })).toMatchObject({
      type: 'result',
      failed: true,
      error: { family: 'policy', code: 'DP_POLICY_DENIED', message: 'No.', exitCode: 6 },
    })
    expect(eventRecord({ type: 'end', end: end('model-error', denied) })).toMatchObject({
      type: 'end',
      end: { reason: 'model-error', error: { code: 'DP_POLICY_DENIED' } },
    })
  })

  it('is the event itself where there is none', () => {
    const event = { type: 'turn', turn: 't1' } as const
    expect(eventRecord(event)).toBe(event)
    expect(eventRecord({ type: 'end', end: end('done') })).not.toHaveProperty('end.error')
  })
})

describe('what a session came to', () => {
  it('is the sum of its runs, with what is an estimate, unknown or not counted', () => {
    const one = { turns: 2, usage: { input: 10, output: 3 }, usd: 0.5 }
    expect(spentWith(one, one)).toEqual({ turns: 4, usage: { input: 20, output: 6 }, usd: 1 })
    const open = spentWith({ ...one, uncounted: 1 }, { ...one, uncounted: 2, estimated: true })
    expect(open).toMatchObject({ uncounted: 3, estimated: true })
    expect(spentWith(open, { ...one, usd: undefined }).usd).toBeUndefined()
  })
})
