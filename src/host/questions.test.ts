import { expect, it } from 'vitest'
import { fakeClock } from '../../test/support/fake-clock.ts'
import { RpcRefusal } from '../base/errors.ts'
import type { AnswerContext } from '../client/options.ts'
import type { CreateMessageParams, CreateMessageResult } from '../protocol/types/sampling.ts'
import type { Consent, ConsentRequest } from './consent.ts'
import { ConsentQueue } from './consent-queue.ts'
import { answersFor, type FormQuestion, type VisitQuestion } from './questions.ts'
import type { SamplingGrant } from './sampling.ts'

const clock = fakeClock()
const context: AnswerContext = { signal: new AbortController().signal, server: 'what it says' }
const message = { role: 'user', content: { type: 'text', text: 'hello' } } as const
const result: CreateMessageResult = {
  role: 'assistant',
  content: { type: 'text', text: 'hi' },
  model: 'm',
}

function asked(...answers: readonly ('once' | 'deny')[]) {
  const requests: ConsentRequest[] = []
  const consent: Consent = {
    ask: (request) => {
      const kind = answers[requests.length] ?? 'deny'
      requests.push(request)
      return Promise.resolve({ kind })
    },
  }
  return {
    requests,
    options: { consent: new ConsentQueue({ consent, clock, timeoutMs: 1 }), clock },
  }
}

/** A model that remembers what it was given. */
function model(grant: Partial<SamplingGrant> = {}) {
  const given: CreateMessageParams[] = []
  const sampling: SamplingGrant = {
    servers: ['a'],
    create: (params) => {
      given.push(params)
      return Promise.resolve(result)
    },
    ...grant,
  }
  return { given, sampling }
}

it('declares nothing to servers that were granted nothing', () => {
  const { options } = asked()
  expect(answersFor('a', {}, options)).toBeUndefined()
  expect(answersFor('b', { sampling: model().sampling }, options)).toBeUndefined()
})

it('gives each server the roots that were granted to it', async () => {
  const { options } = asked()
  const roots = (server: string) => [{ uri: `file:///${server}` }]
  const answers = answersFor('a', { roots }, options)?.roots
  expect(typeof answers === 'function' && (await answers(context))).toEqual([{ uri: 'file:///a' }])
})

it('asks before the model is used and before the server sees what it wrote, naming the server', async () => {
  const { requests, options } = asked('once', 'once')
  const { sampling, given } = model()
  const answers = answersFor('a', { sampling }, options)
  const params = { messages: [message], maxTokens: 100 }
  expect(await answers?.sampling?.(params, context)).toEqual(result)
  expect(requests).toMatchObject([
    { kind: 'sampling', server: 'a', params },
    { kind: 'sampling-result', server: 'a', result },
  ])
  expect(given).toEqual([params])
})

it('uses no model after a no', async () => {
  const { options } = asked('deny')
  const { sampling, given } = model()
  const answers = answersFor('a', { sampling }, options)
  const params = { messages: [message], maxTokens: 100 }
  await expect(answers?.sampling?.(params, context)).rejects.toThrow(RpcRefusal)
  expect(given).toEqual([])
})

it('gives the server nothing of what was written after a no to that', async () => {
  const { options } = asked('once', 'deny')
  const answers = answersFor('a', { sampling: model().sampling }, options)
  const params = { messages: [message], maxTokens: 100 }
  await expect(answers?.sampling?.(params, context)).rejects.toThrow(RpcRefusal)
})

it('cuts the tokens, and gives no context and no tools that were not granted', async () => {
  const { requests, options } = asked('once', 'once')
  const { sampling, given } = model({ maxTokens: 50 })
  const answers = answersFor('a', { sampling }, options)
  const tools = [{ name: 't', inputSchema: { type: 'object' } }]
  const params = {
    messages: [message],
    maxTokens: 100,
    includeContext: 'allServers',
    tools,
  } as const
  await answers?.sampling?.(params, context)
  expect(given).toEqual([{ messages: [message], maxTokens: 50 }])
  expect(requests[0]).toMatchObject({ warnings: [expect.any(String), expect.any(String)] })
  expect(answers?.samplingTools).toBe(false)
})

it('takes only so many requests a minute of a server', async () => {
  const { options } = asked('once', 'once', 'once', 'once', 'once', 'once')
  const { sampling, given } = model({ perMinute: 2 })
  const answers = answersFor('a', { sampling }, options)
  const params = { messages: [message], maxTokens: 100 }
  await answers?.sampling?.(params, context)
  await answers?.sampling?.(params, context)
  await expect(answers?.sampling?.(params, context)).rejects.toThrow(RpcRefusal)
  await clock.advance(60_000)
  await answers?.sampling?.(params, context)
  expect(given).toHaveLength(3)
})

it('names the server of a form by its key, and warns of secrets and addresses', async () => {
  const forms: FormQuestion[] = []
  const answers = answersFor(
    'a',
    {
      elicitation: (form) => {
        forms.push(form)
        return Promise.resolve({ action: 'decline' })
      },
    },
    asked().options,
  )
  const requestedSchema = {
    type: 'object',
    properties: { p: { type: 'string', title: 'Your API key' }, n: { type: 'number' } },
  } as const
  await answers?.elicitation?.({ message: 'See https://x.test', requestedSchema }, context)
  expect(forms).toMatchObject(
    [{ server: 'a', warnings: [/"p"/, /address/] }].map(({ server, warnings }) => ({
      server,
      warnings: warnings.map((pattern) => expect.stringMatching(pattern) as string),
    })),
  )
})

it('shows the whole address and its host before a visit, and warns of look-alike hosts', async () => {
  const visits: VisitQuestion[] = []
  const answers = answersFor(
    'a',
    {
      elicitationUrl: (visit) => {
        visits.push(visit)
        return Promise.resolve({ action: 'accept' })
      },
    },
    asked().options,
  )
  const url = 'https://xn--pypal-4ve.com/login?x=1'
  await answers?.elicitationUrl?.({ mode: 'url', message: 'go', url }, context)
  expect(visits).toMatchObject([
    { server: 'a', url, host: 'xn--pypal-4ve.com', warnings: [expect.any(String)] },
  ])
})

it.each([
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'file:///etc/passwd',
  'http://example.org/',
  'data:text/html,x',
  'https://example.org@evil.test/',
  'https:\\\\example.org',
  'https://example.org/\u202egpj.exe',
  ' https://example.org',
  `https://example.org/${'x'.repeat(9_000)}`,
  'example.org',
])('never asks to visit %s', async (url) => {
  let visits = 0
  const answers = answersFor(
    'a',
    {
      elicitationUrl: () => {
        visits += 1
        return Promise.resolve({ action: 'accept' })
      },
    },
    asked().options,
  )
  const params = { mode: 'url', message: 'go', url } as const
  await expect(answers?.elicitationUrl?.(params, context)).rejects.toThrow(RpcRefusal)
  expect(visits).toBe(0)
})
