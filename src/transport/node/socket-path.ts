/**
 * The place of a listening socket: whether a path can be one, and how it is taken and given back.
 *
 * A socket is made under a name that nobody knows and takes its place in one step, which fails when there is something. So
 * it never stands there with other permissions or without a listener, and of two servers that start at once one gets it.
 */

import { randomBytes } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { chmod, link, lstat, rename, unlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { TransportError, UsageError } from '../../base/errors.ts'

/** Bytes that the system keeps for the path of a socket, less its end: of Linux, and of the others. */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103

/** Throws a `UsageError` for what can be no path of a socket. */
export function checkSocketPath(path: string): void {
  const bytes = Buffer.byteLength(path)
  if (bytes === 0 || path.includes('\0')) {
    throw new UsageError('The path of a socket must not be empty or hold a zero byte.')
  }
  if (process.platform !== 'win32' && bytes > MAX_PATH_BYTES) {
    throw new UsageError(
      `The path of a socket may have ${MAX_PATH_BYTES} bytes, and this one has ${bytes}. Choose a shorter folder.`,
    )
  }
}

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
export async function takePlace(fresh: string, path: string, mode: number): Promise<FileIdentity> {
  await chmod(fresh, mode)
  for (let attempt = 1; ; attempt += 1) {
    try {
      await nameAlso(fresh, path)
      return await identityOf(path)
    } catch (error) {
      if (!isCode(error, 'EEXIST') || attempt > 3) throw error
    }
    await clearDead(path)
  }
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

/** Removes the socket if it is still this one. */
export async function leavePlace(path: string, identity: FileIdentity): Promise<void> {
  await unlinkIf(path, identity)
}

async function clearDead(path: string): Promise<void> {
  const there = await present(path)
  if (there === undefined) return
  if (!there.isSocket()) {
    throw taken(path, 'there is a file that is no socket. Choose another path')
  }
  if (await isLive(path)) {
    throw taken(path, 'another server listens there. Stop it, or choose another path')
  }
  await unlinkIf(path, there)
}

/**
 * Takes the file away under another name first, and looks at it there: between the look and the removal somebody else may
 * have put a living socket in its place, which then goes back.
 */
async function unlinkIf(path: string, identity: FileIdentity): Promise<void> {
  const aside = freshPath(path)
  try {
    await rename(path, aside)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  const found = await identityOf(aside)
  if (found.ino === identity.ino && found.dev === identity.dev) return unlink(aside)
  try {
    await nameAlso(aside, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    // A third one has come meanwhile: that of the second one has lost its place, as if it had come later.
    await unlink(aside)
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
  return new TransportError('DP_TRANSPORT_CONNECT', message, { server: `unix:${path}`, sent: 'no' })
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
