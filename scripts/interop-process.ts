/**
 * Programs of peers as processes, each the head of a group of its own, so that nothing of it is left: servers that tell their
 * address, and clients that write a line for each step. What they say on standard error is kept to its last part.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

const STDERR_CHARS = 2000
const START_MS = 30_000
const END_MS = 2000

/** A server that listens. */
export interface RunningServer {
  /** What it wrote as its first line. */
  readonly url: string
  stderr(): string
  close(): Promise<void>
}

export interface Place {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
}

/** Starts a server and waits for its address, which is its first line. */
export async function startServer(
  command: readonly [string, ...string[]],
  place: Place,
): Promise<RunningServer> {
  const program = start(command, place)
  const first = new Promise<string>((found) => {
    createInterface({ input: program.child.stdout ?? process.stdin }).once('line', found)
  })
  const ended = program.ended.then((how) => {
    throw new Error(`the server ended (${how}) without an address: ${program.stderr()}`)
  })
  ended.catch(() => undefined)
  try {
    const url = await Promise.race([first, ended, late(`no address from ${command.join(' ')}`)])
    return { url, stderr: () => program.stderr(), close: () => program.close() }
  } catch (error) {
    await program.close()
    throw error
  }
}

/** Starts a program whose lines nobody waits for. */
export function startProgram(
  command: readonly [string, ...string[]],
  place: Place,
): { readonly ended: Promise<string>; stderr(): string; close(): Promise<void> } {
  const program = start(command, place)
  program.child.stdout?.resume()
  return program
}

/** Runs a program to its end, or for as long as `limitMs`; gives its lines. */
export async function linesOf(
  command: readonly [string, ...string[]],
  place: Place & { readonly limitMs: number },
): Promise<{ readonly lines: readonly string[]; readonly how: string; readonly stderr: string }> {
  const program = start(command, place)
  const lines: string[] = []
  createInterface({ input: program.child.stdout ?? process.stdin }).on(
    'line',
    (line) => void lines.push(line),
  )
  const gaveUp = new AbortController()
  const limit = pause(place.limitMs, 'took too long', { signal: gaveUp.signal }).catch(() => '')
  const how = await Promise.race([program.ended, limit])
  gaveUp.abort()
  await program.close()
  return { lines, how, stderr: program.stderr() }
}

interface Program {
  readonly child: ChildProcess
  /** Settles with how it ended, when its output has ended as well. */
  readonly ended: Promise<string>
  stderr(): string
  close(): Promise<void>
}

function start([file, ...args]: readonly [string, ...string[]], { cwd, env }: Place): Program {
  const child = spawn(file, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...(env === undefined ? {} : { env }),
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARS)
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(`exit ${code ?? signal}`))
  })
  return {
    child,
    ended,
    stderr: () => stderr,
    async close() {
      signalGroup(child, 'SIGTERM')
      const gaveUp = new AbortController()
      const limit = pause(END_MS, undefined, { signal: gaveUp.signal }).catch(() => undefined)
      await Promise.race([ended, limit])
      gaveUp.abort()
      signalGroup(child, 'SIGKILL')
    },
  }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // Nobody of the group is left.
  }
}

async function late(what: string): Promise<never> {
  await pause(START_MS, undefined, { ref: false })
  throw new Error(what)
}
