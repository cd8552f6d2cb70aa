/** Prompts of a server, and completion, to clients of all revisions. */

import { describe, expect, it } from 'vitest'
import type { ContentBlock } from '../../src/protocol/types/tools.ts'
import { elicit, type CompletionContext, type Completions } from '../../src/tools/context.ts'
import { definePrompt } from '../../src/tools/prompt.ts'
import { defineTemplate } from '../../src/tools/template.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { answerTo, LEGACY, MODERN, ofMethod, pairUp } from '../support/pair.ts'

const ALL = [...LEGACY, ...MODERN]
const turn = (): Promise<void> => new Promise(setImmediate)

const review = definePrompt({
  name: 'review',
  title: 'Review',
  description: 'Looks over code',
  icons: [{ src: 'data:image/png;base64,AAAA' }],
  arguments: [
    { name: 'code', title: 'Code', description: 'What to look at', required: true },
    { name: 'style' },
  ],
  _meta: { 'example.org/a': 1 },
  get: ({ code, style }) => `Review in style ${style ?? 'plain'}: ${code}`,
})

const saying = (content: ContentBlock) =>
  definePrompt({ name: 'say', get: () => [{ role: 'assistant', content }] })

describe.each(ALL)('prompts at %s', (revision) => {
  it('are listed with their arguments [PRMT-01, ICON-01]', async () => {
    const { client } = await pairUp(revision, { prompts: [review] })
    expect(client.server.capabilities.prompts).toEqual({ listChanged: true })
    expect(await client.listPrompts()).toEqual([review.prompt])
    expect(review.prompt).toMatchObject({
      title: 'Review',
      arguments: [{ name: 'code', title: 'Code', required: true }, { name: 'style' }],
    })
  })

  it('give messages of one block each, however they are written [PRMT-05]', async () => {
    const text = await pairUp(revision, { prompts: [review] })
    expect(await text.client.getPrompt('review', { code: 'x = 1', style: 'harsh' })).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'Review in style harsh: x = 1' } }],
    })
    const whole = definePrompt({
      name: 'say',
      get: () => ({
        description: 'A talk',
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: { type: 'text', text: 'Ho' } },
        ],
        _meta: { 'example.org/a': 1 },
      }),
    })
    const { client } = await pairUp(revision, { prompts: [whole] })
    expect(await client.getPrompt('say')).toEqual({
      description: 'A talk',
      messages: [
        { role: 'user', content: { type: 'text', text: 'Hi' } },
        { role: 'assistant', content: { type: 'text', text: 'Ho' } },
      ],
      _meta: { 'example.org/a': 1 },
    })
  })

  it('hold pictures, sounds and resources, and words for what the revision does not know [PRMT-06, TOOL-13]', async () => {
    const blocks: ContentBlock[] = [
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'x://a', mimeType: 'text/plain', text: 'a' } },
      { type: 'resource', resource: { uri: 'x://a', mimeType: 'image/png', blob: 'AAAA' } },
    ]
    for (const block of blocks) {
      const { client } = await pairUp(revision, { prompts: [saying(block)] })
      const [message] = (await client.getPrompt('say')).messages
      const known = block.type !== 'audio' || revision !== '2024-11-05'
      expect(message?.content.type).toBe(known ? block.type : 'text')
      expect(known ? message?.content : block).toEqual(block)
    }
  })

  it('with content that is no base64, has no type, or is no content at all are a fault of the server [PRMT-06]', async () => {
    const bad: unknown[] = [
      { type: 'image', data: 'no base64!', mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'sound' },
      { type: 'resource', resource: { text: 'a' } },
      { type: 'resource', resource: { uri: 'x://a', text: 'a', blob: 'AAAA' } },
      { type: 'film' },
      ['a'],
    ]
    for (const content of bad) {
      // Wrong on purpose.
      const { client } = await pairUp(revision, { prompts: [saying(content as ContentBlock)] })
      await expect(client.getPrompt('say')).rejects.toMatchObject({ rpcCode: -32603 })
    }
  })

  it('that are unknown, or lack a required argument, or get none that is text, are refused [PRMT-03, ERR-20]', async () => {
    const pair = await pairUp(revision, { prompts: [review] })
    pair.unjudged()
    const get = (params: object): Promise<unknown> =>
      pair.client.request('prompts/get', { ...params })
    for (const params of [
      { name: 'none' },
      { name: 'constructor' },
      {},
      { name: 7 },
      { name: 'review' },
      { name: 'review', arguments: { style: 'x' } },
      { name: 'review', arguments: { code: 7 } },
      { name: 'review', arguments: { code: 'a', style: null } },
      { name: 'review', arguments: ['a'] },
      { name: 'review', arguments: { code: 'a'.repeat(1_000_001) } },
    ]) {
      await expect(get(params), JSON.stringify(params).slice(0, 100)).rejects.toMatchObject({
        rpcCode: -32602,
      })
    }
    expect(await get({ name: 'review', arguments: { code: '', surplus: 'x' } })).toMatchObject({
      messages: [{ content: { text: 'Review in style plain: ' } }],
    })
  })

  it('are given declared arguments only, in an object without a prototype [PRMT-08]', async () => {
    const seen: object[] = []
    const spy = definePrompt({
      name: 'spy',
      arguments: [{ name: 'a' }, { name: '__proto__' }],
      get(args) {
        seen.push(args)
        return 'x'
      },
    })
    const { client } = await pairUp(revision, { prompts: [spy] })
    await client.request('prompts/get', {
      name: 'spy',
      arguments: JSON.parse('{"a":"1","b":"2","__proto__":"3","toString":"4"}'),
    })
    expect(Object.getPrototypeOf(seen[0])).toBeNull()
    expect(Object.entries(seen[0] ?? {})).toEqual([
      ['a', '1'],
      ['__proto__', '3'],
    ])
  })

  it('that change are told, and come page by page [PRMT-07, PAGE-01]', async () => {
    const pair = await pairUp(revision, { prompts: [review], pageSize: 1 })
    const changes = pair.client.changes({ prompts: true })
    const first = changes.next()
    await turn()
    pair.server.prompts.add(definePrompt({ name: 'b', get: () => 'b' }))
    expect(await first).toEqual({ value: { kind: 'prompts' }, done: false })
    expect(await pair.client.listPrompts()).toHaveLength(2)
    expect(ofMethod(pair, 'prompts/list')).toHaveLength(2)
  })
})

