/** The program run within this process, for what starts no server and reads no terminal: its words, and what it says. */
import { run } from '../../src/cli/run.ts'
import type { CliRun } from './cli.ts'

export interface InProcessOptions {
  /** Columns of a terminal that both streams are. Default: none of them is one. */
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
}

export async function cliHere(
  words: readonly string[],
  { columns, env = {} }: InProcessOptions = {},
): Promise<CliRun> {
  const heard = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof heard) => ({
    ...(columns !== undefined && { isTTY: true, columns }),
    write: (data: string | Uint8Array) => {
      heard[name] += typeof data === 'string' ? data : new TextDecoder().decode(data)
      return true
    },
    on: () => undefined,
  })
  const code = await run(words, {
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    env: { NO_COLOR: '1', ...env },
    signals: { on: () => undefined, off: () => undefined, exit: () => undefined },
    program: '',
  })
  return { ...heard, code }
}
