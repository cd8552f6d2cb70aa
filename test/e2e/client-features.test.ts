/** What a client asks beside tools, in all revisions, and what it makes of servers that answer oddly. */
import { afterEach, describe, expect, it } from 'vitest'
import { RpcError } from '../../src/base/errors.ts'
import type { JsonObject } from '../../src/base/json.ts'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import { isResourceNotFound } from '../../src/client/reads.ts'
import type { WireEvent } from '../../src/jsonrpc/wire.ts'
import type { Revision } from '../../src/protocol/revision.ts'
import {
  scriptedServer,
  type Script,
  type ScriptedServer,
} from '../../src/testing/scripted-server.ts'
import { LEGACY, MODERN, ofMethod, pairUp } from '../support/pair.ts'

const ALL = [...LEGACY, ...MODERN]
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const turn = (): Promise<void> => new Promise(setImmediate)
const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

interface Meeting {
  readonly client: Client
  readonly server: ScriptedServer
  /** Kinds of the notes on the wire. */
  readonly notes: readonly string[]
  readonly params: (method: string) => readonly JsonObject[]
}

const EVERYTHING = {
  tools: {},
  resources: { subscribe: true },
  prompts: {},
  completions: {},
  logging: {},
}

async function meet(
  revision: Revision,
  script: Script,
  options: ClientOptions = {},
): Promise<Meeting> {
  const server = scriptedServer(script, { revision, capabilities: EVERYTHING })
  const notes: string[] = []
  const wire = (event: WireEvent): void => {
    if (event.type === 'note') notes.push(event.note.kind)
  }
  const client = await connect(server, { revisions: [revision], wire, ...options })
  clients.push(client)
  const params = (method: string): readonly JsonObject[] =>
    server.seen.flatMap((message) =>
      'method' in message && message.method === method ? [message.params ?? {}] : [],
    )
  return { client, server, notes, params }
}

const result = (value: JsonObject): { result: JsonObject } => ({ result: value })
const error = (code: number, data?: JsonObject): { error: { code: number; message: string } } => ({
  error: { code, message: 'no', ...(data === undefined ? {} : { data }) },
})

