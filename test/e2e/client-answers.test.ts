/** What a client answers when it is asked: forms, visits, messages of a model, roots. In all revisions that ask so. */
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { Answers, ClientOptions } from '../../src/client/options.ts'
import { refuse } from '../../src/client/refuse.ts'
import type { ErrorResponse, ResultResponse } from '../../src/jsonrpc/message.ts'
import { LEGACY_REVISIONS, type Revision } from '../../src/protocol/revision.ts'
import type { ElicitResult } from '../../src/protocol/types/elicitation.ts'
import { scriptedServer, type ScriptedServer } from '../../src/testing/scripted-server.ts'

const [, , SECOND_LAST = '2025-06-18', LAST = '2025-11-25'] = LEGACY_REVISIONS
const MODERN: Revision = '2026-07-28'
const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

async function meet(
  revision: Revision,
  answers: Answers,
  options: ClientOptions = {},
): Promise<{ readonly server: ScriptedServer; readonly client: Client }> {
  const asked = new Set<unknown>()
  const server: ScriptedServer = scriptedServer(
    {
      'tools/call': ({ params = {} }) => {
        const { requestState, inputResponses } = params
        if (requestState !== undefined)
          return { result: { content: [], structuredContent: inputResponses ?? null } }
        asked.add(params)
        return {
          result: {
            resultType: 'input_required',
            requestState: 's',
            inputRequests: params['arguments'] ?? {},
          },
        }
      },
    },
    { revision },
  )
  const client = await connect(server, { revisions: [revision], answers, ...options })
  clients.push(client)
  return { server, client }
}

/** Asks one question in the way of the revision; gives the result, or rejects with what the server is told. */
async function ask(
  revision: Revision,
  { answers, method, params }: { answers: Answers; method: string; params?: JsonObject },
): Promise<unknown> {
  const { server, client } = await meet(revision, answers)
  if (revision === MODERN) {
    const question = { method, ...(params === undefined ? {} : { params }) }
    const done = await client.callTool('t', { q: question })
    return Object(done.structuredContent).q
  }
  const answer: ResultResponse | ErrorResponse = await server.ask(method, params)
  if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error)
  return answer.result
}

/** How a question is refused that may not be asked: to who asked, or by giving up the call that asked in its result. */
const refusal = (revision: Revision, code: number): object =>
  revision === MODERN ? { requirement: 'MRTR-04' } : { code }

/** What the person who filled in hears, or the server that waits. */
const UNFIT = /does not fit the form|Internal error/

const form = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  message: 'Please',
  requestedSchema: { type: 'object', properties, ...more },
})
const filling = (answer: ElicitResult): Answers => ({ elicitation: () => Promise.resolve(answer) })
const accepting = (content: ElicitResult['content']): Answers =>
  filling({ action: 'accept', ...(content === undefined ? {} : { content }) })

describe.each([SECOND_LAST, LAST, MODERN])('a form at %s', (revision) => {
  const elicit = (answers: Answers, params: JsonObject): Promise<unknown> =>
    ask(revision, { answers, method: 'elicitation/create', params })

  it('is answered with what was filled in, also when no mode is named [ELIC-04, ELIC-10]', async () => {
    const schema = form({ name: { type: 'string' }, ratio: { type: 'number' } })
    const content = { name: 'Ada', ratio: 0.5 }
    const expected = { action: 'accept', content }
    expect(await elicit(accepting(content), schema)).toEqual(expected)
    expect(await elicit(accepting(content), { ...schema, mode: 'form' })).toEqual(expected)
  })

  it.each(['decline', 'cancel'] as const)(
    'that is met with %s carries no content [ELIC-10]',
    async (action) => {
      const answers = filling({ action, content: { name: 'typed before' } })
      expect(await elicit(answers, form({ name: { type: 'string' } }))).toEqual({ action })
    },
  )

  it('counts as declined when the person refuses it by a throw [ELIC-10]', async () => {
    const answers: Answers = { elicitation: () => Promise.reject(refuse()) }
    expect(await elicit(answers, form({}))).toEqual({ action: 'decline' })
  })

  it.each([
    ['text', { type: 'string', minLength: 2 }, 'a', 'ab'],
    ['a format', { type: 'string', format: 'email' }, 'nobody', 'a@example.org'],
    ['a whole number', { type: 'integer', maximum: 5 }, 2.5, 5],
    ['a number', { type: 'number', minimum: 1 }, '3', 1.5],
    ['truth', { type: 'boolean' }, 'yes', false],
    ['a choice', { type: 'string', enum: ['a', 'b'] }, 'c', 'b'],
    [
      'a choice with old titles',
      { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
      'A',
      'a',
    ],
    ['a titled choice', { type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, 'A', 'a'],
    [
      'choices',
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 1 },
      ['a', 'b'],
      ['b'],
    ],
    [
      'titled choices',
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
      ['b'],
      ['a'],
    ],
  ] as const)('is only sent when %s fits [ELIC-11, ELIC-29]', async (_, field, bad, good) => {
    const schema = form({ f: { ...field } as unknown as JsonObject }, { required: ['f'] })
    expect(await elicit(accepting({ f: good }), schema)).toMatchObject({ content: { f: good } })
    await expect(elicit(accepting({ f: bad }), schema)).rejects.toThrow(UNFIT)
    await expect(elicit(accepting({}), schema)).rejects.toThrow(UNFIT)
  })

  it('whose answer is no answer is never sent', async () => {
    const odd = filling({ action: 'maybe' } as never)
    await expect(elicit(odd, form({}))).rejects.toThrow(/Internal error|"accept"/)
  })

  it('with hostile names is filled in like any other', async () => {
    const content = JSON.parse('{"__proto__":"x","constructor":"y"}')
    const schema = form(
      JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}'),
    )
    expect(JSON.stringify(await elicit(accepting(content), schema))).toContain('"__proto__":"x"')
    await expect(elicit(accepting(JSON.parse('{"__proto__":5}')), schema)).rejects.toThrow(UNFIT)
  })
})

