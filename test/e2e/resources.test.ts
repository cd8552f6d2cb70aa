/** Resources and templates of a server, to clients of all revisions. */

import { describe, expect, it } from 'vitest'
import { createLogger } from '../../src/base/log.ts'
import { isResourceNotFound } from '../../src/protocol/errors.ts'
import type { Resource } from '../../src/protocol/types/resources.ts'
import { elicit, resourceNotFound, ToolError } from '../../src/tools/index.ts'
import { defineResource, type ResourceReply } from '../../src/tools/resource.ts'
import { defineTemplate } from '../../src/tools/template.ts'
import { answerTo, LEGACY, MODERN, ofMethod, pairUp } from '../support/pair.ts'

const ALL = [...LEGACY, ...MODERN]
const turn = (): Promise<void> => new Promise(setImmediate)

const readme = defineResource({
  uri: 'file:///readme.md',
  name: 'readme',
  title: 'Read me',
  description: 'What this is',
  mimeType: 'text/markdown',
  size: 7,
  annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-07-28T12:00:00Z' },
  icons: [{ src: 'https://example.org/i.png', mimeType: 'image/png', sizes: ['48x48'] }],
  _meta: { 'example.org/rank': 1 },
  read: () => '# Hello',
})
const note = defineTemplate({
  uriTemplate: 'notes://{year}/{id}',
  name: 'note',
  mimeType: 'text/plain',
  annotations: { audience: ['assistant'] },
  read: (_uri, { year, id }) => `${String(id)} of ${String(year)}`,
})

const giving = (reply: ResourceReply) =>
  defineResource({ uri: 'test://x', name: 'x', mimeType: 'text/plain', read: () => reply })

