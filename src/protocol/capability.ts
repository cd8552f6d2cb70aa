/**
 * What was declared, against what a method needs; and which declarations a revision has words for.
 *
 * Paths are looked up in own members only: a peer that declares nothing has no `constructor` capability either.
 */

import { isJsonObject, type JsonObject } from '../base/json.ts'
import type { MethodRule } from './dialect.ts'
import type { ClientCapabilities, Open, ServerCapabilities } from './types/common.ts'
import type { CapabilityWords } from './vocabulary.ts'

export interface Declared {
  readonly client: ClientCapabilities
  readonly server: ServerCapabilities
  /** Who sends the message, for rules that both sides may use. */
  readonly sender?: 'client' | 'server'
}

/** What a method lacks, e.g. `server tools.listChanged`, or undefined when nothing is missing. // LIFE-08 */
export function missingCapability(rule: MethodRule, declared: Declared): string | undefined {
  if (rule.needs === undefined) return undefined
  const dot = rule.needs.indexOf('.')
  const owner = ownerOf(
    rule.needs.slice(0, dot),
    rule.sender === 'both' ? declared.sender : rule.sender,
  )
  const path = rule.needs.slice(dot + 1)
  if (owner === undefined) {
    // Nobody said who sends it: it is enough that one side declared it.
    return declares(declared.client, path) || declares(declared.server, path)
      ? undefined
      : `either ${path}`
  }
  return declares(declared[owner], path) ? undefined : `${owner} ${path}`
}

function ownerOf(
  word: string,
  sender: 'client' | 'server' | undefined,
): 'client' | 'server' | undefined {
  if (word === 'client' || word === 'server') return word
  if (sender === undefined || word === 'sender') return sender
  return sender === 'client' ? 'server' : 'client'
}

/** Whether a dotted path is declared. `false` and `null` are refusals; any object is consent. */
export function declares(capabilities: Open, path: string): boolean {
  let at: unknown = capabilities
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false
    at = Reflect.get(at, name)
  }
  return at !== undefined && at !== null && at !== false
}

/**
 * What a question of a server needs that the client did not declare, e.g. `elicitation.url`, or undefined. Looks at
 * the kind of the question and at what it uses. // MRTR-04, ELIC-02, SAMP-06
 */
export function missingForInput(
  method: string,
  params: Open | undefined,
  client: ClientCapabilities,
): string | undefined {
  if (method === 'roots/list') return declares(client, 'roots') ? undefined : 'roots'
  if (method === 'sampling/createMessage') {
    if (!declares(client, 'sampling')) return 'sampling'
    const wantsTools = params?.['tools'] !== undefined || params?.['toolChoice'] !== undefined
    return wantsTools && !declares(client, 'sampling.tools') ? 'sampling.tools' : undefined // SAMP-06
  }
  if (method !== 'elicitation/create') return method
  if (!declares(client, 'elicitation')) return 'elicitation'
  const mode = params?.['mode'] === 'url' ? 'url' : 'form' // ELIC-04
  return elicitationModes(client).has(mode) ? undefined : `elicitation.${mode}`
}

/** The modes that a client declared; an empty object means the form. // ELIC-01 */
export function elicitationModes(client: ClientCapabilities): ReadonlySet<'form' | 'url'> {
  if (!declares(client, 'elicitation')) return new Set()
  const url = declares(client, 'elicitation.url')
  const form = declares(client, 'elicitation.form') || !url
  return new Set([...(form ? (['form'] as const) : []), ...(url ? (['url'] as const) : [])])
}

/** The object of capabilities to declare for a missing path: `elicitation.url` gives `{ elicitation: { url: {} } }`. // ERR-07 */
export function capabilityAt(path: string): ClientCapabilities {
  return path.split('.').reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), {})
}

/** Declarations in the words of a revision: unknown ones are left out, known ones keep the members that are known. */
export function projectCapabilities(capabilities: Open, words: CapabilityWords): JsonObject {
  const told: JsonObject = {}
  for (const [name, members] of Object.entries(words)) {
    const value = Object.hasOwn(capabilities, name) ? capabilities[name] : undefined
    if (isJsonObject(value)) told[name] = members === 'all' ? value : pick(value, members)
  }
  return told
}

/** The same for a client, whose elicitation is not told where its only mode has no word. // ELIC-01 */
export function projectClient(
  capabilities: ClientCapabilities,
  words: CapabilityWords,
): JsonObject {
  const { elicitation, ...rest } = projectCapabilities(capabilities, words)
  const known = words['elicitation']
  const modes = elicitationModes(capabilities)
  const usable = modes.has('form') || known === 'all' || known?.includes('url') === true
  return elicitation !== undefined && usable ? { ...rest, elicitation } : rest
}

/** The members of `from` that are named and present. */
export function pick(from: JsonObject, names: readonly string[]): JsonObject {
  const picked: JsonObject = {}
  for (const name of names) {
    const value = Object.hasOwn(from, name) ? from[name] : undefined
    if (value !== undefined) picked[name] = value
  }
  return picked
}
