/** What the demo needs to know of the folder it runs in: the official server, a file to read, a path that is out of reach. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, parse, resolve } from 'node:path'
import { isJsonObject } from '../../base/json.ts'

const PACKAGE = '@modelcontextprotocol/server-filesystem'

/** The program of the official server: from the nearest `node_modules` above the first of these folders that has it. */
export function findFilesystemServer(folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    for (let at = resolve(folder); ; at = dirname(at)) {
      const program = programIn(join(at, 'node_modules', PACKAGE))
      if (program !== undefined) return program
      if (at === dirname(at)) break
    }
  }
  return undefined
}

function programIn(folder: string): string | undefined {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return undefined
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const bin = isJsonObject(manifest) ? manifest['bin'] : undefined
    const path = isJsonObject(bin) ? Object.values(bin)[0] : bin
    const program = typeof path === 'string' ? resolve(folder, path) : undefined
    return program !== undefined && existsSync(program) ? program : undefined
  } catch {
    return undefined // a broken installation is none
  }
}

/** `package.json` where there is one, else the first ordinary file by name. */
export function fileToRead(folder: string): string | undefined {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort()
  return names.includes('package.json') ? 'package.json' : names[0]
}

/** A path that is not within the folder, or nothing when the folder holds everything. */
export function pathOutside(folder: string): string | undefined {
  const { root } = parse(resolve(folder))
  return resolve(folder) === root ? undefined : join(root, 'outside-of-the-demo.txt')
}
