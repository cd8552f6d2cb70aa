/**
 * Which process a number means: numbers are used again, so a process is its number and the moment that it began at.
 *
 * Only asks the system; ends nothing.
 */

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Where the answers come from; tests put a small one in place. */
export interface ProcessTable {
  /** A text that no other process of this number ever has; undefined when there is none, or the system does not tell. */
  beginning(pid: number): string | undefined
  /** Whether a process of that number lives, zombies left out. */
  isAlive(pid: number): boolean
  /** Whether anybody lives in a group; where there are no groups, whether its leader does. */
  isGroupAlive(leader: number): boolean
}

/** That of this machine. */
export const systemTable: ProcessTable = {
  beginning,
  isAlive,
  isGroupAlive,
}

function beginning(pid: number): string | undefined {
  if (process.platform === 'linux') {
    const fields = statOf(pid)
    // Ticks since the machine started: the name of that start belongs to it.
    return fields === undefined ? undefined : `${bootId()} ${fields[STARTED] ?? ''}`
  }
  return askSystem(pid)
}

function isAlive(pid: number): boolean {
  if (process.platform === 'linux') {
    const state = statOf(pid)?.[STATE]
    return state !== undefined && state !== 'Z' && state !== 'X'
  }
  return isReachable(pid)
}

function isGroupAlive(leader: number): boolean {
  if (process.platform === 'win32') return isReachable(leader)
  if (process.platform !== 'linux') return isReachable(-leader)
  return processIds().some((pid) => {
    const fields = statOf(pid)
    const state = fields?.[STATE]
    return Number(fields?.[GROUP]) === leader && state !== 'Z' && state !== 'X'
  })
}

/** Places in the fields behind the name of the program. */
const STATE = 0
const GROUP = 2
const STARTED = 19

/** What Linux says of a process, from its state on: the name before it may hold any character. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    // As UTF-8, which Node reads in one step; what is no text is in the name alone.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined // there is none, or it ended while we looked
  }
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d{1,10}$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

let boot: string | undefined

function bootId(): string {
  try {
    boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    boot = 'unknown'
  }
  return boot
}

function isReachable(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Longest wait for the program that knows; it answers in milliseconds. */
const ASK_MS = 5000

/** Windows tells only by a program that takes longer than a server to start: there the watchdog has to do. */
function askSystem(pid: number): string | undefined {
  if (process.platform === 'win32') return undefined
  try {
    const said = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      timeout: ASK_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    }).trim()
    return said === '' ? undefined : said
  } catch {
    return undefined // no such process, or no such program: what is not known is not touched
  }
}
