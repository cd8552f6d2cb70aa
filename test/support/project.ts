/** A project with files of its own and a user's state folder, on disk, gone after the test. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import { openApprovals } from '../../src/config/node/approvals.ts'
import { loadConfig, loadFile } from '../../src/config/node/load.ts'

export interface Project {
  /** Folder of the project. */
  readonly folder: string
  /** The user's state folder. */
  readonly home: string
  path(name: string): string
  /** Writes a file of the project, a value as JSON; gives its path. */
  put(name: string, value: unknown): Promise<string>
  read(name: string): Promise<string | undefined>
  load(env?: Readonly<Record<string, string>>): Promise<Config>
  /** As a person does who has read the file. */
  approve(name?: string): Promise<void>
}

export async function project(): Promise<Project> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'deep-pilot-project-')))
  // Behind the hooks of hosts, which write when they are closed.
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const [folder, home] = [join(root, 'project'), join(root, 'home')]
  await mkdir(folder)
  await mkdir(home)
  const options = (env: Readonly<Record<string, string>> = {}) => ({
    cwd: folder,
    home,
    env: { HOME: root, ...env },
  })
  const path = (name: string): string => join(folder, name)
  return {
    folder,
    home,
    path,
    async put(name, value) {
      await mkdir(dirname(path(name)), { recursive: true })
      await writeFile(path(name), typeof value === 'string' ? value : JSON.stringify(value))
      return path(name)
    },
    read: (name) => readFile(path(name), 'utf8').catch(() => undefined),
    load: (env) => loadConfig(options(env)),
    async approve(name = '.mcp.json') {
      const { file, entries } = await loadFile(path(name), 'project', options())
      await openApprovals(home).approve({ path: file.path, sha256: file.sha256, entries })
    },
  }
}
