/**
 * Calls `echo` with 100 bytes of text: first with many calls in flight for so long, then one by one.
 * Reports calls per second, CPU per call of each side, and the times of the single calls.
 */
import { after, cpuOf, loadClient, median, order, ownCpu, report, serverPid } from './measure.mjs'

const TEXT = 'x'.repeat(100)
const connect = await loadClient()
const client = await connect()
const server = serverPid()
const args = { text: TEXT }

/** Keeps `inFlight` calls going until there were `atLeast` and `ms` are over; gives their number. */
async function run({ inFlight, atLeast, ms }) {
  let calls = 0
  const window = { open: true }
  const worker = async () => {
    while (window.open || calls < atLeast) {
      await client.call('echo', args)
      calls++
    }
  }
  const workers = Array.from({ length: inFlight }, worker)
  await after(ms)
  window.open = false
  await Promise.all(workers)
  return calls
}

async function serial({ atLeast, ms }) {
  const times = []
  const end = performance.now() + ms
  for (let now = performance.now(); now < end || times.length < atLeast;) {
    await client.call('echo', args)
    const then = now
    now = performance.now()
    times.push(now - then)
  }
  return times
}

// Clients check arguments and results by what a list told them, so they get one.
await client.listTools?.()
const first = await client.call('echo', args)
if (!JSON.stringify(first).includes(TEXT)) throw new Error(`echo answered ${JSON.stringify(first)}`)
// Warm means compiled: a slow client needs as many calls for that as a fast one, not as much time.
await run({ ...order.warmUp, inFlight: order.inFlight })
const [clientCpu, serverCpu, start] = [ownCpu(), cpuOf(server), performance.now()]
const calls = await run({ ...order.measure, inFlight: order.inFlight })
const seconds = (performance.now() - start) / 1000
const clientUs = ((ownCpu() - clientCpu) * 1000) / calls
const serverUs = serverCpu === undefined ? undefined : ((cpuOf(server) - serverCpu) * 1000) / calls
await serial(order.serial)
const p50 = median(await serial(order.serial))
await client.close()
report({ callsPerSecond: calls / seconds, clientUs, serverUs, p50Us: p50 * 1000 })