describe('a form inside of a result', () => {
  it('is refused here when it does not fit, with what is wrong, and nothing of it is sent [ELIC-11]', async () => {
    const { client, server } = await meet(MODERN, accepting({ secret: 5 }))
    const question = { method: 'elicitation/create', params: form({ secret: { type: 'string' } }) }
    await expect(client.callTool('t', { q: question })).rejects.toMatchObject({
      family: 'schema',
      issues: [{ pointer: '/secret', keyword: 'type' }],
    })
    expect(server.texts.join('')).not.toContain('inputResponses')
  })
})

describe.each([LAST, MODERN])('a visit to a URL at %s', (revision) => {
  const params = {
    mode: 'url',
    message: 'Sign in',
    url: 'https://example.org/in',
    ...(revision === LAST ? { elicitationId: 'e1' } : {}),
  }

  it('is agreed to without content, and nothing is fetched here [ELIC-10, ELIC-19, ELIC-20]', async () => {
    const visited: unknown[] = []
    const fetched: unknown[] = []
    const before = globalThis.fetch
    globalThis.fetch = (...args) => {
      fetched.push(args)
      return Promise.reject(new Error('not allowed'))
    }
    try {
      const answers: Answers = {
        elicitationUrl: (asked) => {
          visited.push(asked)
          return Promise.resolve({ action: 'accept', content: { token: 'x' } })
        },
      }
      const answer = await ask(revision, { answers, method: 'elicitation/create', params })
      expect(answer).toEqual({ action: 'accept' })
      expect(visited).toEqual([params])
      expect(fetched).toEqual([])
    } finally {
      globalThis.fetch = before
    }
  })

  it('is refused where it was not declared [ELIC-01, ERR-19]', async () => {
    const asking = ask(revision, { answers: accepting({}), method: 'elicitation/create', params })
    await expect(asking).rejects.toMatchObject(refusal(revision, -32602))
  })
})

