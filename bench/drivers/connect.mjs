/** Connects so many servers at once. Reports wall time, the client's CPU time and the processes started. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadClient, order, ownCpu, report } from './measure.mjs'

const log = join(tmpdir(), `deep-pilot-bench-spawns-${process.pid}`)
writeFileSync(log, '')
const connect = await loadClient()
const [cpu, start] = [ownCpu(), performance.now()]
const clients = await Promise.all(
  Array.from({ length: order.servers }, () => connect(['--spawn-log', log])),
)
const values = { wallMs: performance.now() - start, cpuMs: ownCpu() - cpu }
const spawns = readFileSync(log, 'utf8').length
rmSync(log)
await Promise.all(clients.map((client) => client.close()))
report({ ...values, spawnsPerServer: spawns / order.servers })
