/** Configuration files of other hosts on this machine, for who wants to import them. Looks only; opens none of them. */

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostShape } from '../entry.ts'
import type { Environment } from '../expand.ts'
import { SHAPES } from '../imports/find-groups.ts'
import { userFolder } from './home.ts'

export interface FoundFile {
  readonly host: HostShape
  /** The name of the host, for people. */
  readonly title: string
  readonly path: string
}

export interface SearchOptions {
  readonly cwd: string
  readonly env: Environment
  /** Default: every host. */
  readonly host?: HostShape
  /** Default: that of this process. */
  readonly platform?: string
}

/** The files that are there, in the order of the hosts. */
export async function findKnownFiles({
  cwd,
  env,
  host,
  platform = process.platform,
}: SearchOptions): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = []
  for (const { name, title, files } of SHAPES) {
    if (host !== undefined && host !== name) continue
    for (const file of files) {
      if (file.platform !== undefined && file.platform !== platform) continue
      const path = pathOf(file.path, { cwd, env })
      if (path !== undefined && (await isFile(path))) found.push({ host: name, title, path })
    }
  }
  return found
}

function pathOf(
  pattern: string,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): string | undefined {
  const [first = '', ...rest] = pattern.split('/')
  if (first === '.') return join(cwd, ...rest)
  if (first === '~') return join(userFolder(env), ...rest)
  const folder = env[first.replaceAll('%', '')]
  return folder === undefined ? undefined : join(folder, ...rest)
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch {
    // Not there, or not ours to see.
    return false
  }
}
