/**
 * A record of every process that a host started, on disk, so that the next host finds and ends what a killed one left behind.
 *
 * The watchdog of the transport does the same within a moment; this is for when it was killed as well. A process is ended only
 * when it is surely the one that was recorded, and its host is surely gone; on Windows, which does not tell, none is.
 */

import { readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { systemClock, type Clock } from '../base/clock.ts'
import { describeError } from '../base/errors.ts'
import { silentLogger, type Logger } from '../base/log.ts'
import { makeFolder } from '../config/node/make-folder.ts'
import { systemProcesses, trySignal } from '../transport/node/process-group.ts'
import { systemTable, type ProcessTable } from './process-identity.ts'

/** Who must hear of the processes that are started for servers. */
export interface JobPort {
  started(server: string, pid: number, command: string): void
  /** Nobody is left of it. */
  ended(pid: number): void
}

/** A process as it stands in the records. */
export interface Job {
  /** The key of the server in the configuration. */
  readonly server: string
  readonly pid: number
  /** The program, without its arguments: they may hold secrets. */
  readonly command: string
  /** The process of the host that started it. */
  readonly hostPid: number
  /** Milliseconds since 1970. */
  readonly since: number
  /** Whether it, or something that it started, still runs. */
  readonly alive: boolean
  /** Whether its host is gone. */
  readonly orphan: boolean
}

interface JobRecord extends Omit<Job, 'alive' | 'orphan'> {
  readonly version: 1
  readonly beginning: string | undefined
  readonly hostBeginning: string | undefined
}

interface StoredJob {
  readonly path: string
  readonly record: JobRecord
}

export interface JobOptions {
  readonly table?: ProcessTable
  readonly logger?: Logger
  readonly clock?: Clock
  /** Ends a group at once. Default: the system's `SIGKILL`. */
  readonly kill?: (leader: number) => void
}

/** Records that are looked at; what lies beyond is left for the next time. */
const MAX_RECORDS = 10_000
const MAX_RECORD_BYTES = 16_384
const MAX_COMMAND = 1000

/** The records of one host. Failures are logged and stop nothing: a server that is not recorded still runs. */
export class JobBook implements JobPort {
  readonly #folder: string
  readonly #table: ProcessTable
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #hostBeginning: string | undefined
  readonly #paths = new Map<number, string>()

  /** Keeps its records in `jobs` below the folder of state. */
  constructor(home: string, options: JobOptions = {}) {
    this.#folder = jobFolder(home)
    this.#table = options.table ?? systemTable
    this.#logger = (options.logger ?? silentLogger).module('host.jobs')
    this.#clock = options.clock ?? systemClock
    this.#hostBeginning = this.#table.beginning(process.pid)
  }

  started(server: string, pid: number, command: string): void {
    const path = join(this.#folder, `${process.pid}-${pid}.json`)
    const record: JobRecord = {
      version: 1,
      server,
      pid,
      command: command.slice(0, MAX_COMMAND),
      beginning: this.#table.beginning(pid),
      hostPid: process.pid,
      hostBeginning: this.#hostBeginning,
      since: this.#clock.wall(),
    }
    try {
      makeFolder(this.#folder)
      // At once and whole: the host may be killed with the next instruction.
      writeFileSync(path, `${JSON.stringify(record)}\n`, { mode: 0o600 })
      this.#paths.set(pid, path)
    } catch (error) {
      this.#logger.warn(
        'A server could not be recorded; it may stay behind if this process is killed',
        {
          server,
          reason: describeError(error),
        },
      )
    }
  }

  ended(pid: number): void {
    const path = this.#paths.get(pid)
    if (path === undefined) return
    this.#paths.delete(pid)
    forget(path)
  }
}

/** Every recorded process, oldest first, also of hosts that run. What cannot be read is left out. */
export function listJobs(home: string, options: JobOptions = {}): readonly Job[] {
  const table = options.table ?? systemTable
  return storedJobs(home)
    .map(({ record }): Job => {
      const { server, pid, command, hostPid, since } = record
      const orphan = !isSame(table, hostPid, record.hostBeginning)
      return { server, pid, command, hostPid, since, orphan, alive: isLeft(table, record) }
    })
    .toSorted((a, b) => a.since - b.since)
}

/** Ends what hosts that are gone left behind, forgets what has ended, and gives what was ended. */
export function endOrphans(home: string, options: JobOptions = {}): readonly Job[] {
  const table = options.table ?? systemTable
  const logger = (options.logger ?? silentLogger).module('host.jobs')
  const kill = options.kill ?? ((leader: number) => trySignal(systemProcesses, leader, 'SIGKILL'))
  const ended: Job[] = []
  for (const { path, record } of storedJobs(home)) {
    if (isSame(table, record.hostPid, record.hostBeginning)) continue
    if (isLeft(table, record)) {
      const { server, pid, command, hostPid, since } = record
      kill(pid)
      ended.push({ server, pid, command, hostPid, since, orphan: true, alive: true })
      logger.warn('Ended a server that a killed host left behind', { server, pid, command })
    }
    forget(path)
  }
  forgetTorn(home, table)
  return ended
}

/** Records that a killed host did not come to write whole: nothing can be learnt from them, and nobody else takes them away. */
function forgetTorn(home: string, table: ProcessTable): void {
  for (const path of recordPaths(home)) {
    const host = Number(basename(path).split('-')[0])
    try {
      if (!table.isAlive(host) && !readShort(path).endsWith('\n')) forget(path)
    } catch {
      // It is gone already.
    }
  }
}

/** Whether a process is the one that a record means. Where the system tells nothing, it is not known to be, except for this one. */
function isSame(table: ProcessTable, pid: number, was: string | undefined): boolean {
  if (pid === process.pid) return was === table.beginning(pid)
  if (!table.isAlive(pid)) return false
  // A host of which nothing is known is let live: rather one orphan too many than the server of somebody else.
  return was === undefined || table.beginning(pid) === was
}

/**
 * Whether something of a job runs. A leader that is gone leaves its number to its group: the system gives it to nobody else
 * as long as somebody is in there.
 */
function isLeft(table: ProcessTable, { pid, beginning }: JobRecord): boolean {
  if (table.isAlive(pid)) return beginning !== undefined && table.beginning(pid) === beginning
  return beginning !== undefined && table.isGroupAlive(pid)
}

function jobFolder(home: string): string {
  return join(home, 'jobs')
}

function storedJobs(home: string): readonly StoredJob[] {
  return recordPaths(home).flatMap((path) => {
    const record = readRecord(path)
    return record === undefined ? [] : [{ path, record }]
  })
}

function recordPaths(home: string): readonly string[] {
  const folder = jobFolder(home)
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch {
    return [] // nothing was ever started from here
  }
  return names
    .filter((name) => /^\d{1,10}-\d{1,10}\.json$/.test(name))
    .slice(0, MAX_RECORDS)
    .map((name) => join(folder, name))
}

/** A record as we write it; anything else is not ours to act upon. */
function readRecord(path: string): JobRecord | undefined {
  try {
    const value: unknown = JSON.parse(readShort(path))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined // half written, or taken away by its owner meanwhile
  }
}

/** Throws for a file that is gone, and gives nothing of one that is too long to be a record. */
function readShort(path: string): string {
  return statSync(path).size > MAX_RECORD_BYTES ? '' : readFileSync(path, 'utf8')
}

function isRecord(value: unknown): value is JobRecord {
  if (typeof value !== 'object' || value === null) return false
  const record: Partial<Record<keyof JobRecord, unknown>> = value
  return (
    record.version === 1 &&
    typeof record.server === 'string' &&
    typeof record.command === 'string' &&
    typeof record.since === 'number' &&
    isPid(record.pid) &&
    isPid(record.hostPid) &&
    isTextOrAbsent(record.beginning) &&
    isTextOrAbsent(record.hostBeginning)
  )
}

/** Numbers of processes that may be ended: not the first one, and no group of everybody. */
function isPid(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 1
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function forget(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Somebody else was faster.
  }
}
