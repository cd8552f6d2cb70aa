/**
 * The place of a listening socket: how it is taken and given back.
 *
 * A socket is made under a name that nobody knows and takes its place in one step, which fails when there is something. So
 * it never stands there with other permissions or without a listener, and of two servers that start at once one gets it.
 */

import { randomBytes } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { chmod, link, lstat, open, rename, unlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { basename, dirname, join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { TransportError } from '../../base/errors.ts'

/** Another name in the same folder that nobody can guess. */
export function freshPath(path: string): string {
  return join(dirname(path), `.${randomBytes(4).toString('base64url')}`)
}

/** A file as the system knows it, whatever its name is. */
export interface FileIdentity {
  readonly dev: bigint
  readonly ino: bigint
}

/**
 * Gives the socket at `fresh` its mode and the name `path`. A socket that is there and that nobody listens on any more goes;
 * everything else stays, and the promise rejects with a `TransportError`.
 */
export async function takePlace(
  fresh: string,
  path: string,
  { mode, clock }: { readonly mode: number; readonly clock: Clock },
): Promise<FileIdentity> {
  await chmod(fresh, mode)
  for (let attempt = 1; ; attempt += 1) {
    try {
      await nameAlso(fresh, path)
      return await identityOf(path)
    } catch (error) {
      if (!isCode(error, 'EEXIST') || attempt > 3) throw error
    }
    await alone(path, clock, () => clearDead(path))
  }
}

/** Removes the socket if it is still this one. */
export function leavePlace(path: string, identity: FileIdentity, clock: Clock): Promise<void> {
  return alone(path, clock, async () => {
    const there = await present(path)
    if (there?.ino === identity.ino && there.dev === identity.dev) await unlink(path)
  })
}

/** Moves a file to a name that nothing has. Renaming alone would replace what is there. */
async function nameAlso(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    // Some file systems give a socket no second name.
    if (!isCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK')) throw error
    if ((await present(to)) !== undefined) {
      throw Object.assign(new Error(`${to} exists`, { cause: error }), { code: 'EEXIST' })
    }
    return rename(from, to)
  }
  await unlink(from)
}

/** Called alone: what is found dead cannot be replaced by a living one before it goes. */
async function clearDead(path: string): Promise<void> {
  const there = await present(path)
  if (there === undefined) return
  if (!there.isSocket()) {
    throw taken(path, 'there is a file that is no socket. Choose another path')
  }
  if (await isLive(path)) {
    throw taken(path, 'another server listens there. Stop it, or choose another path')
  }
  await unlink(path)
}

/** How often a lock is looked at that somebody else holds, and from when on it is one of a process that has died, in ms. */
const LOOK_MS = 10
const STALE_MS = 5000
/** Looks until it is given up: somebody goes on taking the lock. */
const MAX_LOOKS = 2000

/**
 * Runs while no other process of ours removes anything at this path: a name can be taken in one step, but to look at what is
 * there and to remove it are two. A lock is held for milliseconds; an old one was left by a process that died.
 */
async function alone<Value>(path: string, clock: Clock, run: () => Promise<Value>): Promise<Value> {
  const lock = join(dirname(path), `.${basename(path)}.lock`)
  for (let looks = 1; ; looks += 1) {
    try {
      await (await open(lock, 'wx')).close()
      break
    } catch (error) {
      if (!isCode(error, 'EEXIST') || looks > MAX_LOOKS) throw error
    }
    const held = await present(lock)
    if (held === undefined) continue
    if (clock.wall() - Number(held.mtimeMs) > STALE_MS) await removed(lock)
    else await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve))
  }
  try {
    return await run()
  } finally {
    await removed(lock)
  }
}

async function removed(file: string): Promise<void> {
  try {
    await unlink(file)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
}

async function identityOf(path: string): Promise<FileIdentity> {
  const { dev, ino } = await lstat(path, { bigint: true })
  return { dev, ino }
}

/** Whether anybody listens. What cannot be told counts as living: nothing of others is removed on a guess. */
function isLive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path })
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', (error) => resolve(!isCode(error, 'ECONNREFUSED', 'ENOENT')))
  })
}

function taken(path: string, why: string): TransportError {
  const message = `Cannot listen on "${path}": ${why}.`
  return new TransportError('DP_TRANSPORT_CONNECT', message, {
    server: `unix:${path}`,
    sent: 'no',
    detail: { kind: 'cannot-listen', address: path },
  })
}

async function present(path: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(path, { bigint: true })
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Whether an error of the system has one of these codes. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
