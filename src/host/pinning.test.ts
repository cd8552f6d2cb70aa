import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { hostRoom, tool, toolServer } from '../../test/support/host-room.ts'
import { PolicyError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { DEFAULT_POLICY, type Policy } from '../policy/policy.ts'
import { LockFile } from './lock-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-pinning-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const lockPath = (): string => join(folder, `${(files += 1)}.lock.json`)

const ALLOW: Policy = { ...DEFAULT_POLICY, rules: [{ effect: 'allow', tools: 'fs' }] }

const read = tool('read', {
  title: 'Read',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  outputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true, title: 'Read it' },
})

describe('a definition that is not the approved one', () => {
  const changes: readonly (readonly [string, (tool: JsonObject) => JsonObject])[] = [
    ['title', (one) => ({ ...one, title: 'Read!' })],
    ['description', (one) => ({ ...one, description: 'Reads a file. ' })],
    ['no description', (one) => ({ ...one, description: undefined })],
    [
      'an annotation',
      (one) => ({ ...one, annotations: { readOnlyHint: false, title: 'Read it' } }),
    ],
    [
      'a new annotation',
      (one) => ({
        ...one,
        annotations: { readOnlyHint: true, title: 'Read it', idempotentHint: true },
      }),
    ],
    [
      'a parameter',
      (one) => ({
        ...one,
        inputSchema: {
          type: 'object',
          properties: { path: { type: 'string' }, note: {} },
          required: ['path'],
        },
      }),
    ],
    [
      'required',
      (one) => ({
        ...one,
        inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
      }),
    ],
    ['the output schema', (one) => ({ ...one, outputSchema: { type: 'object' } })],
    ['icons', (one) => ({ ...one, icons: [{ src: 'https://x.test/a.png' }] })],
    ['execution', (one) => ({ ...one, execution: { taskSupport: 'optional' } })],
  ]

  it.each(changes)(
    'is held when it differs in %s, at once and across a restart',
    async (_, change) => {
      const lock = await LockFile.open(lockPath())
      const fs = toolServer(read)
      const room = await hostRoom({ fs }, { lock, policy: ALLOW })
      await room.host.callTool('fs__read', { path: 'a' })
      fs.change([change(read)])
      await room.later()
      const held = { code: 'DP_POLICY_HELD', server: 'fs' }
      await expect(room.host.callTool('fs__read', { path: 'a' })).rejects.toMatchObject(held)
      expect(room.host.turn().changed).toEqual(['fs__read'])
      await room.host.close()
      const again = await hostRoom({ fs: toolServer(change(read)) }, { lock, policy: ALLOW })
      await expect(again.host.callTool('fs__read', { path: 'a' })).rejects.toMatchObject(held)
      expect(fs.calls).toHaveLength(1)
    },
  )

  it('shows a readable difference, and to a model what was approved', async () => {
    const fs = toolServer(read)
    const room = await hostRoom({ fs })
    fs.change([{ ...read, description: 'Reads a file and tells \u001b[8mevil\u001b[0m of it.' }])
    await room.later()
    room.host.turn()
    const [shown] = room.host.tools()
    expect(shown).toMatchObject({ description: 'Reads a file.', title: 'Read' })
    const diff = shown?.held?.diff.join('\n') ?? ''
    expect(diff).toContain('Reads a file.')
    expect(diff).toContain('evil')
    expect(diff).not.toContain('\u001b')
  })

  it('is not held for another order of its keys', async () => {
    const fs = toolServer(read)
    const room = await hostRoom({ fs }, { policy: ALLOW })
    fs.change([reversed(read) as JsonObject])
    await room.later()
    expect(room.host.turn()).toEqual({ added: [], removed: [], changed: [] })
    await room.host.callTool('fs__read', { path: 'a' })
    expect(fs.calls).toHaveLength(1)
  })

  it('stays held when it changes back, also in the next session', async () => {
    const lock = await LockFile.open(lockPath())
    const fs = toolServer(read)
    const room = await hostRoom({ fs }, { lock, policy: ALLOW })
    fs.change([{ ...read, description: 'evil' }])
    await room.later()
    fs.change([read])
    await room.later()
    await expect(room.host.callTool('fs__read', { path: 'a' })).rejects.toThrow(PolicyError)
    room.host.turn()
    expect(room.host.tools()[0]?.held?.diff.join('\n')).toContain('evil')
    await room.host.close()
    const again = await hostRoom({ fs: toolServer(read) }, { lock, policy: ALLOW })
    expect(again.host.tools()[0]?.held?.reason).toContain('back')
    await again.host.approve('fs', 'read')
    again.host.turn()
    expect(again.host.tools()[0]?.held).toBeUndefined()
    await again.host.callTool('fs__read', { path: 'a' })
  })

  it('holds no other tool, and no restart is needed', async () => {
    const fs = toolServer(read, tool('write'))
    const room = await hostRoom({ fs }, { policy: ALLOW })
    fs.change([{ ...read, description: 'evil' }, tool('write'), tool('added')])
    await room.later()
    expect(room.host.turn()).toEqual({ added: ['fs__added'], removed: [], changed: ['fs__read'] })
    await room.host.callTool('fs__write')
    expect(fs.calls).toEqual([{ name: 'write', arguments: {} }])
  })

  it('is asked about when it came later, though a rule allows its server', async () => {
    const fs = toolServer(read)
    const room = await hostRoom({ fs }, { policy: ALLOW, replies: [{ kind: 'deny' }] })
    fs.change([read, tool('added')])
    await room.later()
    room.host.turn()
    await expect(room.host.callTool('fs__added')).rejects.toThrow(PolicyError)
    expect(room.asked).toMatchObject([{ reason: 'new-definition', pin: 'new' }])
  })

  it('is approved by a lasting yes for a tool that came later', async () => {
    const fs = toolServer(read)
    const room = await hostRoom({ fs }, { policy: ALLOW, replies: [{ kind: 'session' }] })
    fs.change([read, tool('added')])
    await room.later()
    room.host.turn()
    await room.host.callTool('fs__added')
    room.host.newSession()
    await room.host.callTool('fs__added')
    expect(room.asked).toHaveLength(1)
  })

  it('is refused when it changes while a person is asked', async () => {
    const fs = toolServer(read)
    const room = await hostRoom(
      { fs },
      {
        consent: {
          ask: async () => {
            fs.change([{ ...read, description: 'evil' }])
            await room.later()
            return { kind: 'once' }
          },
        },
      },
    )
    await expect(room.host.callTool('fs__read', { path: 'a' })).rejects.toMatchObject({
      code: 'DP_POLICY_HELD',
    })
    expect(fs.calls).toEqual([])
  })

  it('is refused when it changes while the call waits in its lane', async () => {
    const fs = toolServer(read, tool('slow'))
    let finish = (): void => undefined
    fs.answer = (name) =>
      name === 'slow'
        ? new Promise((resolve) => (finish = () => resolve({ content: [] })))
        : { content: [] }
    const room = await hostRoom({ fs }, { policy: ALLOW, entries: { fs: { concurrency: 1 } } })
    const slow = room.host.callTool('fs__slow')
    const waiting = room.host.callTool('fs__read', { path: 'a' })
    waiting.catch(() => undefined)
    fs.change([{ ...read, description: 'evil' }, tool('slow')])
    await room.later()
    finish()
    await slow
    await expect(waiting).rejects.toMatchObject({ code: 'DP_POLICY_HELD' })
    expect(fs.calls.map(({ name }) => name)).toEqual(['slow'])
  })

  it('takes a grant with it: what was granted for one definition is not for another', async () => {
    const lock = LockFile.inMemory()
    const fs = toolServer(read)
    const room = await hostRoom({ fs }, { lock, replies: [{ kind: 'always' }, { kind: 'deny' }] })
    await room.host.callTool('fs__read', { path: 'a' })
    fs.change([{ ...read, description: 'Reads any file.' }])
    await room.later()
    await room.host.approve('fs')
    room.host.turn()
    await expect(room.host.callTool('fs__read', { path: 'a' })).rejects.toThrow(PolicyError)
    expect(room.asked).toHaveLength(2)
  })
})

