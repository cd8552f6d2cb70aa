/**
 * What holds for a single request between a client and a server, told by its messages: progress, pages of a list,
 * and errors with a meaning of their own. In memory, at every revision.
 */
import { describe, expect, it } from 'vitest'
import { RpcRefusal } from '../../src/base/errors.ts'
import type { JsonObject } from '../../src/base/json.ts'
import type { Progress } from '../../src/protocol/types/common.ts'
import type { ToolContext } from '../../src/tools/context.ts'
import { defineTool, type ToolDefinition } from '../../src/tools/define.ts'
import { connected } from '../support/hostile-client.ts'
import { answerTo, LEGACY, MODERN, ofMethod, pairUp, type Pair } from '../support/pair.ts'

const ALL = [...LEGACY, ...MODERN]

const named = (name: string): ToolDefinition => defineTool({ name, run: () => name })

/** A tool that tells these steps. */
const telling = (steps: readonly Progress[]): ToolDefinition =>
  defineTool({
    name: 'tell',
    run(_args, context) {
      for (const step of steps) context.progress(step)
      return 'done'
    },
  })

async function heardOf(pair: Pair): Promise<readonly Progress[]> {
  const heard: Progress[] = []
  await pair.client.callTool('tell', {}, { onProgress: (progress) => void heard.push(progress) })
  return heard
}

describe.each(ALL)('progress at %s', (revision) => {
  it('only grows, by fractions too: what does not grow is not sent [PROG-03]', async () => {
    const steps = [0.25, 0.5, 0.5, 0.1, -1, Number.NaN, 1.75].map((progress) => ({
      progress,
      total: 2.5,
    }))
    const pair = await pairUp(revision, { tools: [telling(steps)] })
    const heard = await heardOf(pair)
    expect(heard.map(({ progress }) => progress)).toEqual([0.25, 0.5, 1.75])
    expect(heard.map(({ total }) => total)).toEqual([2.5, 2.5, 2.5])
    expect(ofMethod(pair, 'notifications/progress')).toHaveLength(3)
  })

  it('names the token of the running call, and ends with it [PROG-05]', async () => {
    let kept: ToolContext | undefined
    const keep = defineTool({
      name: 'keep',
      run(_args, context) {
        kept = context
        context.progress({ progress: 1 })
      },
    })
    const pair = await pairUp(revision, { tools: [keep, named('other')] })
    await pair.client.callTool('keep', {}, { onProgress: () => {} })
    kept?.progress({ progress: 2 })
    await pair.client.callTool('other')
    const [token, ...more] = ofMethod(pair, 'notifications/progress')
    expect(more).toEqual([])
    const call = ofMethod(pair, 'tools/call')[0]
    expect(token?.params?.['progressToken']).toBe(Object(call?.params?.['_meta']).progressToken)
  })
})

describe.each(ALL.slice(1))('progress at %s', (revision) => {
  it('has words for a person [PROG-04]', async () => {
    const pair = await pairUp(revision, {
      tools: [telling([{ progress: 1, message: '读取 2 of 3' }])],
    })
    expect(await heardOf(pair)).toMatchObject([{ progress: 1, message: '读取 2 of 3' }])
  })
})

describe.each(ALL)('a list at %s', (revision) => {
  const tools = ['a', 'b', 'c', 'd', 'e'].map(named)

  it('ends with the page that names no further one, or with the only one [PAGE-03]', async () => {
    const paged = await pairUp(revision, { tools, pageSize: 2 })
    expect((await paged.client.listTools()).map(({ name }) => name)).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ])
    expect(ofMethod(paged, 'tools/list')).toHaveLength(3)
    expect(answerTo(paged, 'tools/list')?.result).not.toHaveProperty('nextCursor')

    const whole = await pairUp(revision, { tools })
    expect(await whole.client.listTools()).toHaveLength(5)
    expect(ofMethod(whole, 'tools/list')).toHaveLength(1)
  })
})

describe('an error with a meaning of its own', () => {
  const data = {
    elicitations: [
      { mode: 'url', url: 'https://example.org/in', message: 'Sign in', elicitationId: 'e1' },
    ],
  }
  const guarded = defineTool({
    name: 'guarded',
    run() {
      throw new RpcRefusal(-32042, 'Sign in first', { data })
    },
  })

  it('says that a visit to a URL has to come first, with the visits [ERR-05]', async () => {
    const unwilling = { elicitationUrl: () => Promise.resolve({ action: 'decline' as const }) }
    const pair = await pairUp(
      '2025-11-25',
      { tools: [guarded, named('open')] },
      { answers: unwilling },
    )
    await expect(pair.client.callTool('guarded')).rejects.toBeInstanceOf(Error)
    const refused = pair.crossed.find(({ message }) => message.error !== undefined)
    expect(refused?.message.error).toMatchObject({ code: -32042, data })
    await expect(pair.client.callTool('missing')).rejects.toMatchObject({ rpcCode: -32602 })
  })

  it.each([
    [{ elicitation: () => Promise.resolve({ action: 'accept' as const }) }, 'url'],
    [{ elicitationUrl: () => Promise.resolve({ action: 'accept' as const }) }, 'form'],
    [{ elicitation: () => Promise.resolve({ action: 'accept' as const }) }, 'hologram'],
  ])(
    'answers a question in a mode that was not declared with -32602 [ERR-19]',
    async (answers, mode) => {
      const { end } = await connected('legacy', () => {}, { answers })
      const params: JsonObject = {
        mode,
        message: 'm',
        url: 'https://example.org',
        requestedSchema: { type: 'object', properties: {} },
      }
      void end.say({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params })
      const answer = await end.find(({ id, method }) => id === 'q' && method === undefined)
      expect(answer).toMatchObject({ error: { code: -32602 } })
    },
  )
})
