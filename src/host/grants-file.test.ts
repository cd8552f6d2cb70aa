import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { GrantBook, type KeptGrant } from './grants-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-grants-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const fresh = (): string => join(folder, `${(files += 1)}.json`)
const now = (): number => 1_000

function always(tool: string, until = 2_000): KeptGrant {
  return {
    grant: { scope: 'always', server: 'fs', tool, pin: 'aa', until, sources: ['web__fetch'] },
    launch: 'ff',
  }
}

function session(tool: string): KeptGrant {
  return { grant: { scope: 'session', server: 'fs', tool, pin: 'aa' }, launch: 'ff' }
}

it('keeps lasting grants, with what they are bound to, for its owner alone', async () => {
  const path = fresh()
  const book = await GrantBook.open({ path, now })
  await book.add(always('read'))
  expect((await GrantBook.open({ path, now })).all()).toEqual([always('read')])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it('keeps grants of a session as long as the session', async () => {
  const path = fresh()
  const book = await GrantBook.open({ path, now })
  await book.add(session('read'))
  expect(book.all()).toEqual([session('read')])
  book.endSession()
  expect(book.all()).toEqual([])
  expect((await GrantBook.open({ path, now })).all()).toEqual([])
})

it('gives no grant that has expired since', async () => {
  let time = 1_000
  const book = await GrantBook.open({ path: fresh(), now: () => time })
  await book.add(always('read', 2_000))
  expect(book.all()).toHaveLength(1)
  time = 2_000
  expect(book.all()).toEqual([])
})

it('takes grants of a tool or of a server back', async () => {
  const path = fresh()
  const book = await GrantBook.open({ path, now })
  await book.add(always('read'))
  await book.add(always('write'))
  await book.add(session('read'))
  expect(await book.revoke(({ tool }) => tool === 'read')).toBe(2)
  expect(book.all()).toEqual([always('write')])
  expect(await book.revoke(({ server }) => server === 'fs')).toBe(1)
  expect(await book.revoke(() => true)).toBe(0)
  expect((await GrantBook.open({ path, now })).all()).toEqual([])
})

it('does not bring back what was taken back by another process', async () => {
  const path = fresh()
  const book = await GrantBook.open({ path, now })
  await book.add(always('read'))
  await (await GrantBook.open({ path, now })).revoke(() => true)
  await Promise.all([book.add(always('write')), book.add(always('list'))])
  const tools = (all: readonly KeptGrant[]) => all.map(({ grant }) => grant.tool)
  expect(tools(book.all())).toEqual(['list', 'write'])
  expect(tools((await GrantBook.open({ path, now })).all())).toEqual(['list', 'write'])
})

it('keeps a grant in memory, and says so, when its file cannot be written any more', async () => {
  const path = fresh()
  const book = await GrantBook.open({ path, now })
  writeFileSync(path, 'no JSON')
  await expect(book.add(always('read'))).rejects.toThrow('JSON')
  expect(book.all()).toEqual([always('read')])
  expect(readFileSync(path, 'utf8')).toBe('no JSON')
})

it('grants nothing by a file that cannot be read, and leaves it as it is', async () => {
  const path = fresh()
  writeFileSync(path, '{"version":1,')
  const problems: string[] = []
  const book = await GrantBook.open({ path, now, onProblem: (message) => problems.push(message) })
  await book.add(always('read'))
  expect(problems).toHaveLength(1)
  expect(readFileSync(path, 'utf8')).toBe('{"version":1,')
})

it.each([
  ['no end', { tool: 'read', pin: 'aa', launch: 'ff', server: 'fs' }],
  ['no pin', { tool: 'read', launch: 'ff', server: 'fs', until: 2_000 }],
  ['no launch', { tool: 'read', pin: 'aa', server: 'fs', until: 2_000 }],
  ['no tool', { pin: 'aa', launch: 'ff', server: 'fs', until: 2_000 }],
  ['an odd server', { tool: 'read', pin: 'aa', launch: 'ff', server: ['fs'], until: 2_000 }],
  ['odd arguments', { tool: 'read', pin: 'aa', launch: 'ff', until: 2_000, argumentsHash: 1 }],
  ['no form at all', 7],
])('grants nothing by an entry with %s', async (_, entry) => {
  const path = fresh()
  writeFileSync(path, JSON.stringify({ version: 1, grants: [entry] }))
  expect((await GrantBook.open({ path, now })).all()).toEqual([])
})

it('keeps only so many', async () => {
  const book = await GrantBook.open({ now })
  for (let tool = 0; tool < 2_010; tool += 1) await book.add(session(String(tool)))
  expect(book.all()).toHaveLength(2_000)
  expect(book.all()[0]).toEqual(session('2009'))
})