describe.each([...LEGACY.slice(2), ...MODERN])('a prompt that asks at %s', (revision) => {
  it('gives its messages when the client has answered [PRMT-09, MRTR-01]', async () => {
    const asking = definePrompt({
      name: 'ask',
      arguments: [{ name: 'a', required: true }],
      async get({ a }, ctx) {
        const { content } = await ctx.ask(
          'who',
          elicit({
            message: 'Who?',
            requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
          }),
        )
        return `${a} ${String(content?.['name'])}`
      },
    })
    const elicitation = () =>
      Promise.resolve({ action: 'accept' as const, content: { name: 'Ada' } })
    const pair = await pairUp(revision, { prompts: [asking] }, { answers: { elicitation } })
    expect((await pair.client.getPrompt('ask', { a: 'Hi' })).messages).toMatchObject([
      { content: { text: 'Hi Ada' } },
    ])
    expect(ofMethod(pair, 'prompts/get')).toHaveLength(MODERN.includes(revision) ? 2 : 1)
  })
})

const CITIES = ['Berlin', 'Bern', 'Bonn', 'Paris']
const begun = (typed: string): Completions => CITIES.filter((city) => city.startsWith(typed))

/** Completes a city, and remembers what it was asked with. */
function places(complete: (typed: string, ctx: CompletionContext) => Completions) {
  return {
    prompts: [
      definePrompt({
        name: 'trip',
        arguments: [{ name: 'city', complete }, { name: 'plain' }],
        get: () => 'x',
      }),
    ],
    templates: [
      defineTemplate({
        uriTemplate: 'city://{country}/{city}',
        name: 'c',
        complete: { city: complete },
        read: () => 'x',
      }),
    ],
  }
}

const trip = { type: 'ref/prompt', name: 'trip' } as const
const place = { type: 'ref/resource', uri: 'city://{country}/{city}' } as const