describe.each(ALL)('resources at %s', (revision) => {
  it('are listed with all that is said of them, templates apart [RES-01, RES-04, RES-12, ICON-01]', async () => {
    const pair = await pairUp(revision, { resources: [readme], templates: [note] })
    expect(pair.client.server.capabilities.resources).toEqual({
      subscribe: true,
      listChanged: true,
    })
    expect(await pair.client.listResources()).toEqual([readme.resource])
    expect(readme.resource).toMatchObject({ size: 7, annotations: { priority: 0.5 }, icons: [{}] })
    expect(await pair.client.listResourceTemplates()).toEqual([note.template])
  })

  it('are read as text, as bytes, as several items, each with its URI and type [RES-03, RES-08]', async () => {
    const replies: [ResourceReply, unknown][] = [
      ['# Hello', [{ uri: 'test://x', mimeType: 'text/plain', text: '# Hello' }]],
      ['', [{ uri: 'test://x', mimeType: 'text/plain', text: '' }]],
      [
        { blob: new Uint8Array([0, 255, 1]), mimeType: 'image/png' },
        [{ uri: 'test://x', mimeType: 'image/png', blob: 'AP8B' }],
      ],
      [new Uint8Array([104, 105]), [{ uri: 'test://x', mimeType: 'text/plain', blob: 'aGk=' }]],
      [{ blob: 'aGk=' }, [{ uri: 'test://x', mimeType: 'text/plain', blob: 'aGk=' }]],
      [
        ['one', { uri: 'test://x/2', text: 'two' }, { uri: 'test://x/3', blob: new Uint8Array(0) }],
        [
          { uri: 'test://x', mimeType: 'text/plain', text: 'one' },
          { uri: 'test://x/2', mimeType: 'text/plain', text: 'two' },
          { uri: 'test://x/3', mimeType: 'application/octet-stream', blob: '' },
        ],
      ],
      [
        { contents: [{ text: 'a', _meta: { 'example.org/a': 1 } }] },
        [{ uri: 'test://x', mimeType: 'text/plain', text: 'a', _meta: { 'example.org/a': 1 } }],
      ],
    ]
    for (const [reply, contents] of replies) {
      const { client } = await pairUp(revision, { resources: [giving(reply)] })
      expect((await client.readResource('test://x')).contents).toEqual(contents)
    }
  })

  it('are looked for by their own URI first, then by the templates in their order [RES-04]', async () => {
    const exact = defineResource({ uri: 'notes://2026/1', name: 'one', read: () => 'the one' })
    const wide = defineTemplate({ uriTemplate: 'notes://{+all}', name: 'all', read: () => 'all' })
    const { client } = await pairUp(revision, { resources: [exact], templates: [note, wide] })
    const text = async (uri: string): Promise<unknown> =>
      (await client.readResource(uri)).contents[0]?.['text']
    expect(await text('notes://2026/1')).toBe('the one')
    expect(await text('notes://2026/2')).toBe('2 of 2026')
    expect(await text('notes://2026')).toBe('all')
  })

  it('that are missing are an error with their URI, and never empty contents [ERR-02, ERR-03, ERR-20]', async () => {
    const template = defineTemplate({
      uriTemplate: 'maybe://{id}',
      name: 'maybe',
      read(uri, { id }) {
        if (id === 'thrown') throw resourceNotFound(uri)
        return id === 'empty' ? [] : undefined
      },
    })
    const pair = await pairUp(revision, { resources: [readme], templates: [template] })
    const code = MODERN.includes(revision) ? -32602 : -32002
    for (const uri of ['file:///none', 'maybe://no', 'maybe://empty', 'maybe://thrown']) {
      const failure = await pair.client.readResource(uri).catch((error: unknown) => error)
      expect(failure).toMatchObject({ rpcCode: code, data: { uri } })
      expect(isResourceNotFound(failure as never)).toBe(true)
    }
  })

  it('are asked for by URIs only: what is none is refused [RES-08]', async () => {
    const open = defineTemplate({ uriTemplate: 'open://{+rest}', name: 'open', read: () => 'x' })
    const pair = await pairUp(revision, { resources: [readme], templates: [open] })
    pair.unjudged()
    const long = `open://${'a'.repeat(9000)}`
    for (const uri of [
      'readme',
      'open://a b',
      'open://%zz',
      'open://ü',
      '',
      long,
      '//x',
      'open://\u0000',
    ]) {
      await expect(pair.client.readResource(uri), uri).rejects.toMatchObject({ rpcCode: -32602 })
    }
    for (const uri of [undefined, null, 7, {}, ['open://a']]) {
      await expect(pair.client.request('resources/read', { uri })).rejects.toMatchObject({
        rpcCode: -32602,
      })
    }
  })

  it('cannot be left by dots in a URI, however they are written [RES-08]', async () => {
    const read: string[] = []
    const files = defineTemplate({
      uriTemplate: 'file:///srv/{+path}',
      name: 'file',
      read(uri) {
        read.push(uri)
        return 'x'
      },
    })
    const pair = await pairUp(revision, { templates: [files] })
    for (const way of [
      '../etc/passwd',
      'a/../../etc/passwd',
      '%2e%2e/etc/passwd',
      '%2E%2e%2fetc',
      '..%2fetc',
      '..%5cetc',
      '%252e%252e/etc',
      'a/..',
      'a%00/../b',
      'a%00b',
    ]) {
      const uri = `file:///srv/${way}`
      await expect(pair.client.readResource(uri), uri).rejects.toSatisfy(
        isResourceNotFound as never,
      )
    }
    expect(read).toEqual([])
    await pair.client.readResource('file:///srv/a..b/.hidden/c...d')
    expect(read).toHaveLength(1)
    // Neither value is a way up, and both together are.
    const named = defineTemplate({ uriTemplate: 'x://{+dir}.{ext}', name: 'n', read: () => 'x' })
    const split = await pairUp(revision, { templates: [named] })
    await expect(split.client.readResource('x://a/..')).rejects.toSatisfy(
      isResourceNotFound as never,
    )
    await split.client.readResource('x://a/b.c')
  })

  it('tell the template’s values, and dots when the template lets them through', async () => {
    const search = defineTemplate({
      uriTemplate: 'search://q{?text}',
      name: 'search',
      dotSegments: true,
      read: (_uri, { text }) => `found ${String(text)}`,
    })
    const { client } = await pairUp(revision, { templates: [search] })
    const read = await client.readResource('search://q?text=..')
    expect(read.contents[0]).toMatchObject({ text: 'found ..' })
  })

  it('fail with words only when they are meant for the caller [ERR-20]', async () => {
    const thrown = (error: unknown) =>
      defineTemplate({
        uriTemplate: 'x://{id}',
        name: 'x',
        read: () => {
          throw error
        },
      })
    const records: unknown[] = []
    const logger = createLogger((record) => void records.push(record))
    const said = await pairUp(revision, { templates: [thrown(new ToolError('the disk is away'))] })
    await expect(said.client.readResource('x://1')).rejects.toMatchObject({
      rpcCode: -32603,
      message: 'the disk is away',
    })
    const kept = await pairUp(revision, { templates: [thrown(new Error('hunter2'))], logger })
    await expect(kept.client.readResource('x://1')).rejects.toMatchObject({
      rpcCode: -32603,
      message: expect.stringMatching(/^Internal error \([0-9a-f]{12}\)$/),
    })
    expect(records).toMatchObject([
      { level: 'error', data: { resource: 'x://1', error: 'hunter2' } },
    ])
    const odd = await pairUp(revision, { resources: [giving({ text: 'a', blob: 'YQ==' })] })
    await expect(odd.client.readResource('test://x')).rejects.toMatchObject({ rpcCode: -32603 })
  })

  it('come page by page, those that templates list behind the others [PAGE-01, PAGE-06]', async () => {
    const listed: Resource[] = [
      { uri: 'notes://2026/1', name: 'n1' },
      { uri: 'file:///a', name: 'again' },
      { uri: 'notes://2026/2', name: 'n2' },
      { uri: 'no uri', name: 'bad' },
    ]
    const telling = defineTemplate({ ...note.template, list: () => listed, read: () => 'x' })
    const own = ['a', 'b'].map((name) =>
      defineResource({ uri: `file:///${name}`, name, read: () => name }),
    )
    const pair = await pairUp(revision, { resources: own, templates: [telling], pageSize: 3 })
    expect((await pair.client.listResources()).map(({ uri }) => uri)).toEqual([
      'file:///a',
      'file:///b',
      'notes://2026/1',
      'notes://2026/2',
    ])
    expect(ofMethod(pair, 'resources/list')).toHaveLength(2)
    await expect(
      pair.client.request('resources/list', { cursor: 'after:nothing' }),
    ).rejects.toMatchObject({ rpcCode: -32602 })
  })

  it('that change are told, templates too, once for all of one breath [RES-07]', async () => {
    const pair = await pairUp(revision, { resources: [readme] })
    const changes = pair.client.changes({ resources: true })
    const first = changes.next()
    await turn()
    pair.server.resources.add(giving('x'))
    pair.server.templates.add(note)
    pair.server.resources.remove('test://x')
    expect(await first).toEqual({ value: { kind: 'resources' }, done: false })
    await turn()
    expect(ofMethod(pair, 'notifications/resources/list_changed')).toHaveLength(1)
    expect(await pair.client.listResourceTemplates()).toHaveLength(1)
    expect(await pair.client.listResources()).toHaveLength(1)
  })

  it('are declared by an empty list, and by those that come later [RES-01]', async () => {
    expect((await pairUp(revision, { resources: [] })).client.server.capabilities).toHaveProperty(
      'resources',
    )
    const none = await pairUp(revision, { tools: [] })
    expect(none.client.server.capabilities).not.toHaveProperty('resources')
    await expect(none.client.request('resources/list')).rejects.toMatchObject({
      code: 'DP_CAPABILITY_MISSING',
    })
  })
})

