/**
 * What changes about a server while the host runs: another version of it, with nothing started anew and nothing else disturbed,
 * and a first start that has to fetch its program, told apart from one that hangs.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StdioEntry } from '../../src/config/entry.ts'
import type { HostTool } from '../../src/host/host-tool.ts'
import type { WireEvent } from '../../src/jsonrpc/wire.ts'
import { resultToText } from '../../src/tools/content.ts'
import { bundleFile } from '../support/bundle.ts'
import { fastClock } from '../support/fast-clock.ts'
import { nodeEntry } from '../support/host-entries.ts'
import { failureOf } from '../support/odd-peer.ts'
import { openWatched, type WatchedHost } from '../support/watched-host.ts'

let shop = ''
let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'deep-pilot-upgrade-'))
  shop = await bundleFile('test/support/upgraded-server-main.ts')
})
afterAll(() => {
  rmSync(shop, { force: true })
  rmSync(folder, { recursive: true, force: true })
})

const FAULTY = 'test/support/peers/faulty.mjs'

interface Scene extends WatchedHost {
  call(server: string, name: string): Promise<string>
  /** Settles when the host has read the shop's list so often. */
  listed(times: number): Promise<void>
}

/** A host with the shop and another server, after its first turn. */
async function openShop(revision: string): Promise<Scene> {
  const read = { lists: 0 }
  let heard: () => void = () => {}
  const wire = (event: WireEvent): void => {
    if (event.type !== 'message' || event.transport !== 'shop') return
    if (event.direction === 'in' && event.text.includes('"tools":[')) read.lists += 1
    heard()
  }
  writeFileSync(join(folder, 'version'), '1')
  const entries = [
    nodeEntry('shop', [shop, revision, join(folder, 'version')]),
    nodeEntry('other', [FAULTY, 'steady']),
  ]
  const watched = await openWatched(entries, { wire })
  await watched.host.settled()
  watched.host.turn()
  watched.forget()
  return {
    ...watched,
    async call(server, name) {
      return resultToText(await watched.host.callTool({ server, name }, {}))
    },
    async listed(times) {
      while (read.lists < times) await new Promise<void>((resolve) => (heard = resolve))
      // The tap hears of a message before its reader does.
      await new Promise(setImmediate)
    },
  }
}

const shown = (tools: readonly HostTool[], alias: string): HostTool | undefined =>
  tools.find((tool) => tool.alias === alias)

describe.each(['2025-11-25', '2026-07-28'])(
  'a server of %s that is upgraded while it runs',
  (revision) => {
    it('shows what is new after the turn, and holds what has changed at once', async () => {
      await using scene = await openShop(revision)
      const { host } = scene
      const before = host.tools()
      const { pid } = scene.status('shop')
      expect(scene.status('shop')).toMatchObject({ state: 'ready', revision })
      expect(await scene.call('shop', 'count')).toBe(`${pid} 1`)
      await scene.call('shop', 'upgrade')
      await scene.listed(2)

      // Within the turn the list is the same; what it says of a tool that is another one by now is not acted upon.
      expect(host.tools()).toBe(before)
      expect(await failureOf(scene.call('shop', 'search'))).toMatchObject({
        code: 'DP_POLICY_HELD',
      })
      expect(await scene.call('shop', 'old')).toContain('gone')
      await expect(scene.call('shop', 'fresh')).rejects.toThrow('There is no tool')
      expect(await scene.call('shop', 'count')).toBe(`${pid} 2`)

      expect(host.turn()).toEqual({
        added: ['shop__fresh'],
        removed: ['shop__old'],
        changed: ['shop__search'],
      })
      const search = shown(host.tools(), 'shop__search')
      expect(search).toMatchObject({ description: 'Searches the shop.' })
      expect(search?.held?.diff.join('\n')).toMatch(/-.*shop\..*\n\+.*tells the seller/)
      expect(await failureOf(scene.call('shop', 'search'))).toMatchObject({
        code: 'DP_POLICY_HELD',
      })
      // New ones are asked about, also where a rule allows everything; here is nobody to ask.
      expect(await failureOf(scene.call('shop', 'fresh'))).toMatchObject({
        code: 'DP_POLICY_DENIED',
      })

      await host.approve('shop')
      expect(host.turn()).toEqual({
        added: [],
        removed: [],
        changed: ['shop__search', 'shop__fresh'],
      })
      expect(await scene.call('shop', 'search')).toBe('found by the second')
      expect(await scene.call('shop', 'fresh')).toBe('fresh')

      // No restart, and nothing else was touched.
      expect(await scene.call('shop', 'count')).toBe(`${pid} 3`)
      expect([scene.told('shop'), scene.told('other')]).toEqual([[], []])
      expect(shown(host.tools(), 'other__echo')).toBe(shown(before, 'other__echo'))
    })

    it('and comes back as another version is held to what was approved all the same', async () => {
      await using scene = await openShop(revision)
      const { host } = scene
      const { pid } = scene.status('shop')
      writeFileSync(join(folder, 'version'), '2')
      process.kill(pid ?? 0, 'SIGKILL')
      const back = await scene.until('shop', (now) => now.state === 'ready' && now.pid !== pid)
      expect(host.turn()).toEqual({
        added: ['shop__fresh'],
        removed: ['shop__old'],
        changed: ['shop__search'],
      })
      expect(await failureOf(scene.call('shop', 'search'))).toMatchObject({
        code: 'DP_POLICY_HELD',
      })
      expect(await scene.call('shop', 'count')).toBe(`${back.pid} 1`)
      expect(scene.told('other')).toEqual([])
    })
  },
)

