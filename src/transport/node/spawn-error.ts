/** Why a process could not be started, said so that a person knows what to do. Builds errors, nothing else. */

import { statSync } from 'node:fs'
import type { SpawnWhy } from '../../base/error-detail.ts'
import { describeError, PilotError, TransportError } from '../../base/errors.ts'

export interface SpawnFacts {
  readonly server: string
  readonly command: string
  readonly cwd: string | undefined
}

/** A `DP_TRANSPORT_SPAWN` for what the system said; errors of our own pass through. */
export function explainSpawn(error: unknown, facts: SpawnFacts): PilotError {
  if (error instanceof PilotError) return error
  const why = whyOf(error, facts)
  return new TransportError(
    'DP_TRANSPORT_SPAWN',
    `Cannot start the server "${facts.server}": ${reasonOf(why, error, facts)}`,
    {
      server: facts.server,
      cause: error,
      sent: 'no',
      detail: {
        kind: 'spawn',
        why,
        command: facts.command,
        folder: facts.cwd,
        ...(why === 'system' && { reason: describeError(error) }),
      },
    },
  )
}

const WHYS: ReadonlyMap<unknown, SpawnWhy> = new Map<unknown, SpawnWhy>([
  ['ENOENT', 'no-command'],
  ['EACCES', 'not-executable'],
  ['EMFILE', 'open-files'],
  ['ENFILE', 'open-files'],
  ['EAGAIN', 'no-room'],
  ['ENOMEM', 'no-room'],
  ['E2BIG', 'too-long'],
  ['ENOEXEC', 'no-program'],
])

function whyOf(error: unknown, { cwd }: SpawnFacts): SpawnWhy {
  // The system says "no such file" for a missing folder as well, and names the command.
  if (cwd !== undefined && !isFolder(cwd)) return 'no-folder'
  return WHYS.get(codeOf(error)) ?? 'system'
}

function reasonOf(why: SpawnWhy, error: unknown, { command, cwd = '' }: SpawnFacts): string {
  switch (why) {
    case 'no-folder':
      return `its working folder "${cwd}" does not exist. Create it or correct the entry's "cwd".`
    case 'no-command':
      return `there is no command "${command}". Install it, or give its full path.`
    case 'not-executable':
      return `"${command}" may not be executed. Run "chmod +x" on it, or name the interpreter as the command.`
    case 'open-files':
      return 'too many files are open. Close other connections, or raise the limit ("ulimit -n").'
    case 'no-room':
      return 'the system has no room for another process. End some, or raise the limit ("ulimit -u").'
    case 'too-long':
      return 'its arguments and environment are too long. Shorten them.'
    case 'no-program':
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
