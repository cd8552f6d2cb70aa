/**
 * Turns what a wire tap hands out into lines of a capture. Pure: where lines go is the caller's affair.
 *
 * Secrets are replaced here, before anything leaves this file. A sink must not throw: what cannot be written is
 * counted, and a `gap` record says so at the next line that can.
 */

import type { JsonObject } from '../base/json.ts'
import { describeError } from '../base/errors.ts'
import type { Chain, Facts, WireEvent, WireNote, WireSink } from '../jsonrpc/wire.ts'
import { encodeBase64 } from '../formats/base64.ts'
import { gapMembers, Sealer, timeMembers } from './format.ts'
import type { Checksum, HeaderFields } from './format.ts'
import { createRedactor } from './redact.ts'
import type { Redactor, RedactRules } from './redact.ts'
import { redactionMark } from './redact-hits.ts'
import type { Redaction } from './redact-hits.ts'

export interface RecorderOptions {
  /** Rules beside the built-in ones, or `false` to write secrets in the open. Default: the built-in rules. */
  readonly redact?: RedactRules | false
  /** Name and version that the header names. Default `deep-pilot`. */
  readonly product?: string
  /** Milliseconds since 1970 for the header. Default 0, so that equal events give equal bytes. */
  readonly created?: number
  /** Facts of the machine that are no secrets. */
  readonly platform?: JsonObject
  /** A faster CRC32 than ours. */
  readonly checksum?: Checksum
}

/**
 * A sink that calls `write` with one line at a time, its line end included; the header at once, before any event.
 * `write` may throw: the line then counts as lost.
 */
export function recorder(write: (line: string) => void, options: RecorderOptions = {}): WireSink {
  const encode = eventEncoder(options)
  const sealer = new Sealer(undefined, options.checksum)
  let headed = false
  let lost = 0
  let reason = ''
  const put = (make: () => string): boolean => {
    const before = sealer.state
    try {
      write(make())
      return true
    } catch (error) {
      sealer.state = before
      reason = describeError(error)
      return false
    }
  }
  const head = (): boolean => {
    headed ||= put(() => sealer.header(headerFields(options)))
    return headed
  }
  head()
  return (event) => {
    const members = encode(event)
    const open = head() && (lost === 0 || put(() => sealer.record(gapMembers(lost, reason, event))))
    if (open) lost = 0
    if (!open || !put(() => sealer.record(members))) lost += 1
  }
}

/** What the header says for these options. */
export function headerFields(options: RecorderOptions): HeaderFields {
  return {
    product: options.product ?? 'deep-pilot',
    created: options.created ?? 0,
    redaction: options.redact === false ? 'off' : 'on',
    platform: options.platform,
  }
}

/** A function from an event to the members of its record, redacted. Keeps a little state, so one for each capture. Never throws. */
export function eventEncoder(options: RecorderOptions): (event: WireEvent) => string {
  const redactor = options.redact === false ? undefined : createRedactor(options.redact)
  const encoder = new EventEncoder(redactor)
  return (event) => encoder.members(event)
}

/** Names repeat on every event. */
const MAX_NAMES = 256
/** Lines of one key block: longer ones are no keys. */
const MAX_PEM_LINES = 200

class EventEncoder {
  readonly #redactor: Redactor | undefined
  readonly #names = new Map<string, string>()
  readonly #chains = new WeakMap<Chain, string>()
  /** Connections whose stderr is inside of a private key, with the lines seen. */
  readonly #pem = new Map<string, number>()
  #redacted = 0

  constructor(redactor: Redactor | undefined) {
    this.#redactor = redactor
  }

  members(event: WireEvent): string {
    this.#redacted = 0
    const start =
      `"type":"${event.type}",${timeMembers(event)},"conn":${this.#name(event.connection)},` +
      `"n":${event.seq},"transport":${this.#name(event.transport)}`
    const body = this.#body(event)
    return this.#redacted === 0 ? start + body : `${start}${body},"redacted":${this.#redacted}`
  }

