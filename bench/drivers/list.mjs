/** Lists all tools several times. Reports the first and the later ones apart: wall and the CPU of each side. */
import { cpuOf, loadClient, median, order, ownCpu, report, serverPid } from './measure.mjs'

const connect = await loadClient()
const client = await connect()
const server = serverPid()
const lists = []
for (let round = 0; round <= order.repeats; round++) {
  const [cpu, serverCpu, start] = [ownCpu(), cpuOf(server), performance.now()]
  const { length } = await client.listTools()
  const wallMs = performance.now() - start
  if (length < order.tools) throw new Error(`expected ${order.tools} tools, got ${length}`)
  lists.push({ wallMs, cpuMs: ownCpu() - cpu, serverCpuMs: cpuOf(server) - serverCpu })
}
await client.close()
const later = lists.slice(1)
const middle = (name) => median(later.map((list) => list[name]))
report({
  firstMs: lists[0].wallMs,
  firstCpuMs: lists[0].cpuMs,
  laterMs: middle('wallMs'),
  laterCpuMs: middle('cpuMs'),
  laterServerCpuMs: middle('serverCpuMs'),
})
