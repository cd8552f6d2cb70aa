/** One entry of a file, in whatever host's spelling, as a server that can be started or reached; or its problems. */

import { hidesText } from '../base/terminal-text.ts'
import { kindInWords, type ConfigNode } from './document.ts'
import { EntryDraft, type ReadContext } from './draft.ts'
import type { EntryBase, ServerEntry, UrlEntry } from './entry.ts'
import type { JsonObject } from '../base/json.ts'
import type { Problem } from './problem.ts'
import { readOwn } from './read-own.ts'
import { COMMAND_KEYS, readStdio } from './read-stdio.ts'
import { hostTimers } from './read-timers.ts'
import { readUrl, URL_KEYS } from './read-url.ts'

export interface ReadEntry {
  /** Nothing when it has an error, or is no server at all. */
  readonly entry: ServerEntry | undefined
  readonly problems: readonly Problem[]
}

/** `off` when the file switches the server off elsewhere. */
export async function readEntry(
  key: string,
  node: ConfigNode,
  { context, off = false }: { readonly context: ReadContext; readonly off?: boolean },
): Promise<ReadEntry> {
  const draft = new EntryDraft(key, node.place, context)
  const prepared = context.shape.prepare === undefined ? node : context.shape.prepare(node)
  if (prepared === undefined) return { entry: undefined, problems: [] }
  const entry = await read(prepared, draft, off)
  return { entry: draft.failed ? undefined : entry, problems: draft.problems }
}

/** Longest name of a server. */
const MAX_KEY = 128

async function read(
  node: ConfigNode,
  draft: EntryDraft,
  off: boolean,
): Promise<ServerEntry | undefined> {
  const { key } = draft
  if (key.trim() === '' || key.length > MAX_KEY || hidesText(key))
    draft.error('bad-key', node.place)
  if (node.kind !== 'object')
    return draft.error('not-an-object', node.place, { found: kindInWords(node) })
  tellDoubled(node, draft)
  const wish = transportWish(node, draft)
  if (wish === 'foreign') return undefined
  const command = draft.pick(node, COMMAND_KEYS)
  const { addressOrder } = draft.context.shape
  const address =
    addressOrder === undefined
      ? draft.pick(node, URL_KEYS)
      : draft.pick(node, [...addressOrder, ...URL_KEYS], { firstWins: true })
  if (command !== undefined && address !== undefined) {
    const values = { first: command.key, second: address.key }
    return draft.error('two-targets', address.node.place, values)
  }
  if (command !== undefined) {
    if (wish !== undefined && wish !== 'stdio')
      draft.error('unfit-transport', command.node.place, { transport: wish, key: command.key })
    const part = await readStdio(node, command, draft)
    const base = baseOf(node, { draft, off, written: part?.written ?? {} })
    return part === undefined ? undefined : { ...base, ...part, transport: 'stdio' }
  }
  if (address === undefined) return draft.error('no-target', node.place)
  if (wish === 'stdio')
    return draft.error('unfit-transport', address.node.place, {
      transport: wish,
      key: address.key,
    })
  const part = readUrl(node, address, { draft, wish: wish ?? 'auto' })
  const base = baseOf(node, { draft, off, written: part?.written ?? {} })
  return part === undefined ? undefined : { ...base, ...part }
}

/** Spellings of transports, in small letters without signs. */
const TRANSPORTS: ReadonlyMap<string, 'stdio' | UrlEntry['transport']> = new Map([
  ['stdio', 'stdio'],
  ['local', 'stdio'],
  ['command', 'stdio'],
  ['http', 'streamable-http'],
  ['streamablehttp', 'streamable-http'],
  ['streamable', 'streamable-http'],
  ['sse', 'sse'],
  ['ws', 'websocket'],
  ['websocket', 'websocket'],
  ['remote', 'auto'],
  ['auto', 'auto'],
])

/** Kinds of servers that live inside their host. */
const FOREIGN: ReadonlySet<string> = new Set([
  'builtin',
  'platform',
  'frontend',
  'inlinepython',
  'sdk',
])

