import { describe, expect, it } from 'vitest'
import { playedServer, type PlayedServer } from '../../test/support/played-server.ts'
import { DONE, settle, soundly } from '../../test/support/recovery.ts'
import { entryOf, sceneOf, slowToEnd, type Scene } from '../../test/support/runtime.ts'
import { UsageError } from '../base/errors.ts'
import type { StdioEntry } from '../config/entry.ts'

const PIPE = { perRequest: false, reopens: false } as const

interface Hall extends Scene {
  readonly played: Readonly<Record<'a' | 'b' | 'c', PlayedServer>>
}

/** Three servers that are ready. */
async function hall(rest: Readonly<Record<string, Partial<StdioEntry>>> = {}): Promise<Hall> {
  const played = {
    a: playedServer(soundly, PIPE),
    b: playedServer(soundly, PIPE),
    c: playedServer(soundly, PIPE),
  }
  const { a, b, c } = played
  const scene = sceneOf({ a: a.transport, b: b.transport, c: c.transport })
  for (const key of ['a', 'b']) scene.registry.attach(entryOf(key, rest[key]))
  await settle()
  return { ...scene, played }
}

const statesOf = ({ registry }: Scene): Readonly<Record<string, string>> =>
  Object.fromEntries(registry.servers().map(({ status }) => [status.key, status.state]))

describe('a registry', () => {
  it('starts what is attached, all at once, and keeps the order', async () => {
    const scene = await hall()
    expect(statesOf(scene)).toEqual({ a: 'ready', b: 'ready' })
    expect(scene.registry.servers().map(({ entry }) => entry.key)).toEqual(['a', 'b'])
    expect(scene.registry.get('a')?.status.key).toBe('a')
    expect(scene.registry.get('nobody')).toBeUndefined()
  })

  it('refuses a key that is there already, and anything once it is closed', async () => {
    const { registry } = await hall()
    expect(() => registry.attach(entryOf('a'))).toThrow(UsageError)
    await registry.close()
    expect(() => registry.attach(entryOf('c'))).toThrow(UsageError)
  })

  it('ends and forgets what is detached, and nothing else', async () => {
    const scene = await hall()
    await scene.registry.detach('a')
    await scene.registry.detach('a')
    expect(statesOf(scene)).toEqual({ b: 'ready' })
    expect([scene.played.a.open, scene.played.b.open]).toEqual([0, 1])
    scene.registry.attach(entryOf('a'))
    await settle()
    expect(statesOf(scene)).toEqual({ b: 'ready', a: 'ready' })
  })

  it('leaves nothing behind when it is closed, also twice', async () => {
    const { registry, played, clock } = await hall()
    await Promise.all([registry.close(), registry.close()])
    expect([played.a.open, played.b.open]).toEqual([0, 0])
    expect(clock.pending).toBe(0)
  })
})

