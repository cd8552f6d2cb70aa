/** Questions of a tool to the client: as requests in the legacy era, inside results in the modern one. */

import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import type { ElicitResult } from '../../src/protocol/types/elicitation.ts'
import { Sealer } from '../../src/server/request-state.ts'
import { elicit, listRoots, sample } from '../../src/tools/context.ts'
import { resultToText } from '../../src/tools/content.ts'
import { defineTool, type ToolDefinition } from '../../src/tools/define.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { answerTo, LEGACY, MODERN, ofMethod, pairUp } from '../support/pair.ts'

const FORM = {
  message: 'Your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
} as const

const nameIn = ({ content }: ElicitResult): string => String(content?.['name'])

/** Asks for a name, then for a second one, then acts. */
function greeting(effects: string[] = []): ToolDefinition {
  return defineTool<{ lang?: string }>({
    name: 'greet',
    input: { type: 'object' },
    async run({ lang }, ctx) {
      const first = await ctx.ask('first', elicit(FORM))
      const second = await ctx.ask('second', elicit(FORM))
      effects.push('acted')
      return `${nameIn(first)} and ${nameIn(second)} (${lang ?? 'en'})`
    },
  })
}

const answering = (names: string[]) => ({
  elicitation: () =>
    Promise.resolve({ action: 'accept' as const, content: { name: names.shift() ?? 'nobody' } }),
})

