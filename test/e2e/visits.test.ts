/** Visits to URLs that a server needs of a person: asked for by a question, or demanded before a request is answered. */

import { describe, expect, it } from 'vitest'
import type { ClientOptions } from '../../src/client/options.ts'
import type { Revision } from '../../src/protocol/revision.ts'
import type { ElicitUrlParams } from '../../src/protocol/types/elicitation.ts'
import { Server } from '../../src/server/server.ts'
import { elicit, urlElicitationRequired, type UrlVisit } from '../../src/tools/context.ts'
import { resultToText } from '../../src/tools/content.ts'
import { defineTool } from '../../src/tools/define.ts'
import { definePrompt } from '../../src/tools/prompt.ts'
import { answerTo, LEGACY, MODERN, ofMethod, pairUp, type Pair } from '../support/pair.ts'
import { connectAs } from '../support/principal.ts'

const BY_URL = [...LEGACY.slice(3), ...MODERN]
const turn = (): Promise<void> => new Promise(setImmediate)
const VISIT = { message: 'Sign in', url: 'https://example.org/in?for=1' }

const going = (visited: ElicitUrlParams[] = []): ClientOptions => ({
  answers: {
    elicitationUrl(params) {
      visited.push(params)
      return Promise.resolve({ action: 'accept' })
    },
  },
})

/** Needs a visit first, unless somebody has been there. */
function guarded(done: () => boolean, elicitationId?: string) {
  const need = elicitationId === undefined ? VISIT : { ...VISIT, elicitationId }
  return defineTool({
    name: 'guarded',
    run() {
      if (!done()) throw urlElicitationRequired([need])
      return 'let in'
    },
  })
}

describe.each(BY_URL)('a visit at %s', (revision) => {
  const tool = (visit: UrlVisit) =>
    defineTool({
      name: 'visit',
      run: async (_args, ctx) => (await ctx.ask('in', elicit({ ...visit, mode: 'url' }))).action,
    })

  it('is asked for with the id that the revision wants, or without [ELIC-14, ELIC-15, ELIC-23]', async () => {
    const visited: ElicitUrlParams[] = []
    const pair = await pairUp(revision, { tools: [tool(VISIT)] }, going(visited))
    expect(resultToText(await pair.client.callTool('visit'))).toBe('accept')
    expect(visited).toMatchObject([{ ...VISIT, mode: 'url' }])
    const [id] = visited.map(({ elicitationId = '' }) => elicitationId)
    expect(id).toMatch(revision === '2025-11-25' ? /^[0-9a-f]{32}$/ : /^$/)
  })

  it('that leads to no page is never asked for [ELIC-23]', async () => {
    for (const url of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'example.org',
      'https://a b',
      'data:text/html,x',
    ]) {
      const visited: ElicitUrlParams[] = []
      const pair = await pairUp(revision, { tools: [tool({ ...VISIT, url })] }, going(visited))
      expect(await pair.client.callTool('visit'), url).toMatchObject({ isError: true })
      expect(visited).toEqual([])
    }
  })

  it('is not asked of a client that only fills in forms [ELIC-02]', async () => {
    const elicitation = () => Promise.resolve({ action: 'accept' as const, content: {} })
    const pair = await pairUp(
      revision,
      { tools: [tool(VISIT), guarded(() => false)] },
      { answers: { elicitation } },
    )
    for (const name of ['visit', 'guarded']) {
      const called = await pair.client.callTool(name).catch((error: unknown) => error)
      const refused = {
        rpcCode: -32021,
        data: { requiredCapabilities: { elicitation: { url: {} } } },
      }
      expect(called, name).toMatchObject(MODERN.includes(revision) ? refused : { isError: true })
    }
    expect(ofMethod(pair, 'elicitation/create')).toEqual([])
  })

  it('that a request needs is told in the way of the revision, and the request is made again [ELIC-18, ERR-05, ERR-09, MRTR-12]', async () => {
    let done = false
    const visited: ElicitUrlParams[] = []
    const answers: ClientOptions['answers'] = {
      elicitationUrl(params) {
        visited.push(params)
        done = true
        return Promise.resolve({ action: 'accept' })
      },
      elicitationDone: () => Promise.resolve(),
    }
    const pair = await pairUp(revision, { tools: [guarded(() => done)] }, { answers })
    expect(resultToText(await pair.client.callTool('guarded'))).toBe('let in')
    expect(visited).toMatchObject([VISIT])
    expect(ofMethod(pair, 'tools/call')).toHaveLength(2)
    const codes = pair.crossed.flatMap(({ message }) => message.error?.code ?? [])
    expect(codes).toEqual(MODERN.includes(revision) ? [] : [-32042])
  })

  it('that a prompt needs is told as well [ELIC-18, MRTR-01]', async () => {
    const prompt = definePrompt({
      name: 'p',
      get() {
        throw urlElicitationRequired([VISIT, VISIT])
      },
    })
    const unwilling = { elicitationUrl: () => Promise.resolve({ action: 'decline' as const }) }
    const pair = await pairUp(revision, { prompts: [prompt] }, { answers: unwilling })
    await expect(pair.client.getPrompt('p')).rejects.toBeInstanceOf(Error)
    const first = pair.crossed.find(
      ({ message }) =>
        message.id === ofMethod(pair, 'prompts/get')[0]?.id && message.method === undefined,
    )
    const { error, result } = first?.message ?? {}
    const asked = Object(error?.data ?? result) as {
      elicitations?: unknown[]
      inputRequests?: object
    }
    expect(asked.elicitations ?? Object.values(asked.inputRequests ?? {})).toHaveLength(2)
  })
})

