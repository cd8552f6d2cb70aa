import { describe, expect, it } from 'vitest'
import { hostRoom, tool, toolServer, type RoomOptions } from '../../test/support/host-room.ts'
import { TransportError } from '../base/errors.ts'
import { DEFAULT_POLICY, type Policy } from '../policy/policy.ts'
import { defineTool } from '../tools/define.ts'
import { MAX_TOOLS } from './catalog.ts'
import { LockFile } from './lock-file.ts'

const ALLOW: Policy = { ...DEFAULT_POLICY, rules: [{ effect: 'allow', tools: 'fs' }] }
const native = (name: string) => defineTool({ name, run: () => name })

const read = tool('read', {
  title: 'Read',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  outputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true, title: 'Read it' },
})

describe('the list of tools', () => {
  it('has native tools first, then servers as configured, then tools as their server lists them', async () => {
    const servers = { b: toolServer(tool('z'), tool('a')), a: toolServer(tool('m')) }
    const room = await hostRoom(servers)
    const fresh = await hostRoom(servers)
    fresh.host.mount([native('read_file')])
    expect(room.host.tools().map(({ alias }) => alias)).toEqual(['b__z', 'b__a', 'a__m'])
    expect(fresh.host.turn().added).toEqual(['read_file'])
  })

  it('keeps a native tool and a tool of the same name apart', async () => {
    const fs = toolServer(tool('read_file'))
    const room = await hostRoom({ fs }, { policy: ALLOW })
    room.host.mount([native('read_file')])
    room.host.turn()
    const [own, theirs] = [
      await room.host.callTool('read_file'),
      await room.host.callTool('fs__read_file'),
    ]
    expect(own.content).toEqual([{ type: 'text', text: 'read_file' }])
    expect(theirs.content).toEqual([{ type: 'text', text: 'done' }])
    expect(fs.calls).toHaveLength(1)
  })

  it('tells tools of the same name apart by the keys of their servers, which call themselves the same [TOOL-22]', async () => {
    const [one, two] = [toolServer(tool('read')), toolServer(tool('read'))]
    const room = await hostRoom({ one, two }, { replies: [{ kind: 'once' }] })
    expect(room.host.servers().map(({ info }) => info?.name)).toEqual(['scripted', 'scripted'])
    expect(room.host.tools().map(({ alias }) => alias)).toEqual(['one__read', 'two__read'])
    await room.host.callTool('two__read')
    expect([one.calls, two.calls.length]).toEqual([[], 1])
  })

  it('changes only between turns, and has what is new at its end', async () => {
    const [one, two] = [toolServer(tool('a')), toolServer(tool('x'))]
    const room = await hostRoom({ one, two })
    one.change([tool('c'), tool('a'), tool('b')])
    await room.later()
    expect(room.host.tools().map(({ alias }) => alias)).toEqual(['one__a', 'two__x'])
    expect(room.host.turn()).toEqual({ added: ['one__c', 'one__b'], removed: [], changed: [] })
    expect(room.host.tools().map(({ alias }) => alias)).toEqual([
      'one__a',
      'two__x',
      'one__c',
      'one__b',
    ])
    expect(room.host.turn()).toEqual({ added: [], removed: [], changed: [] })
  })

  it('keeps the tools of a server that is only away for a while', async () => {
    const fs = toolServer(tool('a'))
    const room = await hostRoom({ fs })
    fs.transport.end(new TransportError('DP_TRANSPORT_EXIT', 'It ended.'))
    await new Promise(setImmediate)
    expect(room.host.servers()).toMatchObject([{ state: 'restarting' }])
    expect(room.host.turn().removed).toEqual([])
  })

  it('loses the tools of a server that is detached, and has no other moved', async () => {
    const room = await hostRoom({ a: toolServer(tool('x')), b: toolServer(tool('y')) })
    await room.host.detach('a')
    expect(room.host.turn()).toEqual({ added: [], removed: ['a__x'], changed: [] })
    expect(room.host.tools().map(({ alias }) => alias)).toEqual(['b__y'])
  })

  it('has only the tools that the entry lets be seen', async () => {
    const fs = toolServer(tool('a'), tool('b'), tool('c'))
    const entries = { fs: { onlyTools: ['a', 'b'], withoutTools: ['b'] } }
    const room = await hostRoom({ fs }, { entries })
    expect(room.host.tools().map(({ name }) => name)).toEqual(['a'])
  })

  it('has no hidden text in anything that a model gets', async () => {
    const hidden = 'a\u200bb\u202ec\u{e0041}\u{e007f}d\u001b[31m'
    const payload = tool('x', {
      title: hidden,
      description: hidden,
      inputSchema: {
        type: 'object',
        title: hidden,
        properties: {
          [hidden]: { type: 'string', description: hidden, enum: [hidden], default: hidden },
        },
        required: [hidden],
        examples: [{ [hidden]: hidden }],
      },
      outputSchema: { type: 'object', properties: { [hidden]: { const: hidden } } },
    })
    const room = await hostRoom({ fs: toolServer(payload) })
    const [shown] = room.host.tools()
    const { warnings, held: _held, ...forModel } = shown ?? { warnings: [] }
    for (const secret of ['\u200b', '\u202e', '\udb40', '\\u001b'])
      expect(JSON.stringify(forModel)).not.toContain(secret)
    expect(forModel).toMatchObject({ title: 'abcd', description: 'abcd' })
    expect(warnings.length).toBeGreaterThan(0)
  })

  it('is not longer than anyone can use', async () => {
    const tools = Array.from({ length: 800 }, (_, index) => tool(`t${index}`))
    const keys = Array.from({ length: 13 }, (_, index) => `s${index}`)
    const room = await hostRoom(Object.fromEntries(keys.map((key) => [key, toolServer(...tools)])))
    expect(room.host.tools().length).toBe(MAX_TOOLS)
    expect(room.host.turn()).toEqual({ added: [], removed: [], changed: [] })
  })

  it('warns of names that could be taken for each other, on both', async () => {
    const room = await hostRoom({ fs: toolServer(tool('read_file'), tool('read-file')) })
    const [one, other] = room.host.tools()
    expect(one?.warnings).toContainEqual(expect.stringContaining('fs__read-file'))
    expect(other?.warnings).toContainEqual(expect.stringContaining('fs__read_file'))
  })

  it('shows nothing of a lazy server that would be started in another way by now', async () => {
    const lock = LockFile.inMemory()
    const first = await hostRoom({ fs: toolServer(read) }, { lock })
    await first.host.close()
    const entries = { fs: { start: 'lazy', args: ['--evil'] } } as const
    const room = await hostRoom({ fs: toolServer(read) }, { lock, entries })
    expect(room.host.tools()).toEqual([])
  })

  it('shows what a lazy server offered when it was approved, and starts it for a call', async () => {
    const lock = LockFile.inMemory()
    const first = await hostRoom({ fs: toolServer(read) }, { lock })
    await first.host.close()
    const fs = toolServer(read)
    const options: RoomOptions = { lock, policy: ALLOW, entries: { fs: { start: 'lazy' } } }
    const room = await hostRoom({ fs }, options)
    expect(room.host.servers()).toMatchObject([{ state: 'idle' }])
    expect(room.host.tools()).toMatchObject([{ alias: 'fs__read', description: 'Reads a file.' }])
    await room.host.callTool('fs__read', { path: 'a' })
    expect(fs.calls).toHaveLength(1)
  })
})
