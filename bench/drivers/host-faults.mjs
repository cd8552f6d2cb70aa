/**
 * Nineteen servers in one host are called at a steady pace while a twentieth has a fault. `host` has it in the same host, `bare`
 * beside it, read and dropped by the least reader there can be, so that both have the same fault on the same machine. Reports
 * the times of the calls and how many failed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, order, report } from './measure.mjs'
import { entry, openHost } from '../subjects/deep-pilot-host.mjs'

const PACE_MS = 10
/** How often a server is killed that is killed again and again, and started again where nobody else does. */
const KILL_MS = 400
/** Faults that begin when they are told to. */
const BEGINS = new Set(['hang', 'stdout', 'stderr', 'notifications', 'storm', 'garbage'])
const request = (id, method, params) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
const HANDSHAKE = [
  request(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bare', version: '1' },
  }),
  request(2, 'tools/list', {}),
  request(3, 'tools/call', { name: 'break' }),
].join('')
const others = Array.from({ length: order.others }, (_, at) => `well-${at}`)
const host = await openHost(others.map((key) => entry(key, order.server)))
await host.settled()
const window = { open: true }
const way = order.faulty.args.at(-1)
const fault = order.way === 'host' ? await faultInHost() : await faultBeside()
host.turn()
await measure(order.warmUpMs) // what is compiled is compiled, and the fault has begun
const { times, failed } = await measure(order.ms)
window.open = false
await fault.end()
await host.close()
times.sort((a, b) => a - b)
const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
report({ p50Ms: at(0.5), p99Ms: at(0.99), maxMs: times.at(-1), calls: times.length, failed })

async function measure(ms) {
  const [times, end] = [[], performance.now() + ms]
  let failed = 0
  await Promise.all(
    others.map(async (server, index) => {
      await after((index * PACE_MS) / others.length)
      for (let start = performance.now(); start < end; start = performance.now()) {
        try {
          const { content } = await host.callTool({ server, name: 'echo' }, { text: server })
          if (content[0].text !== server) failed++
        } catch {
          failed++
        }
        const took = performance.now() - start
        times.push(took)
        await after(Math.max(1, PACE_MS - took))
      }
    }),
  )
  return { times, failed }
}

async function faultInHost() {
  host.attach(entry('odd', order.faulty))
  const pid = () => host.servers().find(({ key }) => key === 'odd').pid
  if (BEGINS.has(way)) {
    await host.settled()
    host.turn()
    await host.callTool({ server: 'odd', name: 'break' })
  }
  if (way === 'steady') void killing(pid)
  return { end: () => host.detach('odd') }
}

/** The reader of the base: it starts what the host would start as often, and reads everything without a look at it. */
async function faultBeside() {
  let child = start()
  let starts = 1
  function start() {
    const one = spawn(order.faulty.command, order.faulty.args, { stdio: 'pipe' })
    one.stdin.on('error', () => {})
    one.stdout.resume()
    one.stderr.resume()
    one.stdin.write(HANDSHAKE)
    one.on('exit', () => {
      if (!window.open || (way === 'loop' && starts >= 5)) return
      starts++
      setTimeout(() => window.open && (child = start()), 100 * starts)
    })
    return one
  }
  await once(child, 'spawn')
  if (way === 'steady') void killing(() => child.pid)
  return {
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function killing(pid) {
  while (window.open) {
    await after(KILL_MS)
    try {
      if (window.open) process.kill(pid(), 'SIGKILL')
    } catch {
      // Between two of its lives it cannot be killed.
    }
  }
}
