/**
 * What the drivers share: their order (one JSON word), the CPU time and memory of a process, and the
 * report (one JSON line on stdout). CPU of another process is read from Linux's /proc; elsewhere it
 * is left out.
 */
import { readFileSync, readdirSync } from 'node:fs'

/** The order that the bench gave to this process. */
export const order = JSON.parse(process.argv[2])

/** Loads the client under test and gives a function that opens it with a server's command. */
export async function loadClient() {
  const { open } = await import(order.client.file)
  const { variant } = order.client
  const { maxMessageBytes } = order
  return (extra = []) => {
    const { command, args } = order.server
    return open({ command, args: [...args, ...extra], variant, maxMessageBytes })
  }
}

/** Ends the driver whatever is left open, as some clients leave their process running. */
export function report(values) {
  process.stdout.write(`${JSON.stringify(values)}\n`, () => process.exit(0))
}

/** Milliseconds of CPU, user and system, over all threads. */
export function ownCpu() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The same for another process; undefined where the system does not tell. */
export function cpuOf(pid) {
  try {
    let nanoseconds = 0
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      nanoseconds += Number(
        readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0],
      )
    }
    return nanoseconds / 1e6
  } catch {
    return undefined // no /proc, or the process is gone
  }
}

/** The most memory a process ever held, in MiB; undefined where the system does not tell. */
export function peakMemory(pid = process.pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)[1]) / 1024
  } catch {
    return pid === process.pid ? process.resourceUsage().maxRSS / 1024 : undefined
  }
}

/** The processes that this one started, newest last; empty where the system does not tell. */
export function children() {
  try {
    const listed = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    return listed.trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export function after(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