describe.each(ALL)('a client at %s', (revision) => {
  it('gets a sign of life by what the revision has for it [PING-01, PING-04, LIFE-12]', async () => {
    const { client, params } = await meet(revision, {})
    const before = params('server/discover').length
    await client.ping()
    const legacy = LEGACY.includes(revision)
    expect(params('ping')).toHaveLength(legacy ? 1 : 0)
    expect(params('server/discover')).toHaveLength(before + (legacy ? 0 : 1))
  })

  it('rejects when there is no sign of life in time [PING-02]', async () => {
    const { client, server } = await meet(
      revision,
      { ping: 'silence' },
      { timeouts: { idleMs: 20 } },
    )
    if (MODERN.includes(revision)) server.end(new Error('gone'))
    await expect(client.ping()).rejects.toMatchObject({
      family: LEGACY.includes(revision) ? 'timeout' : 'transport',
    })
  })

  it('reads every list in one way: all pages, in order, without what cannot be used [PAGE-01, PAGE-02, PAGE-03, PRMT-10]', async () => {
    const lists = {
      'tools/list': ['tools', 'name'],
      'resources/list': ['resources', 'uri'],
      'resources/templates/list': ['resourceTemplates', 'uriTemplate'],
      'prompts/list': ['prompts', 'name'],
    } as const
    const script = Object.fromEntries(
      Object.entries(lists).map(([method, [member, key]]) => [
        method,
        (message: { params?: JsonObject }) => {
          const cursor = message.params?.['cursor']
          const page = cursor === undefined ? 1 : cursor === '' ? 2 : 3
          const next =
            page === 1 ? { nextCursor: '' } : page === 2 ? { nextCursor: ' {"b":1} ' } : {}
          return result({ [member]: [{ [key]: `a:${page}` }, null, { other: page }], ...next })
        },
      ]),
    )
    const { client, params } = await meet(revision, script)
    const found = {
      'tools/list': (await client.listTools()).map(({ name }) => name),
      'resources/list': (await client.listResources()).map(({ uri }) => uri),
      'resources/templates/list': (await client.listResourceTemplates()).map(
        ({ uriTemplate }) => uriTemplate,
      ),
      'prompts/list': (await client.listPrompts()).map(({ name }) => name),
    }
    for (const [method, names] of Object.entries(found)) {
      expect(names, method).toEqual(['a:1', 'a:2', 'a:3'])
      expect(params(method).map(({ cursor }) => cursor)).toEqual([undefined, '', ' {"b":1} '])
    }
  })

  it('gives pages one by one to who does not want to wait for all, and asks for no more when they leave [PAGE-07]', async () => {
    let page = 0
    const { client, params } = await meet(revision, {
      'resources/list': () => {
        page += 1
        return result({ resources: [{ uri: `a:${page}`, name: 'a' }], nextCursor: `${page}` })
      },
    })
    const uris: string[] = []
    for await (const resources of client.pages('resources/list')) {
      uris.push(...resources.map(({ uri }) => uri))
      if (uris.length === 3) break
    }
    expect(uris).toEqual(['a:1', 'a:2', 'a:3'])
    expect(params('resources/list')).toHaveLength(3)
    await expect(client.listResources({ maxPages: 5 })).rejects.toMatchObject({
      code: 'DP_PROTOCOL_PAGES',
    })
    expect(params('resources/list')).toHaveLength(8)
  })

  it('reads a resource as text or bytes, and leaves out what is neither', async () => {
    const contents = [
      { uri: 'a:1', text: '' },
      { text: 'without a URI' },
      { uri: 'a:2', blob: 'AAE=', mimeType: null },
      { uri: 'a:3' },
      { uri: 'a:4', text: 5 },
    ]
    const { client, notes, params } = await meet(revision, {
      'resources/read': result({ contents }),
    })
    expect((await client.readResource('a:1')).contents).toEqual([
      { uri: 'a:1', text: '' },
      { uri: 'a:1', text: 'without a URI' },
      { uri: 'a:2', blob: 'AAE=' },
    ])
    expect(params('resources/read')[0]).toMatchObject({ uri: 'a:1' })
    expect(notes.filter((kind) => kind === 'bad-contents')).toHaveLength(2)
  })

  it('knows a missing resource by the code of any revision [ERR-04]', async () => {
    const { client } = await meet(revision, {
      'resources/read': ({ params }) =>
        params?.['uri'] === 'old' ? error(-32002, { uri: 'old' }) : error(-32602),
      'prompts/get': error(-32602),
    })
    for (const uri of ['old', 'new']) {
      const thrown = await client.readResource(uri).catch((one: unknown) => one)
      expect(thrown).toBeInstanceOf(RpcError)
      expect(isResourceNotFound(thrown)).toBe(true)
    }
    expect(isResourceNotFound(await client.getPrompt('p').catch((one: unknown) => one))).toBe(false)
    expect(isResourceNotFound(new Error('-32602'))).toBe(false)
  })

  it('asks for a prompt with strings, and with nothing else [PRMT-04]', async () => {
    const message = { role: 'user', content: { type: 'text', text: 'hi' } }
    const { client, params } = await meet(revision, {
      'prompts/get': result({ messages: [message], description: null }),
    })
    expect(await client.getPrompt('p', { a: 'b' })).toEqual({ messages: [message] })
    expect(params('prompts/get')[0]).toMatchObject({ name: 'p', arguments: { a: 'b' } })
    const odd: never = { n: 5 } as never
    await expect(client.getPrompt('p', odd)).rejects.toMatchObject({ code: 'DP_USAGE' })
    expect(params('prompts/get')).toHaveLength(1)
  })

  it('completes arguments of prompts and of templates, with what is decided [COMP-02, COMP-03]', async () => {
    const { client, params } = await meet(revision, {
      'completion/complete': result({
        completion: { values: ['b', 7, 'c'], total: null, hasMore: true },
      }),
    })
    const prompt = { type: 'ref/prompt', name: 'p' } as const
    expect(await client.complete(prompt, { name: 'a', value: '' })).toEqual({
      values: ['b', 'c'],
      hasMore: true,
    })
    const place = { type: 'ref/resource', uri: 'a:{x}' } as const
    await client.complete(place, { name: 'x', value: 'v' }, { y: 'z' })
    expect(params('completion/complete')).toMatchObject([
      { ref: prompt, argument: { name: 'a', value: '' } },
      { ref: place, argument: { name: 'x', value: 'v' }, context: { arguments: { y: 'z' } } },
    ])
    expect(params('completion/complete')[0]?.['context']).toBeUndefined()
  })

  it('sets the level of log messages in the way of the revision [LOG-03, LOG-05]', async () => {
    const { client, params } = await meet(revision, {
      'logging/setLevel': result({}),
      'tools/list': result({ tools: [] }),
    })
    await client.setLogLevel('warning')
    await client.listTools()
    await client.listTools({ logLevel: 'debug', fresh: true })
    const asked = params('tools/list').map((sent) => {
      const meta = sent['_meta'] as JsonObject | undefined
      return meta?.['io.modelcontextprotocol/logLevel']
    })
    const legacy = LEGACY.includes(revision)
    expect(params('logging/setLevel').map(({ level }) => level)).toEqual(legacy ? ['warning'] : [])
    expect(asked).toEqual(legacy ? [undefined, undefined] : ['warning', 'debug'])
  })

  it('hears log messages of the eight levels, with whatever data they have [LOG-02]', async () => {
    const heard: unknown[] = []
    const others: string[] = []
    const { client, server } = await meet(
      revision,
      {},
      {
        onLog: ({ level, data, logger }) => heard.push([level, data, logger]),
        onNotification: (method) => others.push(method),
      },
    )
    const levels = 'debug info notice warning error critical alert emergency'.split(' ')
    const data = [0, '', null, false, [1], { a: 1 }, 'text', 1.5]
    const say = (params: JsonObject): void =>
      server.say({ jsonrpc: '2.0', method: 'notifications/message', params })
    for (const [at, level] of levels.entries()) say({ level, data: data[at] ?? null, logger: 'l' })
    for (const level of ['trace', 'Info', 5, null]) say({ level, data: 'odd' })
    await client.ping()
    expect(heard).toEqual(levels.map((level, at) => [level, data[at], 'l']))
    expect(others).toHaveLength(4)
  })

  it('sends the trace that a request belongs to, and nothing that is none [META-13]', async () => {
    const traces: unknown[] = [
      { traceparent: PARENT, tracestate: 'a=1', baggage: 'b=2' },
      { traceparent: 'nonsense', baggage: 'line\nend=1' },
      undefined,
      'throw',
    ]
    const { client, params } = await meet(
      revision,
      { 'tools/call': result({ content: [] }) },
      {
        trace: () => {
          const trace = traces.shift()
          if (trace === 'throw') throw new Error('no trace today')
          return trace as never
        },
      },
    )
    for (let at = 0; at < 4; at += 1) await client.callTool('t')
    await client.request('tools/call', { name: 't', _meta: { traceparent: PARENT, own: 1 } })
    await client.request('tools/call', { name: 't', _meta: { traceparent: 'x', own: 1 } })
    const sent = params('tools/call').map(({ _meta }) => {
      const { traceparent, tracestate, baggage, own } = Object(_meta)
      return [traceparent, tracestate, baggage, own]
    })
    const none = [undefined, undefined, undefined, undefined]
    expect(sent).toEqual([
      [PARENT, 'a=1', 'b=2', undefined],
      none,
      none,
      none,
      [PARENT, undefined, undefined, 1],
      [undefined, undefined, undefined, 1],
    ])
  })
})

