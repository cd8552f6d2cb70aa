import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ConfigError } from '../base/errors.ts'
import { LockFile, lockText, type ServerRecord } from './lock-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'deep-pilot-lock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const fresh = (): string => join(folder, `${(files += 1)}.json`)

function record(...names: readonly string[]): ServerRecord {
  const tools = names.map((name) => {
    const definition = { name, inputSchema: { type: 'object' } }
    return [name, { alias: `s__${name}`, sha256: 'aa', definition, approved: true }] as const
  })
  return { launch: 'ff', tools: new Map(tools) }
}

it('gives back what was saved', async () => {
  const path = fresh()
  const lock = await LockFile.open(path)
  const suspect = { sha256: 'bb', definition: { name: 'x' } }
  const instructions = { sha256: 'cc', definition: 'use it', approved: false, suspect }
  lock.set('s', { ...record('one', '__proto__', 'constructor'), instructions })
  await lock.save()
  const again = await LockFile.open(path)
  expect(again.servers).toEqual(lock.servers)
})

it('is only for its owner and named by a rename', async () => {
  const path = fresh()
  const lock = await LockFile.open(path)
  lock.set('s', record('one'))
  await lock.save()
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it('has the same text whatever the order in which things came', () => {
  const one = new Map([
    ['a', record('x', 'y')],
    ['b', record()],
  ])
  const other = new Map([
    ['b', record()],
    ['a', record('y', 'x')],
  ])
  expect(lockText(one)).toBe(lockText(other))
})

it('keeps what another host wrote about other servers meanwhile', async () => {
  const path = fresh()
  const [one, other] = [await LockFile.open(path), await LockFile.open(path)]
  one.set('a', record('x'))
  other.set('b', record('y'))
  await other.save()
  await one.save()
  const { servers } = await LockFile.open(path)
  expect([...servers.keys()].toSorted()).toEqual(['a', 'b'])
})

it('forgets what was deleted', async () => {
  const path = fresh()
  const lock = await LockFile.open(path)
  lock.set('a', record('x'))
  await lock.save()
  lock.delete('a')
  await lock.save()
  expect((await LockFile.open(path)).servers.size).toBe(0)
})

it('writes nothing when nothing changed', async () => {
  const path = fresh()
  writeFileSync(path, lockText(new Map([['a', record('x')]])))
  const before = readFileSync(path, 'utf8')
  const { mtimeMs } = statSync(path)
  await (await LockFile.open(path)).save()
  expect([readFileSync(path, 'utf8'), statSync(path).mtimeMs]).toEqual([before, mtimeMs])
})

it.each([
  ['no JSON', '{'],
  ['another version', '{"version":2,"servers":{}}'],
  ['a server without tools', '{"version":1,"servers":{"a":{"launch":"ff"}}}'],
  ['a pin without a hash', '{"version":1,"servers":{"a":{"launch":"","tools":{"x":{}}}}}'],
  ['a list', '[]'],
])('refuses a file that is %s, and leaves it as it is', async (_, text) => {
  const path = fresh()
  writeFileSync(path, text)
  await expect(LockFile.open(path)).rejects.toThrow(ConfigError)
  expect(readFileSync(path, 'utf8')).toBe(text)
})

it('takes a pin that does not say so for one that is not approved', async () => {
  const path = fresh()
  const tool = { alias: 'a__x', sha256: 'aa', definition: { name: 'x', inputSchema: {} } }
  const value = { version: 1, servers: { a: { launch: 'ff', tools: { x: tool } } } }
  writeFileSync(path, JSON.stringify(value))
  const { servers } = await LockFile.open(path)
  expect(servers.get('a')?.tools.get('x')?.approved).toBe(false)
})