const text = (words: string): JsonObject => ({ type: 'text', text: words })
const ASSISTANT = { role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' } as const
const modelled: Answers = { sampling: () => Promise.resolve(ASSISTANT), samplingTools: true }
const use = (id: string): JsonObject => ({ type: 'tool_use', id, name: 't', input: {} })
const done = (toolUseId: string): JsonObject => ({ type: 'tool_result', toolUseId, content: [] })

describe.each([...LEGACY_REVISIONS, MODERN])('a message of a model at %s', (revision) => {
  const sample = (answers: Answers, params: JsonObject): Promise<unknown> =>
    ask(revision, { answers, method: 'sampling/createMessage', params })
  const user = (content: JsonObject | JsonObject[]): JsonObject => ({ role: 'user', content })
  const model = (content: JsonObject | JsonObject[]): JsonObject => ({ role: 'assistant', content })
  const hasTools = revision === LAST || revision === MODERN

  it('is asked for with a limit, which is passed on [SAMP-04, SAMP-13]', async () => {
    const seen: unknown[] = []
    const answers: Answers = {
      sampling: (params) => {
        seen.push(params.maxTokens)
        return Promise.resolve({ ...ASSISTANT, stopReason: 'own' })
      },
    }
    const params = { messages: [user(text('hi'))], maxTokens: 7 }
    expect(await sample(answers, params)).toEqual({ ...ASSISTANT, stopReason: 'own' })
    expect(seen).toEqual([7])
    await expect(sample(answers, { messages: [] })).rejects.toThrow(/"maxTokens"/)
    await expect(sample(answers, { maxTokens: 5 })).rejects.toThrow(/"messages"/)
  })

  it('is asked for with a choice of tools as the server made it, and names who asks [SAMP-09]', async () => {
    const seen: unknown[] = []
    const answers: Answers = {
      samplingTools: true,
      sampling: ({ toolChoice }, { server }) => {
        seen.push([toolChoice?.mode, server])
        return Promise.resolve(ASSISTANT)
      },
    }
    const modes = hasTools ? ['auto', 'required', 'none'] : []
    for (const mode of modes) {
      const params = { messages: [user(text('hi'))], maxTokens: 7, tools: [], toolChoice: { mode } }
      await sample(answers, params)
    }
    expect(seen).toEqual(modes.map((mode) => [mode, 'scripted']))
  })

  it('may not come with tools to a client that did not declare them, or in a revision without [SAMP-01, SAMP-06]', async () => {
    const params = { messages: [user(text('hi'))], maxTokens: 7, tools: [] }
    const plain: Answers = { sampling: () => Promise.resolve(ASSISTANT) }
    await expect(sample(plain, params)).rejects.toThrow(/sampling.tools/)
    await expect(sample(plain, { ...params, tools: undefined, toolChoice: {} })).rejects.toThrow(
      /sampling.tools/,
    )
    const outcome: unknown = await sample(modelled, params).catch(String)
    expect(outcome).toEqual(
      hasTools ? ASSISTANT : 'Error: This client did not declare sampling.tools',
    )
  })

  it('follows on results of tools that answer every call, and on nothing else [SAMP-07, SAMP-08, SAMP-14]', async () => {
    const good = [user(text('hi')), model([use('a'), use('b')]), user([done('b'), done('a')])]
    const bad: JsonObject[][] = [
      [...good.slice(0, 2), user([done('a')])],
      [...good.slice(0, 2), user([done('a'), done('b'), text('and')])],
      [...good.slice(0, 2), user(text('never mind'))],
      good.slice(0, 2),
      [...good.slice(0, 2), user([done('a'), done('c')])],
      [user([done('a')])],
    ]
    const asked = (messages: JsonObject[]): Promise<unknown> =>
      sample(modelled, { messages, maxTokens: 7 })
    expect(await asked(good)).toEqual(ASSISTANT)
    for (const messages of bad)
      await expect(asked(messages)).rejects.toMatchObject(refusal(revision, -32602))
  })

  it('that a person refuses is told as such, or the call that asked is given up [ERR-17, SAMP-14, SAMP-15]', async () => {
    const answers: Answers = { sampling: () => Promise.reject(refuse('Not today')) }
    const asking = sample(answers, { messages: [user(text('hi'))], maxTokens: 7 })
    await expect(asking).rejects.toMatchObject(
      revision === MODERN
        ? { code: 'DP_CANCELLED', reason: 'Not today' }
        : { code: -1, message: 'Not today' },
    )
  })

  it('of several blocks is told as one where the revision has room for one [SAMP-10]', async () => {
    const answers: Answers = {
      sampling: () =>
        Promise.resolve({
          ...ASSISTANT,
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        }),
    }
    const answer = await sample(answers, { messages: [user(text('hi'))], maxTokens: 7 })
    expect(Object(answer).content).toEqual(
      hasTools ? [text('a'), text('b')] : { type: 'text', text: 'a\nb' },
    )
  })

  it('that lacks what every message has is never sent [SAMP-13]', async () => {
    const answers: Answers = { sampling: () => Promise.resolve({ role: 'assistant' } as never) }
    await expect(sample(answers, { messages: [], maxTokens: 1 })).rejects.toThrow(
      /Internal error|"role"/,
    )
  })
})

describe.each([...LEGACY_REVISIONS, MODERN])('roots at %s', (revision) => {
  it('are file URIs, or none are told [ROOT-04, ROOT-06]', async () => {
    const good: Answers = { roots: () => Promise.resolve([{ uri: 'file:///a', name: 'A' }]) }
    expect(await ask(revision, { answers: good, method: 'roots/list' })).toEqual({
      roots: [{ uri: 'file:///a', name: 'A' }],
    })
    const bad: Answers = { roots: () => Promise.resolve([{ uri: 'https://a.example' }]) }
    await expect(ask(revision, { answers: bad, method: 'roots/list' })).rejects.toThrow(
      /Internal error|file:/,
    )
    await expect(
      connect(scriptedServer({}), { answers: { roots: [{ uri: '/etc' }] } }),
    ).rejects.toMatchObject({ code: 'DP_USAGE' })
  })

  it('are declared by who has some, and refused by who has none [ROOT-01, ERR-18]', async () => {
    const asking = ask(revision, { answers: {}, method: 'roots/list' })
    await expect(asking).rejects.toMatchObject(refusal(revision, -32601))
  })
})

describe.each(LEGACY_REVISIONS)('roots at %s', (revision) => {
  it('that cannot be told are a failure without a word of why [ERR-18]', async () => {
    const failing: Answers = { roots: () => Promise.reject(new Error('secret path')) }
    const failure: unknown = await ask(revision, { answers: failing, method: 'roots/list' }).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ code: -32603 })
    expect(String(failure)).not.toContain('secret')
  })
})
