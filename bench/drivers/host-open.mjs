/**
 * Starts so many servers at once and reports the wall time until all of them can be used: `host` until a host has each one's
 * list of tools, `disk` the same with records of processes and an audit log in a folder, `raw` until each has answered the
 * handshake of the least client by hand, `listed` until that has each one's list as well.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { order, ownCpu, report } from './measure.mjs'

const keys = Array.from({ length: order.servers }, (_, at) => `server-${at}`)
const measure = order.way === 'host' || order.way === 'disk' ? await hosted() : await bare()
const [cpu, start] = [ownCpu(), performance.now()]
const close = await measure()
const values = { wallMs: performance.now() - start, cpuMs: ownCpu() - cpu }
await close()
report(values)

async function hosted() {
  const { entry, openHost } = await import('../subjects/deep-pilot-host.mjs')
  const home = order.way === 'disk' ? mkdtempSync(join(tmpdir(), 'bench-host-')) : undefined
  return async () => {
    const host = await openHost(
      keys.map((key) => entry(key, order.server)),
      home === undefined ? {} : { home },
    )
    await host.settled()
    const { added } = host.turn()
    const usable = host.servers().filter(({ state }) => state === 'ready')
    if (usable.length !== keys.length || added.length < keys.length)
      throw new Error(`${usable.length} of ${keys.length} servers are ready`)
    return async () => {
      await host.close()
      if (home !== undefined) rmSync(home, { recursive: true })
    }
  }
}

async function bare() {
  const { open } = await import('../subjects/raw-client.mjs')
  return async () => {
    const clients = await Promise.all(
      keys.map(async () => {
        // A session of its own, as a host gives to each, and no more of the environment than there: some systems share out
        // their time by session, and some variables make each start slower.
        const client = await open({
          ...order.server,
          env: { PATH: process.env.PATH },
          detached: true,
        })
        if (order.way === 'listed') await client.listTools()
        return client
      }),
    )
    return () => Promise.all(clients.map((client) => client.close()))
  }
}