describe.each(ALL)('completion at %s', (revision) => {
  it('suggests for arguments of prompts and variables of templates [COMP-01, COMP-02]', async () => {
    const { client } = await pairUp(revision, places(begun))
    const declared = revision === '2024-11-05' ? undefined : {}
    expect(client.server.capabilities.completions).toEqual(declared)
    const values = ['Berlin', 'Bern']
    expect(await client.complete(trip, { name: 'city', value: 'Ber' })).toMatchObject({ values })
    expect(await client.complete(place, { name: 'city', value: 'Ber' })).toMatchObject({ values })
    const covered = { type: 'ref/resource', uri: 'city://de/x' } as const
    expect(await client.complete(covered, { name: 'city', value: 'Ber' })).toMatchObject({ values })
    for (const [ref, name] of [
      [trip, 'plain'],
      [place, 'country'],
    ] as const)
      expect(await client.complete(ref, { name, value: '' })).toMatchObject({ values: [] })
  })

  it('tells at most a hundred values, and how many there are [COMP-04]', async () => {
    const many = Array.from({ length: 250 }, (_, at) => `v${at}`)
    const values = many.slice(0, 100)
    const one = ['a']
    const replies: [Completions, object][] = [
      [many, { values, total: 250, hasMore: true }],
      [values, { values }],
      [
        { values: one, total: 9 },
        { values: one, total: 9, hasMore: true },
      ],
      [
        { values: one, hasMore: false },
        { values: one, hasMore: false },
      ],
      [
        { values: many, hasMore: true },
        { values, hasMore: true },
      ],
    ]
    for (const [reply, told] of replies) {
      const pair = await pairUp(
        revision,
        places(() => reply),
      )
      await pair.client.complete(trip, { name: 'city', value: '' })
      expect(answerTo(pair, 'completion/complete')?.result?.['completion']).toEqual(told)
    }
  })

  it('refuses what names nothing, and what is no text [COMP-05, ERR-20]', async () => {
    const pair = await pairUp(revision, places(begun))
    pair.unjudged()
    const city = { name: 'city', value: '' }
    for (const params of [
      {},
      { ref: trip },
      { ref: trip, argument: { name: 'none', value: '' } },
      { ref: trip, argument: { name: 'city', value: 7 } },
      { ref: trip, argument: { name: 'city', value: 'a'.repeat(9000) } },
      { ref: { type: 'ref/prompt', name: 'none' }, argument: city },
      { ref: { type: 'ref/prompt', name: 'toString' }, argument: city },
      { ref: { type: 'ref/resource', uri: 'none://' }, argument: city },
      { ref: { type: 'ref/film' }, argument: city },
      { ref: place, argument: { name: 'planet', value: '' } },
      { ref: trip, argument: city, context: { arguments: { plain: 7 } } },
      { ref: trip, argument: city, context: { arguments: 'x' } },
    ]) {
      await expect(
        pair.client.request('completion/complete', params),
        JSON.stringify(params).slice(0, 100),
      ).rejects.toMatchObject({ rpcCode: -32602 })
    }
  })

  it('is refused to a flood, and again possible a little later [COMP-05]', async () => {
    const clock = fakeClock()
    const { client } = await pairUp(revision, { ...places(begun), clock, completionsPerSecond: 2 })
    const ask = (): Promise<unknown> => client.complete(trip, { name: 'city', value: '' })
    for (let count = 0; count < 4; count += 1) await ask()
    await expect(ask()).rejects.toMatchObject({ rpcCode: -32603 })
    await clock.advance(500)
    await ask()
    await expect(ask()).rejects.toMatchObject({ rpcCode: -32603 })
  })

  it('that breaks shows nothing of why', async () => {
    const broken = places(() => {
      throw new Error('hunter2')
    })
    const { client } = await pairUp(revision, broken)
    await expect(client.complete(trip, { name: 'city', value: '' })).rejects.toMatchObject({
      rpcCode: -32603,
      message: expect.not.stringContaining('hunter2'),
    })
  })
})

describe('a server that completes nothing', () => {
  it.each(ALL)('says so at %s [COMP-01]', async (revision) => {
    const { client } = await pairUp(revision, { prompts: [review] })
    expect(client.server.capabilities).not.toHaveProperty('completions')
  })

  it('has no such method where nobody can say so [COMP-01, ERR-14]', async () => {
    const { client } = await pairUp('2024-11-05', { prompts: [review] })
    const ask = client.complete(trip, { name: 'city', value: '' })
    await expect(ask).rejects.toMatchObject({ rpcCode: -32601 })
  })
})

describe.each(ALL.slice(2))('completion with context at %s', (revision) => {
  it('knows the arguments that are decided already [COMP-03]', async () => {
    const seen: CompletionContext[] = []
    const { client } = await pairUp(
      revision,
      places((typed, ctx) => {
        seen.push(ctx)
        return begun(typed)
      }),
    )
    await client.complete(place, { name: 'city', value: 'B' }, { country: 'de' })
    await client.complete(trip, { name: 'city', value: 'B' })
    expect(seen.map((ctx) => ({ ...ctx.arguments }))).toEqual([{ country: 'de' }, {}])
    expect(Object.getPrototypeOf(seen[0]?.arguments)).toBeNull()
  })
})
