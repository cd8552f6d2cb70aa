/**
 * Reads recorded HTTP exchanges with model providers: YAML documents of a request that was made and the answer that came.
 * Knows nothing of models; what it gives is text.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
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

/** The paths of all recordings below a folder, in the order of their names; of a file its own. */
export function recordingsIn(folder: string): readonly string[] {
  if (statSync(folder).isFile()) return [folder]
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .map((name) => join(folder, name))
}

type WrittenHeaders = readonly { readonly name: string; readonly value: string }[]

/** Least an exchange has, and what each is. */
const NEEDED = [
  ['when', 'path', 'string'],
  ['when', 'method', 'string'],
  ['then', 'status', 'number'],
] as const

/** The exchanges of one file, in their order. Throws one sentence that says what the file lacks where it is no recording. */
export function recordedExchanges(file: string): readonly RecordedExchange[] {
  const documents = parseAllDocuments(readFileSync(file, 'utf8'))
  if (documents.length === 0) throw new Error('it is empty')
  return documents.map((document, at) => {
    const [fault] = document.errors
    const place = `document ${at + 1}`
    if (fault !== undefined)
      throw new Error(`${place} is no YAML: ${fault.message.split(/:?\n/)[0] ?? ''}`)
    const written: unknown = document.toJS()
    for (const [part, member, type] of NEEDED)
      if (typeof Object(Object(written)[part])[member] !== type)
        throw new Error(`${place} is no recorded exchange: it has no "${part}.${member}"`)
    for (const part of ['when', 'then'] as const) {
      const { body, header } = Object(Object(written)[part])
      if (body !== undefined && body !== null && typeof body !== 'string')
        throw new Error(`${place} is no recorded exchange: its "${part}.body" is no text`)
      if (header !== undefined && !isHeaders(header))
        throw new Error(
          `${place} is no recorded exchange: its "${part}.header" is no list of names and values`,
        )
    }
    const { when, then } = written as Written // the members that every one has were looked at
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

interface Written {
  readonly when: {
    readonly path: string
    readonly method: string
    readonly header?: WrittenHeaders
    readonly body?: string | null
  }
  readonly then: {
    readonly status: number
    readonly header?: WrittenHeaders
    readonly body?: string | null
  }
}

function isHeaders(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((one) => typeof one?.name === 'string' && typeof one.value === 'string')
  )
}

function byName(headers: WrittenHeaders = []): Record<string, string> {
  return Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]))
}
