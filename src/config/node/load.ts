/**
 * Finds the configuration files, reads them and puts them together. Whose file it is, and hence what it may say, is decided
 * here by where it was found.
 */

import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { ConfigError, describeError } from '../../base/errors.ts'
import type { Config, ConfigFile, HostSettings } from '../config.ts'
import type { EntryTimers, Scope, ServerEntry } from '../entry.ts'
import type { Environment } from '../expand.ts'
import { faultValues } from '../file-faults.ts'
import type { AskInput } from '../inputs.ts'
import { MAX_TIMER_MS } from '../read-timers.ts'
import { parseConfig, type DeclaredServer, type ParsedConfig } from '../parse.ts'
import { makeProblem, whereText, type Problem } from '../problem.ts'
import { openApprovals, type ApprovalStore } from './approvals.ts'
import { stateFolder, userFolder } from './home.ts'
import { readText } from './read-text.ts'

export interface LoadOptions {
  /** Read these alone, as files that were named. Default: the user's own, then the project's. */
  readonly files?: readonly string[]
  /** Folder of the project. */
  readonly cwd: string
  readonly env: Environment
  /** Default: the state folder of the environment. */
  readonly home?: string
  /** Default: nobody is asked for inputs. */
  readonly askInput?: AskInput
  /** Values of inputs that are known already. */
  readonly inputs?: ReadonlyMap<string, string>
  /** Default: that of the state folder. */
  readonly approvals?: ApprovalStore
}

/** A file as it was read, with what a person sees before they approve it. */
export interface LoadedFile {
  readonly file: ConfigFile
  readonly entries: readonly ServerEntry[]
  readonly problems: readonly Problem[]
  readonly declared: readonly DeclaredServer[]
}

/** Names of the user's own file in the state folder; the first that is there counts. */
export const USER_FILES: readonly string[] = ['config.jsonc', 'config.json']

/** Names of a project's files, later ones stronger. */
export const PROJECT_FILES: readonly string[] = ['.mcp.json', 'deep-pilot.json', 'deep-pilot.jsonc']

/**
 * All files as one configuration. Rejects with `ConfigError` when the user's own file or one that was named cannot be read;
 * a broken file of a project is a problem, so that a project cannot keep the user from their own servers.
 */
export async function loadConfig(options: LoadOptions): Promise<Config> {
  const { files, env } = options
  if (files === undefined) {
    const own = await userPart(options)
    return joined([...own, ...(await projectParts(options, own))], env)
  }
  const parts: Part[] = []
  for (const file of files) parts.push(await readPart(resolve(options.cwd, file), 'given', options))
  return joined(parts, env)
}

/** One file by itself, as `config approve` looks at it. Rejects with `ConfigError`. */
export async function loadFile(
  path: string,
  scope: Scope,
  options: LoadOptions,
): Promise<LoadedFile> {
  const { file, parsed } = await readPart(resolve(options.cwd, path), scope, options)
  return { file, ...parsed }
}

/** The project's files that are there. */
export async function projectFiles(cwd: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const name of PROJECT_FILES) {
    const path = join(cwd, name)
    if (await isThere(path)) found.push(path)
  }
  return found
}

interface Part {
  readonly file: ConfigFile
  readonly parsed: ParsedConfig
}

async function userPart(options: LoadOptions): Promise<readonly Part[]> {
  const home = options.home ?? stateFolder(options.env)
  for (const name of USER_FILES) {
    const path = join(home, name)
    if (await isThere(path)) return [await readPart(path, 'user', options)]
  }
  return []
}

async function projectParts(
  options: LoadOptions,
  before: readonly Part[],
): Promise<readonly Part[]> {
  const known = new Set(before.map(({ file }) => file.path))
  const parts: Part[] = []
  for (const path of await projectFiles(options.cwd)) {
    // Where the project is the state folder, its file is the user's own.
    if (known.has(path)) continue
    try {
      parts.push(await readPart(path, 'project', options))
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      parts.push(brokenPart(path, error))
    }
  }
  return parts
}

async function readPart(path: string, scope: Scope, options: LoadOptions): Promise<Part> {
  const { text, sha256 } = await readText(path)
  const { env, inputs, askInput } = options
  const home = options.home ?? stateFolder(env)
  const approvals = options.approvals ?? openApprovals(home)
  const approved = scope !== 'project' || (await approvals.isApproved(path, sha256))
  const folder = projectFolder(path)
  const parsed = await parseConfig(text, {
    file: path,
    scope,
    env,
    approved,
    platform: process.platform,
    folder,
    folders: new Map([
      ['userHome', userFolder(env)],
      ['cwd', options.cwd],
      ['pathSeparator', process.platform === 'win32' ? '\\' : '/'],
      ['/', process.platform === 'win32' ? '\\' : '/'],
    ]),
    ...(inputs !== undefined && { inputs }),
    ...(askInput !== undefined && { askInput }),
    resolvePath: (inner) => resolve(folder, withHome(inner, env)),
    // Nothing that a file names is read before the file is approved.
    readFile: async (inner) => (approved ? (await readText(inner, MAX_ENV_FILE)).text : ''),
  })
  return { file: { path, scope, sha256, approved }, parsed }
}

