/**
 * Processes of the suite and of what it judges: each leads a group of its own, has a deadline, and nothing of its group
 * outlives it. No shell.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { delimiter, dirname } from 'node:path'
import { systemProcesses, trySignal } from '../../src/transport/node/process-group.ts'
import type { Ending } from './judge.ts'

/** Characters of what a server wrote that go into an error. */
const MAX_SAID = 2000

/** Leaders of the groups that run now. */
const leaders = new Set<number>()

export interface Job {
  readonly command: readonly [string, ...string[]]
  readonly deadlineMs: number
  /** File for both of its outputs. */
  readonly log: string
}

export interface RunningServer {
  readonly url: string
  /** Undefined while it runs. */
  exitCode(): number | string | undefined
  stop(): Promise<void>
}

/** Runs a program to its end, or to its deadline. */
export async function runJob({ command, deadlineMs, log }: Job): Promise<Ending> {
  const child = start(command)
  const output = createWriteStream(log)
  child.stdout?.pipe(output)
  child.stderr?.pipe(output)
  let late = false
  const timer = setTimeout(() => {
    late = true
    endGroup(child)
  }, deadlineMs)
  const code = await exitOf(child)
  clearTimeout(timer)
  endGroup(child)
  if (late) return 'deadline'
  return code === 0 ? 'passed' : 'failed'
}

/** Starts a server that prints its URL as its first line. Rejects when it ends, or its time, before that. */
export async function startServer({ command, deadlineMs, log }: Job): Promise<RunningServer> {
  const child = start(command)
  child.stderr?.pipe(createWriteStream(log))
  let said = ''
  child.stderr?.on('data', (bytes: Buffer) => (said = `${said}${String(bytes)}`.slice(-MAX_SAID)))
  let exitCode: number | string | undefined
  const exited = exitOf(child).then((code) => (exitCode = code))
  const stop = async (): Promise<void> => {
    endGroup(child)
    await exited
  }
  const lines = createInterface({ input: child.stdout ?? process.stdin })
  const first = new Promise<string>((resolve) => lines.once('line', resolve))
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    const lost = (why: string): void =>
      reject(new Error(`The server under test ${why}. It wrote:\n${said}`))
    timer = setTimeout(() => lost(`printed no URL within ${deadlineMs} ms`), deadlineMs)
    // What it wrote last is read after its end; nobody of its group keeps that open.
    void exited.then((code) => {
      endGroup(child)
      const told = (): void => lost(`ended with ${code} before it printed its URL`)
      if (child.stderr === null || child.stderr.closed) told()
      else child.stderr.once('close', told)
    })
  })
  try {
    const url = await Promise.race([first, over])
    return { url, exitCode: () => exitCode, stop }
  } catch (error) {
    await stop()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Ends all groups that run now, for when this process is told to end. */
export function endAllGroups(): void {
  for (const leader of leaders) trySignal(systemProcesses, leader, 'SIGKILL')
  leaders.clear()
}

function start([program, ...words]: Job['command']): ChildProcess {
  // The subjects say `node` and mean the Node that runs now, whichever Node the suite itself runs on.
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  const child = spawn(program, words, {
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH },
  })
  if (child.pid !== undefined) leaders.add(child.pid)
  return child
}

function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    // Not `close`: what the child left behind may hold its pipes open.
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
}

/** Also after its leader has ended: a client that was judged may still be there. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined || !leaders.delete(pid)) return
  trySignal(systemProcesses, pid, 'SIGKILL')
}
