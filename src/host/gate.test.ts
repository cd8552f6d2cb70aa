import { describe, expect, it } from 'vitest'
import { hostRoom, sentCalls, tool, toolServer } from '../../test/support/host-room.ts'
import { CancelledError, PolicyError, TransportError, UsageError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { Policy } from '../policy/policy.ts'
import { DEFAULT_POLICY } from '../policy/policy.ts'
import { Server } from '../server/server.ts'
import { elicit } from '../tools/context.ts'
import { defineTool } from '../tools/define.ts'
import { memoryPair } from '../transport/memory.ts'
import type { AuditRecord, DecisionRecord } from './audit.ts'
import { sha256 } from './judged-arguments.ts'

const allowAllOf = (...servers: readonly string[]): Policy => ({
  ...DEFAULT_POLICY,
  rules: servers.map((server) => ({ effect: 'allow', tools: server })),
})

function decisions(audit: readonly AuditRecord[]): readonly DecisionRecord[] {
  return audit.filter((record) => record.type === 'decision')
}

/** What must hold of everything that left: a decision to allow it came first, and its hash is that of what left. */
function expectDecided(room: Awaited<ReturnType<typeof hostRoom>>): void {
  const allowed = decisions(room.audit).filter(({ verdict }) => verdict === 'allow')
  for (const { text, call } of sentCalls(room.events)) {
    const { params } = JSON.parse(text) as { params: { arguments: JsonObject } }
    const decision = allowed.find((record) => record.call === call)
    expect(decision?.argumentsHash).toBe(sha256(JSON.stringify(params.arguments)))
  }
}

describe('a call through the gate', () => {
  it('is sent as it was judged, after its decision was written down, and its end is too', async () => {
    const fs = toolServer(tool('read'))
    const room = await hostRoom({ fs }, { policy: allowAllOf('fs'), run: 'run-1' })
    const result = await room.host.callTool('fs__read', { path: '/tmp/a' })
    expect(result.content).toEqual([{ type: 'text', text: 'done' }])
    expect(fs.calls).toEqual([{ name: 'read', arguments: { path: '/tmp/a' } }])
    const hash = sha256('{"path":"/tmp/a"}')
    const call = { run: 'run-1', call: 'call-1', server: 'fs', argumentsHash: hash }
    expect(room.audit).toMatchObject([
      { type: 'decision', ...call, verdict: 'allow', reason: 'allow-rule', by: 'policy' },
      { type: 'outcome', ...call, outcome: 'ok', sends: 1 },
    ])
    expectDecided(room)
  })

  it('is made and written down to its end though who hears that it may be made throws', async () => {
    const fs = toolServer(tool('read'))
    const room = await hostRoom({ fs }, { policy: allowAllOf('fs') })
    const onAllowed = (): void => {
      throw new Error('a bug of the listener')
    }
    const result = await room.host.callTool('fs__read', {}, { onAllowed })
    expect(result.content).toEqual([{ type: 'text', text: 'done' }])
    expect(room.audit.map(({ type }) => type)).toEqual(['decision', 'outcome'])
  })

  it('stands on the wire as a note with the ids of the message that follows', async () => {
    const fs = toolServer(tool('read'))
    const room = await hostRoom({ fs }, { policy: allowAllOf('fs'), run: 'run-1' })
    await room.host.callTool('fs__read', {}, { turn: 'turn-7', call: 'mine' })
    const chain = { run: 'run-1', turn: 'turn-7', call: 'mine', attempt: 1 }
    const at = room.events.findIndex(
      (event) => event.type === 'note' && event.note.kind === 'decision',
    )
    const sent = room.events.findIndex(
      (event) => event.type === 'message' && event.text.includes('"method":"tools/call"'),
    )
    expect(at).toBeLessThan(sent)
    expect(room.events[at]).toMatchObject({ note: { chain, data: { verdict: 'allow' } } })
    expect(room.events[sent]).toMatchObject({ chain })
  })

  it('is not changed by whoever gave the arguments, not even while a person is asked', async () => {
    const fs = toolServer(tool('write'))
    const args = { path: '/tmp/a', lines: ['x'] }
    const room = await hostRoom(
      { fs },
      {
        consent: {
          ask: () => {
            args.path = '/etc/passwd'
            args.lines.push('y')
            return Promise.resolve({ kind: 'once' })
          },
        },
      },
    )
    await room.host.callTool('fs__write', args)
    expect(fs.calls).toEqual([{ name: 'write', arguments: { path: '/tmp/a', lines: ['x'] } }])
    expectDecided(room)
  })

  it('is refused when something changes how it is written after it was judged', async () => {
    const fs = toolServer(tool('write'))
    const room = await hostRoom(
      { fs },
      {
        consent: {
          ask: () => {
            Reflect.defineProperty(Array.prototype, 'toJSON', {
              configurable: true,
              value: () => ['/etc/passwd'],
            })
            return Promise.resolve({ kind: 'once' })
          },
        },
      },
    )
    try {
      await expect(room.host.callTool('fs__write', { paths: ['/tmp/a'] })).rejects.toMatchObject({
        code: 'DP_POLICY_ALTERED',
      })
    } finally {
      Reflect.deleteProperty(Array.prototype, 'toJSON')
    }
    expect([fs.calls, sentCalls(room.events)]).toEqual([[], []])
  })

  it('is not sent when its decision cannot be written down', async () => {
    const fs = toolServer(tool('read'))
    const audit = { record: () => Promise.reject(new Error('no room')) }
    const room = await hostRoom({ fs }, { policy: allowAllOf('fs'), audit })
    await expect(room.host.callTool('fs__read')).rejects.toThrow(PolicyError)
    expect(fs.calls).toEqual([])
  })

  it('has a decision for every refusal too', async () => {
    const fs = toolServer(tool('read'))
    const rule = { effect: 'deny', tools: 'fs', because: 'it is not ours' } as const
    const room = await hostRoom({ fs }, { policy: { ...DEFAULT_POLICY, rules: [rule] } })
    await expect(room.host.callTool('fs__read')).rejects.toMatchObject({
      code: 'DP_POLICY_DENIED',
      because: 'it is not ours',
      argumentsHash: sha256('{}'),
      detail: { kind: 'denied', tool: 'fs__read', reason: 'deny-rule', by: 'policy' },
    })
    const written = { verdict: 'deny', reason: 'deny-rule', because: 'it is not ours' }
    expect(room.audit).toMatchObject([{ type: 'decision', ...written }])
    expect(fs.calls).toEqual([])
  })

  it('is counted again for each round of questions, with the arguments that were judged', async () => {
    const seen: unknown[] = []
    const asking = defineTool({
      name: 'asking',
      input: { type: 'object' },
      run: async (args, { ask }) => {
        const requestedSchema = { type: 'object', properties: { ok: { type: 'boolean' } } } as const
        await ask('sure', elicit({ message: 'sure?', requestedSchema }))
        seen.push(args)
        return 'done'
      },
    })
    const server = new Server({ name: 'modern', version: '1', tools: [asking] })
    const [near, far] = memoryPair()
    void server.accept(far)
    const room = await hostRoom(
      { fs: near },
      {
        policy: allowAllOf('fs'),
        answers: {
          elicitation: () => Promise.resolve({ action: 'accept', content: { ok: true } }),
        },
      },
    )
    await room.host.callTool('fs__asking', { b: 1, a: [2] })
    expect(seen).toEqual([{ b: 1, a: [2] }])
    expect(sentCalls(room.events)).toHaveLength(2)
    expect(room.audit.at(-1)).toMatchObject({ type: 'outcome', sends: 2 })
    expectDecided(room)
  })

  it('tells when it leaves, after it was allowed, and not where it is refused', async () => {
    const fs = toolServer(tool('read'))
    const room = await hostRoom({ fs }, { policy: allowAllOf('fs') })
    const heard: string[] = []
    const options = { onAllowed: () => heard.push('allowed'), onSent: () => heard.push('sent') }
    fs.answer = () => {
      heard.push('came')
      return { content: [] }
    }
    await room.host.callTool('fs__read', {}, options)
    expect(heard).toEqual(['allowed', 'sent', 'came'])
    heard.length = 0
    const closed = await hostRoom({ fs: toolServer(tool('read')) })
    await closed.host.callTool('fs__read', {}, options).catch(() => undefined)
    expect(heard).toEqual([])
  })

  it('writes down how it failed', async () => {
    const fs = toolServer(tool('read'))
    fs.answer = () => Promise.reject(new Error('broken'))
    const room = await hostRoom({ fs }, { policy: allowAllOf('fs') })
    await expect(room.host.callTool('fs__read')).rejects.toThrow('broken')
    expect(room.audit.at(-1)).toMatchObject({ outcome: 'error', error: 'DP_RPC_ERROR', sends: 1 })
  })

  it('tells the model of a tool that is gone, and calls nothing', async () => {
    const fs = toolServer(tool('read'), tool('write'))
    const room = await hostRoom({ fs }, { policy: allowAllOf('fs') })
    fs.change([tool('write')])
    await room.later()
    expect(await room.host.callTool('fs__read')).toMatchObject({ isError: true })
    expect(fs.calls).toEqual([])
  })

  it('asks nobody about a server that takes no calls', async () => {
    const fs = toolServer(tool('read'))
    const room = await hostRoom({ fs })
    await room.host.detach('fs')
    await expect(room.host.callTool('fs__read')).resolves.toMatchObject({ isError: true })
    expect(room.asked).toEqual([])
  })

  it('knows only the names of the list', async () => {
    const room = await hostRoom({ fs: toolServer(tool('read')) }, { policy: allowAllOf('fs') })
    await expect(room.host.callTool('read')).rejects.toThrow(UsageError)
    await expect(room.host.callTool({ server: 'other', name: 'read' })).rejects.toThrow(UsageError)
    await expect(room.host.callTool({ server: 'fs', name: 'read' })).resolves.toBeDefined()
  })

  it('is given up while a person is asked', async () => {
    const fs = toolServer(tool('read'))
    const over = new AbortController()
    const consent = {
      ask: () => {
        over.abort()
        return new Promise<never>(() => undefined)
      },
    }
    const room = await hostRoom({ fs }, { consent })
    const call = room.host.callTool('fs__read', {}, { signal: over.signal })
    await expect(call).rejects.toThrow(CancelledError)
    expect(fs.calls).toEqual([])
  })

  it('fails at once when its server was given up', async () => {
    const broken = {
      name: 'broken',
      open: () =>
        Promise.reject(new TransportError('DP_TRANSPORT_SPAWN', 'There is no such command.')),
    }
    const room = await hostRoom({ fs: broken })
    expect(room.host.servers()).toMatchObject([{ key: 'fs', state: 'failed' }])
    expect(room.host.tools()).toEqual([])
  })
})

describe('native tools', () => {
  const seen: unknown[] = []
  const read = defineTool({
    name: 'read_file',
    input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    run: ({ path }) => {
      seen.push(path)
      return `own ${JSON.stringify(path)}`
    },
  })

  it('go through the gate as all others', async () => {
    const room = await hostRoom({})
    room.host.mount([read])
    room.host.turn()
    const result = await room.host.callTool('read_file', { path: 'a' })
    expect(result).toMatchObject({ content: [{ text: 'own "a"' }] })
    expect(room.audit).toMatchObject([
      { type: 'decision', server: null, verdict: 'allow', reason: 'native' },
      { type: 'outcome', outcome: 'ok' },
    ])
  })

  it('tell the model what is wrong with its arguments', async () => {
    const room = await hostRoom({})
    room.host.mount([read])
    room.host.turn()
    expect(await room.host.callTool('read_file', {})).toMatchObject({ isError: true })
  })

  it('may be denied', async () => {
    const room = await hostRoom({}, { policy: { ...DEFAULT_POLICY, native: 'deny' } })
    room.host.mount([read])
    room.host.turn()
    const before = seen.length
    await expect(room.host.callTool('read_file', { path: 'b' })).rejects.toThrow(PolicyError)
    expect(seen).toHaveLength(before)
  })
})
