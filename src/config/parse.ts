/** The text of one file as servers, problems and settings. Finds the format and the host's manner; reads no other file by itself. */

import type { HostSettings, PlacedValue } from './config.ts'
import { configFault, kindInWords, MAX_CONFIG_BYTES, type ConfigNode } from './document.ts'
import type { ReadContext } from './draft.ts'
import type { Scope, ServerEntry } from './entry.ts'
import type { Environment, Surroundings } from './expand.ts'
import { findGroups, LOOKED_FOR } from './imports/find-groups.ts'
import type { ConfigFormat, ServerGroup } from './imports/shape.ts'
import { describedInputs, usedInputs, type AskInput, type InputRequest } from './inputs.ts'
import { readJsonDocument } from './json-document.ts'
import { makeProblem, type Problem } from './problem.ts'
import { linesOf, readEntry } from './read-entry.ts'
import { readSettings } from './read-settings.ts'
import { readTomlDocument } from './toml-document.ts'
import { readYamlDocument } from './yaml-document.ts'

export interface ParseOptions {
  /** Path of the file, for messages; its name says the format and perhaps the host. */
  readonly file: string
  readonly scope: Scope
  /** What `${NAME}` is looked up in. */
  readonly env: Environment
  /** Whether servers of this file may be started. Default: unless the scope is `project`. */
  readonly approved?: boolean
  /** Default: by the name of the file, else JSON. */
  readonly format?: ConfigFormat
  /** Default: none of Windows' habits. */
  readonly platform?: string
  /** Values of inputs that are known already. */
  readonly inputs?: ReadonlyMap<string, string>
  /** Asks for the others. Default: nobody is there. Not called for a file that is not approved. */
  readonly askInput?: AskInput
  /** The folder that a project's texts call `${workspaceFolder}`. Default: it is not known. */
  readonly folder?: string
  /** Other folders by the name that texts have for them. */
  readonly folders?: ReadonlyMap<string, string>
  readonly resolvePath?: (path: string) => string
  readonly readFile?: (path: string) => Promise<string>
}

/** A server as its file has it, whether it can be understood or not: what a person sees before they approve the file. */
export interface DeclaredServer {
  readonly key: string
  readonly node: ConfigNode
}

export interface ParsedConfig {
  readonly entries: readonly ServerEntry[]
  readonly problems: readonly Problem[]
  readonly settings: HostSettings
  /** `deepPilot.policy`, whoever's file it is. */
  readonly policy: PlacedValue | undefined
  readonly declared: readonly DeclaredServer[]
}

/** Most servers of one file. */
export const MAX_SERVERS = 1000

/**
 * Reads a file. What is wrong with one server is a problem and leaves the others in. Rejects with `ConfigError`, which tells
 * line and column, when the whole is broken, too large or no object.
 */
export async function parseConfig(text: string, options: ParseOptions): Promise<ParsedConfig> {
  const { file, scope } = options
  const place = { file, pointer: '' }
  // Of UTF-16 units, each of which takes a byte at least.
  if (text.length > MAX_CONFIG_BYTES)
    throw configFault(place, { why: 'too-large', limit: MAX_CONFIG_BYTES })
  const format = options.format ?? formatOf(file)
  const root = await readDocument(text, file, format)
  const problems: Problem[] = []
  if (root === undefined) {
    problems.push(makeProblem({ severity: 'warning', kind: 'empty', place }))
    const settings: HostSettings = { timeouts: {} }
    return { entries: [], problems, settings, policy: undefined, declared: [] }
  }
  if (root.kind !== 'object')
    throw configFault(root.place, { why: 'no-object', reason: kindInWords(root) })
  tellDoubled(root, problems)
  const { settings, policy } = readSettings(root, scope, problems)
  const path = file.replaceAll('\\', '/')
  const groups = findGroups(root, { path, format, folder: options.folder })
  if (groups.length === 0 && !root.members.has('deepPilot'))
    problems.push(
      makeProblem({
        severity: 'warning',
        kind: 'no-servers',
        place: root.place,
        values: { looked: LOOKED_FOR },
      }),
    )
  const reading: Reading = { options, problems, entries: new Map(), declared: [] }
  for (const group of groups) await readGroup(group, reading)
  const { entries, declared } = reading
  return { entries: [...entries.values()], problems, settings, policy, declared }
}

const READERS: Readonly<
  Record<ConfigFormat, (text: string, file: string) => Promise<ConfigNode | undefined>>
> = { json: readJsonDocument, yaml: readYamlDocument, toml: readTomlDocument }

