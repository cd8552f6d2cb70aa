/** What a server may ask a person, how, and what it takes for an answer to any question. */

import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import type { Revision } from '../../src/protocol/revision.ts'
import type { ElicitResult } from '../../src/protocol/types/elicitation.ts'
import { Server } from '../../src/server/server.ts'
import { elicit, listRoots, sample, type Question } from '../../src/tools/context.ts'
import { resultToText } from '../../src/tools/content.ts'
import { defineTool } from '../../src/tools/define.ts'
import { asking, putIn } from '../support/asking.ts'
import { rawEnd } from '../support/hostile.ts'
import { LEGACY, MODERN } from '../support/pair.ts'

const WITH_FORMS = [...LEGACY.slice(2), ...MODERN]
const WITH_CHOICES = [...LEGACY.slice(3), ...MODERN]
const text = (said: string) => ({ type: 'text', text: said }) as const

const form = (properties: object, more: object = {}): Question =>
  // Some are wrong on purpose.
  elicit({ message: 'Who?', requestedSchema: { type: 'object', properties, ...more } } as never)

const filled = (content: ElicitResult['content']): ClientOptions => ({
  answers: {
    elicitation: () =>
      Promise.resolve({ action: 'accept', ...(content === undefined ? {} : { content }) }),
  },
})

describe.each(WITH_FORMS)('forms at %s', (revision) => {
  it('have strings, numbers and booleans with their limits, and choices [ELIC-03, ELIC-05, ELIC-06]', async () => {
    const fields = {
      name: { type: 'string', minLength: 1, maxLength: 40, title: 'Name' },
      mail: { type: 'string', format: 'email' },
      born: { type: 'string', format: 'date' },
      age: { type: 'integer', minimum: 0, maximum: 150 },
      height: { type: 'number' },
      sure: { type: 'boolean', default: true },
      color: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
    }
    const content = {
      name: 'Ada',
      mail: 'a@b.c',
      born: '1815-12-10',
      age: 36,
      height: 170,
      sure: false,
      color: 'r',
    }
    const asked = await asking(revision, form(fields, { required: ['name'] }), filled(content))
    expect(resultToText(await asked.call())).toContain('Ada')
    expect(putIn(asked, 'elicitation/create')).toMatchObject([
      {
        message: 'Who?',
        requestedSchema: { type: 'object', required: ['name'], properties: fields },
      },
    ])
  })

  it('that are not flat, or no forms at all, are never sent [ELIC-05, ELIC-06]', async () => {
    const wrong: Question[] = [
      form({ a: { type: 'object', properties: {} } }),
      form({ a: { type: 'array', items: { type: 'object' } } }),
      form({ a: { type: 'string', format: 'password' } }),
      form({ a: { enum: ['x'] } }),
      form({ a: { type: 'string', enum: ['x', 'y'], enumNames: ['X'] } }),
      form({ a: { type: 'integer', default: 'x' } }),
      form({}, { required: ['a'] }),
      form({}, { type: 'array' }),
      elicit({ message: '', requestedSchema: { type: 'object', properties: {} } }),
    ]
    for (const question of wrong) {
      const asked = await asking(revision, question, filled({}))
      expect(await asked.call()).toMatchObject({ isError: true })
      expect(putIn(asked, 'elicitation/create')).toEqual([])
      expect(asked.records).toMatchObject([{ level: 'error', data: { tool: 'ask' } }])
    }
  })

  it('may be declined and cancelled, which is an answer for the tool [ELIC-10, ELIC-27]', async () => {
    for (const action of ['decline', 'cancel'] as const) {
      const elicitation = () => Promise.resolve({ action })
      const asked = await asking(revision, form({ a: { type: 'string' } }), {
        answers: { elicitation },
      })
      expect(resultToText(await asked.call())).toContain(action)
    }
  })
})

describe.each(WITH_CHOICES)('choices at %s', (revision) => {
  it('are spelled in each of the five ways as they were asked [ELIC-08]', async () => {
    const titled = [
      { const: 'r', title: 'Red' },
      { const: 'g', title: 'Green' },
    ]
    const fields = {
      plain: { type: 'string', enum: ['r', 'g'] },
      titled: { type: 'string', oneOf: titled, default: 'r' },
      legacy: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
      several: {
        type: 'array',
        items: { type: 'string', enum: ['r', 'g'] },
        minItems: 1,
        maxItems: 2,
      },
      titledSeveral: { type: 'array', items: { anyOf: titled }, default: ['g'] },
    }
    const content = {
      plain: 'r',
      titled: 'g',
      legacy: 'r',
      several: ['r', 'g'],
      titledSeveral: ['g'],
    }
    const asked = await asking(revision, form(fields), filled(content))
    expect(await asked.call()).not.toHaveProperty('isError')
    expect(putIn(asked, 'elicitation/create')).toMatchObject([
      { requestedSchema: { properties: fields } },
    ])
  })

  it('without any title or value are never sent [ELIC-08]', async () => {
    for (const field of [
      { type: 'string', oneOf: [{ const: 'r' }] },
      { type: 'string', enum: [] },
      { type: 'array', items: { anyOf: [{ title: 'Red' }] } },
      { type: 'array', items: {} },
    ]) {
      const asked = await asking(revision, form({ a: field }), filled({}))
      expect(await asked.call()).toMatchObject({ isError: true })
      expect(putIn(asked, 'elicitation/create')).toEqual([])
    }
  })
})