const asking = defineTemplate({
  uriTemplate: 'ask://{id}',
  name: 'ask',
  async read(_uri, { id }, ctx) {
    const form = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } } as const
    return `${String(id)}: ${(await ctx.ask('sure', elicit(form))).action}`
  },
})
const answers = { elicitation: () => Promise.resolve({ action: 'accept' as const, content: {} }) }

describe.each([...LEGACY.slice(2), ...MODERN])('a resource that asks at %s', (revision) => {
  it('is read when the client has answered [RES-14, MRTR-01]', async () => {
    const pair = await pairUp(revision, { templates: [asking] }, { answers })
    const { contents } = await pair.client.readResource('ask://1')
    expect(contents).toMatchObject([{ uri: 'ask://1', text: '1: accept' }])
    const rounds = ofMethod(pair, 'resources/read').length
    expect(rounds).toBe(MODERN.includes(revision) ? 2 : 1)
  })
})

describe.each(MODERN)('how long resources may be kept at %s', (revision) => {
  it('is the server’s word, that of a list, or that of the resource, and nobody else’s [CACHE-01]', async () => {
    const short = defineResource({ uri: 'x://s', name: 's', ttlMs: 5, read: () => 's' })
    const shared = defineResource({
      uri: 'x://p',
      name: 'p',
      cacheScope: 'public',
      read: () => ({ contents: ['p'], ttlMs: 7 }),
    })
    const pair = await pairUp(revision, {
      resources: [short, shared, readme],
      ttlMs: 100,
      cache: { resources: { ttlMs: 50, cacheScope: 'public' } },
    })
    const hint = (method: string): unknown => {
      const { ttlMs, cacheScope } = answerTo(pair, method)?.result ?? {}
      return [ttlMs, cacheScope]
    }
    await pair.client.listResources()
    expect(hint('resources/list')).toEqual([50, 'public'])
    await pair.client.listResourceTemplates()
    expect(hint('resources/templates/list')).toEqual([100, 'private'])
    await pair.client.readResource('x://s')
    expect(hint('resources/read')).toEqual([5, 'private'])
    await pair.client.readResource('x://p')
    expect(hint('resources/read')).toEqual([7, 'public'])
    await pair.client.readResource('file:///readme.md')
    expect(hint('resources/read')).toEqual([100, 'private'])
  })

  it('is the same scope on every page, and never said of a result that asks [CACHE-01, CACHE-08]', async () => {
    const resources = ['a', 'b', 'c'].map((name) =>
      defineResource({ uri: `x://${name}`, name, read: () => name }),
    )
    const pair = await pairUp(
      revision,
      { resources, templates: [asking], pageSize: 1, cacheScope: 'public' },
      { answers },
    )
    await pair.client.listResources()
    await pair.client.readResource('ask://1')
    const results = pair.crossed.map(({ message }) => message.result ?? {})
    const pages = results.filter((result) => result['resources'] !== undefined)
    expect(pages.map((page) => page['cacheScope'])).toEqual(['public', 'public', 'public'])
    const question = results.find((result) => result['resultType'] === 'input_required')
    expect(question).toBeDefined()
    expect(question).not.toHaveProperty('ttlMs')
  })
})
