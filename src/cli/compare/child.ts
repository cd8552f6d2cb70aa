/** A process of a comparison: started, waited for until it says that it is ready, killed and waited for. */

import { spawn } from 'node:child_process'
import { TransportError } from '../../base/errors.ts'
import { isJsonObject, type JsonObject } from '../../base/json.ts'

export interface Child {
  /** Its first line on standard output. */
  readonly ready: JsonObject
  /** Ends it at once and gives the signal that it died of, or its exit code. */
  kill(): Promise<string>
}

/** Longest wait for the first line, in ms. */
const PATIENCE_MS = 20_000
/** Longest first line, in characters. */
const MAX_LINE = 65_536

/** Starts this program in a role. Rejects when it ends without a word, and leaves nothing behind when `signal` aborts. */
export async function startChild(
  program: string,
  words: readonly string[],
  signal: AbortSignal,
): Promise<Child> {
  signal.throwIfAborted()
  const child = spawn(process.execPath, [program, ...words], {
    shell: false,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const gone = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, name) => resolve(name ?? `exit code ${code}`))
  })
  const kill = (): Promise<string> => {
    child.kill('SIGKILL')
    return gone
  }
  const drop = (): void => void kill()
  signal.addEventListener('abort', drop, { once: true })
  void gone.then(() => signal.removeEventListener('abort', drop))
  const late = setTimeout(drop, PATIENCE_MS)
  const line = await Promise.race([firstLine(child.stdout), gone.then(() => undefined)])
  clearTimeout(late)
  signal.throwIfAborted()
  const ready: unknown = line === undefined ? undefined : JSON.parse(line)
  if (isJsonObject(ready)) return { ready, kill }
  const how = await kill()
  throw new TransportError(
    'DP_TRANSPORT_SPAWN',
    `A process of the comparison did not start (${how}). Run the command again with --log-level debug.`,
    { sent: 'no', detail: { kind: 'own-process', how } },
  )
}

function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  return new Promise((resolve) => {
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string | Uint8Array) => {
      if (text.length < MAX_LINE) text += String(chunk)
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end))
    })
  })
}
