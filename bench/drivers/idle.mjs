/** Holds idle connections open. Reports the bytes of JS heap that one of them keeps. Needs `--expose-gc`. */
import { after, loadClient, order, report } from './measure.mjs'

async function heap() {
  for (let round = 0; round < 5; round++) {
    await after(20)
    globalThis.gc()
  }
  return process.memoryUsage().heapUsed
}

const connect = await loadClient()
const clients = await Promise.all(Array.from({ length: 8 }, () => connect())) // what is loaded once
await Promise.all(clients.map((client) => client.call('echo', { text: 'x' })))
const before = await heap()
for (let left = order.connections; left > 0; left -= 4) {
  const more = await Promise.all(Array.from({ length: 4 }, () => connect()))
  await Promise.all(more.map((client) => client.call('echo', { text: 'x' })))
  clients.push(...more)
}
const heapKb = ((await heap()) - before) / (clients.length - 8) / 1000
await Promise.all(clients.map((client) => client.close()))
report({ heapKb })
