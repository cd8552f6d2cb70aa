/** Clients of one server, and what one of them must never have of another. */

import { afterEach, describe, expect, it } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { JsonObject } from '../../src/base/json.ts'
import type { AuthFacts, WireEvent } from '../../src/jsonrpc/wire.ts'
import type { Revision } from '../../src/protocol/revision.ts'
import type { ServerOptions } from '../../src/server/options.ts'
import { Server } from '../../src/server/server.ts'
import { elicit, type RequestContext, type RequestFacts } from '../../src/tools/context.ts'
import { resultToText } from '../../src/tools/content.ts'
import { defineTool } from '../../src/tools/define.ts'
import { definePrompt } from '../../src/tools/prompt.ts'
import { defineResource } from '../../src/tools/resource.ts'
import { defineTemplate } from '../../src/tools/template.ts'
import { LEGACY, MODERN } from '../support/pair.ts'
import { connectAs } from '../support/principal.ts'
import { dice } from '../support/seeded.ts'

const ALL = [...LEGACY, ...MODERN]
const turn = (): Promise<void> => new Promise(setImmediate)
const ANN: AuthFacts = { principal: 'ann', scopes: ['admin'], claims: { key: 'of ann' } }
const BOB: AuthFacts = { principal: 'bob', scopes: [], claims: { key: 'of bob' } }

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

interface Both {
  readonly server: Server
  readonly ann: Client
  readonly bob: Client
  /** Who was told that a resource has changed. */
  readonly told: readonly string[]
}

async function both(revision: Revision, options: Partial<ServerOptions>): Promise<Both> {
  const server = new Server({ name: 'shared', version: '1', ...options })
  servers.push(server)
  const answers = {
    elicitation: () => Promise.resolve({ action: 'accept' as const, content: { name: 'x' } }),
  }
  const told: string[] = []
  const join = (auth: AuthFacts): Promise<Client> =>
    connectAs(server, auth, {
      revision,
      answers,
      wire(event) {
        if (event.type === 'message' && event.text.includes('notifications/resources/updated'))
          told.push(auth.principal)
      },
    })
  return { server, ann: await join(ANN), bob: await join(BOB), told }
}

const forAdmins = ({ auth }: RequestFacts): boolean => auth?.scopes?.includes('admin') === true

const secretTool = defineTool({ name: 'secret', visibleTo: forAdmins, run: () => 'of admins' })
const openTool = defineTool({
  name: 'open',
  run: (_args, { auth }) => `${auth?.principal} ${JSON.stringify(auth?.claims)}`,
})
const secret = defineResource({
  uri: 'x://secret',
  name: 's',
  visibleTo: forAdmins,
  read: () => 's',
})
const open = defineResource({
  uri: 'x://open',
  name: 'o',
  read: (_uri, { auth }) => String(auth?.principal),
})
const secretTemplate = defineTemplate({
  uriTemplate: 'secret://{id}',
  name: 's',
  visibleTo: forAdmins,
  complete: { id: () => ['1'] },
  read: () => 's',
})
const secretPrompt = definePrompt({
  name: 'secret',
  visibleTo: forAdmins,
  arguments: [{ name: 'a', complete: () => ['1'] }],
  get: (_args, { auth }) => String(auth?.principal),
})

const OFFERED = {
  tools: [openTool, secretTool],
  resources: [open, secret],
  templates: [secretTemplate],
  prompts: [secretPrompt],
}

