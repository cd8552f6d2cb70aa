/**
 * Reads recorded HTTP exchanges with model providers: YAML documents of a request that was made and the answer that came.
 * Knows nothing of models; what it gives is text.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseAllDocuments } from 'yaml'

export interface RecordedExchange {
  readonly path: string
  readonly method: string
  /** Of the request, by lower-case name; credentials are not among them. */
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for a request without one. It need not be JSON. */
  readonly body: string | undefined
  readonly status: number
  readonly replyHeaders: Readonly<Record<string, string>>
  readonly reply: string
}

/** The folder of the recordings beside this project; undefined where it is not at hand. */
export function recordingsFolder(): string | undefined {
  const folder = resolve(process.cwd(), '..', 'shared', 'cassettes')
  return existsSync(folder) ? folder : undefined
}

/** The paths of all recordings below a folder, in the order of their names. */
export function recordingsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .map((name) => join(folder, name))
}

interface Written {
  readonly when: {
    readonly path: string
    readonly method: string
    readonly header?: readonly { readonly name: string; readonly value: string }[]
    readonly body?: string | null
  }
  readonly then: {
    readonly status: number
    readonly header?: readonly { readonly name: string; readonly value: string }[]
    readonly body?: string | null
  }
}

/** The exchanges of one file, in their order. */
export function recordedExchanges(file: string): readonly RecordedExchange[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
    const { when, then } = document.toJS() as Written // the one shape that the recorder writes
    return {
      path: when.path,
      method: when.method,
      headers: byName(when.header),
      body: when.body ?? undefined,
      status: then.status,
      replyHeaders: byName(then.header),
      reply: then.body ?? '',
    }
  })
}

function byName(
  headers: readonly { readonly name: string; readonly value: string }[] = [],
): Record<string, string> {
  return Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]))
}
