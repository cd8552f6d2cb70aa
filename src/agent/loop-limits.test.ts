import { describe, expect, it } from 'vitest'
import { agentRoom, faultsOf, told } from '../../test/support/agent-room.ts'
import { eventsOf, runToEnd } from '../../test/support/agent-run.ts'
import { tool, toolServer } from '../../test/support/host-room.ts'
import { UsageError } from '../base/errors.ts'
import { runAgent } from './loop.ts'

const LOOK = { calls: [{ name: 'fs__look', args: { at: 0 } }] } as const
/** Asks for something else each time, without end. */
const restless = (_request: unknown, at: number) =>
  ({ calls: [{ name: 'fs__look', args: { at } }], usage: { input: 100, output: 20 } }) as const

describe('a budget that is reached', () => {
  it.each([
    ['turns', { turns: 3 }, 3],
    ['tokens', { tokens: 250 }, 3],
    ['calls', { calls: 2 }, 2],
    ['usd', { usd: 0.5 }, 2],
  ] as const)('of %s ends the run between two turns', async (which, budget, turns) => {
    const room = await agentRoom({ fs: toolServer(tool('look')) }, restless)
    const { end } = await runToEnd({ ...room.options, budget, costOf: ({ input }) => input / 400 })
    expect(end).toMatchObject({ reason: 'budget', which, turns })
    expect(end.usage).toEqual({ input: 100 * turns, output: 20 * turns })
    expect(faultsOf(room.transcript.messages)).toEqual([])
    expect(room.transcript.messages.at(-1)?.role).toBe('tool')
  })

  it('of time ends it as well', async () => {
    const room = await agentRoom({ fs: toolServer(tool('look')) }, async (request, at) => {
      await room.clock.advance(400)
      return restless(request, at)
    })
    const { end } = await runToEnd({ ...room.options, budget: { ms: 1000 } })
    expect(end).toMatchObject({ reason: 'budget', which: 'ms', turns: 3 })
  })

  it('is 50 turns where nobody said anything', async () => {
    const room = await agentRoom({ fs: toolServer(tool('look')) }, restless)
    expect((await runToEnd(room.options)).end).toMatchObject({ which: 'turns', turns: 50 })
  })

  it('of calls leaves those of a reply that are over it uncalled and answered', async () => {
    const fs = toolServer(tool('look'))
    const calls = [0, 1, 2].map((at) => ({ name: 'fs__look', args: { at } }))
    const room = await agentRoom({ fs }, [{ calls }])
    const { end } = await runToEnd({ ...room.options, budget: { calls: 2 } })
    expect(end).toMatchObject({ reason: 'budget', which: 'calls' })
    expect(fs.calls).toHaveLength(2)
    expect(told(room.transcript.messages).map(({ failed }) => failed)).toEqual([false, false, true])
  })

  it('of nothing asks no model', async () => {
    const room = await agentRoom({}, ['Hi.'])
    const { end } = await runToEnd({ ...room.options, budget: { turns: 0 } })
    expect(end).toMatchObject({ reason: 'budget', which: 'turns', turns: 0, text: '' })
    expect(room.model.requests).toEqual([])
  })

  it('of money is kept by asking no model whose price is not known', async () => {
    const room = await agentRoom({}, ['Hi.'])
    const { end } = await runToEnd({ ...room.options, budget: { usd: 5 } })
    expect(end).toMatchObject({ reason: 'budget', which: 'usd', error: expect.any(UsageError) })
    expect(room.model.requests).toEqual([])
  })

  it.each([{ turns: -1 }, { ms: Number.NaN }, { tokens: '5' as never }])(
    'must be a number from 0 on, and %j is none',
    async (budget) => {
      const room = await agentRoom({}, ['Hi.'])
      await expect(runAgent({ ...room.options, budget }).next()).rejects.toThrow(UsageError)
    },
  )
})

