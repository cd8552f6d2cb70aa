/**
 * The folder of sessions: each has its conversation, its recorded wire and its artifacts in a folder of its own, for the user
 * alone. Only so many are kept, and one is open in one process at a time.
 *
 * Paths are made of ids that were checked; nothing that a model or a peer said is ever a part of one.
 */

import { randomBytes } from 'node:crypto'
import { lstat, mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Usage } from '../agent/model.ts'
import { UsageError } from '../base/errors.ts'
import { isJsonObject } from '../base/json.ts'
import { terminalText } from '../base/terminal-text.ts'
import { stateFolder } from '../config/node/home.ts'
import { makeFolder } from '../config/node/make-folder.ts'
import { readTextIfThere } from '../config/node/read-text.ts'
import { writeFileWhole } from '../config/node/write-private.ts'
import { systemTable, type ProcessTable } from '../host/process-identity.ts'
import { keptIn, type KeptModel } from './agent-kept.ts'
import type { SessionFaultWords } from './messages/agent-words.ts'
import type { SecretMask } from './secrets.ts'

/** A conversation, or one task of `run`; one that a chat went on with is a chat. */
export type SessionKind = 'chat' | 'run'

/** What is told of a session without reading it. */
export interface SessionFacts {
  readonly kind: SessionKind
  /** Milliseconds since 1970. */
  readonly created: number
  readonly updated: number
  /** As `deepseek:deepseek-flash`. */
  readonly model: string
  /** How it is asked; undefined in a session of a version that kept nothing of it. */
  readonly kept?: KeptModel | undefined
  /** Where it was begun. */
  readonly folder: string
  /** The beginning of what the user said first. */
  readonly title: string
  /** How often the user said something. */
  readonly messages: number
  /** What it came to so far. */
  readonly spent: SpentSoFar
}

export interface SpentSoFar {
  readonly turns: number
  readonly usage: Usage
  /** There when a part of `usage`, and so of `usd`, is an estimate. */
  readonly estimated?: true
  /** Requests of which nobody knows what they count; no part of `usage`. */
  readonly uncounted?: number
  /** US dollars; undefined when the cost of a reply is not known. */
  readonly usd: number | undefined
}

export interface KnownSession extends SessionFacts {
  /** As `20260704-101500-3fa9`: the newer, the later in order. */
  readonly id: string
}

/** A session that this process has open. */
export interface OpenSession {
  readonly id: string
  readonly folder: string
  readonly transcriptPath: string
  readonly capturePath: string
  readonly artifactsPath: string
  /** Writes down what is told of it. */
  tell(facts: SessionFacts): Promise<void>
  /** Lets others open it. May be called twice. */
  close(): Promise<void>
  /** Removes it with all that it kept: nothing was said in it. */
  discard(): Promise<void>
}

export interface SessionsOptions {
  readonly faults: SessionFaultWords
  /** Most sessions of each kind that are kept; the longest untouched go first. Default 50. */
  readonly keep?: number
  /** Milliseconds since 1970. Default the system's. */
  readonly now?: () => number
  readonly table?: ProcessTable
}

const ID = /^\d{8}-\d{6}-[0-9a-f]{4}$/
const KEEP = 50
const CAPTURE = 'capture.jsonl'
/** Largest file of facts, and most folders looked at. */
const MAX_FACTS_BYTES = 64 * 1024
const MAX_FOLDERS = 10_000
const MAX_TITLE = 120

/** `$DEEP_PILOT_HOME/sessions`. */
export function sessionsFolder(env: Readonly<Record<string, string | undefined>>): string {
  return join(stateFolder(env), 'sessions')
}

export class Sessions {
  readonly #folder: string
  readonly #faults: SessionFaultWords
  readonly #keep: number
  readonly #now: () => number
  readonly #table: ProcessTable

  constructor(folder: string, options: SessionsOptions) {
    this.#folder = folder
    this.#faults = options.faults
    this.#keep = options.keep ?? KEEP
    this.#now = options.now ?? Date.now
    this.#table = options.table ?? systemTable
  }

