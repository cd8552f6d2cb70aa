/**
 * Holds what servers say of themselves to what was approved: each tool's definition, and the server's instructions. Every
 * list that was read counts, at once: what changes and changes back is held as well.
 */

import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import type { PinningMode } from '../config/config.ts'
import { launchText, type ServerEntry } from '../config/entry.ts'
import type { PinState } from '../policy/act.ts'
import { definitionDiff } from '../policy/definition-diff.ts'
import { definitionText } from '../policy/pins.ts'
import type { Tool } from '../protocol/types/tools.ts'
import type { HeldTool } from './host-tool.ts'
import { sha256 } from './judged-arguments.ts'
import type { LockFile, PinRecord, ServerRecord, ToolRecord } from './lock-file.ts'

/** What a server offers, as far as it is pinned. */
export interface Offered {
  readonly tools: readonly Tool[]
  readonly instructions: string | undefined
}

/** How a tool stands now. */
export interface ToolStanding {
  readonly state: PinState
  /** Hash of the definition that is offered now. */
  readonly sha256: string
  readonly tool: Tool
  readonly held?: HeldTool
  /** For a held tool that was approved once: that definition. */
  readonly approved?: Tool
}

interface ServerStanding {
  readonly launch: string
  readonly tools: ReadonlyMap<string, ToolStanding>
  readonly instructions: { readonly text: string; readonly held?: HeldTool } | undefined
}

/** A tool of a list with its pin, which is made once for all that asks for it. */
interface SeenTool {
  readonly tool: Tool
  readonly pin: PinRecord
}

/** What was read of one server at once. */
interface Heard {
  readonly key: string
  readonly launch: string
  readonly seen: readonly SeenTool[]
  readonly said: string | undefined
}

export interface PinningOptions {
  readonly mode: PinningMode
  readonly lock: LockFile
  /** The alias to write down for a tool. */
  readonly aliasOf: (server: string, tool: string) => string
}

export class Pinning {
  readonly #options: PinningOptions
  readonly #servers = new Map<string, ServerStanding>()
  #version = 0

  constructor(options: PinningOptions) {
    this.#options = options
  }

  get mode(): PinningMode {
    return this.#options.mode
  }

  /** Another number whenever something may stand differently. */
  get version(): number {
    return this.#version
  }

  /** Takes in a list that was read. What it changes in the records is written by the lock file's `save`. */
  offer(entry: ServerEntry, offered: Offered): void {
    const { mode, lock } = this.#options
    const launch = sha256(launchText(entry))
    const known = lock.servers.get(entry.key)
    const seen = offered.tools.map((tool): SeenTool => ({ tool, pin: pinOf(tool) }))
    const record =
      mode === 'first-use'
        ? this.#recordOf(known, { launch, seen, said: offered.instructions, key: entry.key })
        : known
    if (mode === 'first-use' && record !== undefined && !isSame(record, known))
      lock.set(entry.key, record)
    const moved = mode === 'frozen' && record !== undefined && record.launch !== launch
    const before = this.#servers.get(entry.key)
    const tools = seen.map((one): [string, ToolStanding] => [
      one.tool.name,
      this.#standing(one, record, { moved, before: before?.tools.get(one.tool.name) }),
    ])
    const instructions = this.#instructions(offered.instructions, record, moved)
    this.#put(entry.key, { launch, tools: new Map(tools), instructions })
  }

