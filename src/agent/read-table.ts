/**
 * A dated table about models from a text that a person wrote, whatever its entries tell. Pure. An entry that cannot be used is told
 * and left out, the others count.
 */

import { exceedsDepth, isJsonObject, type JsonObject } from '../base/json.ts'

/** What of a table does not count; `at` is the place of an entry in the list, from 0. */
export type TableFault =
  | { readonly kind: 'no-object' | 'no-list' }
  | { readonly kind: 'too-many'; readonly most: number }
  | { readonly kind: 'entry'; readonly at: number }

export interface ReadTable<Entry> {
  readonly asOf: string | undefined
  readonly models: readonly Entry[]
  /** English sentences, one for each thing that does not count. */
  readonly problems: readonly string[]
  /** The same in facts, in the same order. */
  readonly faults: readonly TableFault[]
}

/** What a table is about, in words for whoever wrote it. */
export interface TableSubject<Entry> {
  /** As in `the prices`. */
  readonly whole: string
  /** As in `prices`. */
  readonly entries: string
  /** What an entry has to be. */
  readonly form: string
  /** Undefined for what is none. */
  readonly read: (value: JsonObject) => Entry | undefined
}

/** Most entries. */
const MAX_ENTRIES = 1000

/** Never throws: of a text that is no table nothing counts. */
export function readTable<Entry>(text: string, subject: TableSubject<Entry>): ReadTable<Entry> {
  const whole = parsed(text)
  const { models, asOf } = isJsonObject(whole) ? whole : {}
  const faults: TableFault[] = []
  if (!Array.isArray(models)) faults.push({ kind: isJsonObject(whole) ? 'no-list' : 'no-object' })
  const listed: readonly unknown[] = Array.isArray(models) ? models : []
  if (listed.length > MAX_ENTRIES) faults.push({ kind: 'too-many', most: MAX_ENTRIES })
  const read = listed.slice(0, MAX_ENTRIES).flatMap((one, at) => {
    const entry = isJsonObject(one) ? subject.read(one) : undefined
    if (entry === undefined) faults.push({ kind: 'entry', at })
    return entry === undefined ? [] : [entry]
  })
  return {
    asOf: typeof asOf === 'string' && Array.isArray(models) ? asOf.slice(0, 40) : undefined,
    models: read,
    problems: faults.map((fault) => inWords(fault, subject)),
    faults,
  }
}

function inWords(
  fault: TableFault,
  { whole, entries, form }: Pick<TableSubject<unknown>, 'whole' | 'entries' | 'form'>,
): string {
  switch (fault.kind) {
    case 'no-object':
      return `${whole} are no JSON object.`
    case 'no-list':
      return `${whole} have no list "models".`
    case 'too-many':
      return `Only the first ${fault.most} of the ${entries} count.`
    case 'entry':
      return `models[${fault.at}] does not count: write ${form}.`
    default:
      return fault satisfies never
  }
}

function parsed(text: string): unknown {
  if (exceedsDepth(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined // told by the caller as what it is: no object
  }
}