  /** Begins a new one, and removes those of its kind that are too many: runs of a script push out no chat. */
  async begin(kind: SessionKind): Promise<OpenSession> {
    const id = await this.#makeFolder()
    const session = await this.#open(id)
    await this.#removeOld(id, kind)
    return session
  }

  /** Opens one again. Rejects with a `UsageError` when there is none, several are meant, or another process has it open. */
  async resume(wish: string | undefined): Promise<OpenSession> {
    return this.#open((await this.find(wish)).id)
  }

  /** The newest, of this kind where one is named, or the one of any kind whose id has this in it. */
  async find(wish: string | undefined, kind?: SessionKind): Promise<KnownSession> {
    const all = await this.list()
    const found =
      wish === undefined
        ? all.filter((one) => kind === undefined || one.kind === kind).slice(0, 1)
        : all.filter(({ id }) => meant(id, wish))
    const [one, second] = found
    if (one !== undefined && second === undefined) return one
    const { severalSessions, noSession, noSessionYet, noChatYet } = this.#faults
    if (wish === undefined && all.length > 0) throw new UsageError(noChatYet(idsOf(all)))
    const shown = terminalText(wish ?? '')
    if (second !== undefined) throw new UsageError(severalSessions(shown, idsOf(found)))
    const fault = all.length === 0 ? noSessionYet(this.#folder) : noSession(shown, idsOf(all))
    throw new UsageError(fault)
  }

  /** Where the wire of a session is recorded. */
  captureOf({ id }: KnownSession): string {
    return join(this.#folder, id, CAPTURE)
  }

  /** All that there are, the last one used first. A folder whose facts cannot be read is told with empty ones. */
  async list(): Promise<readonly KnownSession[]> {
    const known: KnownSession[] = []
    for (const id of await this.#ids()) {
      const facts = await this.#factsOf(id)
      if (facts !== undefined) known.push({ id, ...facts })
    }
    return known.sort((one, two) => two.updated - one.updated || two.id.localeCompare(one.id))
  }

  async #ids(): Promise<readonly string[]> {
    try {
      const names = await readdir(this.#folder)
      return names.filter((name) => ID.test(name)).slice(0, MAX_FOLDERS)
    } catch (error) {
      if (isMissing(error)) return []
      const fault = this.#faults.sessionsUnreadable(this.#folder, error)
      throw new UsageError(fault, { cause: error })
    }
  }

  async #factsOf(id: string): Promise<SessionFacts | undefined> {
    const path = join(this.#folder, id)
    const stats = await lstat(path).catch(() => undefined) // removed meanwhile
    if (stats?.isDirectory() !== true) return undefined
    const begun = stats.mtimeMs
    try {
      const text = (await readTextIfThere(join(path, 'meta.json'), MAX_FACTS_BYTES))?.text
      return factsIn(text === undefined ? {} : JSON.parse(text), begun)
    } catch {
      // Half written or not ours: the conversation may be sound all the same.
      return factsIn({}, begun)
    }
  }

  async #makeFolder(): Promise<string> {
    makeFolder(this.#folder)
    for (let tries = 0; ; tries += 1) {
      const id = `${stamp(this.#now())}-${randomBytes(2).toString('hex')}`
      try {
        await mkdir(join(this.#folder, id), { mode: 0o700 })
        return id
      } catch (error) {
        if (tries < 10 && isCode(error, 'EEXIST')) continue
        const fault = this.#faults.sessionsUnwritable(this.#folder, error)
        throw new UsageError(fault, { cause: error })
      }
    }
  }

  async #open(id: string): Promise<OpenSession> {
    const folder = join(this.#folder, id)
    const lock = join(folder, 'lock')
    await this.#lock(id, lock)
    return {
      id,
      folder,
      transcriptPath: join(folder, 'transcript.jsonl'),
      capturePath: join(folder, CAPTURE),
      artifactsPath: join(folder, 'artifacts'),
      async tell(facts) {
        const title = facts.title.slice(0, MAX_TITLE)
        const text = JSON.stringify({ version: 1, ...facts, title }, null, 2)
        await writeFileWhole(join(folder, 'meta.json'), `${text}\n`, { mode: 0o600 })
      },
      close: () => rm(lock, { force: true }),
      discard: () => rm(folder, { recursive: true, force: true }),
    }
  }

  async #lock(id: string, path: string): Promise<void> {
    const owner = await this.#ownerOf(path)
    if (owner !== undefined) throw new UsageError(this.#faults.sessionOpen(id, owner))
    await rm(path, { force: true })
    const { pid } = process
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(JSON.stringify({ pid, began: this.#table.beginning(pid) }))
    } finally {
      await file.close()
    }
  }

  /** The living process that has a session open. */
  async #ownerOf(lock: string): Promise<number | undefined> {
    try {
      const owner: unknown = JSON.parse(await readFile(lock, 'utf8'))
      const { pid, began } = isJsonObject(owner) ? owner : {}
      if (typeof pid !== 'number' || !this.#table.isAlive(pid)) return undefined
      // A number may have been given to another process since.
      const now = this.#table.beginning(pid)
      return now === undefined || began === undefined || now === began ? pid : undefined
    } catch {
      return undefined // there is no lock, or only half of one
    }
  }

  async #removeOld(own: string, kind: SessionKind): Promise<void> {
    const all = await this.list()
    const others = all.filter((one) => one.id !== own && one.kind === kind)
    for (const { id } of others.slice(Math.max(0, this.#keep - 1))) {
      const folder = join(this.#folder, id)
      if ((await this.#ownerOf(join(folder, 'lock'))) !== undefined) continue
      await rm(folder, { recursive: true, force: true, maxRetries: 2 })
    }
  }
}

/** The beginning of a text as a title: one line, without known secrets. Peer text stays peer text: escape it before it is shown. */
export function titleOf(text: string, mask: Pick<SecretMask, 'text'>): string {
  const beginning = text.trimStart().slice(0, MAX_TITLE * 20)
  // Before it is cut: half a secret is none that could be known.
  return mask.text(beginning).trim().replaceAll(/\s+/g, ' ').slice(0, MAX_TITLE)
}

function meant(id: string, wish: string): boolean {
  return wish.length >= 2 && id.includes(wish)
}

/** Of the first few. */
function idsOf(sessions: readonly KnownSession[]): readonly string[] {
  return sessions.slice(0, 5).map(({ id }) => id)
}

function factsIn(value: unknown, begun: number): SessionFacts {
  const facts = isJsonObject(value) ? value : {}
  const { kind, created, updated, model, folder, title, messages, spent } = facts
  const kept = keptIn(facts['kept'])
  return {
    kind: kind === 'run' ? 'run' : 'chat',
    created: typeof created === 'number' ? created : begun,
    updated: typeof updated === 'number' ? updated : begun,
    model: typeof model === 'string' ? model : '',
    ...(kept !== undefined && { kept }),
    folder: typeof folder === 'string' ? folder : '',
    title: typeof title === 'string' ? title : '',
    messages: numberIn(messages),
    spent: spentIn(spent),
  }
}

function spentIn(value: unknown): SpentSoFar {
  const { turns, usage, estimated, uncounted, usd } = isJsonObject(value) ? value : {}
  const { input, output, cachedInput } = isJsonObject(usage) ? usage : {}
  const cached = typeof cachedInput === 'number' ? { cachedInput: numberIn(cachedInput) } : {}
  return {
    turns: numberIn(turns),
    usage: { input: numberIn(input), output: numberIn(output), ...cached },
    ...(estimated === true && { estimated }),
    ...(numberIn(uncounted) > 0 && { uncounted: numberIn(uncounted) }),
    // Of a session in which nothing was asked yet it is known.
    usd: value === undefined ? 0 : typeof usd === 'number' ? numberIn(usd) : undefined,
  }
}

/** Nothing that is counted is less than nothing: a budget would be more than it was. */
function numberIn(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? value : 0
}

/** `20260704-101500`, in the time of the user's place. */
function stamp(now: number): string {
  const date = new Date(now)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}`
  return `${day}-${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`
}

function isMissing(error: unknown): boolean {
  return isCode(error, 'ENOENT')
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