describe.each(ALL)('two principals at %s', (revision) => {
  it('each see what is for them: in lists, in use, in completion, and the rest is not there [RES-09, TOOL-27, PRMT-08, COMP-05, TOOL-02]', async () => {
    const { ann, bob } = await both(revision, OFFERED)
    expect((await ann.listTools()).map(({ name }) => name)).toEqual(['open', 'secret'])
    expect((await bob.listTools()).map(({ name }) => name)).toEqual(['open'])
    expect((await ann.listResources()).map(({ uri }) => uri)).toEqual(['x://open', 'x://secret'])
    expect((await bob.listResources()).map(({ uri }) => uri)).toEqual(['x://open'])
    expect(await ann.listResourceTemplates()).toHaveLength(1)
    expect(await bob.listResourceTemplates()).toHaveLength(0)
    expect(await ann.listPrompts()).toHaveLength(1)
    expect(await bob.listPrompts()).toHaveLength(0)

    const uses: [method: string, params: JsonObject, none: JsonObject][] = [
      ['tools/call', { name: 'secret', arguments: {} }, { name: 'nothing', arguments: {} }],
      ['resources/read', { uri: 'x://secret' }, { uri: 'x://nothing' }],
      ['resources/read', { uri: 'secret://1' }, { uri: 'nothing://1' }],
      ['prompts/get', { name: 'secret' }, { name: 'nothing' }],
      [
        'completion/complete',
        { ref: { type: 'ref/prompt', name: 'secret' }, argument: { name: 'a', value: '' } },
        { ref: { type: 'ref/prompt', name: 'nothing' }, argument: { name: 'a', value: '' } },
      ],
      [
        'completion/complete',
        {
          ref: { type: 'ref/resource', uri: 'secret://{id}' },
          argument: { name: 'id', value: '' },
        },
        {
          ref: { type: 'ref/resource', uri: 'nothing://{id}' },
          argument: { name: 'id', value: '' },
        },
      ],
    ]
    for (const [method, params, none] of uses) {
      expect(await ann.request(method, params)).toBeDefined()
      const refusal = await failure(bob.request(method, params))
      expect(words(refusal)).toBe(words(await failure(bob.request(method, none))))
    }
  })

  it('are each told by the carrier who they are, in all kinds of code', async () => {
    const { ann, bob } = await both(revision, OFFERED)
    expect(resultToText(await ann.callTool('open'))).toBe('ann {"key":"of ann"}')
    expect(resultToText(await bob.callTool('open'))).toBe('bob {"key":"of bob"}')
    expect((await bob.readResource('x://open')).contents[0]).toMatchObject({ text: 'bob' })
    expect((await ann.getPrompt('secret')).messages[0]?.content).toMatchObject({ text: 'ann' })
  })

  it('hear of changes to what they watch and may see, and of nothing else [RES-09]', async () => {
    const { server, ann, bob } = await both(revision, OFFERED)
    const heard: string[] = []
    const listen = async (who: string, client: Client, uris: string[]): Promise<void> => {
      for await (const change of client.changes({ uris }))
        heard.push(`${who} ${change.kind === 'resource' ? change.uri : change.kind}`)
    }
    void listen('ann', ann, ['x://secret', 'secret://7'])
    void listen('ann', ann, ['x://open'])
    void listen('bob', bob, ['x://open', 'x://secret'])
    await turn()
    for (const uri of ['x://open', 'x://secret', 'secret://7']) server.resourceUpdated(uri)
    await turn()
    expect(heard.toSorted().filter((one) => one.startsWith('bob'))).toEqual(
      MODERN.includes(revision) ? ['bob x://open'] : [],
    )
    expect(heard.filter((one) => one.startsWith('ann')).toSorted()).toEqual([
      'ann secret://7',
      'ann x://open',
      'ann x://secret',
    ])
  })

  it('hear nothing of what is secret below what they watch [RES-09, RES-15]', async () => {
    const uri = 'x://open/s'
    const below = defineResource({ uri, name: 's', visibleTo: forAdmins, read: () => 's' })
    const { server, ann, bob, told } = await both(revision, { resources: [open, below] })
    for (const client of [ann, bob]) client.changes({ uris: ['x://open'] })
    await turn()
    server.resourceUpdated('x://open/s')
    await turn()
    expect(told).toEqual(['ann'])
    server.resourceUpdated('x://open')
    await turn()
    expect(told.toSorted()).toEqual(['ann', 'ann', 'bob'])
  })

  it('do not use up each other’s completions', async () => {
    const { ann, bob } = await both(revision, {
      prompts: [
        definePrompt({ name: 'p', arguments: [{ name: 'a', complete: () => [] }], get: () => 'x' }),
      ],
      completionsPerSecond: 0.5,
    })
    const ask = (client: Client): Promise<unknown> =>
      client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' })
    await ask(ann)
    await expect(ask(ann)).rejects.toMatchObject({ rpcCode: -32603 })
    await ask(bob)
  })
})

