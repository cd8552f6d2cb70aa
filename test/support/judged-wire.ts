/**
 * A wire sink that keeps what crossed and has the official schemas judge it, our messages apart from the other
 * side's: ours must be right, theirs are reported. It decides nothing; the tests do.
 */
import type { JsonObject } from '../../src/base/json.ts'
import type { Direction, WireEvent, WireSink } from '../../src/jsonrpc/wire.ts'
import { oracleSink } from './schema-oracle.ts'

/** One message as it crossed. */
export interface Crossed {
  readonly direction: Direction
  readonly message: JsonObject
}

export interface JudgedWire {
  /** For the `wire` option of a client. May hear several connections. */
  readonly sink: WireSink
  /** What is wrong with messages that we sent. */
  readonly ours: readonly string[]
  /** What is wrong with messages of the other side. */
  readonly theirs: readonly string[]
  /** Every message so far, batches taken apart. */
  readonly messages: readonly Crossed[]
  /** Kinds of the notes so far. */
  readonly notes: readonly string[]
  /** Messages that were judged. */
  readonly judged: number
  /** Throws when a message of ours breaks a schema: for an `afterEach`. */
  check(): void
  /** Prints what is wrong with the other side's messages, each kind once; nothing when all is well. */
  report(whose: string): void
}

export function judgedWire(): JudgedWire {
  const oracle = oracleSink()
  const ours: string[] = []
  const theirs: string[] = []
  const messages: Crossed[] = []
  const notes: string[] = []
  return {
    ours,
    theirs,
    messages,
    notes,
    get judged() {
      return oracle.judged
    },
    sink(event) {
      const before = oracle.violations.length
      oracle.sink(event)
      if (event.type === 'note') notes.push(event.note.kind)
      if (event.type !== 'message') return
      const found = oracle.violations.slice(before)
      ;(event.direction === 'out' ? ours : theirs).push(...found)
      messages.push(...crossed(event.direction, event.text))
    },
    check() {
      if (ours.length > 0) throw new Error(`Messages of ours break a schema:\n${ours.join('\n')}`)
    },
    report(whose) {
      const kinds = new Set(theirs.map((violation) => violation.split(': {')[0]))
      if (kinds.size === 0) return
      console.log(`${theirs.length} messages of ${whose} break a schema:`)
      for (const kind of kinds) console.log(`  ${kind}`)
    },
  }
}

/** The events that a process wrote down as lines of JSON, for a sink here. */
export function eventsOf(lines: string): readonly WireEvent[] {
  const filled = lines.split('\n').filter((line) => line !== '')
  return filled.map((line) => JSON.parse(line) as WireEvent) // written by a sink of ours
}

function crossed(direction: Direction, text: string): readonly Crossed[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return [] // stray text is no message
  }
  const all = (Array.isArray(value) ? value : [value]) as readonly JsonObject[] // JSON-RPC has objects only
  return all.map((message) => ({ direction, message }))
}
