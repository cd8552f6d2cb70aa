/** Hosts that are killed, each with three servers of which one heeds nothing, and what is left of them. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import { bundleFile } from './bundle.ts'
import { untilGone } from './stdio/port.ts'

export interface RunningHost {
  readonly child: ChildProcess
  readonly pid: number
  /** Every process that its servers are, and the one that a server has started. */
  readonly servers: readonly number[]
  /** The process that ends the servers when the host is gone. */
  readonly watchdog: number
}

export interface HostKills extends Disposable {
  /** Starts a host, and waits until its servers have answered. */
  start(home: string): Promise<RunningHost>
  /**
   * Starts a host and kills it as soon as so many servers are recorded, and so many ms later if that is wanted; gives a word
   * that is in the command of all its servers.
   */
  killStarting(home: string, recorded: number, laterMs?: number): Promise<string>
  /**
   * The same for a host that ends itself by SIGKILL when it has started so many: never within a fork, which nobody can know of
   * yet and which a kill from outside may hit.
   */
  dieStarting(home: string, started: number): Promise<string>
}

export async function hostKills(): Promise<HostKills> {
  const file = await bundleFile('test/support/killed-host-main.ts')
  let hosts = 0
  const run = (home: string, mark: string, ...more: readonly string[]): ChildProcess =>
    spawn(process.execPath, [file, home, mark, ...more], { stdio: ['ignore', 'pipe', 'inherit'] })
  const nextMark = (): string => `killed-host-${process.pid}-${(hosts += 1)}`
  return {
    async start(home) {
      const child = run(home, nextMark())
      const pid = child.pid ?? 0
      const servers = (await lineOf(child)).trim().split(' ').map(Number)
      const leaders = new Set(servers)
      const [watchdog = 0] = childrenOf(pid).filter((one) => !leaders.has(one))
      if (servers.length !== 4 || servers.includes(Number.NaN) || watchdog === 0)
        throw new Error(`odd processes: ${servers.join(' ')}, watchdog ${watchdog}`)
      return { child, pid, servers, watchdog }
    },
    async killStarting(home, recorded, laterMs = 0) {
      const mark = nextMark()
      const jobs = join(home, 'jobs')
      mkdirSync(jobs, { recursive: true })
      const child = run(home, mark)
      child.stdout?.resume()
      await filled(jobs, recorded)
      if (laterMs > 0) await new Promise((resolve) => setTimeout(resolve, laterMs))
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
      return mark
    },
    async dieStarting(home, started) {
      const mark = nextMark()
      const child = run(home, mark, String(started))
      child.stdout?.resume()
      const [, signal] = (await once(child, 'exit')) as [unknown, unknown] // code and signal
      if (signal !== 'SIGKILL') throw new Error(`the host ended by ${String(signal)}`)
      return mark
    },
    [Symbol.dispose]: () => rmSync(file, { force: true }),
  }
}

/** Kills the host, and its watchdog in the same moment if that is wanted. */
export async function kill(
  host: RunningHost,
  options: { readonly watchdog?: boolean } = {},
): Promise<void> {
  const exited = once(host.child, 'exit')
  // First the one that would act upon the end of the other.
  if (options.watchdog === true) process.kill(host.watchdog, 'SIGKILL')
  process.kill(host.pid, 'SIGKILL')
  await exited
}

/** The processes with this word in their command. */
export function markedWith(mark: string): readonly number[] {
  return processes('args=')
    .filter(({ rest }) => rest.split(' ').includes(mark))
    .map(({ pid }) => pid)
}

/** Milliseconds until none of them is left, or undefined after five seconds. */
export const goneIn = (pids: readonly number[]): Promise<number | undefined> =>
  untilGone(pids, 5000)

/** Settles when so many files are in the folder. */
function filled(folder: string, count: number): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (readdirSync(folder).length < count) return
      watcher.close()
      resolve()
    }
    const watcher = watch(folder, look)
    look()
  })
}

/** Ends what should be gone and is not, with what it has started, so that a failed run leaves nothing on the machine. */
export function sweep(pids: readonly number[]): void {
  for (const target of pids.flatMap((pid) => [-pid, pid])) {
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // It is gone, as it should be, or leads no group.
    }
  }
}

function childrenOf(parent: number): readonly number[] {
  return processes('ppid=')
    .filter(({ rest }) => Number(rest) === parent)
    .map(({ pid }) => pid)
}

function processes(column: string): readonly { readonly pid: number; readonly rest: string }[] {
  const text = execFileSync('ps', ['-A', '-ww', '-o', 'pid=', '-o', column], { encoding: 'utf8' })
  return text.split('\n').flatMap((line) => {
    const [, pid, rest = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? []
    return pid === undefined ? [] : [{ pid: Number(pid), rest }]
  })
}

function lineOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.endsWith('\n')) resolve(text)
    })
    child.on('exit', (code) => reject(new Error(`the host ended too early, with ${code}`)))
  })
}
