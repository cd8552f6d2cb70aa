/**
 * A host that is killed and can do nothing about what it leaves behind: three servers, of which one heeds neither signals nor
 * the end of its input and has started a process of its own. `scripts/orphans.ts` does the same a hundred times.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { configOf } from '../../src/config/config.ts'
import { Host } from '../../src/host/host.ts'
import { endOrphans, listJobs } from '../../src/host/jobs.ts'
import {
  goneIn,
  hostKills,
  kill,
  markedWith,
  sweep,
  type HostKills,
  type RunningHost,
} from '../support/host-kills.ts'
import { isAlive } from '../support/stdio/port.ts'

const ROUNDS = 3

let kills: HostKills
let home = ''
let pids: readonly number[] = []
beforeAll(async () => {
  kills = await hostKills()
})
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'deep-pilot-killed-'))
})
afterEach(() => {
  sweep(pids.filter(isAlive))
  pids = []
  rmSync(home, { recursive: true, force: true })
})
afterAll(() => kills[Symbol.dispose]())

async function start(): Promise<RunningHost> {
  const host = await kills.start(home)
  pids = [...pids, host.pid, host.watchdog, ...host.servers]
  return host
}

describe.skipIf(process.platform === 'win32')('a host that is killed', () => {
  it('leaves no process after five seconds, each time', async () => {
    const left: unknown[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const host = await start()
      expect(host.servers.filter(isAlive)).toHaveLength(4)
      await kill(host)
      left.push((await goneIn([...host.servers, host.watchdog])) === undefined)
    }
    expect(left).toEqual(Array(ROUNDS).fill(false))
    // What it wrote down about them is of no more use, and the next host takes it away without harm to anyone.
    expect(listJobs(home).filter(({ alive }) => alive)).toEqual([])
    expect(endOrphans(home)).toEqual([])
    expect(listJobs(home)).toEqual([])
  })

  it('and its watchdog with it leaves what the next host ends when it opens', async () => {
    const host = await start()
    await kill(host, { watchdog: true })
    // Those that heed the end of their input go by themselves.
    const [, , stubborn = 0, inner = 0] = host.servers
    expect(await goneIn(host.servers.slice(0, 2))).toBeDefined()
    expect([stubborn, inner].map(isAlive)).toEqual([true, true])
    const known = listJobs(home).find(({ pid }) => pid === stubborn)
    expect(known).toMatchObject({ server: 'stubborn-2', orphan: true, alive: true })
    await using next = await Host.open(configOf([]), { home, lock: false })
    expect(await goneIn(host.servers)).toBeDefined()
    expect(listJobs(home)).toEqual([])
    expect(next.servers()).toEqual([])
  })

  it('does not take the servers of another host along, nor does the next one', async () => {
    const [victim, other] = await Promise.all([start(), start()])
    await kill(victim, { watchdog: true })
    await using next = await Host.open(configOf([]), { home, lock: false })
    expect(await goneIn(victim.servers)).toBeDefined()
    expect(other.servers.filter(isAlive)).toHaveLength(4)
    expect(listJobs(home)).toHaveLength(3)
    expect(next.servers()).toEqual([])
    await kill(other)
    expect(await goneIn([...other.servers, other.watchdog])).toBeDefined()
  })

  it.each([1, 2, 3])(
    'when it has just started %i of them leaves no process either',
    async (count) => {
      const mark = await kills.dieStarting(home, count)
      const started = markedWith(mark)
      pids = started
      expect(await goneIn(started)).toBeDefined()
      expect(markedWith(mark)).toEqual([])
    },
  )
})
