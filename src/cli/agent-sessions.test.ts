import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Sessions, titleOf, type SessionFacts, type SessionKind } from './agent-sessions.ts'
import { SecretMask } from './secrets.ts'
import { agentEn } from './messages/agent-en.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'deep-pilot-sessions-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const { faults } = agentEn
let now = Date.UTC(2030, 0, 2, 3, 4, 5)
const opened = (keep?: number): Sessions =>
  new Sessions(join(folder, 'sessions'), {
    faults,
    now: () => (now += 1_000),
    ...(keep !== undefined && { keep }),
  })
const facts = (title: string, updated: number): SessionFacts => ({
  kind: 'chat',
  created: 1,
  updated,
  model: 'deepseek:x',
  folder: '/somewhere',
  title,
  messages: 2,
  spent: { turns: 3, usage: { input: 10, output: 4, cachedInput: 8 }, usd: 0.5 },
})

/** A session that was begun, told of and closed. */
async function begun(
  sessions: Sessions,
  title: string,
  updated: number,
  kind: SessionKind = 'chat',
): Promise<string> {
  const session = await sessions.begin(kind)
  await session.tell({ ...facts(title, updated), kind })
  await session.close()
  return session.id
}

describe('sessions', () => {
  it('have an id that tells when they were begun', async () => {
    const session = await opened().begin('chat')
    expect(session.id).toMatch(/^\d{8}-\d{6}-[0-9a-f]{4}$/)
    await session.close()
  })

  it.skipIf(process.platform === 'win32')('are folders for the user alone', async () => {
    const session = await opened().begin('chat')
    await session.tell(facts('x', 1))
    const modes = [session.folder, join(session.folder, 'meta.json'), join(session.folder, 'lock')]
    expect(modes.map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600, 0o600])
    await session.close()
  })

  it('are listed with what is told of them, the last one used first', async () => {
    const sessions = opened()
    const first = await begun(sessions, 'first', 200)
    const second = await begun(sessions, 'second', 100)
    const all = await sessions.list()
    expect(all.map(({ id }) => id)).toEqual([first, second])
    expect(all[0]).toEqual({ id: first, ...facts('first', 200) })
  })

  it('are found by a part of their id, or the last one by nothing', async () => {
    const sessions = opened()
    const first = await begun(sessions, 'first', 100)
    const second = await begun(sessions, 'second', 200)
    expect((await sessions.find(undefined)).id).toBe(second)
    expect((await sessions.find(first.slice(-8))).id).toBe(first)
    await expect(sessions.find('2030')).rejects.toThrow('could be 2 sessions')
    await expect(sessions.find('nonsense')).rejects.toThrow('There is no session "nonsense"')
    await expect(sessions.find('../..')).rejects.toThrow('There is no session')
  })

  it('are chats where a chat is to be gone on with, unless a run is named', async () => {
    const sessions = opened()
    const run = await begun(sessions, 'run', 300, 'run')
    await expect(sessions.find(undefined, 'chat')).rejects.toThrow(
      `There is no chat yet to go on with. A session of "run" can be gone on with by its id, as in: deep-pilot chat --resume ${run}`,
    )
    const chat = await begun(sessions, 'chat', 100)
    expect((await sessions.find(undefined, 'chat')).id).toBe(chat)
    expect((await sessions.find(undefined)).id).toBe(run)
    expect((await sessions.find(run.slice(-8), 'chat')).id).toBe(run)
  })

  it('are none in the beginning, which is said', async () => {
    expect(await opened().list()).toEqual([])
    await expect(opened().find(undefined)).rejects.toThrow('There is no session in')
  })

  it('are kept up to a number; the longest untouched go', async () => {
    const sessions = opened(3)
    const ids: string[] = []
    for (const updated of [50, 10, 30, 40]) ids.push(await begun(sessions, 'x', updated))
    const last = await sessions.begin('chat')
    const left = (await sessions.list()).map(({ id }) => id)
    expect(new Set(left)).toEqual(new Set([ids[0], ids[3], last.id]))
    await last.close()
  })

  it('of a script push out no chat, and chats no run', async () => {
    const sessions = opened(2)
    const chats = [await begun(sessions, 'chat', 10), await begun(sessions, 'chat', 20)]
    const runs: string[] = []
    for (const updated of [30, 40, 50, 60]) runs.push(await begun(sessions, 'run', updated, 'run'))
    const left = await sessions.list()
    expect(left.map(({ id }) => id)).toEqual([runs[3], runs[2], chats[1], chats[0]])
    expect(left.map(({ kind }) => kind)).toEqual(['run', 'run', 'chat', 'chat'])
  })

  it('go only where nobody has them open, and nothing else of the folder goes', async () => {
    const sessions = opened(1)
    const open = await sessions.begin('chat')
    mkdirSync(join(folder, 'sessions', 'notes'))
    const elsewhere = mkdtempSync(join(tmpdir(), 'deep-pilot-elsewhere-'))
    writeFileSync(join(elsewhere, 'kept'), '')
    const link = join(folder, 'sessions', '20200101-000000-aaaa')
    if (process.platform !== 'win32') symlinkSync(elsewhere, link)
    const second = await sessions.begin('chat')
    expect(existsSync(open.folder)).toBe(true)
    expect(existsSync(join(folder, 'sessions', 'notes'))).toBe(true)
    expect(readdirSync(elsewhere)).toEqual(['kept'])
    rmSync(elsewhere, { recursive: true })
    await open.close()
    await second.close()
  })

  it('are open in one process at a time', async () => {
    const sessions = opened()
    const session = await sessions.begin('chat')
    await expect(sessions.resume(session.id)).rejects.toThrow(
      `The session ${session.id} is open in another process (pid ${process.pid}).`,
    )
    await session.close()
    const again = await sessions.resume(session.id)
    expect(again.id).toBe(session.id)
    await again.close()
  })

  it('can be opened after a process that was killed, also when its number was given away', async () => {
    const table = {
      beginning: (pid: number) => (pid === 4_000 ? 'later' : 'now'),
      isAlive: (pid: number) => pid !== 5_000,
      isGroupAlive: () => false,
    }
    const sessions = new Sessions(join(folder, 'sessions'), { faults, table })
    const session = await sessions.begin('chat')
    const { id, folder: own } = session
    await session.close()
    for (const lock of ['{"pid":5000,"began":"x"}', '{"pid":4000,"began":"earlier"}', 'half']) {
      writeFileSync(join(own, 'lock'), lock)
      await (await sessions.resume(id)).close()
    }
    writeFileSync(join(own, 'lock'), '{"pid":4000,"began":"later"}')
    await expect(sessions.resume(id)).rejects.toThrow('pid 4000')
  })

  it('in which nothing was said can be removed', async () => {
    const session = await opened().begin('chat')
    await session.discard()
    expect(existsSync(session.folder)).toBe(false)
  })

  it('whose facts are broken are listed all the same', async () => {
    const sessions = opened()
    const id = await begun(sessions, 'x', 5)
    for (const meta of ['{"half', '[]', '{"title":5,"spent":{"usage":"x"}}']) {
      writeFileSync(join(folder, 'sessions', id, 'meta.json'), meta)
      const [one] = await sessions.list()
      expect(one).toMatchObject({ id, title: '', messages: 0 })
    }
  })
})

describe('a title', () => {
  it('is the beginning of what was said, on one line', () => {
    const mask = new SecretMask()
    expect(titleOf('  one\n\n two\t three ', mask)).toBe('one two three')
    expect(titleOf('x '.repeat(500), mask)).toHaveLength(120)
  })

  it('has no known secret in it, nor the beginning of one', () => {
    const mask = new SecretMask()
    mask.know(['correct horse battery'])
    expect(titleOf('The word is correct horse battery, use it.', mask)).not.toContain('horse')
    expect(titleOf(`${'x'.repeat(110)} correct horse battery`, mask)).not.toContain('correct')
  })
})