describe.each(MODERN)('what depends on who asks at %s', (revision) => {
  it('is private, whatever the server says of its lists [CACHE-05, CACHE-08]', async () => {
    const { ann } = await both(revision, { ...OFFERED, cacheScope: 'public', pageSize: 1 })
    for (const method of [
      'tools/list',
      'resources/list',
      'resources/templates/list',
      'prompts/list',
    ])
      expect(await ann.request(method), method).toMatchObject({ cacheScope: 'private' })
    const same = await both(revision, { tools: [openTool], cacheScope: 'public' })
    expect(await same.ann.request('tools/list')).toMatchObject({ cacheScope: 'public' })
  })
})

describe.each(ALL)('many clients at once at %s', (revision) => {
  it('that all use the same ids get their own answers, progress and log messages [RPC-06]', async () => {
    const chance = dice(20_261_202)
    const echo = defineTool<{ nonce: string }>({
      name: 'echo',
      input: { type: 'object' },
      async run({ nonce }, ctx) {
        ctx.progress({ progress: 1, message: nonce })
        ctx.log('info', nonce)
        for (let waits = chance.between(0, 4); waits > 0; waits -= 1) await turn()
        return `${nonce} ${String(ctx.auth?.principal)}`
      },
    })
    const server = new Server({ name: 'shared', version: '1', tools: [echo], logging: true })
    servers.push(server)
    const strays: string[] = []
    const calls = Array.from({ length: 20 }, async (_client, who) => {
      const principal = `p${who}`
      const client = await connectAs(
        server,
        { principal },
        {
          revision,
          logLevel: 'info',
          onLog: ({ data }) =>
            void (isOf(principal, data) || strays.push(`log ${JSON.stringify(data)}`)),
        },
      )
      const answers = Array.from({ length: 25 }, async (_call, count) => {
        const nonce = `${principal}:${count}`
        const onProgress = ({ message }: { readonly message?: string }): void =>
          void (message === undefined || message === nonce || strays.push(`progress ${message}`))
        const text = resultToText(await client.callTool('echo', { nonce }, { onProgress }))
        if (text !== `${nonce} ${principal}`) strays.push(`answer ${text}`)
      })
      await Promise.all(answers)
    })
    await Promise.all(calls)
    expect(strays).toEqual([])
  })
})

const FORM = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } } as const

