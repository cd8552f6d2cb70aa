/**
 * What persons said yes to: for the session, in memory; for longer, in a file of the state folder, until it expires. A grant
 * is bound to the definition of the tool and to what starts its server, so that neither can be exchanged under it.
 */

import { describeError } from '../base/errors.ts'
import { isJsonObject, type JsonValue } from '../base/json.ts'
import type { Grant } from '../policy/grants.ts'
import { readTextIfThere } from '../config/node/read-text.ts'
import { writeFileWhole } from '../config/node/write-private.ts'

/** A grant with what it is bound to beside the tool's own pin. */
export interface KeptGrant {
  readonly grant: Grant
  /** SHA-256 of what starts or reaches the server; empty for a native tool. */
  readonly launch: string
}

export interface GrantBookOptions {
  /** Where lasting grants are kept. Default: nowhere, they last as long as the session. */
  readonly path?: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onProblem?: (message: string, cause: unknown) => void
}

/** Name of the file in the state folder. */
export const GRANTS_FILE = 'grants.json'

/** Most grants that are kept; the oldest go first. */
const MAX_GRANTS = 2_000
const MAX_BYTES = 4 * 1024 * 1024

export class GrantBook {
  readonly #options: GrantBookOptions
  /** What the file has. */
  #kept: readonly KeptGrant[]
  /** What it is to have, and what it could not be given. */
  #added: readonly KeptGrant[] = []
  #session: readonly KeptGrant[] = []
  #saving: Promise<unknown> = Promise.resolve()

  private constructor(options: GrantBookOptions, kept: readonly KeptGrant[]) {
    this.#options = options
    this.#kept = kept
  }

  /** Reads what is kept. A file that cannot be read grants nothing, is told of, and is left as it is. */
  static async open(options: GrantBookOptions): Promise<GrantBook> {
    const { path, onProblem } = options
    if (path === undefined) return new GrantBook(options, [])
    try {
      return new GrantBook(options, await readGrants(path))
    } catch (error) {
      const { path: _, ...memory } = options
      onProblem?.(
        `The grants in "${path}" cannot be read, so nothing is granted by them: ${describeError(error).replace(/\.$/, '')}. Move the file away to keep new ones.`,
        error,
      )
      return new GrantBook(memory, [])
    }
  }

  /** All that are valid now, of the session first. */
  all(): readonly KeptGrant[] {
    return [...this.#session, ...this.#added, ...this.#kept].filter((kept) => this.#isValid(kept))
  }

  /**
   * A session grant holds until `endSession`; an `always` one is written to the file, and the promise is about that. Rejects when the
   * file cannot be read any more, or not be written; the grant then lasts as long as this book.
   */
  async add(kept: KeptGrant): Promise<void> {
    const { path } = this.#options
    if (kept.grant.scope === 'once') return
    if (kept.grant.scope === 'session' || path === undefined) {
      this.#session = [kept, ...this.#session].slice(0, MAX_GRANTS)
      return
    }
    this.#added = [kept, ...this.#added].slice(0, MAX_GRANTS)
    await this.#change(path, (there) => [kept, ...there])
    this.#added = this.#added.filter((one) => one !== kept)
  }

  /** Takes back all that are meant, and tells how many valid ones that were. Rejects like `add`. */
  async revoke(isMeant: (grant: Grant) => boolean): Promise<number> {
    const { path } = this.#options
    const stays = ({ grant }: KeptGrant): boolean => !isMeant(grant)
    const count = this.all().filter((kept) => !stays(kept)).length
    this.#session = this.#session.filter(stays)
    this.#added = this.#added.filter(stays)
    if (path !== undefined && !this.#kept.every(stays))
      await this.#change(path, (there) => there.filter(stays))
    return count
  }

  endSession(): void {
    this.#session = []
  }

  #isValid({ grant: { until } }: KeptGrant): boolean {
    return until === undefined || until > this.#options.now()
  }

  /** By the file as it is now: what somebody took back elsewhere meanwhile must not come back with the next yes. */
  #change(
    path: string,
    change: (there: readonly KeptGrant[]) => readonly KeptGrant[],
  ): Promise<void> {
    const saved = this.#saving.then(async () => {
      const there = await readGrants(path)
      const kept = change(there)
        .filter((one) => this.#isValid(one))
        .slice(0, MAX_GRANTS)
      const grants = kept.map(({ grant, launch }) => ({ ...grant, launch }))
      const text = `${JSON.stringify({ version: 1, grants }, null, 2)}\n`
      await writeFileWhole(path, text, { mode: 0o600 })
      this.#kept = kept
    })
    this.#saving = saved.catch(() => undefined) // whoever wanted it hears of it
    return saved
  }
}

async function readGrants(path: string): Promise<KeptGrant[]> {
  const text = (await readTextIfThere(path, MAX_BYTES))?.text
  if (text === undefined) return []
  const value: unknown = JSON.parse(text)
  const grants = isJsonObject(value) && value['version'] === 1 ? value['grants'] : undefined
  if (!Array.isArray(grants)) throw new Error('it has no "version": 1 with "grants"')
  return grants.flatMap((one) => grantOf(one) ?? [])
}

/** One that lacks something grants nothing. */
function grantOf(value: JsonValue): KeptGrant | undefined {
  const { server, tool, pin, argumentsHash, until, launch, sources } = isJsonObject(value)
    ? value
    : {}
  if (typeof tool !== 'string' || typeof pin !== 'string' || typeof launch !== 'string')
    return undefined
  if (typeof until !== 'number' || !(typeof server === 'string' || server === undefined))
    return undefined
  if (!(typeof argumentsHash === 'string' || argumentsHash === undefined)) return undefined
  const told = Array.isArray(sources) ? sources.filter((one) => typeof one === 'string') : []
  const bound = argumentsHash === undefined ? {} : { argumentsHash }
  return { grant: { scope: 'always', server, tool, pin, until, sources: told, ...bound }, launch }
}