describe.skipIf(process.platform === 'win32')('a command that fetches its program first', () => {
  /** Minutes are seconds: the limit of such a start is two of them. */
  const FACTOR = 40
  const LIMIT_MS = 120_000

  function npxEntry(way: string): StdioEntry {
    const bin = mkdtempSync(join(folder, 'bin-'))
    const script = `#!/bin/sh\nexec '${process.execPath}' '${resolve('test/support/peers/fake-npx.mjs')}' "$@"\n`
    writeFileSync(join(bin, 'npx'), script, { mode: 0o755 })
    const path = `${bin}${delimiter}${process.env['PATH'] ?? ''}`
    const env = { PATH: path, WAY: way, GATE: join(bin, 'gate') }
    return nodeEntry('fetched', ['-y', 'some-package'], { command: 'npx', env })
  }

  it('is connecting and says so for as long as that goes on, beyond the limit of a start', async () => {
    const clock = fastClock(FACTOR)
    const entry = npxEntry('fetch')
    await using scene = await openWatched([entry], { clock })
    await scene.until('fetched', ({ downloading }) => downloading === true)
    expect(scene.status('fetched')).toMatchObject({ state: 'connecting', whyKind: 'downloading' })
    expect(scene.status('fetched').why).toContain('npx')
    await new Promise<void>((passed) => clock.after(LIMIT_MS * 1.2, passed))
    expect(scene.status('fetched')).toMatchObject({
      state: 'connecting',
      downloading: true,
      crashes: 0,
    })
    writeFileSync(entry.env['GATE'] ?? '', '')
    const ready = await scene.until('fetched', ({ state }) => state === 'ready')
    expect(ready).not.toHaveProperty('downloading')
    expect(scene.told('fetched')[0]).toBe('connecting starting')
    expect(new Set(scene.told('fetched'))).toEqual(
      new Set([
        'connecting starting',
        'connecting downloading',
        'connecting reading-lists',
        'ready connected',
      ]),
    )
    scene.host.turn()
    const result = await scene.host.callTool('fetched__echo', { text: 'here' })
    expect(resultToText(result)).toBe('here')
  })

  it('but hangs runs into that limit, and its error says that it did nothing', async () => {
    await using scene = await openWatched([npxEntry('hang')], { clock: fastClock(FACTOR) })
    const lost = await scene.until('fetched', ({ state }) => state === 'restarting')
    expect(lost).toMatchObject({ whyKind: 'start-timeout', crashes: 1 })
    expect(lost.error).toMatchObject({ timer: 'start', ms: LIMIT_MS, setBy: 'default' })
    expect(lost.why).toMatch(/"npx" has done nothing for \d+ s: it hangs/)
    expect(lost).not.toHaveProperty('downloading')
  })
})
