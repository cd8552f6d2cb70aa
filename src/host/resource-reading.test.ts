import { describe, expect, it } from 'vitest'
import { docs, NOTE } from '../../test/support/docs-server.ts'
import { hostRoom, tool, toolServer, type HostRoom } from '../../test/support/host-room.ts'
import { PolicyError, RpcError, UsageError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { connect } from '../client/connect.ts'
import { DEFAULT_POLICY, type Policy } from '../policy/policy.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import { Server } from '../server/server.ts'
import { scriptedServer } from '../testing/scripted-server.ts'
import { defineTool } from '../tools/define.ts'
import { memoryPair } from '../transport/memory.ts'
import { judgeArguments } from './judged-arguments.ts'
import { LockFile } from './lock-file.ts'
import { Seals } from './seal.ts'

const rules = (...list: Policy['rules']): Policy => ({ ...DEFAULT_POLICY, rules: list })
const ALLOW = rules({ effect: 'allow', tools: 'docs' })
const read = (room: HostRoom, server = 'docs', uri = NOTE): Promise<CallToolResult> =>
  room.host.callTool('read_resource', { server, uri })
const hexOf = (character: string): string => character.charCodeAt(0).toString(16)
const aliases = (room: HostRoom): readonly string[] => room.host.tools().map(({ alias }) => alias)

describe('the tool for resources', () => {
  it('is there where it is wanted and a server has resources', async () => {
    const wanted = await hostRoom({ docs: docs().transport }, { readResource: true })
    expect(aliases(wanted)).toEqual(['read_resource', 'docs__find'])
    const unwanted = await hostRoom({ docs: docs().transport })
    expect(aliases(unwanted)).toEqual(['docs__find'])
    const bare = new Server({ name: 'bare', version: '1', tools: [] })
    const [here, there] = memoryPair()
    void bare.accept(there)
    expect(aliases(await hostRoom({ bare: here }, { readResource: true }))).toEqual([])
  })

  it('comes at the end when its first server comes later, and stays when that goes', async () => {
    const fs = toolServer(tool('a'))
    const late = docs().transport
    const room = await hostRoom(
      { docs: late },
      { readResource: true, entries: { docs: { start: 'lazy' } } },
    )
    expect(aliases(room)).toEqual([])
    room.host.start('docs')
    await room.host.settled()
    expect(room.host.turn().added).toEqual(['read_resource', 'docs__find'])
    await room.host.detach('docs')
    expect(room.host.turn()).toMatchObject({ added: [], removed: ['docs__find'] })
    expect(aliases(room)).toEqual(['read_resource'])
    expect(await read(room)).toMatchObject({ isError: true })
    expect(fs.calls).toEqual([])
  })

  it('has a name that neither a server nor the program can take', async () => {
    const room = await hostRoom({ docs: docs().transport }, { readResource: true })
    expect(() => room.host.mount([defineTool({ name: 'read_resource', run: () => '' })])).toThrow(
      'two native tools',
    )
  })

  it('gives what was read as embedded resources', async () => {
    const server = docs()
    const room = await hostRoom({ docs: server.transport }, { readResource: true, policy: ALLOW })
    expect(await read(room)).toEqual({
      content: [
        { type: 'resource', resource: { uri: NOTE, mimeType: 'text/markdown', text: '# Plan' } },
      ],
    })
    expect(server.reads).toEqual([NOTE])
  })

  it('says which servers there are when it is given another, and asks nobody', async () => {
    const server = docs()
    const room = await hostRoom({ docs: server.transport }, { readResource: true, policy: ALLOW })
    const result = await read(room, 'doc')
    expect(result.isError).toBe(true)
    expect(JSON.stringify(result.content)).toContain('\\"docs\\"')
    for (const args of [
      {},
      { server: 'docs' },
      { server: 'docs', uri: 7 },
      { server: ['docs'], uri: NOTE },
    ])
      expect(await room.host.callTool('read_resource', args)).toMatchObject({ isError: true })
    expect(server.reads).toEqual([])
    expect(room.asked).toEqual([])
    expect(room.audit).toEqual([])
  })

  it.each<[string, unknown]>([
    ['nothing', ''],
    ['a line end', 'note:///plan\n[end]'],
    ['a NUL', 'note:///plan\0'],
    ['half of a pair', 'note:///\ud800'],
    ['more than a URI has', `note:///${'x'.repeat(9_000)}`],
  ])('sends no URI of %s', async (_, uri) => {
    const server = docs()
    const room = await hostRoom({ docs: server.transport }, { readResource: true, policy: ALLOW })
    expect(await room.host.callTool('read_resource', { server: 'docs', uri })).toMatchObject({
      isError: true,
    })
    const act = { server: 'docs', name: 'resources/read' }
    for (const args of [{ uri }, { uri: 5 }, {}, { uri: NOTE, more: 1 }])
      await expect(room.host.callTool(act, args)).rejects.toThrow(UsageError)
    expect([server.reads, room.audit]).toEqual([[], []])
  })

  it('passes on that there is no such resource', async () => {
    const room = await hostRoom({ docs: docs().transport }, { readResource: true, policy: ALLOW })
    await expect(read(room, 'docs', 'note:///none')).rejects.toThrow(RpcError)
  })

  it('reads from no server that the configuration keeps to other tools', async () => {
    const entries = { docs: { onlyTools: ['find'] } }
    const room = await hostRoom({ docs: docs().transport }, { readResource: true, entries })
    expect(aliases(room)).toEqual(['docs__find'])
    const named = await hostRoom(
      { docs: docs().transport },
      { readResource: true, entries: { docs: { onlyTools: ['resources/read'] } } },
    )
    expect(aliases(named)).toEqual(['read_resource'])
  })
})

describe('a read', () => {
  it('is an act of its server: asked about with server and URI, written down, in one chain', async () => {
    const server = docs()
    const room = await hostRoom(
      { docs: server.transport },
      { readResource: true, replies: [{ kind: 'once' }] },
    )
    await room.host.callTool('read_resource', { server: 'docs', uri: NOTE }, { call: 't1c1' })
    expect(room.asked).toMatchObject([
      {
        kind: 'call',
        server: 'docs',
        tool: 'resources/read',
        alias: 'read_resource',
        args: { uri: NOTE },
      },
    ])
    const act = { server: 'docs', tool: 'resources/read', alias: 'read_resource', call: 't1c1' }
    expect(room.audit).toMatchObject([
      { type: 'decision', verdict: 'allow', by: 'person', ...act },
      { type: 'outcome', outcome: 'ok', sends: 1, ...act },
    ])
    const left = room.events.flatMap((event) =>
      event.type === 'message' && event.chain?.call === 't1c1' ? [event.text] : [],
    )
    expect(left).toEqual([expect.stringContaining('"method":"resources/read"')])
  })

  it.each([
    ['its server', 'docs'],
    ['reading there', 'docs__resources/read'],
    ['reading anywhere', '*__resources/read'],
    ['the tool', 'read_resource'],
    ['the tool and its server', 'docs__read_resource'],
    ['the tool, as other hosts call it', 'mcp__docs__read_resource'],
    ['the tool, with its server apart', 'read_resource', 'docs'],
  ])('is forbidden by a rule about %s', async (_, tools, key?: string) => {
    const server = docs()
    const forbidding = { effect: 'deny', tools, ...(key !== undefined && { server: key }) } as const
    const policy = rules(forbidding, { effect: 'allow', tools: 'docs' })
    const room = await hostRoom({ docs: server.transport }, { readResource: true, policy })
    await expect(read(room)).rejects.toThrow(PolicyError)
    expect(server.reads).toEqual([])
  })

  it('is allowed by a rule about reading there, and not by one about a tool of the host', async () => {
    const server = docs()
    const policy = rules({ effect: 'allow', tools: 'docs__resources/read' })
    await read(await hostRoom({ docs: server.transport }, { readResource: true, policy }))
    expect(server.reads).toEqual([NOTE])
    for (const tools of ['read_resource', 'docs__read_resource']) {
      const other = rules({ effect: 'allow', tools })
      const room = await hostRoom({ docs: server.transport }, { readResource: true, policy: other })
      await expect(read(room)).rejects.toThrow(PolicyError)
      expect(room.asked).toHaveLength(1)
    }
  })

  it.each<[string, (secret: string) => string]>([
    ['as it is', (secret) => secret],
    ['encoded', (secret) => secret.replaceAll(/[^-]/g, (one) => `%${hexOf(one)}`)],
    ['encoded in part, and twice', (secret) => secret.replace('5', '%2535')],
  ])('is asked about when its URI holds a secret of another server: %s', async (_, written) => {
    const secret = 'k-5fd0a9e1c2b34d77'
    const server = docs()
    const room = await hostRoom(
      { docs: server.transport, bank: toolServer(tool('a')) },
      { readResource: true, policy: ALLOW, entries: { bank: { secrets: [secret] } } },
    )
    await expect(read(room, 'docs', `note:///?k=${written(secret)}`)).rejects.toThrow(PolicyError)
    expect(room.asked).toMatchObject([{ reason: 'secret' }])
    expect(server.reads).toEqual([])
  })

  it('is pinned by the name that a model calls, and never as a tool of that name', async () => {
    const lock = LockFile.inMemory()
    await hostRoom({ docs: docs().transport }, { lock })
    expect(lock.servers.get('docs')?.tools.get('resources/read')?.alias).toBe('read_resource')
  })

  it('is held while its server is started in another way than when it was approved', async () => {
    const lock = LockFile.inMemory()
    await hostRoom({ docs: docs().transport }, { readResource: true, policy: ALLOW, lock })
    const server = docs()
    const moved = await hostRoom(
      { docs: server.transport },
      {
        readResource: true,
        policy: ALLOW,
        lock,
        pinning: 'frozen',
        entries: { docs: { args: ['--other'] } },
      },
    )
    expect(aliases(moved)).not.toContain('read_resource')
    expect([moved.host.readable(), moved.host.readable({ held: true })]).toEqual([[], ['docs']])
    await expect(
      moved.host.callTool({ server: 'docs', name: 'resources/read' }, { uri: NOTE }),
    ).rejects.toMatchObject({ code: 'DP_POLICY_HELD' })
    expect(server.reads).toEqual([])
  })

  it('is asked about where a server that was approved has resources of a sudden', async () => {
    const lock = LockFile.inMemory()
    const before = new Server({ name: 'docs', version: '1', tools: [] })
    const [here, there] = memoryPair()
    void before.accept(there)
    await hostRoom({ docs: here }, { lock })
    const room = await hostRoom(
      { docs: docs().transport },
      { readResource: true, lock, entries: { docs: { trusted: true } } },
    )
    await expect(read(room)).rejects.toThrow(PolicyError)
    expect(room.asked).toMatchObject([{ reason: 'new-definition' }])
  })

  it('can be asked for by what it is, without the tool', async () => {
    const server = docs()
    const room = await hostRoom({ docs: server.transport }, { policy: ALLOW })
    await room.host.callTool({ server: 'docs', name: 'resources/read' }, { uri: NOTE })
    expect(server.reads).toEqual([NOTE])
  })
})

describe('a server that is strange', () => {
  it('cannot have a tool that is taken for reading', async () => {
    const fs = toolServer(
      tool('resources/read', { annotations: { readOnlyHint: true } }),
      tool('a'),
    )
    const room = await hostRoom(
      { fs },
      { readResource: true, policy: rules({ effect: 'allow', tools: 'fs' }) },
    )
    expect(aliases(room)).toEqual(['read_resource', 'fs__a'])
    await read(room, 'fs', 'x:1').catch(() => undefined)
    expect(fs.calls).toEqual([])
  })

  const unusable = { code: 'DP_PROTOCOL_RESULT' }
  it.each<[string, JsonObject, object]>([
    ['without contents', {}, unusable],
    ['whose contents are no list', { contents: 'all' }, unusable],
    ['with an item that is no object', { contents: [null] }, unusable],
    ['with an item that holds nothing', { contents: [{ uri: 'x:1' }] }, { content: [] }],
    [
      'with an item that has no URI',
      { contents: [{ text: 'a' }] },
      { content: [{ type: 'resource', resource: { uri: 'x:1', text: 'a' } }] },
    ],
  ])('gives a result %s, and it comes to one thing [RES-03]', async (_, result, comesTo) => {
    const transport = scriptedServer(
      {
        initialize: () => ({
          result: {
            protocolVersion: '2025-11-25',
            capabilities: { resources: {} },
            serverInfo: { name: 's', version: '1' },
          },
        }),
        'notifications/initialized': 'silence',
        'resources/read': () => ({ result }),
      },
      { revision: '2025-11-25' },
    )
    const room = await hostRoom({ docs: transport }, { readResource: true, policy: ALLOW })
    const came = await read(room, 'docs', 'x:1').catch((error: unknown) => error)
    expect(came).toMatchObject(comesTo)
  })
})

it('no read leaves that nobody judged, and none with another URI', async () => {
  const { transport, reads } = docs()
  const seals = new Seals()
  const client = await connect(seals.guard('docs', transport))
  await expect(client.readResource(NOTE)).rejects.toMatchObject({
    code: 'DP_POLICY_ALTERED',
    method: 'resources/read',
  })
  const judged = judgeArguments({ uri: NOTE }, 'read_resource')
  const check = (): void => undefined
  const seal = seals.open({ server: 'docs', tool: 'resources/read', judged, check })
  await expect(client.readResource('note:///other')).rejects.toThrow(PolicyError)
  await client.readResource(NOTE)
  expect(reads).toEqual([NOTE])
  expect(seal.sends).toBe(1)
  await client.close()
})
