/** The part of an entry that starts a server as a process: command, arguments, environment, working folder. */

import { ConfigError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { EntryDraft, Member } from './draft.ts'
import { kindInWords, type ConfigNode } from './document.ts'
import { parseEnvFile } from './env-file.ts'
import { faultValues } from './file-faults.ts'
import { unpinnedPackage, isDangerousVariable } from './launch-risks.ts'
import { secretArguments } from './secret-arguments.ts'
import { looksSecret } from './secret-names.ts'
import { secretsIn } from './secret-values.ts'

export interface StdioPart {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly written: JsonObject
}

export const COMMAND_KEYS: readonly string[] = ['command', 'cmd']
const ENV_KEYS: readonly string[] = ['env', 'environment', 'envs']

/** Most arguments or variables of one server. */
const MAX_COUNT = 4096

/** Reads what starts the server; nothing when that cannot be, which the draft then knows. */
export async function readStdio(
  entry: ConfigNode,
  command: Member,
  draft: EntryDraft,
): Promise<StdioPart | undefined> {
  const words = commandWords(entry, command, draft)
  const [first, ...rest] = words ?? []
  const program =
    first === undefined ? undefined : draft.text('command', first, { key: command.key })
  const args = rest.map((node, at) => draft.text(`args/${at}`, node, ARGUMENT))
  if (first !== undefined && program?.trim() === '')
    draft.error('empty-text', first.place, { key: command.key })
  const { env, written } = await environment(entry, draft)
  const envFile = entry.members.get('envFile')
  const cwd = draft.pick(entry, ['cwd'])
  const folder = cwd === undefined ? undefined : draft.text('cwd', cwd.node)
  const known = args.filter((text) => text !== undefined)
  if (program === undefined || draft.failed) return undefined
  for (const secret of secretArguments(known)) draft.hide(secret)
  for (const [name, text] of [['command', program] as const, ...env])
    for (const secret of secretsIn(name, text)) draft.hide(secret)
  const risk = unpinnedPackage(program, known)
  if (risk !== undefined && first !== undefined) draft.warn('unpinned', first.place, { ...risk })
  return {
    command: program,
    args: known,
    env: Object.fromEntries(env),
    ...(folder !== undefined && { cwd: draft.context.resolvePath(folder) }),
    written: {
      command: (words ?? []).map(({ text }) => text),
      env: written,
      ...(envFile !== undefined && { envFile: envFile.text }),
      ...(cwd !== undefined && { cwd: cwd.node.text }),
    },
  }
}

/** Files often leave out the quotes around numbers. */
const ARGUMENT = { loose: true }

/** The nodes of the command and its arguments, whether they stand in one list or in two places. */
function commandWords(
  entry: ConfigNode,
  { key, node }: Member,
  draft: EntryDraft,
): readonly ConfigNode[] | undefined {
  const args = draft.pick(entry, ['args', 'arguments'])
  const items = args === undefined ? [] : args.node.items
  if (args !== undefined && args.node.kind !== 'array') {
    const { place } = args.node
    const found = kindInWords(args.node)
    draft.error('wrong-type', place, { key: args.key, expected: 'a list of texts', found })
  }
  const head = node.kind === 'array' ? node.items : [node]
  if (head.length === 0) return draft.error('empty-text', node.place, { key })
  if (node.kind !== 'array' && node.kind !== 'string')
    return draft.wrongType(key, node, 'a text or a list of texts')
  if (head.length + items.length > MAX_COUNT)
    return draft.error('too-long', node.place, { key: args?.key ?? key, limit: MAX_COUNT })
  return [...head, ...items]
}

interface EnvironmentPart {
  readonly env: ReadonlyMap<string, string>
  readonly written: JsonObject
}

/** Variables of a file first, then those that are passed on by name, then those that are written out. */
async function environment(entry: ConfigNode, draft: EntryDraft): Promise<EnvironmentPart> {
  const env = new Map<string, string>()
  const written: [string, string][] = []
  await fromFile(entry, env, draft)
  passedOn(entry, { env, written, draft })
  const own = draft.pick(entry, ENV_KEYS)
  if (own !== undefined) writtenOut(own, { env, written, draft })
  for (const name of env.keys())
    if (draft.context.scope === 'project' && isDangerousVariable(name))
      draft.warn('dangerous-variable', own?.node.place ?? entry.place, { name })
  return { env, written: Object.fromEntries(written) }
}

interface Gathered {
  readonly env: Map<string, string>
  readonly written: [string, string][]
  readonly draft: EntryDraft
}

function writtenOut({ key, node }: Member, { env, written, draft }: Gathered): void {
  if (node.kind !== 'object') return draft.wrongType(key, node, 'an object of texts')
  if (node.members.size > MAX_COUNT)
    return draft.error('too-long', node.place, { key, limit: MAX_COUNT })
  for (const [name, value] of node.members) {
    if (!isVariableName(name)) draft.error('bad-variable-name', value.place, { name })
    // Written for a variable that is not to be set.
    if (value.kind === 'null') continue
    const options = { key: `${key}.${name}`, loose: true, secret: looksSecret(name) }
    const text = draft.text(`env/${name}`, value, options)
    if (text !== undefined) env.set(name, text)
    written.push([name, value.text])
  }
}

/** Names of variables that are handed on. One that is not set is no fault in a list of what the server may have. */
function passedOn(entry: ConfigNode, { env, written, draft }: Gathered): void {
  const member = draft.pick(entry, ['env_vars', 'env_keys'])
  if (member === undefined) return
  for (const name of draft.words(member.key, member.node) ?? []) {
    const { place } = member.node
    if (!isVariableName(name)) {
      draft.error('bad-variable-name', place, { name })
      continue
    }
    written.push([name, `\${${name}}`])
    const optional = member.key === 'env_vars'
    if (optional && draft.context.surroundings.env[name] === undefined) continue
    const options = { key: member.key, secret: looksSecret(name), place }
    const text = draft.filled(`env/${name}`, `\${${name}}`, options)
    if (text !== undefined) env.set(name, text)
  }
}

async function fromFile(
  entry: ConfigNode,
  env: Map<string, string>,
  draft: EntryDraft,
): Promise<void> {
  const member = draft.pick(entry, ['envFile'])
  if (member === undefined) return
  const path = draft.text('envFile', member.node)
  if (path === undefined) return
  const { readFile, resolvePath } = draft.context
  const file = resolvePath(path)
  const { place } = member.node
  if (readFile === undefined)
    return draft.error('env-file', place, { file, reason: 'files of variables are not read here' })
  try {
    for (const [name, text] of parseEnvFile(await readFile(file))) {
      // The file is read anew at each start: who approved the project's file did not see this.
      if (draft.context.scope === 'project' && isDangerousVariable(name)) {
        draft.warn('dangerous-variable', place, { name })
        continue
      }
      env.set(name, text)
      const sources = [{ kind: 'file' as const, file }]
      draft.origins.push({ name: `env/${name}`, place, raw: '', sources })
      // People put secrets into such files so that they stand nowhere else.
      draft.hide(text)
    }
  } catch (error) {
    const detail = error instanceof ConfigError ? error.detail : undefined
    const reason = error instanceof Error ? error.message : 'it cannot be read'
    const known = detail?.kind === 'file-unusable' ? faultValues(detail) : {}
    draft.error('env-file', place, { ...known, file, reason })
  }
}

/** What a system takes as the name of a variable. */
function isVariableName(name: string): boolean {
  return name !== '' && !name.includes('=') && !name.includes('\u0000')
}
