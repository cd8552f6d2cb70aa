/** What a server may ask a model and about the file system, and how. */

import { describe, expect, it } from 'vitest'
import type { ClientOptions } from '../../src/client/options.ts'
import type { CreateMessageParams, CreateMessageResult } from '../../src/protocol/types/sampling.ts'
import { listRoots, sample } from '../../src/tools/context.ts'
import { resultToText } from '../../src/tools/content.ts'
import { defineTool } from '../../src/tools/define.ts'
import { asking, putIn } from '../support/asking.ts'
import { LEGACY, MODERN, pairUp } from '../support/pair.ts'

const WITH_TOOLS = [...LEGACY.slice(3), ...MODERN]
const text = (said: string) => ({ type: 'text', text: said }) as const
const SAMPLED: CreateMessageResult = { role: 'assistant', content: text('yo'), model: 'm' }

const USES = { type: 'tool_use', id: '1', name: 't', input: {} } as const
const GIVES = { type: 'tool_result', toolUseId: '1', content: [] } as const
const TOOLS: CreateMessageParams = {
  messages: [
    { role: 'user', content: text('hi') },
    { role: 'assistant', content: [text('one moment'), USES] },
    { role: 'user', content: [GIVES] },
  ],
  maxTokens: 5,
  tools: [{ name: 't', inputSchema: { type: 'object' } }],
  toolChoice: { mode: 'required' },
}
const sampling = (samplingTools: boolean): ClientOptions => ({
  answers: { samplingTools, sampling: () => Promise.resolve(SAMPLED) },
})

describe.each(WITH_TOOLS)('sampling with tools at %s', (revision) => {
  it('brings tools that are of this request alone, and the messages as they are [SAMP-02, SAMP-03, SAMP-08, SAMP-10, SAMP-16]', async () => {
    const asked = await asking(revision, sample(TOOLS), sampling(true))
    expect(await asked.call()).not.toHaveProperty('isError')
    expect(putIn(asked, 'sampling/createMessage')).toMatchObject([TOOLS])
    expect(await asked.client.listTools()).toHaveLength(1)
  })

  it('gives what the model says in one block or in several [SAMP-10]', async () => {
    for (const content of [USES, [text('now'), USES]]) {
      const answer = { ...SAMPLED, content, stopReason: 'toolUse' }
      const answers = { samplingTools: true, sampling: () => Promise.resolve(answer) }
      const asked = await asking(revision, sample(TOOLS), { answers })
      expect(resultToText(await asked.call())).toContain('tool_use')
    }
  })

  it('is not asked of a client that did not declare it [SAMP-06]', async () => {
    const asked = await asking(revision, sample(TOOLS), sampling(false))
    const called = await asked.call().catch((error: unknown) => error)
    const modern = { rpcCode: -32021, data: { requiredCapabilities: { sampling: { tools: {} } } } }
    expect(called).toMatchObject(MODERN.includes(revision) ? modern : { isError: true })
    expect(putIn(asked, 'sampling/createMessage')).toEqual([])
  })

  it.each([
    [
      'mixes results with words',
      [
        { role: 'assistant', content: USES },
        { role: 'user', content: [GIVES, text('x')] },
      ],
    ],
    [
      'leaves a call unanswered',
      [
        { role: 'assistant', content: USES },
        { role: 'user', content: text('x') },
      ],
    ],
    ['ends with a call', [{ role: 'assistant', content: USES }]],
    ['answers what was not called', [{ role: 'user', content: GIVES }]],
    [
      'answers twice',
      [
        { role: 'assistant', content: USES },
        { role: 'user', content: [GIVES, GIVES] },
      ],
    ],
    [
      'lets the user call',
      [
        { role: 'user', content: USES },
        { role: 'user', content: GIVES },
      ],
    ],
  ])('is never sent when it %s [SAMP-07, SAMP-08]', async (_what, messages) => {
    // Wrong on purpose.
    const asked = await asking(revision, sample({ ...TOOLS, messages } as never), sampling(true))
    expect(await asked.call()).toMatchObject({ isError: true })
    expect(putIn(asked, 'sampling/createMessage')).toEqual([])
  })

  it('asks for context of servers only where the client has it, and else does without [SAMP-12]', async () => {
    const wish = sample({ ...TOOLS, includeContext: 'thisServer' })
    const without = await asking(revision, wish, sampling(true))
    await without.call()
    expect(putIn(without, 'sampling/createMessage')).toHaveLength(1)
    expect(putIn(without, 'sampling/createMessage')[0]).not.toHaveProperty('includeContext')
    const capabilities = { sampling: { tools: {}, context: {} } }
    const having = await asking(revision, wish, { ...sampling(true), capabilities })
    await having.call()
    expect(putIn(having, 'sampling/createMessage')).toMatchObject([
      { includeContext: 'thisServer' },
    ])
  })
})

describe.each(LEGACY.slice(0, 3))('sampling at %s', (revision) => {
  it('has no tools, whatever the client declares, and context without asking [SAMP-06, SAMP-12]', async () => {
    const capabilities = { sampling: { tools: {} } }
    const asked = await asking(revision, sample(TOOLS), { ...sampling(true), capabilities })
    expect(resultToText(await asked.call())).toMatch(/did not declare|no words for tools/)
    expect(putIn(asked, 'sampling/createMessage')).toEqual([])
    const { tools: _, toolChoice: __, ...plain } = TOOLS
    const wish = sample({ ...plain, includeContext: 'allServers' })
    const told = await asking(revision, wish, sampling(false))
    expect(await told.call()).not.toHaveProperty('isError')
    expect(putIn(told, 'sampling/createMessage')).toMatchObject([{ includeContext: 'allServers' }])
  })
})

describe.each([...LEGACY, ...MODERN])('questions without end at %s', (revision) => {
  it('stop at a hundred in one call [SAMP-11]', async () => {
    const records: unknown[] = []
    const endless = defineTool({
      name: 'endless',
      async run(_args, ctx) {
        const asked = Array.from({ length: 101 }, (_one, at) => ctx.ask(`q${at}`, listRoots()))
        await Promise.all(
          asked.map((answer) => answer.catch((error: unknown) => records.push(error))),
        )
        return 'done'
      },
    })
    const answers = { roots: [{ uri: 'file:///a' }] }
    const { client } = await pairUp(revision, { tools: [endless] }, { answers, maxRounds: 1 })
    await client.callTool('endless').catch(() => undefined)
    expect(records).toMatchObject([{ code: 'DP_USAGE' }])
  })
})

describe.each([...LEGACY, ...MODERN])('roots at %s', (revision) => {
  it('are asked for again each time, since they may change and vanish [ROOT-02, ROOT-03, ROOT-07]', async () => {
    const lists = [[{ uri: 'file:///a', name: 'A' }], []]
    const roots = () => Promise.resolve(lists.shift() ?? [])
    const asked = await asking(revision, listRoots(), { answers: { roots } })
    expect(resultToText(await asked.call())).toContain('file:///a')
    expect(resultToText(await asked.call())).toContain('[]')
  })
})

describe.each(LEGACY)('a change of roots at %s', (revision) => {
  it('is heard by the server, with who sent it [ROOT-05]', async () => {
    const pair = await pairUp(
      revision,
      { tools: [] },
      { answers: { roots: () => Promise.resolve([]) } },
    )
    const heard: unknown[] = []
    const stop = pair.server.onNotification((method, _params, { client, auth }) =>
      heard.push([method, client?.revision, auth]),
    )
    pair.client.rootsChanged()
    await expect
      .poll(() => heard)
      .toEqual([['notifications/roots/list_changed', revision, undefined]])
    stop()
  })
})
