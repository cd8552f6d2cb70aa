import { describe, expect, it } from 'vitest'
import { agentRoom } from '../../test/support/agent-room.ts'
import { eventsOf, runToEnd } from '../../test/support/agent-run.ts'
import { stage, type Stage } from '../../test/support/model-stage.ts'
import { tool, toolServer } from '../../test/support/host-room.ts'
import type { AgentOptions } from './loop-options.ts'

const costOf: NonNullable<AgentOptions['costOf']> = ({ input, output }) =>
  (input + 2 * output) / 1000

/** An agent whose model is behind HTTP, with the far side in the hands of the test. */
async function staged(): Promise<{ at: Stage; options: AgentOptions }> {
  const at = stage()
  const { options } = await agentRoom({}, [], { says: 'y'.repeat(400) })
  return { at, options: { ...options, model: at.model, system: '', costOf } }
}

describe('a try that failed', () => {
  it('counts with what the provider told of it, and as a request', async () => {
    const { at, options } = await staged()
    const running = runToEnd(options)
    ;(await at.far.call(0)).stream('t:half\n', 'u:100 20\n', '.interrupted\n').end()
    await at.later(1_000)
    ;(await at.far.call(1)).stream('t:whole\n', 'u:110 30\n', '.stop\n').end()
    const run = await running
    expect(eventsOf(run, 'retry')).toMatchObject([{ usage: { input: 100, output: 20 }, usd: 0.14 }])
    expect(run.end).toMatchObject({ reason: 'done', turns: 2, usage: { input: 210, output: 50 } })
    expect(run.end.usd).toBeCloseTo(0.31)
    expect(run.end).not.toHaveProperty('estimated')
  })

  it('counts by an estimate where its stream was cut', async () => {
    const { at, options } = await staged()
    const running = runToEnd(options)
    ;(await at.far.call(0)).stream(`t:${'x'.repeat(1000)}\n`).end()
    await at.later(1_000)
    ;(await at.far.call(1)).stream('t:whole\n', 'u:110 30\n', '.stop\n').end()
    const { end } = await running
    expect(end).toMatchObject({ turns: 2, estimated: true })
    expect(end.usage.input).toBeGreaterThan(110 + 60)
    expect(end.usage.output).toBeGreaterThan(30 + 200)
  })

  it('counts as nothing where it was refused', async () => {
    const { at, options } = await staged()
    const running = runToEnd(options)
    ;(await at.far.call(0)).json({}, 503)
    await at.later(1_000)
    ;(await at.far.call(1)).stream('t:whole\n', 'u:110 30\n', '.stop\n').end()
    const run = await running
    expect(run.end).toMatchObject({ turns: 1, usage: { input: 110, output: 30 } })
    expect(eventsOf(run, 'retry')[0]).not.toHaveProperty('usage')
    expect(run.end).not.toHaveProperty('estimated')
  })

  it('counts against the limits', async () => {
    const { at, options } = await staged()
    const running = runToEnd({ ...options, budget: { tokens: 200 } })
    ;(await at.far.call(0)).stream('u:100 90\n', '.interrupted\n').end()
    await at.later(1_000)
    ;(await at.far.call(1)).stream('c:nobody\n', 'u:5 5\n', '.tool-calls\n').end()
    expect((await running).end).toMatchObject({ reason: 'budget', which: 'tokens', turns: 2 })
  })
})

describe('a reply that the user interrupts', () => {
  it('counts with an estimate of what was sent and of what came', async () => {
    const { at, options } = await staged()
    const stop = new AbortController()
    const running = runToEnd({ ...options, signal: stop.signal })
    ;(await at.far.call(0)).stream(`t:${'x'.repeat(1000)}\n`)
    await at.later(0)
    stop.abort()
    const { end } = await running
    expect(end).toMatchObject({ reason: 'cancelled', turns: 1, estimated: true })
    expect(end.usage.input).toBeGreaterThan(60)
    expect(end.usage.input).toBeLessThan(300)
    expect(end.usage.output).toBeGreaterThan(200)
    expect(end.usage.output).toBeLessThan(450)
    expect(end.usd).toBeCloseTo((end.usage.input + 2 * end.usage.output) / 1000)
  })

  it('before anything of it came counts as nothing', async () => {
    const { at, options } = await staged()
    const stop = new AbortController()
    const running = runToEnd({ ...options, signal: stop.signal })
    ;(await at.far.call(0)).stream('w\n')
    await at.later(0)
    stop.abort()
    const { end } = await running
    expect(end).toMatchObject({ reason: 'cancelled', usage: { input: 0, output: 0 }, usd: 0 })
    expect(end).not.toHaveProperty('estimated')
  })

  it('before anything of it came is told as one of which nobody knows what it counts', async () => {
    const { at, options } = await staged()
    const stop = new AbortController()
    const running = runToEnd({ ...options, signal: stop.signal })
    await at.far.call(0)
    stop.abort()
    expect((await running).end).toMatchObject({ reason: 'cancelled', turns: 1, uncounted: 1 })
  })

  it('while it waits to be sent again is told as what it was: refused', async () => {
    const { at, options } = await staged()
    const stop = new AbortController()
    const running = runToEnd({ ...options, signal: stop.signal })
    ;(await at.far.call(0)).json({}, 503)
    await at.later(0)
    stop.abort()
    expect((await running).end).not.toHaveProperty('uncounted')
  })
})

describe('a request of which nothing came', () => {
  it('is told of where its stream was cut, and not where it was refused', async () => {
    const { at, options } = await staged()
    const running = runToEnd(options)
    ;(await at.far.call(0)).stream().end()
    await at.later(1_000)
    ;(await at.far.call(1)).json({}, 400)
    const { end } = await running
    expect(end).toMatchObject({ reason: 'model-error', uncounted: 1 })
  })

  it('is not told of where it counts by what came', async () => {
    const { at, options } = await staged()
    const running = runToEnd(options)
    ;(await at.far.call(0)).stream('t:whole\n', 'u:110 30\n', '.stop\n').end()
    expect((await running).end).not.toHaveProperty('uncounted')
  })
})

it('a reply of which the provider does not tell makes the sum an estimate', async () => {
  const look = { calls: [{ name: 'fs__look' }], usage: { input: 10, output: 2 } }
  const room = await agentRoom({ fs: toolServer(tool('look')) }, [look, 'Done.'])
  expect((await runToEnd(room.options)).end.estimated).toBe(true)
})