function transportWish(
  node: ConfigNode,
  draft: EntryDraft,
): 'stdio' | 'foreign' | UrlEntry['transport'] | undefined {
  const member = draft.pick(node, ['type', 'transport', 'transportType'])
  if (member === undefined) return undefined
  const { key } = member
  if (member.node.kind !== 'string') return draft.wrongType(key, member.node, 'a text')
  const word = member.node.text.toLowerCase().replaceAll(/[-_ ]/g, '')
  if (FOREIGN.has(word)) {
    draft.warn('not-mcp', member.node.place, { value: member.node.text })
    return 'foreign'
  }
  const transport = TRANSPORTS.get(word)
  if (transport !== undefined) return transport
  const choices = 'stdio, http, sse, websocket'
  return draft.error('unknown-transport', member.node.place, {
    key,
    value: member.node.text,
    choices,
  })
}

function baseOf(
  node: ConfigNode,
  {
    draft,
    off,
    written,
  }: { readonly draft: EntryDraft; readonly off: boolean; readonly written: JsonObject },
): EntryBase {
  const own = readOwn(node, draft)
  const { context, key, place, origins, secrets } = draft
  tellNotTaken(node, draft)
  const onlyTools = own.onlyTools ?? listed(node, ONLY_KEYS, draft)
  const withoutTools = own.withoutTools ?? listed(node, WITHOUT_KEYS, draft)
  const required = draft.flag(node, 'required') === true
  const startup = draft.flag(node, 'startup')
  const disabled = draft.flag(node, 'disabled') ?? draft.flag(node, 'enabled') === false
  const { concurrency, queue } = own
  return {
    key,
    scope: context.scope,
    place,
    shape: context.shape.name,
    approved: context.approved,
    disabled: disabled || off,
    start: own.start ?? (required ? 'required' : startup === false ? 'lazy' : 'optional'),
    trusted: own.trusted ?? false,
    timeouts: { ...hostTimers(node, draft), ...own.timeouts },
    ...(concurrency !== undefined && { concurrency }),
    ...(queue !== undefined && { queue }),
    ...(onlyTools !== undefined && { onlyTools }),
    ...(withoutTools !== undefined && { withoutTools }),
    labels: own.labels,
    toolLabels: own.toolLabels,
    secrets: [...secrets],
    origins,
    written,
  }
}

const ONLY_KEYS: readonly string[] = [
  'enabled_tools',
  'includeTools',
  'allowedTools',
  'available_tools',
  'tools',
]
const WITHOUT_KEYS: readonly string[] = [
  'disabled_tools',
  'excludeTools',
  'blockedTools',
  'disabledTools',
]

/** A list of tools. One that is empty or holds a star means all, as in the hosts that write them so. */
function listed(
  node: ConfigNode,
  keys: readonly string[],
  draft: EntryDraft,
): readonly string[] | undefined {
  const lists = keys.filter((key) => node.members.get(key)?.kind === 'array')
  const member = draft.pick(node, lists)
  if (member === undefined) return undefined
  const words = draft.words(member.key, member.node)
  const all = member.key === 'available_tools' || member.key === 'tools'
  if (words === undefined || words.includes('*') || (all && words.length === 0)) return undefined
  return words
}

/** Members that let calls pass in their host, and those that do something there that is not done here. */
const GRANTS: readonly string[] = [
  'alwaysAllow',
  'autoApprove',
  'always_allow',
  'trust',
  'default_tools_approval_mode',
]
const UNSUPPORTED: readonly string[] = ['headersHelper', 'proxy', 'sandboxEnabled', 'sandbox']

function tellNotTaken({ members }: ConfigNode, draft: EntryDraft): void {
  for (const key of GRANTS) {
    const node = members.get(key)
    const grants = node !== undefined && (node.items.length > 0 || GRANTING.has(node.text))
    if (grants) draft.warn('not-taken', node.place, { key })
  }
  for (const key of UNSUPPORTED) {
    const node = members.get(key)
    if (node !== undefined && node.text !== 'false' && node.kind !== 'null')
      draft.warn('unsupported', node.place, { key })
  }
}

const GRANTING: ReadonlySet<string> = new Set(['true', 'auto', 'approve', 'always'])

function tellDoubled(node: ConfigNode, draft: EntryDraft): void {
  for (const { key, first, last } of node.doubled)
    draft.warn('duplicate-key', last, { key, ...linesOf(first.line, last.line) })
  for (const inner of [...node.members.values(), ...node.items]) tellDoubled(inner, draft)
}

/** Lines for a sentence, where there are lines. */
export function linesOf(
  first: number | undefined,
  line: number | undefined,
): Readonly<Record<string, number>> {
  return first === undefined || line === undefined ? {} : { first, line }
}
