/**
 * What the drivers share: their order (one JSON word), the CPU time and memory of a process, and the
 * report (one JSON line on stdout). CPU of another process is read from Linux's /proc; elsewhere it
 * is left out.
 */
import { ChildProcess } from 'node:child_process'
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

/** The process that runs the ordered server, told from others by its words; undefined where the system does not tell. */
export function serverPid() {
  const script = order.server.args.find((word) => word.endsWith('-server.mjs'))
  try {
    const listed = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    const pids = listed.trim().split(' ').map(Number)
    return pids.findLast((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(script))
  } catch {
    return undefined // no /proc
  }
}

/** Counts from now on how often the ordered server is started by this process. */
export function countStarts() {
  const script = order.server.args.find((word) => word.endsWith('-server.mjs'))
  const counter = { starts: 0 }
  const { spawn } = ChildProcess.prototype
  ChildProcess.prototype.spawn = function (options) {
    if (options.args?.includes(script)) counter.starts++
    return spawn.call(this, options)
  }
  return counter
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export function after(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