describe.each(LEGACY)('roots at %s', (revision) => {
  it('are said to change when a function gives them, and changes are told [ROOT-01, ROOT-05]', async () => {
    let roots = [{ uri: 'file:///a' }]
    const pair = await pairUp(revision, {}, { answers: { roots: () => Promise.resolve(roots) } })
    expect(ofMethod(pair, 'initialize')[0]?.params?.['capabilities']).toMatchObject({
      roots: { listChanged: true },
    })
    roots = [{ uri: 'file:///b' }]
    pair.client.rootsChanged()
    await turn()
    expect(ofMethod(pair, 'notifications/roots/list_changed')).toHaveLength(1)
  })

  it('are never said to change when a list gives them, and no change is told [ROOT-05]', async () => {
    const pair = await pairUp(revision, {}, { answers: { roots: [{ uri: 'file:///a' }] } })
    expect(ofMethod(pair, 'initialize')[0]?.params?.['capabilities']).toEqual({ roots: {} })
    expect(() => pair.client.rootsChanged()).toThrow(/roots.listChanged was not declared/)
    await turn()
    expect(ofMethod(pair, 'notifications/roots/list_changed')).toEqual([])
  })

  it('have no words for what a server is beyond the handshake [LIFE-12]', async () => {
    const { client } = await pairUp(revision)
    await expect(client.discover()).rejects.toMatchObject({ code: 'DP_CAPABILITY_METHOD' })
  })
})

describe.each(MODERN)('a client at %s', (revision) => {
  it('asks the server what it is, each time anew [LIFE-14]', async () => {
    const pair = await pairUp(revision, { instructions: 'Be kind.' })
    const before = ofMethod(pair, 'server/discover').length
    const found = await pair.client.discover()
    expect(found).toMatchObject({ revision, era: 'modern', instructions: 'Be kind.' })
    expect(found.supportedVersions).toContain(revision)
    expect(found.info?.name).toBe('pair')
    expect(ofMethod(pair, 'server/discover')).toHaveLength(before + 1)
  })

  it('tells nothing of changed roots: they are asked for each time [ROOT-05]', async () => {
    const answers = { roots: () => Promise.resolve([]) }
    const pair = await pairUp(revision, {}, { answers })
    pair.client.rootsChanged()
    await turn()
    expect(ofMethod(pair, 'notifications/roots/list_changed')).toEqual([])
  })

  it('sets no log level where the server says that it logs nothing', async () => {
    const { client } = await pairUp(revision)
    await expect(client.setLogLevel('info')).rejects.toMatchObject({
      code: 'DP_CAPABILITY_MISSING',
    })
  })
})
