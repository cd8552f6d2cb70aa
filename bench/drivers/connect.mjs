/**
 * Connects so many servers at once. Reports wall time, the client's CPU time, and how often the server
 * was started for each, counted until all is closed: some clients start a second one behind the answer.
 */
import { countStarts, loadClient, order, ownCpu, report } from './measure.mjs'

const counter = countStarts()
const connect = await loadClient()
const [cpu, start] = [ownCpu(), performance.now()]
const clients = await Promise.all(Array.from({ length: order.servers }, () => connect()))
const values = { wallMs: performance.now() - start, cpuMs: ownCpu() - cpu }
await Promise.all(clients.map((client) => client.close()))
report({ ...values, spawnsPerServer: counter.starts / order.servers })