describe.each(MODERN)('the state of a question at %s', (revision) => {
  const asks = { name: 'sure', run: sure }
  const inputResponses = { sure: { action: 'accept', content: {} } }
  const call = { name: 'sure', arguments: {} }

  it('is good for whom it was given to, once, and for nobody else [MRTR-09, MRTR-10, MRTR-11]', async () => {
    const { server, states, client } = await asked(revision, { tools: [defineTool(asks)] })
    const ann = await client(ANN)
    const bob = await client(BOB)
    const other = await client({ principal: 'ann', clientId: 'another of hers' })
    await expect(ann.request('tools/call', call)).rejects.toThrow('nobody is there')
    const [requestState = ''] = states
    const retry = { ...call, inputResponses, requestState }
    await expect(bob.request('tools/call', retry)).rejects.toMatchObject({ rpcCode: -32602 })
    expect(await other.request('tools/call', retry)).toMatchObject({
      content: [{ text: 'accept' }],
    })
    await expect(ann.request('tools/call', retry)).rejects.toMatchObject({
      rpcCode: -32602,
      message: expect.stringContaining('used before'),
    })
    await server.close()
  })

  it('may come again where that has no second effect, or where the server says so [MRTR-11]', async () => {
    const idempotent = defineTool({ ...asks, annotations: { idempotentHint: true } })
    const readOnly = defineTool({ ...asks, annotations: { readOnlyHint: true } })
    const ways: [Partial<ServerOptions>, string, JsonObject][] = [
      [{ tools: [idempotent] }, 'tools/call', call],
      [{ tools: [readOnly] }, 'tools/call', call],
      [{ tools: [defineTool(asks)], singleUse: false }, 'tools/call', call],
      [
        { prompts: [definePrompt({ name: 'sure', get: (_args, ctx) => sure({}, ctx) })] },
        'prompts/get',
        { name: 'sure' },
      ],
    ]
    for (const [options, method, params] of ways) {
      const { states, client } = await asked(revision, options)
      const ann = await client(ANN)
      await expect(ann.request(method, params)).rejects.toThrow('nobody is there')
      const retry = { ...params, inputResponses, requestState: states[0] ?? '' }
      expect(await ann.request(method, retry)).toEqual(await ann.request(method, retry))
    }
  })

  it('is remembered where the server wants it, so that replicas can share what was used [MRTR-11]', async () => {
    const used = new Set<string>()
    const singleUse = {
      use: (id: string) => Promise.resolve(!used.has(id) && used.add(id) !== undefined),
    }
    const stateKeys = [new Uint8Array(32).fill(7)]
    const options = { tools: [defineTool(asks)], stateKeys, singleUse }
    const one = await asked(revision, options)
    const two = await asked(revision, options)
    const ann = await one.client(ANN)
    await expect(ann.request('tools/call', call)).rejects.toThrow('nobody is there')
    const retry = { ...call, inputResponses, requestState: one.states[0] ?? '' }
    const again = await two.client(ANN)
    expect(await again.request('tools/call', retry)).toMatchObject({
      content: [{ text: 'accept' }],
    })
    await expect(ann.request('tools/call', retry)).rejects.toMatchObject({ rpcCode: -32602 })
  })
})

async function sure(_args: unknown, ctx: RequestContext): Promise<string> {
  return (await ctx.ask('sure', elicit(FORM))).action
}

interface Asked {
  readonly server: Server
  /** Every state that the server gave out. */
  readonly states: readonly string[]
  readonly client: (auth: AuthFacts) => Promise<Client>
}

/** A server whose clients never answer, so that its states stay unused. */
async function asked(revision: Revision, options: Partial<ServerOptions>): Promise<Asked> {
  const server = new Server({ name: 'asks', version: '1', ...options })
  servers.push(server)
  const states: string[] = []
  const wire = (event: WireEvent): void => {
    if (event.type !== 'message' || event.direction !== 'in') return
    const { result }: { result?: JsonObject } = JSON.parse(event.text)
    if (typeof result?.['requestState'] === 'string') states.push(result['requestState'])
  }
  const elicitation = () => Promise.reject(new Error('nobody is there'))
  return {
    server,
    states,
    client: (auth) => connectAs(server, auth, { revision, wire, answers: { elicitation } }),
  }
}

function isOf(principal: string, data: unknown): boolean {
  return typeof data === 'string' && data.startsWith(`${principal}:`)
}

async function failure(
  promise: Promise<unknown>,
): Promise<{ readonly message: string; readonly rpcCode: number }> {
  try {
    await promise
  } catch (error) {
    return error as { message: string; rpcCode: number } // of an RpcError
  }
  throw new Error('it was not refused')
}

/** Code and message, with what was asked for left out. */
function words({
  rpcCode,
  message,
}: {
  readonly rpcCode: number
  readonly message: string
}): string {
  return `${rpcCode} ${message.replaceAll(/secret|nothing/g, '…')}`
}