describe.each(MODERN)('questions at %s', (revision) => {
  it('travel in results, and the answers in retries under new ids with the same params [MRTR-01, MRTR-02, MRTR-03, MRTR-05, MRTR-06, MRTR-07, MRTR-15, RPC-05, TOOL-25]', async () => {
    const effects: string[] = []
    const pair = await pairUp(
      revision,
      { tools: [greeting(effects)] },
      { answers: answering(['Ada', 'Bob']) },
    )
    expect(resultToText(await pair.client.callTool('greet', { lang: 'de' }))).toBe(
      'Ada and Bob (de)',
    )
    const calls = ofMethod(pair, 'tools/call')
    expect(calls).toHaveLength(3)
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3)
    for (const { params } of calls) {
      expect(params).toMatchObject({ name: 'greet', arguments: { lang: 'de' } })
      expect(params?.['_meta']).toMatchObject({
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
      })
    }
    const results = pair.crossed.filter(
      ({ message }) => message.result?.['resultType'] === 'input_required',
    )
    const states = results.map(({ message }) => message.result?.['requestState'])
    expect(calls.map(({ params }) => params?.['requestState'])).toEqual([undefined, ...states])
    expect(
      calls.map(({ params }) =>
        Object.keys((params?.['inputResponses'] as JsonObject | undefined) ?? {}),
      ),
    ).toEqual([[], ['first'], ['second']])
    expect(effects).toEqual(['acted'])
  })

  it('asked in one breath travel together', async () => {
    const both = defineTool({
      name: 'both',
      async run(_args, ctx) {
        const [one, two] = await Promise.all([
          ctx.ask('one', elicit(FORM)),
          ctx.ask('two', listRoots()),
        ])
        return `${one.action} ${two.roots.length}`
      },
    })
    const answers = { ...answering(['Ada']), roots: [{ uri: 'file:///a' }] }
    const pair = await pairUp(revision, { tools: [both] }, { answers })
    expect(resultToText(await pair.client.callTool('both'))).toBe('accept 1')
    expect(ofMethod(pair, 'tools/call')).toHaveLength(2)
  })

  it('end the run for good: code that catches the wait never acts in the first round [MRTR-12]', async () => {
    const effects: string[] = []
    const careless = defineTool({
      name: 'careless',
      async run(_args, ctx) {
        try {
          await ctx.ask('sure', elicit(FORM))
        } catch {
          effects.push('caught')
        }
        effects.push('acted')
        return 'done'
      },
    })
    const { client } = await pairUp(revision, { tools: [careless] }, { answers: answering(['x']) })
    await client.callTool('careless')
    expect(effects).toEqual(['acted'])
  })

  it('stop what hangs on the signal of the run that they end', async () => {
    const reasons: string[] = []
    const watcher = defineTool({
      name: 'watch',
      async run(_args, ctx) {
        ctx.signal.addEventListener(
          'abort',
          () => void reasons.push((ctx.signal.reason as Error).message),
        )
        await ctx.ask('sure', elicit(FORM))
        return 'done'
      },
    })
    const { client } = await pairUp(revision, { tools: [watcher] }, { answers: answering(['x']) })
    await client.callTool('watch')
    expect(reasons).toHaveLength(1)
    expect(reasons[0]).toMatch(/goes on later/)
  })

  it('without end are given up after ten rounds, with an error that says so [MRTR-14]', async () => {
    let round = 0
    const asking = defineTool({
      name: 'ask',
      async run(_args, ctx) {
        await ctx.ask(`again ${(round += 1)}`, elicit(FORM))
        return 'never'
      },
    })
    const pair = await pairUp(revision, { tools: [asking] }, { answers: answering([]) })
    await expect(pair.client.callTool('ask')).rejects.toMatchObject({
      code: 'DP_PROTOCOL_ROUNDS',
      requirement: 'MRTR-14',
    })
    expect(ofMethod(pair, 'tools/call')).toHaveLength(11)
  })

  it('of a kind that the client did not declare are an error -32021 that names it [ERR-07, MRTR-04, META-09]', async () => {
    const { client } = await pairUp(revision, { tools: [greeting()] })
    await expect(client.callTool('greet')).rejects.toMatchObject({
      rpcCode: -32021,
      data: { requiredCapabilities: { elicitation: {} } },
    })
  })

  it('are never JSON-RPC requests, and their answers never responses [RPC-16, RPC-17]', async () => {
    const pair = await pairUp(revision, { tools: [greeting()] }, { answers: answering(['a', 'b']) })
    await pair.client.callTool('greet')
    expect(
      pair.crossed.filter(
        ({ direction, message }) => direction === 'in' && message.method !== undefined,
      ),
    ).toEqual([])
    expect(
      pair.crossed.filter(
        ({ direction, message }) => direction === 'out' && message.method === undefined,
      ),
    ).toEqual([])
  })

  it('take no state that was changed, made up, or meant for another call [MRTR-09, MRTR-10, MRTR-08]', async () => {
    const pair = await pairUp(
      revision,
      { tools: [greeting()], singleUse: false },
      { answers: answering(['Ada', 'Bob']) },
    )
    await pair.client.callTool('greet', { lang: 'de' })
    const state = String(ofMethod(pair, 'tools/call').at(-1)?.params?.['requestState'])
    const params = {
      name: 'greet',
      arguments: { lang: 'de' },
      inputResponses: { second: { action: 'decline' } },
    }
    const again = (requestState: string, changes: JsonObject = {}): Promise<JsonObject> =>
      pair.client.request('tools/call', { ...params, ...changes, requestState })
    expect(await again(state)).toMatchObject({ content: [{ text: 'Ada and undefined (de)' }] })
    const flipped = `${state.slice(0, 20)}${state[20] === 'A' ? 'B' : 'A'}${state.slice(21)}`
    for (const bad of [flipped, state.slice(0, -2), '', 'x', '%%%', 'A'.repeat(300_000)]) {
      await expect(again(bad)).rejects.toMatchObject({ rpcCode: -32602 })
    }
    await expect(again(state, { arguments: { lang: 'fr' } })).rejects.toMatchObject({
      rpcCode: -32602,
    })
    expect(await again(state, { arguments: { lang: 'de' }, name: 'greet' })).toBeDefined()
  })

  it('take answers of the right shape only, and never look at surplus ones [MRTR-13]', async () => {
    const pair = await pairUp(revision, { tools: [greeting()] }, { answers: answering([]) })
    pair.unjudged()
    const call = (inputResponses: JsonObject): Promise<JsonObject> =>
      pair.client.request('tools/call', { name: 'greet', arguments: {}, inputResponses })
    const whole: JsonObject = { action: 'accept', content: { name: 'A' } }
    expect(await call({ first: whole, second: whole, surplus: { nonsense: 1 } })).toMatchObject({
      content: [{ text: 'A and A (en)' }],
    })
    for (const bad of [{ action: 'maybe' }, 'accept', [], { action: 'accept', content: 'x' }]) {
      await expect(call({ first: bad })).rejects.toMatchObject({ rpcCode: -32602 })
    }
  })
})

