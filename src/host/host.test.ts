import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fakeClock } from '../../test/support/fake-clock.ts'
import { hostRoom, tool, toolServer } from '../../test/support/host-room.ts'
import { entryOf } from '../../test/support/runtime.ts'
import { ConfigError, PolicyError, TransportError, UsageError } from '../base/errors.ts'
import { configOf, type Config } from '../config/config.ts'
import type { Transport } from '../jsonrpc/link.ts'
import { DEFAULT_POLICY, type Policy } from '../policy/policy.ts'
import { defineTool } from '../tools/define.ts'
import { allowAll } from './consent.ts'
import { Host } from './host.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deep-pilot-host-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ALLOW: Policy = { ...DEFAULT_POLICY, rules: [{ effect: 'allow', tools: 'fs' }] }
const broken: Transport = {
  name: 'broken',
  open: () => Promise.reject(new TransportError('DP_TRANSPORT_SPAWN', 'There is no such command.')),
}

describe('opening a host', () => {
  it('fails when a required server fails, and ends the others', async () => {
    const fs = toolServer(tool('a'))
    const entries = [entryOf('fs'), entryOf('must', { start: 'required' })]
    const opening = Host.open(configOf(entries), {
      clock: fakeClock(),
      transport: ({ key }) => (key === 'fs' ? fs.transport : broken),
    })
    await expect(opening).rejects.toMatchObject({ message: expect.stringContaining('must') })
    expect(() => fs.transport.say({})).not.toThrow()
  })

  it('goes on without a server that is optional', async () => {
    const room = await hostRoom({ bad: broken, fs: toolServer(tool('a')) })
    expect(room.host.servers().map(({ key, state }) => `${key} ${state}`)).toEqual([
      'bad failed',
      'fs ready',
    ])
    expect(room.host.tools().map(({ alias }) => alias)).toEqual(['fs__a'])
  })

  it('rejects rather than to forget what was pinned', async () => {
    const home = mkdtempSync(join(folder, 'home-'))
    writeFileSync(join(home, 'deep-pilot.lock.json'), '{')
    await expect(Host.open(configOf([]), { home })).rejects.toThrow(ConfigError)
  })

  it('starts nothing that was not approved', async () => {
    const fs = toolServer(tool('a'))
    const room = await hostRoom({ fs }, { entries: { fs: { approved: false } } })
    expect(room.host.servers()).toMatchObject([{ state: 'disabled', whyKind: 'unapproved' }])
    expect(fs.transport.texts).toEqual([])
  })
})

describe('a host that runs', () => {
  it('takes servers in and lets them go', async () => {
    const [fs, web] = [toolServer(tool('a')), toolServer(tool('b'))]
    const room = await hostRoom(
      { fs },
      { transport: ({ key }) => (key === 'fs' ? fs : web).transport },
    )
    room.host.attach(entryOf('web'))
    await room.host.settled()
    expect(room.host.turn().added).toEqual(['web__b'])
    await room.host.detach('fs')
    expect(room.host.turn().removed).toEqual(['fs__a'])
    expect(() => room.host.restart('fs')).toThrow(UsageError)
    expect(() => room.host.attach(entryOf('web'))).toThrow(UsageError)
  })

  it('goes over to another configuration, and judges by its policy from there on', async () => {
    const [fs, web] = [toolServer(tool('a')), toolServer(tool('b'))]
    const room = await hostRoom(
      { fs },
      { transport: ({ key }) => (key === 'fs' ? fs : web).transport },
    )
    const place = { file: 'config.json', pointer: '/deepPilot/policy' }
    const policy: Config['policy'] = { value: { allow: ['web'] }, place, places: new Map() }
    await room.host.reload({ ...configOf([entryOf('web')]), policy })
    await room.host.settled()
    expect(room.host.turn()).toEqual({ added: ['web__b'], removed: ['fs__a'], changed: [] })
    await room.host.callTool('web__b')
    expect([room.asked, web.calls.length]).toEqual([[], 1])
  })

  it('settles at once when nothing is started, and when it is given up', async () => {
    const room = await hostRoom({})
    await room.host.settled()
    const hanging: Transport = {
      name: 'hanging',
      open: (_port, signal) =>
        new Promise((_, reject) => {
          const giveUp = (): void => reject(new TransportError('DP_TRANSPORT_CLOSED', 'Given up.'))
          signal?.addEventListener('abort', giveUp, { once: true })
        }),
    }
    const host = await Host.open(configOf([entryOf('slow')]), {
      clock: fakeClock(),
      transport: () => hanging,
    })
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(host.settled({ signal })).rejects.toThrow('enough')
    const waiting = host.settled()
    const closed = host.close()
    await waiting
    await closed
  })

  it('tells of itself on the wire from its opening to its end', async () => {
    const room = await hostRoom({})
    await room.host.close()
    await room.host.close()
    const own = room.events.filter(({ transport }) => transport === 'host')
    expect(own.map(({ type, seq }) => `${type} ${seq}`)).toEqual(['open 0', 'close 1'])
  })
})