  #body(event: WireEvent): string {
    switch (event.type) {
      case 'message':
        return (
          `,"dir":"${event.direction}","text":${JSON.stringify(this.#clean(event.text))}` +
          this.#facts(event.facts) +
          this.#chain(event.chain)
        )
      case 'note':
        return this.#note(event.note, event.connection)
      case 'close':
        this.#pem.delete(event.connection)
        return event.reason === undefined ? '' : `,"reason":${this.#json(errorFacts(event.reason))}`
      case 'open':
        return ''
      default:
        return event satisfies never
    }
  }

  #note(note: WireNote, connection: string): string {
    let out = note.direction === undefined ? '' : `,"dir":"${note.direction}"`
    out += `,"kind":${JSON.stringify(note.kind)}`
    if (note.text !== undefined)
      out += `,"text":${JSON.stringify(this.#line(note.text, connection))}`
    if (note.bytes !== undefined) out += `,"b64":"${encodeBase64(this.#bytes(note.bytes))}"`
    if (note.data !== undefined) out += `,"data":${this.#json(note.data)}`
    return out + this.#chain(note.chain)
  }

  #facts(facts: Facts | undefined): string {
    return facts === undefined ? '' : `,"facts":${this.#json(facts)}`
  }

  #chain(chain: Chain | undefined): string {
    if (chain === undefined) return ''
    let text = this.#chains.get(chain)
    if (text === undefined) {
      const { run, turn, call, attempt } = chain
      text = this.#json({ run, turn, call, attempt })
      this.#chains.set(chain, text)
    }
    return `,"chain":${text}`
  }

  /** JSON text of a value of ours. It can hold anything, also what JSON cannot. */
  #json(value: unknown): string {
    let text: string | undefined
    try {
      text = JSON.stringify(value)
    } catch {
      text = '{"unwritable":true}' // a circle, a big integer, a thousand levels
    }
    return this.#clean(text ?? 'null')
  }

  #clean(text: string): string {
    return this.#redactor === undefined ? text : this.#count(this.#redactor.text(text))
  }

  /** Text of a note. A key that is printed line by line is known by its first line only. */
  #line(text: string, connection: string): string {
    if (this.#redactor === undefined) return text
    const lines = this.#pem.get(connection)
    if (lines !== undefined) {
      const done = lines >= MAX_PEM_LINES || text.includes('-----END ')
      if (done) this.#pem.delete(connection)
      else this.#pem.set(connection, lines + 1)
      this.#redacted += 1
      return redactionMark('pem')
    }
    if (
      text.includes('PRIVATE KEY-----') &&
      text.includes('-----BEGIN ') &&
      !text.includes('-----END ')
    ) {
      if (this.#pem.size < MAX_NAMES) this.#pem.set(connection, 1)
    }
    return this.#count(this.#redactor.text(text, { log: true }))
  }

  #bytes(bytes: Uint8Array): Uint8Array {
    if (this.#redactor === undefined) return bytes
    const found = this.#redactor.bytes(bytes)
    this.#redacted += found.count
    return found.bytes
  }

  #count(found: Redaction): string {
    this.#redacted += found.count
    return found.text
  }

  /** Commands and addresses stand in names, and secrets in those. */
  #name(name: string): string {
    let text = this.#names.get(name)
    if (text === undefined) {
      text = JSON.stringify(
        this.#redactor === undefined ? name : this.#redactor.text(name, { log: true }).text,
      )
      if (this.#names.size >= MAX_NAMES) this.#names.clear()
      this.#names.set(name, text)
    }
    return text
  }
}

/** What of an error is worth keeping; its stack names files of this machine. */
function errorFacts(error: Error): JsonObject {
  const facts: JsonObject = { name: error.name, message: error.message }
  if ('code' in error && typeof error.code === 'string') facts['code'] = error.code
  return facts
}