describe.each(LEGACY.filter((one) => one !== '2024-11-05' && one !== '2025-03-26'))(
  'questions at %s',
  (revision) => {
    it('are requests of the server, and the call waits for their answers [RPC-15, MRTR-17]', async () => {
      const pair = await pairUp(
        revision,
        { tools: [greeting()] },
        { answers: answering(['Ada', 'Bob']) },
      )
      expect(resultToText(await pair.client.callTool('greet'))).toBe('Ada and Bob (en)')
      expect(ofMethod(pair, 'elicitation/create')).toHaveLength(2)
      expect(ofMethod(pair, 'tools/call')).toHaveLength(1)
    })

    it('that nobody can answer make the tool fail, and are not sent [LIFE-08]', async () => {
      const pair = await pairUp(revision, { tools: [greeting()] })
      const result = await pair.client.callTool('greet')
      expect(result.isError).toBe(true)
      expect(resultToText(result)).toMatch(/did not declare elicitation/)
      expect(ofMethod(pair, 'elicitation/create')).toEqual([])
    })

    it('are given up when the call is [CANC-02]', async () => {
      const controller = new AbortController()
      const answers = {
        elicitation: () => {
          controller.abort('enough')
          return new Promise<never>(() => {})
        },
      }
      const pair = await pairUp(revision, { tools: [greeting()] }, { answers })
      await expect(
        pair.client.callTool('greet', {}, { signal: controller.signal }),
      ).rejects.toMatchObject({ code: 'DP_CANCELLED' })
      await expect.poll(() => ofMethod(pair, 'notifications/cancelled').length).toBe(2)
    })
  },
)

describe('questions in the oldest revisions', () => {
  it.each(['2024-11-05', '2025-03-26'] as const)(
    'may be for roots and samples at %s, not for forms',
    async (revision) => {
      const asking = defineTool({
        name: 'ask',
        async run(_args, ctx) {
          const { roots } = await ctx.ask('roots', listRoots())
          const message = { role: 'user', content: { type: 'text', text: 'hi' } } as const
          const { model } = await ctx.ask('model', sample({ messages: [message], maxTokens: 5 }))
          return `${roots.length} ${model}`
        },
      })
      const answers = {
        ...answering(['x']),
        roots: [{ uri: 'file:///a' }],
        sampling: () =>
          Promise.resolve({
            role: 'assistant' as const,
            content: { type: 'text' as const, text: 'yo' },
            model: 'm',
          }),
      }
      const pair = await pairUp(revision, { tools: [asking, greeting()] }, { answers })
      expect(resultToText(await pair.client.callTool('ask'))).toBe('1 m')
      expect((await pair.client.callTool('greet')).isError).toBe(true)
      expect(answerTo(pair, 'elicitation/create')).toBeUndefined()
    },
  )
})

describe('a sealed state', () => {
  it('can be opened with any of the keys, sealed with the first, until its time is up [MRTR-09, MRTR-10]', async () => {
    const clock = fakeClock()
    const [old, fresh] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
    const before = new Sealer({ keys: [old], lifeMs: 1000, clock })
    const after = new Sealer({ keys: [fresh, old], lifeMs: 1000, clock })
    const text = await before.seal({ a: 1 }, 'call')
    expect(await after.open(text, 'call')).toMatchObject({ state: { a: 1 } })
    await expect(before.open(await after.seal({}, 'call'), 'call')).rejects.toMatchObject({
      rpcCode: -32602,
    })
    await expect(after.open(text, 'other call')).rejects.toMatchObject({ rpcCode: -32602 })
    await clock.advance(1001)
    await expect(after.open(text, 'call')).rejects.toThrow(/expired/)
  })

  it('shows nothing of what it holds and never looks the same twice', async () => {
    const sealer = new Sealer()
    const [one, two] = [
      await sealer.seal({ secret: 'hunter2' }, 'x'),
      await sealer.seal({ secret: 'hunter2' }, 'x'),
    ]
    expect(one).not.toBe(two)
    expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('hunter2')
  })

  it('is refused whichever byte was changed', async () => {
    const sealer = new Sealer()
    const bytes = Buffer.from(await sealer.seal({ a: 1 }, 'x'), 'base64url')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      await expect(
        sealer.open(changed.toString('base64url'), 'x'),
        `byte ${at}`,
      ).rejects.toMatchObject({ rpcCode: -32602 })
    }
  })
})