describe('what a host keeps', () => {
  it('lies in its folder for its owner alone: pins, grants, and every decision', async () => {
    const home = mkdtempSync(join(folder, 'home-'))
    const options = { home, jobs: false, clock: fakeClock() }
    const fs = toolServer(tool('a'))
    const open = (kind: 'always' | 'deny'): Promise<Host> =>
      Host.open(configOf([entryOf('fs')]), {
        ...options,
        transport: () => fs.transport,
        consent: { ask: () => Promise.resolve({ kind }) },
      })
    const first = await open('always')
    await first.settled()
    first.turn()
    await first.callTool('fs__a')
    await first.close()
    const second = await open('deny')
    await second.settled()
    second.turn()
    await second.callTool('fs__a')
    await second.close()
    for (const name of ['deep-pilot.lock.json', 'grants.json', 'audit.jsonl'])
      expect(statSync(join(home, name)).mode & 0o777).toBe(0o600)
    const lines = readFileSync(join(home, 'audit.jsonl'), 'utf8').trimEnd().split('\n')
    const by = lines.map((line) => (JSON.parse(line) as { by?: string }).by)
    expect(by).toEqual(['person', undefined, 'grant', undefined])
    expect(lines.join('')).not.toContain('arguments"')
  })

  it('is void for a server that is started in another way', async () => {
    const home = mkdtempSync(join(folder, 'home-'))
    const fs = toolServer(tool('a'))
    const first = await hostRoom({ fs }, { home, jobs: false, replies: [{ kind: 'always' }] })
    await first.host.callTool('fs__a')
    await first.host.close()
    const entries = { fs: { args: ['--evil'] } }
    const room = await hostRoom({ fs }, { home, jobs: false, entries })
    await expect(room.host.callTool('fs__a')).rejects.toThrow(PolicyError)
    expect([room.asked.length, fs.calls.length]).toEqual([1, 1])
  })

  it('has no grant that could not be heard: a rule that asks goes on asking', async () => {
    const home = mkdtempSync(join(folder, 'home-'))
    const policy: Policy = { ...DEFAULT_POLICY, rules: [{ effect: 'ask', tools: 'fs' }] }
    const replies = [{ kind: 'always' }] as const
    const options = { home, jobs: false, policy, replies }
    const room = await hostRoom({ fs: toolServer(tool('a')) }, options)
    await room.host.callTool('fs__a')
    expect(existsSync(join(home, 'grants.json'))).toBe(false)
  })

  it.skipIf(process.platform === 'win32')(
    'is out of the reach of tools, by a link too',
    async () => {
      const home = mkdtempSync(join(folder, 'home-'))
      const elsewhere = mkdtempSync(join(folder, 'elsewhere-'))
      symlinkSync(join(home, 'grants.json'), join(elsewhere, 'notes.txt'))
      symlinkSync(home, join(elsewhere, 'folder'))
      mkdirSync(join(home, 'jobs'))
      symlinkSync(join(home, 'jobs'), join(elsewhere, 'jobs'))
      const fs = toolServer(tool('write'))
      const room = await hostRoom(
        { fs },
        { home, jobs: false, policy: ALLOW, entries: { fs: { cwd: elsewhere } } },
      )
      for (const path of [
        join(home, 'grants.json'),
        join(home, 'new', 'file'),
        join(elsewhere, 'notes.txt'),
        join(elsewhere, 'folder', 'audit.jsonl'),
        'notes.txt',
        './folder/x',
        './jobs/../grants.json',
        `${elsewhere}/jobs/../new.json`,
      ]) {
        await expect(room.host.callTool('fs__write', { path })).rejects.toMatchObject({
          code: 'DP_POLICY_DENIED',
        })
      }
      await room.host.callTool('fs__write', { path: join(elsewhere, 'other.txt') })
      expect(fs.calls).toHaveLength(1)
    },
  )

  it('may be read by a trusted server that says so', async () => {
    const home = mkdtempSync(join(folder, 'home-'))
    const fs = toolServer(tool('read', { annotations: { readOnlyHint: true } }))
    const entries = { fs: { trusted: true } }
    const room = await hostRoom({ fs }, { home, jobs: false, entries })
    await room.host.callTool('fs__read', { path: join(home, 'audit.jsonl') })
    expect(fs.calls).toHaveLength(1)
  })
})