describe.each(MODERN)('a visit that was declined at %s', (revision) => {
  it('is not asked for again and again [ELIC-27]', async () => {
    const unwilling = { elicitationUrl: () => Promise.resolve({ action: 'decline' as const }) }
    const pair = await pairUp(revision, { tools: [guarded(() => false)] }, { answers: unwilling })
    const result = await pair.client.callTool('guarded')
    expect(result.isError).toBe(true)
    expect(resultToText(result)).toMatch(/was declined/)
    expect(ofMethod(pair, 'tools/call')).toHaveLength(2)
  })

  it('keeps the answers to other questions of the same run', async () => {
    let done = false
    const asks = defineTool({
      name: 'asks',
      async run(_args, ctx) {
        const form = {
          message: 'Who?',
          requestedSchema: { type: 'object', properties: {} },
        } as const
        const { action } = await ctx.ask('who', elicit(form))
        if (!done) throw urlElicitationRequired([VISIT])
        return action
      },
    })
    let forms = 0
    const answers: ClientOptions['answers'] = {
      elicitation() {
        forms += 1
        return Promise.resolve({ action: 'accept', content: {} })
      },
      elicitationUrl() {
        done = true
        return Promise.resolve({ action: 'accept' })
      },
    }
    const { client } = await pairUp(revision, { tools: [asks] }, { answers })
    expect(resultToText(await client.callTool('asks'))).toBe('accept')
    expect(forms).toBe(1)
  })
})

describe.each(LEGACY.slice(0, 3))('a visit that a request needs at %s', (revision) => {
  it('is told in words: the revision sends nobody anywhere [ELIC-18]', async () => {
    const pair = await pairUp(revision, { tools: [guarded(() => false)] }, going())
    const result = await pair.client.callTool('guarded')
    expect(result.isError).toBe(true)
    expect(resultToText(result)).toContain('Sign in: https://example.org/in?for=1')
    expect(answerTo(pair, 'tools/call')?.error).toBeUndefined()
  })
})

describe('the end of a visit', () => {
  const complete = (pair: Pair): readonly unknown[] =>
    ofMethod(pair, 'notifications/elicitation/complete').map(({ params }) => params)

  it('is told to the client that was asked, once, and lets its call go on [ELIC-16]', async () => {
    let done = false
    const pair = await pairUp('2025-11-25', { tools: [guarded(() => done, 'e-1')] }, going())
    const called = pair.client.callTool('guarded')
    await turn()
    pair.server.elicitationComplete('e-2')
    done = true
    pair.server.elicitationComplete('e-1')
    pair.server.elicitationComplete('e-1')
    expect(resultToText(await called)).toBe('let in')
    expect(complete(pair)).toEqual([{ elicitationId: 'e-1' }])
  })

  it('is told to nobody else [ELIC-16, ELIC-28]', async () => {
    const server = new Server({ name: 's', version: '1', tools: [guarded(() => false, 'e-1')] })
    const heard: string[] = []
    const client = (principal: string, revision: Revision): ReturnType<typeof connectAs> =>
      connectAs(
        server,
        { principal },
        {
          revision,
          ...going(),
          timeouts: { totalMs: 200 },
          wire: (event) => {
            if (event.type === 'message' && event.text.includes('elicitation/complete'))
              heard.push(principal)
          },
        },
      )
    const ann = await client('ann', '2025-11-25')
    await client('bob', '2025-11-25')
    await client('cleo', '2026-07-28')
    const called = ann.callTool('guarded').catch(() => undefined)
    await turn()
    server.elicitationComplete('e-1')
    await turn()
    expect(heard).toEqual(['ann'])
    await server.close()
    await called
  })

  it.each(MODERN)(
    'is no notice at %s: the client asks again by itself [ELIC-15]',
    async (revision) => {
      let done = false
      const pair = await pairUp(
        revision,
        { tools: [guarded(() => done, 'e-1')] },
        {
          answers: {
            elicitationUrl() {
              pair.server.elicitationComplete('e-1')
              done = true
              return Promise.resolve({ action: 'accept' })
            },
          },
        },
      )
      expect(resultToText(await pair.client.callTool('guarded'))).toBe('let in')
      expect(complete(pair)).toEqual([])
    },
  )
})
