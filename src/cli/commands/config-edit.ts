/** `deep-pilot config add` and `remove`: change one server of one file, comments and layout kept. */

import { join, resolve } from 'node:path'
import { UsageError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import { addServer, removeServer } from '../../config/edit.ts'
import { literalSecrets } from '../../config/literal-secrets.ts'
import type { NewServer } from '../../config/new-server.ts'
import { loadFile, PROJECT_FILES, USER_FILES } from '../../config/node/load.ts'
import { openApprovals } from '../../config/node/approvals.ts'
import { stateFolder } from '../../config/node/home.ts'
import { readTextIfThere } from '../../config/node/read-text.ts'
import { writeFileWhole } from '../../config/node/write-private.ts'
import type { Invocation } from '../invocation.ts'
import { checkAddress } from '../server-target.ts'
import {
  configOf,
  entryNamed,
  loadOptions,
  tellResult,
  type ConfigOptions,
  type ConfigRun,
} from './config-files.ts'

export interface AddOptions {
  readonly config?: string
  readonly replace?: boolean
  readonly env?: readonly string[]
  readonly cwd?: string
  readonly url?: string
  readonly header?: readonly string[]
  readonly transport?: string
}

export async function addCommand(run: ConfigRun, name: string, options: AddOptions): Promise<void> {
  const { invocation, words } = run
  const server = newServer(run, options)
  const path = await targetFile(invocation, options.config)
  const { replace = false } = options
  await changeFile(invocation, path, (text) =>
    addServer(text, server, { file: path, key: name, replace }),
  )
  for (const literal of literalSecrets(server))
    invocation.output.note(words.notes.literalSecret(terminalText(literal)))
  tell(run, { added: name, file: path }, words.notes.added(terminalText(name), terminalText(path)))
}

export async function removeCommand(
  run: ConfigRun,
  name: string,
  options: ConfigOptions,
): Promise<void> {
  const { invocation, words } = run
  const [named] = options.config ?? []
  const path = named === undefined ? await fileWith(run, name) : resolve(named)
  await changeFile(invocation, path, (text) => removeServer(text, { file: path, key: name }))
  const line = words.notes.removed(terminalText(name), terminalText(path))
  tell(run, { removed: name, file: path }, line)
}

/** The file in which a server stands, whether it can be understood or not. */
async function fileWith(run: ConfigRun, name: string): Promise<string> {
  const config = await configOf(run, {})
  const problem = config.problems.find(({ server }) => server === name)
  const known = config.entries.some(({ key }) => key === name)
  return known || problem === undefined
    ? entryNamed(run, config, name).place.file
    : problem.place.file
}

/** The file that is changed: the one that was named, else the user's own, which need not be there yet. */
export async function targetFile({ env }: Invocation, named: string | undefined): Promise<string> {
  if (named !== undefined) return resolve(named)
  const home = stateFolder(env)
  for (const name of USER_FILES) {
    const path = join(home, name)
    if ((await readTextIfThere(path)) !== undefined) return path
  }
  return join(home, USER_FILES[0] ?? '')
}

/**
 * Writes the changed text. A project's file that was approved, or that is new, stays approved: its change was typed by the
 * person who would be asked.
 */
export async function changeFile(
  invocation: Invocation,
  path: string,
  change: (text: string) => Promise<string>,
): Promise<string> {
  const before = await readTextIfThere(path)
  const text = before?.text ?? ''
  const changed = await change(text)
  const store = openApprovals(stateFolder(invocation.env))
  const wasApproved =
    before === undefined ? isProjectFile(path) : await store.isApproved(path, before.sha256)
  await writeFileWhole(path, changed)
  if (wasApproved) {
    const { file, entries } = await loadFile(path, 'project', loadOptions(invocation))
    await store.approve({ path, sha256: file.sha256, entries })
  }
  return text
}

function isProjectFile(path: string): boolean {
  return PROJECT_FILES.some((name) => path.endsWith(name))
}

function newServer({ invocation, words }: ConfigRun, options: AddOptions): NewServer {
  const { serverWords } = invocation
  const { url, header = [], env = [], cwd, transport } = options
  const { faults } = words
  if (serverWords !== undefined && url !== undefined) throw new UsageError(faults.twoTargets)
  if (url !== undefined) {
    const stray = env.length > 0 ? '--env' : cwd === undefined ? undefined : '--cwd'
    if (stray !== undefined) throw new UsageError(faults.unfitOption(stray, '--'))
    const known = transport === undefined ? undefined : transportOf(transport)
    if (transport !== undefined && known === undefined)
      throw new UsageError(faults.badTransport(terminalText(transport)))
    checkAddress(url, { transport: known ?? 'auto', header }, invocation.messages.faults)
    if (hasCredentials(url))
      throw new UsageError(words.problems['url-credentials']({ key: '--url' }))
    const headers = Object.fromEntries(header.map((word) => headerOf(word, faults.badHeader)))
    return { kind: 'url', url, headers, ...(known !== undefined && { transport: known }) }
  }
  const [command, ...args] = serverWords ?? []
  if (command === undefined || command === '') throw new UsageError(faults.noTarget)
  const stray = header.length > 0 ? '-H' : transport === undefined ? undefined : '--transport'
  if (stray !== undefined) throw new UsageError(faults.unfitOption(stray, '--url'))
  const variables = Object.fromEntries(env.map(variableOf))
  return { kind: 'stdio', command, args, env: variables, ...(cwd !== undefined && { cwd }) }
}

/** They would stand in the file, and be shown wherever the address is. */
function hasCredentials(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

function transportOf(text: string): 'http' | 'sse' | 'ws' | undefined {
  return text === 'http' || text === 'sse' || text === 'ws' ? text : undefined
}

function headerOf(word: string, fault: string): readonly [string, string] {
  const at = word.indexOf(':')
  const name = word.slice(0, Math.max(at, 0)).trim()
  if (name === '') throw new UsageError(fault)
  return [name, word.slice(at + 1).trim()]
}

/** `NAME=value`; a name alone is written as a reference, so that the value stands nowhere. */
function variableOf(word: string): readonly [string, string] {
  const at = word.indexOf('=')
  return at < 0 ? [word, `\${${word}}`] : [word.slice(0, at), word.slice(at + 1)]
}

function tell({ invocation }: ConfigRun, record: object, line: string): void {
  if (invocation.json) invocation.output.json(record)
  else tellResult(invocation, line)
}