/** Longest file of variables, in bytes. */
const MAX_ENV_FILE = 1024 * 1024

/** Folders that hosts keep their files in, within a project. */
const HOST_FOLDERS: ReadonlySet<string> = new Set(['.vscode', '.cursor', '.codex', '.gemini'])

function projectFolder(path: string): string {
  const folder = dirname(path)
  return HOST_FOLDERS.has(basename(folder)) ? dirname(folder) : folder
}

function withHome(path: string, env: Environment): string {
  return /^~(?=[/\\]|$)/.test(path) ? join(userFolder(env), path.slice(1)) : path
}

function brokenPart(path: string, error: ConfigError): Part {
  const { line, column } = error
  const place = {
    file: path,
    pointer: '',
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  }
  const { detail } = error
  const values =
    detail?.kind === 'file-unusable'
      ? faultValues(detail)
      : { reason: describeError(error).replace(/\.$/, '') }
  const kind = line === undefined ? 'unreadable' : 'syntax'
  const problem = makeProblem({ severity: 'error', kind, place, values })
  const settings: HostSettings = { timeouts: {} }
  return {
    file: { path, scope: 'project', sha256: '', approved: false },
    parsed: { entries: [], problems: [problem], settings, policy: undefined, declared: [] },
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await realpath(path)
    return true
  } catch {
    // Whatever cannot be found is not there; a file that cannot be read is told of when it is read.
    return false
  }
}

function joined(parts: readonly Part[], env: Environment): Config {
  const problems: Problem[] = []
  const entries = new Map<string, ServerEntry>()
  let settings: HostSettings = { timeouts: environmentTimers(env) }
  for (const { file, parsed } of parts) {
    problems.push(...parsed.problems)
    if (!file.approved && parsed.declared.length > 0)
      problems.push(
        makeProblem({
          severity: 'warning',
          kind: 'unapproved',
          place: { file: file.path, pointer: '' },
          values: { count: parsed.declared.length },
        }),
      )
    for (const entry of parsed.entries) place(entry, entries, problems)
    settings = joinedSettings(settings, file, parsed.settings)
  }
  const own = parts.filter(({ file }) => file.scope !== 'project')
  const project = parts.filter(({ file }) => file.scope === 'project')
  return {
    entries: [...entries.values()].map((entry) => withSettings(entry, settings)),
    problems,
    files: parts.map(({ file }) => file),
    policy: own.findLast(({ parsed }) => parsed.policy !== undefined)?.parsed.policy,
    projectPolicy: project.findLast(({ parsed }) => parsed.policy !== undefined)?.parsed.policy,
    settings,
  }
}

/** What an entry leaves open is as the settings of the host say. */
function withSettings(entry: ServerEntry, settings: HostSettings): ServerEntry {
  const concurrency = entry.concurrency ?? settings.concurrency
  const queue = entry.queue ?? settings.queue
  return {
    ...entry,
    timeouts: { ...settings.timeouts, ...entry.timeouts },
    ...(concurrency !== undefined && { concurrency }),
    ...(queue !== undefined && { queue }),
  }
}

/** A later file's server takes the place of an earlier one, unless nobody approved it yet. */
function place(entry: ServerEntry, entries: Map<string, ServerEntry>, problems: Problem[]): void {
  const { key } = entry
  const before = entries.get(key)
  if (before === undefined) {
    entries.set(key, entry)
    return
  }
  const kept = before.approved && !entry.approved
  const [stays, goes] = kept ? [before, entry] : [entry, before]
  problems.push(
    makeProblem({
      severity: 'warning',
      kind: kept ? 'kept' : 'replaced',
      place: stays.place,
      server: key,
      values: { key, other: whereText(goes.place) },
    }),
  )
  entries.delete(key)
  entries.set(key, stays)
}

/** Of a project's file only what asks for more care, until it is approved. */
function joinedSettings(before: HostSettings, file: ConfigFile, next: HostSettings): HostSettings {
  if (file.scope !== 'project' || file.approved)
    return { ...before, ...next, timeouts: { ...before.timeouts, ...next.timeouts } }
  return next.pinning === 'frozen' ? { ...before, pinning: 'frozen' } : before
}

/** Variables that other hosts have for these waits, the weakest way to set them. */
function environmentTimers(env: Environment): EntryTimers {
  const start = timerOf(env, 'MCP_TIMEOUT')
  const call = timerOf(env, 'MCP_TOOL_TIMEOUT')
  return {
    ...(start !== undefined && { start }),
    ...(call !== undefined && { idle: call, total: call }),
  }
}

function timerOf(env: Environment, name: string): EntryTimers['start'] {
  const ms = Number(env[name] ?? '')
  return Number.isInteger(ms) && ms >= 1 && ms <= MAX_TIMER_MS ? { ms, setBy: name } : undefined
}
