/**
 * Runs one measurement in a process of its own: a driver under `drivers/` with its order as a JSON word,
 * whose last line on stdout is the report. Knows nothing of what is measured.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Sample } from './rounds.ts'

/** The bundle of the bench lies in a cache folder, so that files are found from the root. */
export const root: string = process.cwd()

export function benchFile(...parts: readonly string[]): string {
  return join(root, 'bench', ...parts)
}

export interface DriverOptions {
  /** Default: the Node that runs the bench. */
  readonly node?: string | undefined
  readonly nodeWords?: readonly string[]
  /** Default 180 s. */
  readonly timeoutMs?: number
}

/** Rejects with one line when the driver fails, is too slow, or says nothing. */
export async function runDriver(
  name: string,
  order: object,
  options: DriverOptions = {},
): Promise<Sample> {
  const { node = process.execPath, nodeWords = [], timeoutMs = 180_000 } = options
  const words = [...nodeWords, benchFile('drivers', `${name}.mjs`), JSON.stringify(order)]
  const { stdout, stderr, code } = await capture(node, words, { timeoutMs })
  const line = stdout.trim().split('\n').at(-1) ?? ''
  if (code !== 0 || !line.startsWith('{')) throw new Error(`${name}: ${reasonOf(stderr, code)}`)
  const sample: Sample = JSON.parse(line) // written by the driver, in the shape of a sample
  return sample
}

export interface Captured {
  readonly stdout: string
  readonly stderr: string
  /** The exit code, or the signal. */
  readonly code: number | NodeJS.Signals | null
  readonly wallMs: number
}

/** Runs a command without a shell, stdin closed; kills it after `timeoutMs`. Never rejects for its exit code. */
export async function capture(
  command: string,
  words: readonly string[],
  options: {
    readonly timeoutMs?: number
    readonly cwd?: string
    readonly env?: NodeJS.ProcessEnv
  } = {},
): Promise<Captured> {
  const start = performance.now()
  const child = spawn(command, words, {
    cwd: options.cwd ?? root,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.timeoutMs ?? 180_000,
    killSignal: 'SIGKILL',
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (stderr = (stderr + text).slice(-8192)))
  const [code, signal]: [number | null, NodeJS.Signals | null] = await endOf(child)
  return { stdout, stderr, code: signal ?? code, wallMs: performance.now() - start }
}

async function endOf(
  child: ReturnType<typeof spawn>,
): Promise<[number | null, NodeJS.Signals | null]> {
  const [code, signal]: [number | null, NodeJS.Signals | null] = (await once(
    child,
    'close',
  )) as never // Node documents this pair
  return [code, signal]
}

function reasonOf(stderr: string, code: Captured['code']): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const telling =
    lines.find((line) => /^\s*(\w*Error\b|\[?[\w:]*error)/i.test(line)) ?? lines.at(-1)
  return `${(telling ?? 'no report').trim().slice(0, 160)} (exit ${code})`
}
