/** Why a process could not be started, said so that a person knows what to do. Builds errors, nothing else. */

import { statSync } from 'node:fs'
import { describeError, PilotError, TransportError } from '../../base/errors.ts'

export interface SpawnFacts {
  readonly server: string
  readonly command: string
  readonly cwd: string | undefined
}

/** A `DP_TRANSPORT_SPAWN` for what the system said; errors of our own pass through. */
export function explainSpawn(error: unknown, facts: SpawnFacts): PilotError {
  if (error instanceof PilotError) return error
  return new TransportError(
    'DP_TRANSPORT_SPAWN',
    `Cannot start the server "${facts.server}": ${reasonOf(error, facts)}`,
    { server: facts.server, cause: error, sent: 'no' },
  )
}

function reasonOf(error: unknown, { command, cwd }: SpawnFacts): string {
  // The system says "no such file" for a missing folder as well, and names the command.
  if (cwd !== undefined && !isFolder(cwd)) {
    return `its working folder "${cwd}" does not exist. Create it or correct the entry's "cwd".`
  }
  switch (codeOf(error)) {
    case 'ENOENT':
      return `there is no command "${command}". Install it, or give its full path.`
    case 'EACCES':
      return `"${command}" may not be executed. Run "chmod +x" on it, or name the interpreter as the command.`
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open. Close other connections, or raise the limit ("ulimit -n").'
    case 'EAGAIN':
    case 'ENOMEM':
      return 'the system has no room for another process. End some, or raise the limit ("ulimit -u").'
    case 'E2BIG':
      return 'its arguments and environment are too long. Shorten them.'
    case 'ENOEXEC':
      return `"${command}" is no program for this system. Name the interpreter as the command.`
    default:
      return `${describeError(error)}. Check its command, arguments and environment.`
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
