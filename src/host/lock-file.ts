/**
 * `deep-pilot.lock.json`: the definitions that were approved, server by server, with the alias of each tool and the hash of
 * what starts the server. It is read with a tool, compared in a review, and holds no secret.
 *
 * Only what is in the file and how it is kept; what a difference means is decided in `pinning`.
 */

import type { DetailOf } from '../base/error-detail.ts'
import { ConfigError, describeError } from '../base/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { readTextIfThere } from '../config/node/read-text.ts'
import { writeFileWhole } from '../config/node/write-private.ts'

export const LOCK_FILE_NAME = 'deep-pilot.lock.json'

/** Something that was pinned, and what was seen in its place. */
export interface PinRecord {
  readonly sha256: string
  /** What the hash is of. */
  readonly definition: JsonValue
  /** False for what came after its server was approved, and that nobody looked at yet. */
  readonly approved: boolean
  /** What was seen under this name since it was approved. Stays until someone approves anew, even if it is gone again. */
  readonly suspect?: { readonly sha256: string; readonly definition: JsonValue }
}

export interface ToolRecord extends PinRecord {
  readonly alias: string
}

export interface ServerRecord {
  /** SHA-256 of what starts or reaches the server. */
  readonly launch: string
  readonly instructions?: PinRecord
  readonly tools: ReadonlyMap<string, ToolRecord>
}

/** Records by config key, kept in a file or only in memory. Changes are written by `save`. */
/** Records that are kept in another file: a project has no say over what the user approved elsewhere. */
export interface KeptApart {
  readonly path: string
  /** Whether the server of this key is kept there. */
  readonly has: (key: string) => boolean
}

export class LockFile {
  readonly #path: string | undefined
  readonly #apart: KeptApart | undefined
  readonly #servers: Map<string, ServerRecord>
  readonly #touched = new Set<string>()
  #saving: Promise<void> = Promise.resolve()

  private constructor(
    path: string | undefined,
    servers: Map<string, ServerRecord>,
    apart?: KeptApart,
  ) {
    this.#path = path
    this.#servers = servers
    this.#apart = apart
  }

  /** Reads the file; there need not be one yet. Rejects with a `ConfigError` when it is no lock file. */
  static async open(path: string, apart?: KeptApart): Promise<LockFile> {
    const records = await readRecords(path)
    if (apart === undefined) return new LockFile(path, records)
    for (const key of records.keys()) if (apart.has(key)) records.delete(key)
    for (const [key, record] of await readRecords(apart.path))
      if (apart.has(key)) records.set(key, record)
    return new LockFile(path, records, apart)
  }

  /** Keeps nothing beyond its own life. */
  static inMemory(): LockFile {
    return new LockFile(undefined, new Map())
  }

  get path(): string | undefined {
    return this.#path
  }

  /** In the order of the file, then as they came. */
  get servers(): ReadonlyMap<string, ServerRecord> {
    return this.#servers
  }

  set(key: string, record: ServerRecord): void {
    this.#servers.set(key, record)
    this.#touched.add(key)
  }

  delete(key: string): void {
    this.#servers.delete(key)
    this.#touched.add(key)
  }

  /** Writes what changed here over what is in the file by now. Several calls are one after the other. */
  save(): Promise<void> {
    const saved = this.#saving.then(() => this.#save())
    this.#saving = saved.catch(() => undefined) // whoever asked for it hears of it
    return saved
  }

  async #save(): Promise<void> {
    if (this.#path === undefined || this.#touched.size === 0) return
    const touched = [...this.#touched]
    this.#touched.clear()
    const isApart = (key: string): boolean => this.#apart?.has(key) === true
    try {
      if (this.#apart !== undefined) await this.#write(this.#apart.path, touched.filter(isApart))
      await this.#write(
        this.#path,
        touched.filter((key) => !isApart(key)),
      )
    } catch (error) {
      for (const key of touched) this.#touched.add(key)
      throw error
    }
  }

  async #write(path: string, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    const records = await readRecords(path)
    for (const key of keys) {
      const record = this.#servers.get(key)
      if (record === undefined) records.delete(key)
      else records.set(key, record)
    }
    await writeFileWhole(path, lockText(records))
  }
}

