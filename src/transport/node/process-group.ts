/**
 * Starting processes and signalling whole groups of them: all that the transports ask of the system.
 *
 * Both calls go through a port, so that a test can make the Nth of them fail. A group is named by the id of
 * the process that leads it; a server leads its own, and whatever it starts is in there too.
 */

import { spawn, type ChildProcessByStdio, type SpawnOptions } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'

/** A child whose three streams are pipes of ours. */
export type PipedProcess = ChildProcessByStdio<Writable, Readable, Readable>

/** The system, as far as processes go. */
export interface ProcessPort {
  /** Starts a program without a shell, all three streams as pipes. May throw, and may fail later by an event. */
  start(file: string, args: readonly string[], options: SpawnOptions): PipedProcess
  /** Sends a signal to a group. Throws as `process.kill` does. */
  signalGroup(leader: number, signal: NodeJS.Signals): void
  /** Whether anybody is left in a group whose leader has ended. */
  isGroupAlive(leader: number): boolean
}

/** The real thing. On Windows a signal ends the tree of processes at once, for there is nothing gentler. */
export const systemProcesses: ProcessPort = {
  start: (file, args, options) => spawn(file, args, { ...options, shell: false, stdio: 'pipe' }),
  signalGroup: sendSignal,
  isGroupAlive: (leader) =>
    // On Windows the end of the leader is all that can be known.
    process.platform !== 'win32' && isReachable(leader) && !isGroupOfZombies(leader),
}

/** Signals a group, whether or not anybody is left in it. */
export function trySignal(processes: ProcessPort, leader: number, signal: NodeJS.Signals): void {
  try {
    processes.signalGroup(leader, signal)
  } catch {
    // Nobody is there, or somebody who may not be signalled: looking at the group tells what it came to.
  }
}

function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function sendSignal(leader: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') signalTree(leader)
  else process.kill(-leader, signal)
}

function isReachable(leader: number): boolean {
  try {
    process.kill(-leader, 0)
    return true
  } catch (error) {
    // Somebody is there who may not be signalled; on macOS that is also the word for a group of zombies.
    return isErrorCode(error, 'EPERM') && process.platform !== 'darwin'
  }
}

/**
 * Whether all that is left of a group are entries that nobody has collected: they can be signalled, but are
 * dead. In a container whose first process does not collect orphans they stay for ever. Linux only, for it
 * has a folder to look in; elsewhere, and on very full systems, the answer is no.
 */
function isGroupOfZombies(leader: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    const ids = readdirSync('/proc').filter((name) => /^\d+$/u.test(name))
    return ids.length <= MAX_LOOKED_AT && !ids.some((id) => isLiving(id, leader))
  } catch {
    return false // No such folder here: what the signal said stands.
  }
}

const MAX_LOOKED_AT = 5000

function isLiving(id: string, leader: number): boolean {
  let stat: string
  try {
    stat = readFileSync(`/proc/${id}/stat`, 'latin1')
  } catch {
    return false // It ended while we looked.
  }
  // The name of the program is in brackets and may contain any character.
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(group) === leader && state !== 'Z' && state !== 'X'
}

function signalTree(leader: number): void {
  const killer = spawn('taskkill', ['/T', '/F', '/PID', String(leader)], {
    shell: false,
    stdio: 'ignore',
    windowsHide: true,
  })
  // No such program: then the process itself is all that can be ended, if it is still there.
  killer.on('error', () =>
    trySignal({ ...systemProcesses, signalGroup: killOne }, leader, 'SIGKILL'),
  )
  killer.unref()
}

function killOne(id: number, signal: NodeJS.Signals): void {
  process.kill(id, signal)
}