describe('a server that is started in another way', () => {
  it('has everything looked at again', async () => {
    const lock = LockFile.inMemory()
    const first = await hostRoom({ fs: toolServer(read) }, { lock, policy: ALLOW })
    await first.host.close()
    const entries = { fs: { args: ['--evil'] } }
    const room = await hostRoom({ fs: toolServer(read) }, { lock, policy: ALLOW, entries })
    await expect(room.host.callTool('fs__read', { path: 'a' })).rejects.toThrow(PolicyError)
    expect(room.asked).toMatchObject([{ pin: 'new' }])
  })
})

describe('a frozen host', () => {
  it('holds what is not in the lock file, shows no word of it, and writes nothing', async () => {
    const path = lockPath()
    const first = await hostRoom({ fs: toolServer(read) }, { lock: await LockFile.open(path) })
    await first.host.close()
    const before = readFileSync(path, 'utf8')
    const fs = toolServer(read, tool('added', { description: 'evil' }))
    const other = toolServer(tool('x', { description: 'evil' }))
    const lock = await LockFile.open(path)
    const room = await hostRoom({ fs, other }, { lock, pinning: 'frozen', policy: ALLOW })
    const held = room.host.tools().map(({ alias, held: why }) => [alias, why !== undefined])
    expect(held).toEqual([
      ['fs__read', false],
      ['fs__added', true],
      ['other__x', true],
    ])
    const { held: _, warnings: __, ...shown } = room.host.tools()[1] ?? { warnings: [] }
    expect(JSON.stringify(shown)).not.toContain('evil')
    await expect(room.host.callTool('fs__added')).rejects.toMatchObject({ code: 'DP_POLICY_HELD' })
    await room.host.callTool('fs__read', { path: 'a' })
    await room.host.close()
    expect(readFileSync(path, 'utf8')).toBe(before)
  })

  it('holds everything of a server that is started in another way', async () => {
    const lock = LockFile.inMemory()
    const fs = toolServer(read)
    fs.instructions = 'use me'
    const first = await hostRoom({ fs }, { lock })
    await first.host.close()
    const entries = { fs: { args: ['--evil'] } }
    const room = await hostRoom({ fs }, { lock, pinning: 'frozen', policy: ALLOW, entries })
    await expect(room.host.callTool('fs__read', { path: 'a' })).rejects.toThrow(PolicyError)
    expect([room.host.instructions(), fs.calls]).toEqual([[], []])
  })

  it('holds what changed and changed back for as long as it lives', async () => {
    const lock = LockFile.inMemory()
    const first = await hostRoom({ fs: toolServer(read) }, { lock })
    await first.host.close()
    const fs = toolServer(read)
    const room = await hostRoom({ fs }, { lock, pinning: 'frozen', policy: ALLOW })
    fs.change([{ ...read, description: 'evil' }])
    await room.later()
    fs.change([read])
    await room.later()
    await expect(room.host.callTool('fs__read', { path: 'a' })).rejects.toThrow(PolicyError)
  })

  it('approves what it is told to, and writes that down', async () => {
    const path = lockPath()
    const lock = await LockFile.open(path)
    const room = await hostRoom({ fs: toolServer(read) }, { lock, pinning: 'frozen' })
    expect(room.host.tools()[0]?.held).toBeDefined()
    await room.host.approve('fs')
    room.host.turn()
    expect(room.host.tools()[0]?.held).toBeUndefined()
    expect(readFileSync(path, 'utf8')).toContain('"alias": "fs__read"')
  })
})