describe('choices at 2025-06-18', () => {
  it('with titles are two lists, and several at once cannot be asked for [ELIC-07]', async () => {
    const oneOf = [{ const: 'r', title: 'Red' }]
    const one = await asking(
      '2025-06-18',
      form({ a: { type: 'string', oneOf } }),
      filled({ a: 'r' }),
    )
    expect(await one.call()).not.toHaveProperty('isError')
    expect(putIn(one, 'elicitation/create')).toMatchObject([
      {
        requestedSchema: { properties: { a: { type: 'string', enum: ['r'], enumNames: ['Red'] } } },
      },
    ])
    const several = form({ a: { type: 'array', items: { type: 'string', enum: ['r'] } } })
    const many = await asking('2025-06-18', several, filled({ a: ['r'] }))
    expect(resultToText(await many.call())).toContain('no words for several choices')
    expect(putIn(many, 'elicitation/create')).toEqual([])
  })
})

/** Answers `method` of a server by hand, as the client of a handshake, while it calls the tool `ask`. */
async function answerByHand(
  revision: Revision,
  question: Question,
  answer: JsonObject,
): Promise<JsonObject> {
  const tool = defineTool({
    name: 'ask',
    run: async (_args, ctx) => JSON.stringify(await ctx.ask('it', question)),
  })
  const server = new Server({ name: 's', version: '1', tools: [tool] })
  const end = rawEnd(({ id, method }) => {
    if (method === question.method) void end.say({ jsonrpc: '2.0', id: id ?? null, result: answer })
  })
  const served = server.accept(end.transport)
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }
  const clientInfo = { name: 'c', version: '1' }
  await new Promise(setImmediate)
  void end.say({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: revision, capabilities, clientInfo },
  })
  await end.find(({ id }) => id === 1)
  void end.say({ jsonrpc: '2.0', method: 'notifications/initialized' })
  void end.say({
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'ask', arguments: {} },
  })
  const called = await end.find(({ id, method }) => id === 2 && method === undefined)
  end.end()
  await served
  return called
}

const WRONG_ANSWERS: readonly [Question, readonly JsonObject[]][] = [
  [
    form({ a: { type: 'string', maxLength: 2 }, b: { type: 'integer' } }, { required: ['a'] }),
    [
      {},
      { action: 'maybe' },
      { action: 'accept' },
      { action: 'accept', content: {} },
      { action: 'accept', content: [] },
      { action: 'accept', content: { a: 7 } },
      { action: 'accept', content: { a: 'abc' } },
      { action: 'accept', content: { a: 'a', b: 1.5 } },
      { action: 'accept', content: { a: null } },
    ],
  ],
  [
    sample({ messages: [{ role: 'user', content: text('hi') }], maxTokens: 5 }),
    [
      {},
      { role: 'assistant', model: 'm' },
      { role: 'x', content: {}, model: 'm' },
      { role: 'user', content: 'x', model: 'm' },
    ],
  ],
  [listRoots(), [{}, { roots: {} }, { roots: [{}] }, { roots: ['file:///a'] }]],
]

describe.each(['2025-06-18', '2025-11-25'] as const)('answers at %s', (revision) => {
  it.each(WRONG_ANSWERS)(
    'that are none never reach the tool: $method [ELIC-11, SAMP-13]',
    async (question, answers) => {
      for (const answer of answers) {
        const called = await answerByHand(revision, question, answer)
        expect(called, JSON.stringify(answer)).toMatchObject({ error: { code: -32602 } })
      }
    },
  )
})

describe.each(MODERN)('answers at %s', (revision) => {
  it.each(WRONG_ANSWERS)(
    'that are none never reach the tool: $method [ELIC-11, MRTR-13]',
    async (question, answers) => {
      const asked = await asking(revision, question, {
        capabilities: { elicitation: {}, sampling: {}, roots: {} },
      })
      asked.unjudged()
      for (const it of [...answers, 'x', 7, []]) {
        const params = { name: 'ask', arguments: {}, inputResponses: { it } as JsonObject }
        await expect(
          asked.client.request('tools/call', params),
          JSON.stringify(it),
        ).rejects.toMatchObject({
          rpcCode: -32602,
        })
      }
    },
  )
})
