/**
 * Adds and removes servers in the text of a file, in the manner of the host whose file it is. Every result is read again:
 * when anything but the one server would change, nothing is handed out.
 */

import type { DetailOf } from '../base/error-detail.ts'
import { ConfigError } from '../base/errors.ts'
import { canonicalJson } from '../base/json.ts'
import { terminalText } from '../base/terminal-text.ts'
import { plainValue, type ConfigNode } from './document.ts'
import { removeJsonMember, setJsonMember } from './edit-json.ts'
import { appendTomlTable, removeTomlTables } from './edit-toml.ts'
import { removeYamlMember, setYamlMember } from './edit-yaml.ts'
import type { HostShape } from './entry.ts'
import { findGroups } from './imports/find-groups.ts'
import type { ConfigFormat } from './imports/shape.ts'
import { spelledFor, type NewServer } from './new-server.ts'
import { formatOf, readDocument } from './parse.ts'

export interface EditOptions {
  /** Path of the file; its name says the format. */
  readonly file: string
  /** The server. */
  readonly key: string
  /** Whether a server of that name may be written over. Default false. */
  readonly replace?: boolean
}

/** What an editor may have put before the text. */
const MARK = '\ufeff'

/** The text with the server in it; of an empty text a file with that server alone. Rejects with `ConfigError`. */
export async function addServer(
  text: string,
  server: NewServer,
  options: EditOptions,
): Promise<string> {
  if (text.startsWith(MARK)) return MARK + (await addServer(text.slice(1), server, options))
  const { key, replace = false } = options
  const standing = await standingOf(text, options)
  const there = standing.servers.get(key)
  if (there !== undefined && !replace) throw fault(options, 'there')
  const { format, path, shape } = standing
  const entry = spelledFor(shape, server)
  const before = there === undefined ? text : await without(text, standing, key)
  const result =
    format === 'toml'
      ? await appendTomlTable(before, [...path, key], entry)
      : await (format === 'yaml' ? setYamlMember : setJsonMember)(before, [...path, key], entry)
  const servers = new Map(standing.servers).set(key, canonicalJson(entry))
  await verify(result, options, { ...standing, servers })
  return result
}

/** The text without the server. Rejects with `ConfigError` when it is not there. */
export async function removeServer(text: string, options: EditOptions): Promise<string> {
  if (text.startsWith(MARK)) return MARK + (await removeServer(text.slice(1), options))
  const standing = await standingOf(text, options)
  if (!standing.servers.has(options.key)) throw fault(options, 'missing')
  const result = await without(text, standing, options.key)
  const rest = new Map(standing.servers)
  rest.delete(options.key)
  await verify(result, options, { ...standing, servers: rest })
  return result
}

/** Where servers stand in a file, and which there are, as canonical JSON. */
interface Standing {
  readonly format: ConfigFormat
  readonly path: readonly string[]
  readonly shape: HostShape
  readonly servers: ReadonlyMap<string, string>
  /** Everything but the servers. */
  readonly rest: string
}

async function standingOf(text: string, { file, key }: EditOptions): Promise<Standing> {
  const format = formatOf(file)
  const root = await readDocument(text, file, format)
  const groups =
    root === undefined
      ? []
      : findGroups(root, { path: file.replaceAll('\\', '/'), format, folder: undefined })
  const group = groups.find(({ node }) => node.members.has(key)) ?? groups[0]
  if (root === undefined || group === undefined) {
    const path = [format === 'toml' ? 'mcp_servers' : 'mcpServers']
    const shape = format === 'toml' ? 'codex' : 'mcp-json'
    return { format, path, shape, servers: new Map(), rest: restOf(root, path) }
  }
  const path = group.node.place.pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const servers = new Map(
    [...group.node.members].map(([name, node]) => [name, canonicalJson(plainValue(node))]),
  )
  return { format, path, shape: group.shape.name, servers, rest: restOf(root, path) }
}

function restOf(root: ConfigNode | undefined, path: readonly string[]): string {
  if (root === undefined) return '{}'
  const [first] = path
  // Servers below a block of settings leave the rest of that block to compare.
  const others = [...root.members].filter(([name]) => name !== first)
  return canonicalJson(Object.fromEntries(others.map(([name, node]) => [name, plainValue(node)])))
}

function without(text: string, { format, path }: Standing, key: string): Promise<string> {
  switch (format) {
    case 'toml':
      return removeTomlTables(text, [...path, key])
    case 'yaml':
      return removeYamlMember(text, [...path, key])
    default:
      return removeJsonMember(text, [...path, key])
  }
}

/** Throws unless exactly these servers stand in the result and everything else is as it was. */
async function verify(result: string, options: EditOptions, wanted: Standing): Promise<void> {
  const found = await standingOrNothing(result, options)
  const { servers, rest } = wanted
  const same =
    found?.rest === rest &&
    found.servers.size === servers.size &&
    [...servers].every(([key, text]) => found.servers.get(key) === text)
  if (!same) throw fault(options, 'unchangeable')
}

async function standingOrNothing(
  text: string,
  options: EditOptions,
): Promise<Standing | undefined> {
  try {
    return await standingOf(text, options)
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

type EditFault = DetailOf<'entry-edit'>['why']

const FAULTS: Readonly<Record<EditFault, string>> = {
  there: 'there already. Write over it with --replace, or choose another name',
  missing: 'not there. Check its name',
  unchangeable: 'written in a way that cannot be changed here. Change it in an editor',
}

function fault({ file, key }: EditOptions, why: EditFault): ConfigError {
  const server = terminalText(key)
  return new ConfigError(`The server "${server}" in "${file}" is ${FAULTS[why]}.`, {
    file,
    detail: { kind: 'entry-edit', server, why },
  })
}