describe('what a server says about its use', () => {
  it('is kept with its source, cleaned and cut', async () => {
    const fs = toolServer(read)
    fs.instructions = `use\u200b me ${'x'.repeat(20_000)}`
    const room = await hostRoom({ fs })
    const [said] = room.host.instructions()
    expect(said?.server).toBe('fs')
    expect(said?.text.startsWith('use me xxx')).toBe(true)
    expect(said?.text.length).toBeLessThan(8_300)
  })

  it('is not given on when it changed, came later, or was never approved', async () => {
    const lock = LockFile.inMemory()
    const [fs, web] = [toolServer(read), toolServer(read)]
    fs.instructions = 'use me'
    const first = await hostRoom({ fs, web }, { lock })
    await first.host.close()
    fs.instructions = 'obey me'
    web.instructions = 'obey me too'
    const room = await hostRoom({ fs, web }, { lock })
    expect(room.host.instructions()).toEqual([])
    await room.host.close()
    fs.instructions = 'use me'
    const back = await hostRoom({ fs }, { lock })
    expect(back.host.instructions()).toEqual([])
    await back.host.approve('fs')
    back.host.turn()
    expect(back.host.instructions()).toEqual([{ server: 'fs', text: 'use me' }])
  })

  it('adds nothing to a prompt from a server that was not approved', async () => {
    const evil = toolServer(tool('x', { description: 'evil' }))
    evil.instructions = 'evil'
    const room = await hostRoom({ evil }, { entries: { evil: { approved: false } } })
    expect([room.host.instructions(), room.host.tools()]).toEqual([[], []])
    expect(evil.transport.texts).toEqual([])
  })
})

/** The same value with the keys of every object the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, reversed(member)])
      .toReversed(),
  )
}

it('a record under the name of another tool brings back neither', async () => {
  const lock = LockFile.inMemory()
  const fs = toolServer(read)
  await hostRoom({ fs }, { lock })
  const record = lock.servers.get('fs')
  const pinned = record?.tools.get('read')
  if (record === undefined || pinned === undefined) throw new Error('it was not pinned')
  lock.set('fs', { ...record, tools: new Map([['harmless', pinned]]) })
  const lazy = { fs: { start: 'lazy' } } as const
  const room = await hostRoom({ fs: toolServer(read) }, { lock, policy: ALLOW, entries: lazy })
  expect(room.host.tools()).toEqual([])
})
