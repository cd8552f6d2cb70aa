/** Floods of progress and of log messages: what reaches the client of them. */

import { describe, expect, it } from 'vitest'
import type { LoggingMessage } from '../../src/protocol/types/logging.ts'
import { elicit } from '../../src/tools/context.ts'
import { defineTool } from '../../src/tools/define.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { LEGACY, MODERN, ofMethod, pairUp, type Pair } from '../support/pair.ts'

const ALL = [...LEGACY, ...MODERN]

const told = (pair: Pair): readonly unknown[] =>
  ofMethod(pair, 'notifications/progress').map(({ params }) => params?.['progress'])

describe.each(ALL)('progress at %s', (revision) => {
  it('that comes in a flood is told now and then, and its end before the answer [PROG-06, PROG-03]', async () => {
    const clock = fakeClock()
    const work = defineTool({
      name: 'work',
      async run(_args, ctx) {
        for (let progress = 1; progress <= 1000; progress += 1) {
          ctx.progress({ progress, total: 1000 })
          if (progress % 100 === 0) await clock.advance(100)
        }
        ctx.progress({ progress: 1001 })
        ctx.progress({ progress: 1002 })
        return 'done'
      },
    })
    const pair = await pairUp(revision, { tools: [work], clock })
    await pair.client.callTool('work', {}, { onProgress: () => undefined })
    const values = told(pair)
    // A second has passed: 20 at once, 20 in it, and the last.
    expect(values.length).toBeGreaterThanOrEqual(35)
    expect(values.length).toBeLessThanOrEqual(42)
    expect(values).toEqual(values.toSorted((a, b) => Number(a) - Number(b)))
    expect(values.at(-1)).toBe(1002)
    const messages = pair.crossed.map(({ message }) => message)
    const last = messages.findLastIndex(({ method }) => method === 'notifications/progress')
    const answer = messages.findLastIndex(({ result }) => result?.['content'] !== undefined)
    expect(last).toBeLessThan(answer)
    expect(clock.pending).toBe(0)
  })

  it('that comes slowly is told whole [PROG-02]', async () => {
    const clock = fakeClock()
    const work = defineTool({
      name: 'work',
      async run(_args, ctx) {
        for (let progress = 1; progress <= 60; progress += 1) {
          ctx.progress({ progress })
          await clock.advance(50)
        }
        return 'done'
      },
    })
    const pair = await pairUp(revision, { tools: [work], clock })
    await pair.client.callTool('work', {}, { onProgress: () => undefined })
    expect(told(pair)).toHaveLength(60)
  })

  it('that is held back when the tool fails is told all the same [PROG-06]', async () => {
    const clock = fakeClock()
    const work = defineTool({
      name: 'work',
      run(_args, ctx) {
        for (let progress = 1; progress <= 30; progress += 1) ctx.progress({ progress })
        throw new Error('x')
      },
    })
    const pair = await pairUp(revision, { tools: [work], clock })
    await pair.client.callTool('work', {}, { onProgress: () => undefined })
    expect(told(pair).at(-1)).toBe(30)
  })

  it('after the answer is told to nobody [PROG-05]', async () => {
    const clock = fakeClock()
    const late: (() => void)[] = []
    const work = defineTool({
      name: 'work',
      run(_args, ctx) {
        late.push(() => ctx.progress({ progress: 9 }))
        return 'done'
      },
    })
    const pair = await pairUp(revision, { tools: [work], clock })
    await pair.client.callTool('work', {}, { onProgress: () => undefined })
    for (const run of late) run()
    await clock.advance(1000)
    expect(told(pair)).toEqual([])
  })
})

describe.each(ALL)('log messages at %s', (revision) => {
  it('that come in a flood are cut, and the client is told how many [LOG-08]', async () => {
    const noisy = defineTool({
      name: 'noisy',
      run(_args, ctx) {
        for (let count = 1; count <= 1000; count += 1) ctx.log('info', count)
        return 'done'
      },
    })
    const heard: LoggingMessage[] = []
    const { client } = await pairUp(
      revision,
      { tools: [noisy], logging: true, clock: fakeClock() },
      { logLevel: 'info', onLog: (message) => void heard.push(message) },
    )
    await client.callTool('noisy')
    expect(heard).toHaveLength(201)
    expect(heard.at(-1)).toMatchObject({
      level: 'warning',
      data: expect.stringMatching(/^800 log/),
    })
  })

  it('are off unless the server wants them [LOG-01, LOG-09]', async () => {
    const says = defineTool({
      name: 'says',
      run(_args, ctx) {
        ctx.log('emergency', 'help')
        return 'done'
      },
    })
    const pair = await pairUp(revision, { tools: [says] }, { logLevel: 'debug' })
    await pair.client.callTool('says')
    expect(pair.client.server.capabilities).not.toHaveProperty('logging')
    expect(ofMethod(pair, 'notifications/message')).toEqual([])
  })
})

describe.each(MODERN)('a run that ends with a question at %s', (revision) => {
  it('says what it held back, and nothing more [PROG-06, MRTR-12]', async () => {
    const clock = fakeClock()
    const late: (() => void)[] = []
    const form = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } } as const
    const asks = defineTool({
      name: 'asks',
      async run(_args, ctx) {
        for (let progress = 1; progress <= 30; progress += 1) ctx.progress({ progress })
        late.push(() => ctx.progress({ progress: 31 }))
        await ctx.ask('sure', elicit(form))
        return 'done'
      },
    })
    const elicitation = () => {
      for (const run of late) run()
      return Promise.resolve({ action: 'accept' as const, content: {} })
    }
    const pair = await pairUp(revision, { tools: [asks], clock }, { answers: { elicitation } })
    await pair.client.callTool('asks', {}, { onProgress: () => undefined })
    expect(told(pair)).not.toContain(31)
    expect(told(pair).filter((progress) => progress === 30)).toHaveLength(2)
  })
})
