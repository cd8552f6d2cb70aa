/**
 * A server under test as a process, seen from the side of a client that may write any bytes and read when it likes.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { isJsonObject, type JsonObject } from '../../src/base/json.ts'

export interface ServerProcess {
  readonly child: ChildProcessWithoutNullStreams
  /** Lines of standard output, as text. */
  readonly lines: readonly string[]
  /** What was written to standard error. */
  readonly stderr: () => string
  /** Exit code, or the signal that ended it. */
  readonly exited: Promise<number | string>
  send(...messages: readonly (JsonObject | string)[]): void
  /** The first answer under that id, now or later; rejects when the process ends without it. */
  answer(id: unknown): Promise<JsonObject>
  answers(): readonly JsonObject[]
}

const running: ServerProcess[] = []

/** Starts a module with words; `deaf` does not read its output until `child.stdout.resume()`. */
export function startServer(
  file: string,
  words: readonly string[] = [],
  deaf = false,
): ServerProcess {
  const child = spawn(process.execPath, [file, ...words], { stdio: 'pipe' })
  const lines: string[] = []
  let stderr = ''
  let rest = ''
  const waiting = new Map<unknown, { found(answer: JsonObject): void; lost(error: Error): void }>()
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      lines.push(line)
      if (waiting.size === 0) continue
      const answer = read(line)
      waiting.get(answer?.['id'])?.found(answer ?? {})
    }
  })
  if (deaf) child.stdout.pause()
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => (stderr += text))
  // A server that has gone does not read any more.
  child.stdin.on('error', () => undefined)
  const exited = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => {
      resolve(code ?? signal ?? 'unknown')
      for (const one of waiting.values()) one.lost(new Error(`The server ended. stderr: ${stderr}`))
    })
  })
  const server: ServerProcess = {
    child,
    lines,
    stderr: () => stderr,
    exited,
    send(...messages) {
      const texts = messages.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
      child.stdin.write(`${texts.join('\n')}\n`)
    },
    answers: () => lines.map(read).filter((one) => one !== undefined),
    answer(id) {
      const known = this.answers().find((one) => one['id'] === id)
      if (known !== undefined) return Promise.resolve(known)
      return new Promise((found, lost) => void waiting.set(id, { found, lost }))
    },
  }
  running.push(server)
  return server
}

/** Ends every process that `startServer` started. */
export async function endServers(): Promise<void> {
  for (const { child, exited } of running.splice(0)) {
    child.kill('SIGKILL')
    child.stdout.resume()
    await exited
  }
}

function read(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isJsonObject(value) && !('method' in value) ? value : undefined
  } catch {
    return undefined // not JSON: whoever asks looks at the lines
  }
}

/** Bytes of memory that a process holds now, where the system tells. */
export function memoryOf(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return undefined
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(file, 'utf8')) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}

export const initialize: JsonObject = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'hard-client', version: '1' },
  },
}
export const initialized: JsonObject = { jsonrpc: '2.0', method: 'notifications/initialized' }
export const ping = (id: string | number): JsonObject => ({ jsonrpc: '2.0', id, method: 'ping' })
export const callOf = (id: string | number, name: string, args: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})
