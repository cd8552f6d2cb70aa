/**
 * What people approved: project files by path and hash of their bytes, so that a file that changes by one byte asks again.
 * Kept in `approvals.json` of the state folder, for the user alone.
 *
 * A store that is broken, or that others may write to, approves nothing.
 */

import { createHash } from 'node:crypto'
import { realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { systemClock, type Clock } from '../../base/clock.ts'
import { ConfigError } from '../../base/errors.ts'
import { exceedsDepth, isJsonObject } from '../../base/json.ts'
import { readTextIfThere } from './read-text.ts'
import { writeFileWhole } from './write-private.ts'
import { launchText, type ServerEntry } from '../entry.ts'

/** One approval. */
export interface Approval {
  /** Absolute, links followed. */
  readonly path: string
  /** Of the bytes of the file. */
  readonly sha256: string
  /** When, as ISO 8601. */
  readonly at: string
  /** Hash of what starts or reaches each server, by its key; tells later which of them changed. */
  readonly launches: Readonly<Record<string, string>>
}

export interface ApproveRequest {
  readonly path: string
  readonly sha256: string
  readonly entries: readonly ServerEntry[]
}

export interface ApprovalStore {
  isApproved(path: string, sha256: string): Promise<boolean>
  /** The latest approval of a file, of whatever bytes. */
  latest(path: string): Promise<Approval | undefined>
  approve(request: ApproveRequest): Promise<Approval>
  /** Takes back every approval of a file; tells how many there were. */
  revoke(path: string): Promise<number>
}

/** Approvals kept; the oldest go first. */
const MAX_APPROVALS = 1000

/** The hash of what starts or reaches a server. */
export function launchHash(entry: ServerEntry): string {
  return createHash('sha256').update(launchText(entry)).digest('hex')
}

/** The store of a state folder. Reads the file at each question, as another run may have written it. */
export function openApprovals(home: string, clock: Clock = systemClock): ApprovalStore {
  const file = join(home, 'approvals.json')
  return {
    async isApproved(path, sha256) {
      const real = await realPath(path)
      const all = await readAll(file)
      return all.some((one) => one.path === real && one.sha256 === sha256)
    },
    async latest(path) {
      const real = await realPath(path)
      return (await readAll(file)).findLast((one) => one.path === real)
    },
    async approve({ path, sha256, entries }) {
      const approval: Approval = {
        path: await realPath(path),
        sha256,
        at: new Date(clock.wall()).toISOString(),
        launches: Object.fromEntries(entries.map((entry) => [entry.key, launchHash(entry)])),
      }
      const others = (await readAll(file)).filter(
        (one) => one.path !== approval.path || one.sha256 !== sha256,
      )
      await writeAll(file, [...others, approval].slice(-MAX_APPROVALS))
      return approval
    },
    async revoke(path) {
      const real = await realPath(path)
      const all = await readAll(file)
      const rest = all.filter((one) => one.path !== real)
      if (rest.length < all.length) await writeAll(file, rest)
      return all.length - rest.length
    },
  }
}

async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    // A file that is gone keeps the name it was approved by.
    return resolve(path)
  }
}

function writeAll(file: string, files: readonly Approval[]): Promise<void> {
  return writeFileWhole(file, `${JSON.stringify({ version: 1, files }, undefined, 2)}\n`, {
    mode: 0o600,
  })
}

async function readAll(file: string): Promise<readonly Approval[]> {
  try {
    const found = await readTextIfThere(file)
    if (found === undefined || exceedsDepth(found.text) || (await isOpenToOthers(file))) return []
    const value: unknown = JSON.parse(found.text)
    if (!isJsonObject(value) || value['version'] !== 1 || !Array.isArray(value['files'])) return []
    return value['files'].flatMap(approvalOf)
  } catch (error) {
    if (error instanceof ConfigError || error instanceof SyntaxError) return []
    throw error
  }
}

async function isOpenToOthers(file: string): Promise<boolean> {
  if (process.platform === 'win32') return false
  const { mode, uid } = await stat(file)
  return (mode & 0o022) !== 0 || (process.getuid !== undefined && uid !== process.getuid())
}

function approvalOf(value: unknown): readonly Approval[] {
  if (!isJsonObject(value)) return []
  const { path, sha256, at, launches } = value
  if (typeof path !== 'string' || typeof sha256 !== 'string' || typeof at !== 'string') return []
  const hashes = Object.entries(isJsonObject(launches) ? launches : {}).flatMap(([key, hash]) =>
    typeof hash === 'string' ? [[key, hash] as const] : [],
  )
  return [{ path, sha256, at, launches: Object.fromEntries(hashes) }]
}
