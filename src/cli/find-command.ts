/** Whether a command is there to be started, found as the system would find it. Starts nothing. */

import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'

export interface CommandPlace {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The path of the program, or nothing when there is none that may be executed. */
export async function findCommand(
  command: string,
  { cwd, env }: CommandPlace,
): Promise<string | undefined> {
  const windows = process.platform === 'win32'
  const isPath = command.includes('/') || (windows && command.includes('\\'))
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? ''
  const folders = isPath ? [cwd] : path.split(delimiter).filter((folder) => folder !== '')
  const endings = windows ? ['', ...(env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';')] : ['']
  for (const folder of folders)
    for (const ending of endings) {
      const name = `${command}${ending}`
      const candidate = isAbsolute(name)
        ? name
        : isPath
          ? resolve(folder, name)
          : join(resolve(cwd, folder), name)
      if (await isProgram(candidate)) return candidate
    }
  return undefined
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    // Not there, or not to be executed: no program either way.
    return false
  }
}

/** Whether this is a folder. */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    // Not there.
    return false
  }
}
