/**
 * Kills hosts with SIGKILL, a hundred by default, and looks for what is left: `node scripts/run.mjs scripts/orphans.ts [times]
 * [what]`. Without a word what is killed is a process with three links to servers that ignore everything that can be ignored;
 * else a whole host of three servers: `host` when all of them run, `watchdog` together with its watchdog, so that the next host
 * has to end what is left, `starting` while it starts them.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configOf } from '../src/config/config.ts'
import { Host } from '../src/host/host.ts'
import {
  goneIn,
  hostKills,
  kill,
  markedWith,
  sweep,
  type HostKills,
} from '../test/support/host-kills.ts'
import { isAlive } from '../test/support/stdio/port.ts'
import { killHosts } from '../test/support/stdio/orphans.ts'

type Way = (kills: HostKills, home: string, time: number) => Promise<readonly number[]>

const WAYS: ReadonlyMap<string, Way> = new Map([
  ['host', killRunning],
  ['watchdog', killWithWatchdog],
  ['starting', killStarting],
])

const times = Number(process.argv[2] ?? 100)
const way = WAYS.get(process.argv[3] ?? '')
const results = way === undefined ? await killHosts({ times }) : await killWholeHosts(way)
const gone = results.filter((ms) => ms !== undefined).sort((a, b) => a - b)
const left = results.length - gone.length
console.log(
  `${results.length} hosts killed, ${left} with something left after 5 s; ` +
    `the rest was gone after ${Math.round(gone.at(0) ?? 0)} to ${Math.round(gone.at(-1) ?? 0)} ms`,
)
process.exitCode = left === 0 ? 0 : 1

async function killWholeHosts(killOne: Way): Promise<readonly (number | undefined)[]> {
  using kills = await hostKills()
  const home = mkdtempSync(join(tmpdir(), 'deep-pilot-orphans-'))
  const waits: Promise<number | undefined>[] = []
  try {
    for (let time = 0; time < times; time += 1) {
      const pids = await killOne(kills, join(home, String(time)), time)
      waits.push(goneIn(pids).finally(() => sweep(pids.filter(isAlive))))
      // A few are looked at while the next host starts.
      await waits.at(-4)
    }
    return await Promise.all(waits)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Each gives the processes that have to go from now on. */
async function killRunning(kills: HostKills, home: string): Promise<readonly number[]> {
  const host = await kills.start(home)
  await kill(host)
  return [...host.servers, host.watchdog]
}

async function killWithWatchdog(kills: HostKills, home: string): Promise<readonly number[]> {
  const host = await kills.start(home)
  await kill(host, { watchdog: true })
  const next = await Host.open(configOf([]), { home, lock: false })
  await next.close()
  return host.servers
}

/** One, two or three servers are recorded, and up to 70 ms have passed since: before, while and after they become deaf. */
async function killStarting(
  kills: HostKills,
  home: string,
  time: number,
): Promise<readonly number[]> {
  return markedWith(await kills.killStarting(home, 1 + (time % 3), (time * 7) % 77))
}