describe('what a run cost', () => {
  it('is the sum of its replies, each of which tells its own', async () => {
    const usage = { input: 1000, cachedInput: 896, output: 50, reasoning: 20 }
    const room = await agentRoom({ fs: toolServer(tool('look')) }, [
      { ...LOOK, usage },
      { text: 'Done.', usage: { input: 2000, output: 60 } },
    ])
    const run = await runToEnd({ ...room.options, costOf: ({ output }) => output / 1000 })
    expect(eventsOf(run, 'reply').map(({ usd }) => usd)).toEqual([0.05, 0.06])
    expect(run.end.usd).toBeCloseTo(0.11)
    expect(run.end.usage).toEqual({ input: 3000, cachedInput: 896, output: 110, reasoning: 20 })
  })

  it('is not known when one of them is not', async () => {
    const room = await agentRoom({ fs: toolServer(tool('look')) }, [LOOK, 'Done.'])
    let asked = 0
    const costOf = () => ((asked += 1) === 1 ? 1 : undefined)
    expect((await runToEnd({ ...room.options, costOf })).end.usd).toBeUndefined()
  })

  it('is estimated in tokens where the provider does not tell', async () => {
    const room = await agentRoom({}, ['x'.repeat(1000)], { says: 'y'.repeat(2000) })
    const { usage } = (await runToEnd({ ...room.options, system: '' })).end
    expect(usage.input).toBeGreaterThan(400)
    expect(usage.input).toBeLessThan(900)
    expect(usage.output).toBeGreaterThan(200)
    expect(usage.output).toBeLessThan(450)
  })
})

describe('the same call again and again', () => {
  const always = () => LOOK

  it('is told the third time and ends the run the fifth', async () => {
    const fs = toolServer(tool('look'))
    const room = await agentRoom({ fs }, always)
    const run = await runToEnd(room.options)
    expect(run.end).toMatchObject({ reason: 'loop', turns: 5 })
    expect(fs.calls).toHaveLength(5)
    const texts = told(room.transcript.messages).map(({ text }) => text)
    expect(texts.map((text) => text.includes('3 times') || text.includes('4 times'))).toEqual([
      false,
      false,
      true,
      true,
      false,
    ])
    expect(texts.every((text) => text.startsWith('done'))).toBe(true)
    expect(eventsOf(run, 'warning').map(({ kind }) => kind)).toEqual(['repeated'])
    expect(faultsOf(room.transcript.messages)).toEqual([])
  })

  it('is one also when its arguments are written in another order', async () => {
    const orders = ['{"a":1,"b":{"c":2,"d":3}}', '{ "b": {"d": 3, "c": 2}, "a": 1 }']
    const room = await agentRoom({ fs: toolServer(tool('look')) }, (_request, at) => ({
      calls: [{ name: 'fs__look', args: orders[at % 2] ?? '' }],
    }))
    expect((await runToEnd(room.options)).end.reason).toBe('loop')
  })

  it('is none while its outcome changes', async () => {
    const fs = toolServer(tool('look'))
    fs.answer = () => ({ content: [{ type: 'text', text: `${fs.calls.length} %` }] })
    const room = await agentRoom({ fs }, (_request, at) => (at < 12 ? LOOK : 'Done.'))
    const run = await runToEnd(room.options)
    expect(run.end.reason).toBe('done')
    expect(eventsOf(run, 'warning')).toEqual([])
  })

  it('counts when other calls are made in between, and when it is refused each time', async () => {
    const room = await agentRoom({ fs: toolServer(tool('look')) }, (_request, at) => ({
      calls: [{ name: 'fs__look', args: { at } }, { name: 'nobody' }],
    }))
    const { end } = await runToEnd(room.options)
    expect(end).toMatchObject({ reason: 'loop', turns: 5 })
  })

  it('is not made again within the reply that ends the run, and the others of it are answered', async () => {
    const fs = toolServer(tool('look'))
    const calls = Array.from({ length: 8 }, () => LOOK.calls[0])
    const room = await agentRoom({ fs }, [{ calls }])
    expect((await runToEnd(room.options)).end.reason).toBe('loop')
    expect(fs.calls).toHaveLength(5)
    expect(faultsOf(room.transcript.messages)).toEqual([])
  })
})