describe('a new configuration', () => {
  it('starts what is new, ends what is gone, and leaves the rest alone', async () => {
    const scene = await hall()
    const report = await scene.registry.reload([entryOf('c'), entryOf('b')])
    await settle()
    expect(report).toEqual({
      added: ['c'],
      removed: ['a'],
      replaced: [],
      updated: [],
      unchanged: ['b'],
      held: [],
    })
    expect(statesOf(scene)).toEqual({ c: 'ready', b: 'ready' })
    expect([scene.played.a.open, scene.played.b.opens, scene.played.c.open]).toEqual([0, 1, 1])
  })

  it.each<[string, Partial<StdioEntry>]>([
    ['arguments', { args: ['--new'] }],
    ['a command', { command: 'other' }],
    ['a variable of the environment', { env: { TOKEN: 'new' } }],
    ['a folder', { cwd: '/elsewhere' }],
    ['what is written, though it comes to the same', { written: { command: '${A}' } }],
    ['whether it is trusted', { trusted: true }],
  ])('with other %s ends the server before it is started anew', async (_, change) => {
    const scene = await hall()
    const report = await scene.registry.reload([entryOf('a', change), entryOf('b')])
    expect(report).toMatchObject({ replaced: ['a'], unchanged: ['b'] })
    await settle()
    const { a, b } = scene.played
    expect([a.opens, a.open, b.opens]).toEqual([2, 1, 1])
    expect(statesOf(scene)).toEqual({ a: 'ready', b: 'ready' })
  })

  it('starts a server anew only when nothing is left of the old one', async () => {
    const played = playedServer(soundly, PIPE)
    const { transport, release } = slowToEnd(played.transport)
    const { registry } = sceneOf({ s: transport })
    registry.attach(entryOf('s'))
    await settle()
    await registry.reload([entryOf('s', { args: ['--new'] })])
    await settle()
    expect(played.opens).toBe(1)
    release()
    await settle()
    expect([played.opens, registry.get('s')?.status.state]).toEqual([2, 'ready'])
  })

  it.each<[string, Partial<StdioEntry>]>([
    ['limits of time', { timeouts: { idle: { ms: 5000, setBy: 'x:1 timeout' } } }],
    ['calls at once', { concurrency: 1 }],
    ['tools that are shown', { onlyTools: ['act'] }],
    ['labels', { toolLabels: new Map([['act', ['external-sink']]]) }],
  ])('with other %s is taken in without a new start', async (_, change) => {
    const scene = await hall()
    const report = await scene.registry.reload([entryOf('a', change), entryOf('b')])
    expect(report).toMatchObject({ updated: ['a'], replaced: [], unchanged: ['b'] })
    expect(scene.registry.get('a')?.entry).toMatchObject(change)
    expect(scene.played.a.opens).toBe(1)
  })

  it('that switches a server off ends it, and on again starts it', async () => {
    const scene = await hall()
    await scene.registry.reload([entryOf('a', { disabled: true }), entryOf('b')])
    await settle()
    expect(statesOf(scene)).toEqual({ a: 'disabled', b: 'ready' })
    expect(scene.played.a.open).toBe(0)
    await scene.registry.reload([entryOf('a'), entryOf('b')])
    await settle()
    expect(statesOf(scene)).toEqual({ a: 'ready', b: 'ready' })
  })

  it('that nobody approved starts nothing, and ends what it would start in another way', async () => {
    const scene = await hall()
    const changed = entryOf('a', { args: ['--evil'], scope: 'project', approved: false })
    const fresh = entryOf('c', { scope: 'project', approved: false })
    const report = await scene.registry.reload([changed, entryOf('b'), fresh])
    await settle()
    expect(report).toMatchObject({ replaced: ['a'], added: ['c'], held: ['a', 'c'] })
    expect(scene.registry.get('a')?.status).toMatchObject({
      state: 'disabled',
      whyKind: 'unapproved',
    })
    expect([scene.played.a.opens, scene.played.a.open, scene.played.c.opens]).toEqual([1, 0, 0])
  })

  it('that nobody approved leaves a server that it would start in the same way as it was approved', async () => {
    const scene = await hall()
    const loosened = entryOf('a', { scope: 'project', approved: false, withoutTools: [] })
    const report = await scene.registry.reload([loosened, entryOf('b')])
    expect(report).toMatchObject({ held: ['a'], replaced: [], updated: [] })
    expect(scene.registry.get('a')?.entry).toMatchObject({ approved: true, scope: 'user' })
    expect(await scene.registry.get('a')?.send('act', {})).toEqual(DONE)
    expect(scene.played.a.opens).toBe(1)
  })

  it('that is approved after all starts what it held', async () => {
    const scene = await hall({ a: { scope: 'project', approved: false } })
    expect(statesOf(scene)).toEqual({ a: 'disabled', b: 'ready' })
    await scene.registry.reload([entryOf('a', { scope: 'project' }), entryOf('b')])
    await settle()
    expect(statesOf(scene)).toEqual({ a: 'ready', b: 'ready' })
  })

  it('that comes while the last one is carried out counts in the end', async () => {
    const scene = await hall()
    for (const word of ['1', '2', '3'])
      void scene.registry.reload([entryOf('a', { args: [word] }), entryOf('b')])
    await settle()
    expect(scene.played.a.open).toBe(1)
    expect(scene.registry.get('a')?.entry).toMatchObject({ args: ['3'] })
    expect(statesOf(scene)).toEqual({ a: 'ready', b: 'ready' })
  })
})
