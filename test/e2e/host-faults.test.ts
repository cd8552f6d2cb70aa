/**
 * Twenty servers in one host, each a process of its own, and one of them goes wrong in every way there is: the calls to the
 * nineteen others all succeed meanwhile, and the state of the one is right at each moment.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { StdioEntry } from '../../src/config/entry.ts'
import { resultToText } from '../../src/tools/content.ts'
import { fastClock } from '../support/fast-clock.ts'
import { nodeEntry } from '../support/host-entries.ts'
import { failureOf } from '../support/odd-peer.ts'
import { openWatched, type WatchedHost } from '../support/watched-host.ts'

const FAULTY = 'test/support/peers/faulty.mjs'
const OTHERS = Array.from({ length: 19 }, (_, at) => `well-${at}`)

let scene: WatchedHost
let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'deep-pilot-faults-'))
  scene = await openWatched(OTHERS.map((key) => nodeEntry(key, [FAULTY, 'steady'])))
  await scene.host.settled()
})
afterEach(async () => {
  await scene.host.detach(odd)
  expect(new Set(OTHERS.map((key) => scene.status(key).state))).toEqual(new Set(['ready']))
})
afterAll(async () => {
  await scene.host.close()
  rmSync(folder, { recursive: true, force: true })
})

let odd = ''

/** Attaches the twentieth server, each time under another name: what is known of one is not held against the next. */
function attach(words: readonly string[], rest: Partial<StdioEntry> = {}): void {
  odd = `odd-${words.join('-').replaceAll(/[^a-z]/g, '')}`
  scene.forget()
  scene.host.attach(nodeEntry(odd, [FAULTY, ...words], rest))
}

async function attachReady(words: readonly string[]): Promise<number> {
  attach(words)
  const { pid = 0 } = await scene.until(odd, ({ state }) => state === 'ready')
  scene.host.turn()
  scene.forget()
  return pid
}

const call = async (key: string, name: string, args = {}, at = scene): Promise<string> =>
  resultToText(await at.host.callTool({ server: key, name }, args))

let rounds = 0

/** Calls every other server once, all at the same time; gives the answers that are not the right ones. */
async function callOthers(at = scene): Promise<readonly unknown[]> {
  rounds += 1
  const texts = OTHERS.map((key) => `${key} in round ${rounds}`)
  const answers = await Promise.all(
    OTHERS.map((key, index) =>
      call(key, 'echo', { text: texts[index] }, at).catch((error: unknown) => error),
    ),
  )
  return answers.filter((answer, index) => answer !== texts[index])
}

/** Goes on calling the others until the promise has settled, and at least so often. */
async function callOthersDuring<Value>(event: Promise<Value>, least = 5): Promise<Value> {
  const window = { open: true }
  const settled = event.finally(() => (window.open = false))
  // Looked at below; until then it may well be rejected already.
  settled.catch(() => undefined)
  const wrong: unknown[] = []
  for (let round = 0; (window.open || round < least) && wrong.length === 0; round += 1) {
    wrong.push(...(await callOthers()))
    await new Promise(setImmediate)
  }
  expect(wrong).toEqual([])
  return settled
}