const MAX_BYTES = 64 * 1024 * 1024

/** The text of a lock file: the same for equal records, names sorted, so that a difference shows what changed. */
export function lockText(servers: ReadonlyMap<string, ServerRecord>): string {
  const value = {
    version: 1,
    servers: sorted(servers, (record) => ({
      launch: record.launch,
      ...(record.instructions !== undefined && { instructions: pinText(record.instructions) }),
      tools: sorted(record.tools, (tool) => ({ alias: tool.alias, ...pinText(tool) })),
    })),
  }
  return `${JSON.stringify(value, null, 2)}\n`
}

function pinText({ sha256, approved, definition, suspect }: PinRecord): JsonObject {
  return { sha256, approved, definition, ...(suspect !== undefined && { suspect: { ...suspect } }) }
}

/** `fromEntries` defines members, so that a name as `__proto__` is a name as any other. */
function sorted<Value>(
  entries: ReadonlyMap<string, Value>,
  write: (value: Value) => JsonObject,
): JsonObject {
  const names = [...entries.keys()].toSorted()
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = entries.get(name)
      return value === undefined ? [] : [[name, write(value)]]
    }),
  ) as JsonObject // every member was written as JSON
}

async function readRecords(path: string): Promise<Map<string, ServerRecord>> {
  const text = (await readTextIfThere(path, MAX_BYTES))?.text
  if (text === undefined) return new Map()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw broken(path, { problem: describeError(cause), why: 'no-json', cause })
  }
  if (!isJsonObject(value) || value['version'] !== 1 || !isJsonObject(value['servers']))
    throw broken(path, { problem: 'it has no "version": 1 with "servers"', why: 'no-servers' })
  return new Map(
    Object.entries(value['servers']).map(([key, server]) => [key, serverOf(server, path, key)]),
  )
}

function serverOf(value: JsonValue | undefined, path: string, key: string): ServerRecord {
  const { launch, tools, instructions } = isJsonObject(value) ? value : {}
  if (typeof launch !== 'string' || !isJsonObject(tools))
    throw broken(path, {
      problem: `the server ${JSON.stringify(key)} has no "launch" and "tools"`,
      why: 'bad-server',
      server: key,
    })
  const records = Object.entries(tools).map(([name, tool]): [string, ToolRecord] => {
    const pin = pinOf(tool, path, key)
    const alias = isJsonObject(tool) ? tool['alias'] : undefined
    return [name, { ...pin, alias: typeof alias === 'string' ? alias : '' }]
  })
  return {
    launch,
    ...(instructions !== undefined && { instructions: pinOf(instructions, path, key) }),
    tools: new Map(records),
  }
}

function pinOf(value: JsonValue | undefined, path: string, key: string): PinRecord {
  const { sha256, definition, approved, suspect } = isJsonObject(value) ? value : {}
  if (typeof sha256 !== 'string' || definition === undefined)
    throw broken(path, {
      problem: `a pin of the server ${JSON.stringify(key)} has no hash or no definition`,
      why: 'bad-pin',
      server: key,
    })
  const seen = isJsonObject(suspect) ? suspect : undefined
  return {
    sha256,
    definition,
    approved: approved === true,
    ...(seen !== undefined && {
      // A mark that cannot be read still is a mark.
      suspect: { sha256: textOf(seen['sha256']), definition: seen['definition'] ?? null },
    }),
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

interface LockFault {
  readonly problem: string
  readonly why: DetailOf<'lock-unusable'>['why']
  readonly server?: string
  readonly cause?: unknown
}

function broken(path: string, { problem, why, server, cause }: LockFault): ConfigError {
  return new ConfigError(
    `The lock file "${path}" cannot be read: ${problem}. Take it back from where it was good, or move it away and approve again.`,
    {
      file: path,
      ...(cause !== undefined && { cause }),
      detail: { kind: 'lock-unusable', why, ...(server !== undefined && { server }) },
    },
  )
}
