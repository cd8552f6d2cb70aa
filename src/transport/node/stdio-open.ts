/**
 * A server's process, from the options to the link: loaded when the first is started.
 *
 * The link carries lines and knows no JSON. What the process writes to stderr becomes notes and a bounded tail for
 * errors; it is never taken for a sign of failure.
 */

import { systemClock } from '../../base/clock.ts'
import { CancelledError } from '../../base/errors.ts'
import type { Link, LinkPort } from '../../jsonrpc/link.ts'
import { childEnvironment } from './process.ts'
import { systemProcesses } from './process-group.ts'
import { startProcess, type ProgramStart } from './server-process.ts'
import { explainSpawn } from './spawn-error.ts'
import { StdioLink } from './stdio-link.ts'
import type { StdioOptions } from './stdio-options.ts'
import { hostWatchdog } from './watchdog.ts'
import { resolveWindowsCommand, windowsFiles } from './windows-command.ts'

const STOP_MS = 2000
const STALL_MS = 30_000

interface Opening {
  readonly port: LinkPort
  readonly signal: AbortSignal | undefined
}

/** Starts a process and gives the link to it. Rejects with a `TransportError` that says why it could not be started. */
export async function openStdio(
  name: string,
  options: StdioOptions,
  opening: Opening,
): Promise<Link> {
  const { port, signal } = opening
  if (signal?.aborted === true) {
    throw new CancelledError(`Starting "${name}" was cancelled.`, {
      server: name,
      reason: signal.reason,
    })
  }
  const processes = options.processes ?? systemProcesses
  const watch =
    options.watch === false ? undefined : (options.watch ?? hostWatchdog(options.logger))
  try {
    const started = await startProcess(processes, programOf(name, options), watch)
    return new StdioLink(started, {
      name,
      port,
      processes,
      clock: options.clock ?? systemClock,
      watch,
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
