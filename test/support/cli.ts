/** Runs the built program as a process of its own, in an environment that holds nothing of this machine's language. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** The program's file; `npm test` builds it first. */
export const program: string = join(root, 'dist/cli/main.js')

/** A server for its tests, and how it is started. */
export const shellServer: readonly [string, string] = [
  process.execPath,
  join(root, 'test/fixtures/shell-server.mjs'),
]

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Text for standard input, which is closed after it. */
  readonly input?: string | Uint8Array
  /** Another copy of the program. */
  readonly program?: string
}

export interface CliRun {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
}

/** Starts the program; whoever calls ends it. */
export function startCli(
  words: readonly string[],
  options: CliOptions = {},
): ChildProcessWithoutNullStreams {
  const { HOME = '', PATH = '' } = process.env
  const child = spawn(process.execPath, [options.program ?? program, ...words], {
    cwd: options.cwd ?? root,
    env: { HOME, PATH, ...options.env },
  })
  // A program that reads nothing may be gone before its input is.
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  return child
}

/** Runs the program to its end. */
export function cli(words: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  return finished(startCli(words, options))
}

/** Everything that a started program says, once it has ended. */
export function finished(child: ChildProcessWithoutNullStreams): Promise<CliRun> {
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text))
  return new Promise((settle, reject) => {
    child.on('error', reject)
    child.on('close', (code) => settle({ stdout, stderr, code }))
  })
}

/** Settles when the program has said this on stderr. */
export function said(child: ChildProcessWithoutNullStreams, words: string): Promise<void> {
  let heard = ''
  return new Promise((settle, reject) => {
    child.stderr.on('data', (text: string | Uint8Array) => {
      heard += String(text)
      if (heard.includes(words)) settle()
    })
    child.on('close', () => reject(new Error(`It ended without saying "${words}": ${heard}`)))
  })
}
