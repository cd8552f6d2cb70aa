/**
 * A host with servers that all end as soon as they have started. Reports the processor time that this costs until each is given
 * up, in the host and in what it started, and what it costs from then on.
 */
import { readFileSync } from 'node:fs'
import { after, order, ownCpu, report } from './measure.mjs'
import { entry, openHost } from '../subjects/deep-pilot-host.mjs'

let told = () => {}
const [own, children, start] = [ownCpu(), childrenCpu(), performance.now()]
const host = await openHost(
  Array.from({ length: order.servers }, (_, at) => entry(`loop-${at}`, order.faulty)),
  { onStatus: () => told() },
)
// The host's own timers keep nothing alive.
const awake = setInterval(() => {}, 1000)
while (host.servers().some(({ state }) => state !== 'failed'))
  await new Promise((resolve) => (told = resolve))
clearInterval(awake)
const wallMs = performance.now() - start
const hostMs = ownCpu() - own
// The last of them are collected a moment later.
await after(100)
const childrenMs = children === undefined ? undefined : childrenCpu() - children
const [idle, idleStart] = [ownCpu(), performance.now()]
await after(order.idleMs)
const idleShare = (ownCpu() - idle) / (performance.now() - idleStart)
await host.close()
report({ wallMs, hostMs, childrenMs, idleShare })

/** Processor time of all processes that were started here and have ended, in ms; undefined where the system does not tell. */
function childrenCpu() {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    return undefined // no /proc
  }
}
