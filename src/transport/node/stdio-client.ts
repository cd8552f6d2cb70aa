/**
 * Starts a server as a child process and speaks with it over its standard streams.
 *
 * It carries lines and knows no JSON. What the process writes to stderr becomes notes and a bounded tail for
 * errors; it is never taken for a sign of failure.
 */

import { systemClock, type Clock } from '../../base/clock.ts'
import { CancelledError } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import type { Link, LinkPort, Transport } from '../../jsonrpc/link.ts'
import { childEnvironment, startTimeoutFor, type Environment } from './process.ts'
import { systemProcesses, type ProcessPort } from './process-group.ts'
import { startProcess, type GroupWatch, type ProgramStart } from './server-process.ts'
import { explainSpawn } from './spawn-error.ts'
import { StdioLink } from './stdio-link.ts'
import { hostWatchdog } from './watchdog.ts'
import { resolveWindowsCommand, windowsFiles } from './windows-command.ts'

export interface StdioOptions {
  /** A program on PATH or a path to one. No shell reads it. */
  readonly command: string
  /** Default none. Handed over as they are. */
  readonly args?: readonly string[]
  /**
   * Variables on top of the few harmless ones a server gets (`childEnvironment`), `undefined` takes one away.
   * The rest of this process's environment is never passed on.
   */
  readonly env?: Environment
  /** Default: that of this process. */
  readonly cwd?: string
  /** For people. Default: the command. */
  readonly name?: string
  /** Gets the raw bytes of stderr, beside the notes on the wire. Must not throw. Default none. */
  readonly onStderr?: (bytes: Uint8Array) => void
  /** Milliseconds from the end of input to `SIGTERM`. Default 2,000. */
  readonly stopEofMs?: number
  /** Milliseconds from `SIGTERM` to `SIGKILL`. Default 2,000. */
  readonly stopTermMs?: number
  /** Milliseconds a write may be stuck before the link is given up. Default 30,000. */
  readonly stallMs?: number
  /** Ends servers when this process is killed; `false` does without. Default: one watchdog a process. */
  readonly watch?: GroupWatch | false
  /** Hears when the watchdog cannot run. Default silent. */
  readonly logger?: Logger
  readonly clock?: Clock
  /** How processes are started and signalled; tests make it fail. */
  readonly processes?: ProcessPort
}

/** A transport whose every `open` starts a process of its own. Closing the link ends all of it. // STDIO-01 */
export function stdio(options: StdioOptions): Transport {
  const name = options.name ?? options.command
  return {
    name,
    startTimeoutMs: startTimeoutFor(options.command, options.args),
    open: (port, signal) => openStdio(name, options, { port, signal }),
  }
}

const STOP_MS = 2000
const STALL_MS = 30_000

interface Opening {
  readonly port: LinkPort
  readonly signal: AbortSignal | undefined
}

async function openStdio(name: string, options: StdioOptions, opening: Opening): Promise<Link> {
  const { port, signal } = opening
  if (signal?.aborted === true) {
    throw new CancelledError(`Starting "${name}" was cancelled.`, {
      server: name,
      reason: signal.reason,
    })
  }
  const processes = options.processes ?? systemProcesses
  try {
    const started = await startProcess(processes, programOf(name, options))
    return new StdioLink(started, {
      name,
      port,
      processes,
      clock: options.clock ?? systemClock,
      watch: options.watch === false ? undefined : (options.watch ?? hostWatchdog(options.logger)),
      stopEofMs: options.stopEofMs ?? STOP_MS,
      stopTermMs: options.stopTermMs ?? STOP_MS,
      stallMs: options.stallMs ?? STALL_MS,
      onStderr: options.onStderr,
    })
  } catch (error) {
    throw explainSpawn(error, { server: name, command: options.command, cwd: options.cwd })
  }
}

function programOf(name: string, options: StdioOptions): ProgramStart {
  const windows = process.platform === 'win32'
  const env = childEnvironment(process.env, options.env ?? {}, process.platform)
  const args = options.args ?? []
  const program = windows
    ? resolveWindowsCommand(options.command, args, {
        server: name,
        env,
        cwd: options.cwd ?? process.cwd(),
        nodePath: process.execPath,
        files: windowsFiles,
      })
    : { file: options.command, args }
  return {
    ...program,
    options: {
      env,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      // A group of its own, out of reach of the terminal's Ctrl-C. Windows would open a window for it.
      detached: !windows,
      windowsHide: true,
    },
  }
}