  /**
   * What a server that was not started yet offered when it was approved: enough to be shown and asked about. Does nothing when
   * it was heard already, or is started in another way by now.
   */
  recall(entry: ServerEntry): void {
    const record = this.#options.lock.servers.get(entry.key)
    if (record === undefined || this.#servers.has(entry.key)) return
    const launch = sha256(launchText(entry))
    if (record.launch !== launch) return
    // Whoever changed the file by hand made no other tool of one that was approved.
    const tools = [...record.tools].flatMap(([name, { definition, approved }]) =>
      approved && isTool(definition) && definition.name === name ? [definition] : [],
    )
    const standings = tools.map((tool): [string, ToolStanding] => [
      tool.name,
      this.#standing({ tool, pin: pinOf(tool) }, record, { moved: false, before: undefined }),
    ])
    const said = record.instructions?.definition
    const text = typeof said === 'string' ? said : undefined
    const instructions = this.#instructions(text, record, false)
    this.#put(entry.key, { launch, tools: new Map(standings), instructions })
  }

  /** Undefined when the server does not offer it now. */
  standing(server: string, tool: string): ToolStanding | undefined {
    return this.#servers.get(server)?.tools.get(tool)
  }

  /** What the server offers now, in its order. */
  names(server: string): readonly string[] {
    return [...(this.#servers.get(server)?.tools.keys() ?? [])]
  }

  /** What the server says of its use, and why it is not given on, if so. Undefined without instructions. */
  instructions(server: string): ServerStanding['instructions'] {
    return this.#servers.get(server)?.instructions
  }

  /** SHA-256 of what starts the server, as it was when it was last heard. */
  launch(server: string): string | undefined {
    return this.#servers.get(server)?.launch
  }

  /** Nothing more is known of what the server offers; what was pinned stays. */
  forget(server: string): void {
    this.#version += 1
    this.#servers.delete(server)
  }

  #put(server: string, standing: ServerStanding): void {
    this.#version += 1
    this.#servers.set(server, standing)
  }

  /** What is offered now is what is approved from here on: one tool, or everything of the server. */
  approve(entry: ServerEntry, tool?: string): void {
    const { lock, aliasOf } = this.#options
    const current = this.#servers.get(entry.key)
    if (current === undefined) return
    const before = lock.servers.get(entry.key)
    const tools = new Map(tool === undefined ? [] : before?.tools)
    for (const [name, { tool: offered }] of current.tools) {
      if (tool === undefined || tool === name)
        tools.set(name, { alias: aliasOf(entry.key, name), ...pinOf(offered) })
    }
    const text = current.instructions?.text
    const kept = before?.instructions
    const instructions = tool !== undefined ? kept : text === undefined ? undefined : pinText(text)
    lock.set(entry.key, {
      launch: current.launch,
      ...(instructions !== undefined && { instructions }),
      tools,
    })
    // What was held before is no reason to hold it now.
    this.forget(entry.key)
    const offered = [...current.tools.values()].map((one) => one.tool)
    this.offer(entry, { tools: offered, instructions: text })
  }

  /** Writes down what was pinned and approved. */
  save(): Promise<void> {
    return this.#options.lock.save()
  }

  /** The record of a server after this list, in a host that approves what it meets first. */
  #recordOf(known: ServerRecord | undefined, { launch, seen, said, key }: Heard): ServerRecord {
    const first = known === undefined
    // What starts it is another thing: everything of it has to be looked at again.
    const trusted = first || known.launch === launch
    const tools = new Map(
      [...(known?.tools ?? [])].map(([name, tool]): [string, ToolRecord] => [
        name,
        trusted ? tool : { ...tool, approved: false },
      ]),
    )
    for (const { tool, pin } of seen) {
      const next = nextPin(tools.get(tool.name), { ...pin, approved: first })
      tools.set(tool.name, { alias: this.#options.aliasOf(key, tool.name), ...next })
    }
    const before = known?.instructions
    const held = before === undefined || trusted ? before : { ...before, approved: false }
    const instructions =
      said === undefined ? held : nextPin(held, { ...pinText(said), approved: first })
    return { launch, ...(instructions !== undefined && { instructions }), tools }
  }

  #standing(
    { tool, pin }: SeenTool,
    record: ServerRecord | undefined,
    { moved, before }: { moved: boolean; before: ToolStanding | undefined },
  ): ToolStanding {
    const now = { sha256: pin.sha256, tool }
    if (this.#options.mode === 'off') return { ...now, state: 'approved' }
    const known = record?.tools.get(tool.name)
    if (known === undefined || !known.approved) {
      if (this.#options.mode === 'first-use') return { ...now, state: 'new' }
      return { ...now, state: 'changed', held: { ...NEVER_APPROVED, diff: [] } }
    }
    const approved = isTool(known.definition) ? known.definition : undefined
    const held = moved ? { ...MOVED, diff: [] } : (heldBy(known, pin) ?? flapped(before))
    if (held === undefined) return { ...now, state: 'approved' }
    return { ...now, state: 'changed', held, ...(approved !== undefined && { approved }) }
  }

  #instructions(
    text: string | undefined,
    record: ServerRecord | undefined,
    moved: boolean,
  ): ServerStanding['instructions'] {
    if (text === undefined) return undefined
    if (this.#options.mode === 'off') return { text }
    const pin = record?.instructions
    if (pin === undefined || !pin.approved) return { text, held: { ...NEVER_APPROVED, diff: [] } }
    if (moved) return { text, held: { ...MOVED, diff: [] } }
    const held = heldBy(pin, pinText(text))
    return held === undefined ? { text } : { text, held }
  }
}

type Why = Omit<HeldTool, 'diff'>

const NEVER_APPROVED: Why = { why: 'never-approved', reason: 'it was never approved' }
const MOVED: Why = {
  why: 'moved',
  reason: 'its server is started or reached in another way than when it was approved',
}
const CHANGED: Why = {
  why: 'changed',
  reason: 'its definition is not the one that was approved',
}
const RETURNED: Why = {
  why: 'returned',
  reason: 'its definition was another one meanwhile and is now back at the one that was approved',
}

/** The record of one thing after it was seen as `seen`. */
function nextPin(pin: PinRecord | undefined, seen: PinRecord): PinRecord {
  if (pin === undefined) return seen
  const { sha256: hash, definition } = seen
  // Nobody approved it yet, so there is nothing that it could differ from.
  if (!pin.approved) return { ...seen, approved: false }
  if (pin.sha256 === hash) return pin
  return { ...pin, suspect: { sha256: hash, definition } }
}

function heldBy(pin: PinRecord, seen: PinRecord): HeldTool | undefined {
  if (pin.sha256 !== seen.sha256)
    return { ...CHANGED, diff: definitionDiff(pin.definition, seen.definition) }
  if (pin.suspect === undefined) return undefined
  return { ...RETURNED, diff: definitionDiff(pin.definition, pin.suspect.definition) }
}

/** Where no records may be written, what was held stays held for as long as the host lives. */
function flapped(before: ToolStanding | undefined): HeldTool | undefined {
  if (before?.held === undefined || before.approved === undefined) return undefined
  return { ...RETURNED, diff: before.held.diff }
}

/** A definition of the lock file, which anyone may have changed, as a tool. */
function isTool(definition: JsonValue): definition is JsonObject & Tool {
  return (
    isJsonObject(definition) &&
    typeof definition['name'] === 'string' &&
    isJsonObject(definition['inputSchema'])
  )
}

function pinOf(tool: Tool): PinRecord {
  const text = definitionText(tool)
  const definition = JSON.parse(text) as JsonValue // JSON that was written a line above
  return { sha256: sha256(text), definition, approved: true }
}

function pinText(text: string): PinRecord {
  return { sha256: sha256(text), definition: text, approved: true }
}

function isSame(record: ServerRecord, known: ServerRecord | undefined): boolean {
  return known !== undefined && comparable(record) === comparable(known)
}

function comparable({ launch, instructions, tools }: ServerRecord): string {
  const pins = [...tools].map(([name, { alias, sha256: hash, approved, suspect }]) => [
    name,
    alias,
    hash,
    approved,
    suspect?.sha256 ?? null,
  ])
  const said = [instructions?.sha256, instructions?.approved, instructions?.suspect?.sha256]
  return canonicalJson([launch, ...said.map((one) => one ?? null), ...pins])
}