describe('beside nineteen others, a server', () => {
  it('that is killed is started anew, and its call says that nobody knows what came of it', async () => {
    const pid = await attachReady(['hang'])
    // It never answers, and its end is the only thing that can settle it.
    await call(odd, 'break')
    const lost = failureOf(call(odd, 'echo', { text: 'x' }))
    await callOthersDuring(Promise.resolve())
    process.kill(pid, 'SIGKILL')
    const back = scene.until(odd, (now) => now.state === 'ready' && now.pid !== pid)
    const status = await callOthersDuring(back)
    expect(await lost).toMatchObject({ code: 'DP_TRANSPORT_EXIT', signal: 'SIGKILL', sent: 'yes' })
    expect(scene.told(odd)).toEqual([
      'restarting crashed',
      'connecting starting',
      'connecting reading-lists',
      'ready connected',
    ])
    expect(status).toMatchObject({ crashes: 1, tools: 3, running: 0, waiting: 0 })
    expect(await call(odd, 'pid')).toBe(String(status.pid))
  })

  it('that ends again and again is given up after five times, and takes calls when it is asked to', async () => {
    attach(['loop'])
    const status = await callOthersDuring(scene.until(odd, ({ state }) => state === 'failed'))
    expect(status).toMatchObject({ whyKind: 'crash-loop', crashes: 5 })
    expect(status).not.toHaveProperty('pid')
    expect(status.why).toContain('exit code 7')
    const words = scene.told(odd)
    expect(words.filter((word) => word === 'restarting crashed')).toHaveLength(4)
    expect(words.at(-1)).toBe('failed crash-loop')
    scene.host.turn()
    expect(scene.host.tools().filter(({ server }) => server === odd)).toEqual([])
    scene.forget()
    scene.host.restart(odd)
    expect(scene.status(odd)).toMatchObject({ state: 'connecting', crashes: 0 })
    await callOthersDuring(scene.until(odd, ({ state }) => state === 'failed'))
  })

  it('that ends before it says a word is given up as well, without a call to it that waits for ever', async () => {
    attach(['short'])
    await callOthersDuring(scene.until(odd, ({ state }) => state === 'failed'))
    expect(scene.status(odd)).toMatchObject({ crashes: 5 })
    expect(new Set(scene.told(odd))).toEqual(
      new Set(['connecting starting', 'restarting crashed', 'failed crash-loop']),
    )
  })

  it('that takes its time is connecting for as long, and holds up nobody', async () => {
    const file = join(folder, 'go')
    attach(['slow', file])
    await callOthersDuring(Promise.resolve())
    expect(scene.told(odd)).toEqual(['connecting starting'])
    const ready = scene.until(odd, ({ state }) => state === 'ready')
    writeFileSync(file, '')
    await callOthersDuring(ready)
    scene.host.turn()
    expect(await call(odd, 'echo', { text: 'at last' })).toBe('at last')
    expect(scene.told(odd)).toEqual([
      'connecting starting',
      'connecting reading-lists',
      'ready connected',
    ])
  })

  it('that never answers the handshake runs into its start timer, which says who set it', async () => {
    attach(['mute'], { timeouts: { start: { ms: 300, setBy: 'config.json:7 timeout' } } })
    const status = await callOthersDuring(scene.until(odd, ({ state }) => state === 'restarting'))
    expect(status).toMatchObject({ whyKind: 'start-timeout', crashes: 1 })
    expect(status.error).toMatchObject({ timer: 'start', setBy: 'config.json:7 timeout' })
  })

  it('that refuses the handshake is not tried again', async () => {
    attach(['refuse'])
    const status = await callOthersDuring(scene.until(odd, ({ state }) => state === 'failed'))
    expect(status).toMatchObject({ whyKind: 'handshake-refused', crashes: 0 })
    expect(scene.told(odd)).toEqual(['connecting starting', 'failed handshake-refused'])
  })

  it('whose command is not there is not tried again', async () => {
    attach([], { command: join(folder, 'no such program') })
    const status = await callOthersDuring(scene.until(odd, ({ state }) => state === 'failed'))
    expect(status).toMatchObject({ whyKind: 'cannot-start', crashes: 0 })
  })

  it.each(['stdout', 'stderr', 'notifications', 'storm', 'garbage'])(
    'that floods the host with %s is called degraded for it and still answers',
    async (way) => {
      const pid = await attachReady([way])
      await call(odd, 'break')
      const flooded = scene.until(odd, ({ state }) => state === 'degraded')
      expect(await callOthersDuring(flooded, 20)).toMatchObject({ whyKind: 'flood', pid })
      expect(await call(odd, 'echo', { text: 'still here' })).toBe('still here')
      expect(scene.told(odd)).toEqual(['degraded flood'])
    },
  )
})

describe('a server that hangs beside nineteen others', () => {
  it('is asked for a sign of life, called degraded, ended and started anew', async () => {
    const patient = { timeouts: { start: { ms: 600_000, setBy: 'test' } } }
    await using hasty = await openWatched(
      [
        ...OTHERS.map((key) => nodeEntry(key, [FAULTY, 'steady'], patient)),
        nodeEntry('odd', [FAULTY, 'hang'], patient),
      ],
      { clock: fastClock(10) },
    )
    await hasty.host.settled()
    hasty.host.turn()
    await call('odd', 'break', {}, hasty)
    hasty.forget()
    const { pid } = hasty.status('odd')
    const lost = hasty.host.callTool({ server: 'odd', name: 'echo' }, {}, { timeoutMs: 2000 })
    expect(await failureOf(lost)).toMatchObject({ timer: 'idle', ms: 2000, sent: 'yes' })
    const sick = await hasty.until('odd', ({ state }) => state === 'degraded')
    expect(sick).toMatchObject({ whyKind: 'no-sign-of-life', pid })
    expect(await callOthers(hasty)).toEqual([])
    const back = await hasty.until('odd', (now) => now.state === 'ready' && now.pid !== pid)
    expect(back.crashes).toBe(1)
    expect(hasty.told('odd')).toEqual([
      'degraded no-sign-of-life',
      'restarting no-sign-of-life',
      'connecting starting',
      'connecting reading-lists',
      'ready connected',
    ])
    expect(await callOthers(hasty)).toEqual([])
  })
})