describe('questions of servers', () => {
  it('are answered per server, and text of one never reaches another', async () => {
    const [one, other] = [toolServer(tool('a')), toolServer(tool('b'))]
    const room = await hostRoom(
      { one, other },
      {
        consent: allowAll(),
        answers: { roots: (server) => [{ uri: `file:///${server}` }] },
      },
    )
    one.answer = () => ({ content: [{ type: 'text', text: 'CANARY' }] })
    await room.host.callTool('one__a')
    expect(await one.transport.ask('roots/list')).toMatchObject({
      result: { roots: [{ uri: 'file:///one' }] },
    })
    expect(await other.transport.ask('sampling/createMessage', {})).toMatchObject({
      error: { code: -32601 },
    })
    await room.host.callTool('other__b')
    expect(other.transport.texts.join('\n')).not.toMatch(/CANARY|file:\/\/\/one/)
  })

  it('that bring tools along lead to no call of a tool', async () => {
    const one = toolServer(tool('a'))
    const room = await hostRoom(
      { one },
      {
        consent: allowAll(),
        answers: {
          sampling: {
            servers: ['one'],
            tools: true,
            create: () =>
              Promise.resolve({
                role: 'assistant',
                content: { type: 'tool_use', id: '1', name: 'one__a', input: {} },
                model: 'm',
                stopReason: 'toolUse',
              }),
          },
        },
      },
    )
    const asked = await one.transport.ask('sampling/createMessage', {
      messages: [{ role: 'user', content: { type: 'text', text: 'go' } }],
      maxTokens: 10,
      tools: [{ name: 'one__a', inputSchema: { type: 'object' } }],
    })
    expect(asked).toMatchObject({ result: { stopReason: 'toolUse' } })
    expect([one.calls, room.audit]).toEqual([[], []])
  })
})

describe('real servers', () => {
  it('are called beside a native tool of the same name, and are gone with the host', async () => {
    writeFileSync(join(folder, 'hello.txt'), 'hello from disk')
    const main = resolve('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
    const entry = entryOf('fs', { command: process.execPath, args: [main, folder] })
    const host = await Host.open(configOf([{ ...entry, start: 'required' }]), { policy: ALLOW })
    const own = defineTool({ name: 'read_file', run: () => 'own' })
    host.mount([own])
    host.turn()
    expect(host.tools().length).toBeGreaterThan(10)
    const theirs = await host.callTool('fs__read_text_file', { path: join(folder, 'hello.txt') })
    expect(theirs.content).toMatchObject([{ text: 'hello from disk' }])
    expect(await host.callTool('read_file')).toMatchObject({ content: [{ text: 'own' }] })
    const pid = host.servers()[0]?.pid ?? 0
    expect(pid).toBeGreaterThan(0)
    await host.close()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})