/** The text as a tree, or nothing when it is empty. Rejects with `ConfigError` for what is broken. */
export function readDocument(
  text: string,
  file: string,
  format: ConfigFormat,
): Promise<ConfigNode | undefined> {
  return READERS[format](text.replace(/^\ufeff/, ''), file)
}

/** The format that a name promises; JSON for every other. */
export function formatOf(file: string): ConfigFormat {
  if (/\.ya?ml$/i.test(file)) return 'yaml'
  return /\.toml$/i.test(file) ? 'toml' : 'json'
}

interface Reading {
  readonly options: ParseOptions
  readonly problems: Problem[]
  readonly entries: Map<string, ServerEntry>
  readonly declared: DeclaredServer[]
}

async function readGroup(group: ServerGroup, reading: Reading): Promise<void> {
  const { options, problems, entries, declared } = reading
  const { node, key, shape, off } = group
  if (node.kind === 'null') return
  if (node.kind !== 'object') {
    const values = { key, found: kindInWords(node) }
    const kind = 'not-a-list-of-servers'
    problems.push(makeProblem({ severity: 'error', kind, place: node.place, values }))
    return
  }
  tellDoubled(node, problems)
  const described = describedInputs(group.inputs)
  const inputs = new Map(options.inputs)
  const context = contextOf(options, { shape, inputs, described })
  for (const [server, entryNode] of node.members) {
    if (declared.length >= MAX_SERVERS) {
      const values = { limit: MAX_SERVERS }
      const { place } = entryNode
      problems.push(makeProblem({ severity: 'error', kind: 'too-many-servers', place, values }))
      return
    }
    declared.push({ key: server, node: entryNode })
    await askInputs(entryNode, { inputs, described, context, ask: options.askInput })
    const isOff = off?.(server) ?? false
    const { entry, problems: found } = await readEntry(server, entryNode, { context, off: isOff })
    problems.push(...(isSwitchedOff(entryNode) || isOff ? found.map(softened) : found))
    if (entry === undefined) continue
    const before = entries.get(server)
    if (before !== undefined)
      problems.push(
        makeProblem({
          severity: 'warning',
          kind: 'duplicate-key',
          place: entry.place,
          server,
          values: { key: server, ...linesOf(before.place.line, entry.place.line) },
        }),
      )
    entries.delete(server)
    entries.set(server, entry)
  }
}

/** What is wrong with a server that is switched off keeps nobody from work. */
function softened(problem: Problem): Problem {
  return { ...problem, severity: 'warning' }
}

function isSwitchedOff({ members }: ConfigNode): boolean {
  return members.get('disabled')?.text === 'true' || members.get('enabled')?.text === 'false'
}

function contextOf(
  options: ParseOptions,
  {
    shape,
    inputs,
    described,
  }: Pick<ServerGroup, 'shape'> & {
    readonly inputs: ReadonlyMap<string, string>
    readonly described: ReadonlyMap<string, InputRequest>
  },
): ReadContext {
  const { scope, env, platform = '', folder, folders } = options
  const surroundings: Surroundings = {
    env,
    platform,
    inputs,
    describedInputs: new Set(described.keys()),
    folders: new Map([...projectFolders(folder), ...(folders ?? [])]),
  }
  return {
    scope,
    approved: options.approved ?? scope !== 'project',
    shape,
    surroundings,
    resolvePath: options.resolvePath ?? ((path) => path),
    readFile: options.readFile,
  }
}

/** Names of the project's folder in the texts of several hosts. */
function projectFolders(folder: string | undefined): readonly (readonly [string, string])[] {
  if (folder === undefined) return []
  const base = folder.split(/[/\\]/).findLast((name) => name !== '') ?? folder
  return [
    ['workspaceFolder', folder],
    ['workspaceRoot', folder],
    ['CLAUDE_PROJECT_DIR', folder],
    ['workspaceFolderBasename', base],
  ]
}

async function askInputs(
  node: ConfigNode,
  {
    inputs,
    described,
    context,
    ask,
  }: {
    readonly inputs: Map<string, string>
    readonly described: ReadonlyMap<string, InputRequest>
    readonly context: ReadContext
    readonly ask: AskInput | undefined
  },
): Promise<void> {
  if (ask === undefined || !context.approved || isSwitchedOff(node)) return
  for (const id of usedInputs(node)) {
    const request = described.get(id)
    if (request === undefined || inputs.has(id)) continue
    const answer = await ask(request)
    if (answer !== undefined) inputs.set(id, answer)
  }
}

function tellDoubled({ doubled }: ConfigNode, problems: Problem[]): void {
  for (const { key, first, last } of doubled)
    problems.push(
      makeProblem({
        severity: 'warning',
        kind: 'duplicate-key',
        place: last,
        values: { key, ...linesOf(first.line, last.line) },
      }),
    )
}
