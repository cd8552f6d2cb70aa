/**
 * Holds idle connections open. Reports the bytes of JS heap that one of them keeps. Needs `--expose-gc`,
 * and wants V8 kept from adding and dropping compiled code, which is as large as some connections.
 */
import { after, loadClient, order, report } from './measure.mjs'

const AT_ONCE = 4
const connect = await loadClient()
const clients = []

async function openMore(count) {
  for (let left = count; left > 0; left -= AT_ONCE) {
    const more = await Promise.all(Array.from({ length: AT_ONCE }, () => connect()))
    await Promise.all(more.map((client) => client.call('echo', { text: 'x' })))
    clients.push(...more)
  }
}

async function heap() {
  for (let round = 0; round < 6; round++) {
    await after(30)
    globalThis.gc()
  }
  return process.memoryUsage().heapUsed
}

await openMore(order.before) // what is loaded, compiled and shared once
const before = await heap()
await openMore(order.connections)
const heapKb = ((await heap()) - before) / order.connections / 1000
await Promise.all(clients.map((client) => client.close()))
report({ heapKb })
