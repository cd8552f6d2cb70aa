/**
 * Redacts a whole event for what shows it to people: a console, an inspector. The recorder has its own, cheaper way.
 */

import { isJsonObject } from '../base/json.ts'
import type { JsonObject } from '../base/json.ts'
import type { Facts, WireEvent, WireNote, WireSink } from '../jsonrpc/wire.ts'
import { readText } from './record-event.ts'
import { createRedactor } from './redact.ts'
import type { Redactor, RedactRules } from './redact.ts'

/** A sink that hands on every event without its secrets, read anew where something was replaced. */
export function redactedSink(sink: WireSink, rules: RedactRules = {}): WireSink {
  const redactor = createRedactor(rules)
  return (event) => sink(redactEvent(event, redactor))
}

/** The same event when it holds no secret, else a copy. */
export function redactEvent(event: WireEvent, redactor: Redactor): WireEvent {
  const connection = redactor.text(event.connection, { log: true }).text
  const transport = redactor.text(event.transport, { log: true }).text
  const base =
    connection === event.connection && transport === event.transport
      ? event
      : { ...event, connection, transport }
  switch (base.type) {
    case 'message': {
      const { text, count } = redactor.text(base.text)
      const facts = base.facts === undefined ? undefined : redactFacts(base.facts, redactor)
      if (count === 0 && facts === base.facts) return base
      const reading = count === 0 ? base.reading : readText(text)
      return {
        ...base,
        text,
        ...(reading === undefined ? {} : { reading }),
        ...(facts === undefined ? {} : { facts }),
      }
    }
    case 'note':
      return { ...base, note: redactNote(base.note, redactor) }
    case 'close': {
      if (base.reason === undefined) return base
      const { text, count } = redactor.text(base.reason.message, { log: true })
      // The rest of an error (its cause, a stderr tail) is left behind with the secret.
      return count === 0 ? base : { ...base, reason: new Error(text) }
    }
    case 'open':
      return base
    default:
      return base satisfies never
  }
}

function redactNote(note: WireNote, redactor: Redactor): WireNote {
  return {
    ...note,
    ...(note.text === undefined ? {} : { text: redactor.text(note.text, { log: true }).text }),
    ...(note.bytes === undefined ? {} : { bytes: redactor.bytes(note.bytes).bytes }),
    ...(note.data === undefined ? {} : { data: redactFacts(note.data, redactor) }),
  }
}

function redactFacts<T extends Facts | JsonObject>(facts: T, redactor: Redactor): T | JsonObject {
  try {
    const { text, count } = redactor.text(JSON.stringify(facts))
    if (count === 0) return facts
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {} // what cannot be written cannot be searched
  }
}
