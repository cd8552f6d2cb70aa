/**
 * What became of each call of a recorded wire, as the run itself told it: by what the model was told, by the decision, and where
 * nobody wrote that down, as in a recording without a model's loop, by the answer on the wire. Pure.
 */

import { actOf } from '../../host/resource-reading.ts'
import { exceedsDepth, isJsonObject, type JsonObject } from '../../base/json.ts'
import type { CallChain } from '../../capture/chain.ts'
import type { Reading } from '../../jsonrpc/message.ts'
import { readingsOf, type WireEvent, type WireMessageEvent } from '../../jsonrpc/wire.ts'
import type { Outcome } from '../messages/outcome-words.ts'

/** What is known of a call. */
interface Facts {
  verdict?: string
  /** Whether it failed, as the model was told. */
  failed?: boolean
  /** It is a tool of the program itself, which no wire leads to. */
  native?: boolean
  sent?: boolean
  /** Whether the answer that came was a result without `isError`. */
  good?: boolean
}

/** As many as are listed, and requests that wait for an answer. */
const MAX_CALLS = 10_000
const MAX_OPEN = 1_000

/** Takes events in order. */
export class CallOutcomes {
  readonly #facts = new Map<string, Facts>()
  /** The calls whose requests wait, by connection and id. */
  readonly #open = new Map<string, Facts>()

  push(event: WireEvent): void {
    if (event.type === 'message') return this.#message(event)
    if (event.type !== 'note') return
    const { kind, data = {}, chain } = event.note
    if (chain?.call === undefined) return
    const facts = this.#of(chain.run, chain.call)
    if (facts !== undefined) note(facts, kind, data)
  }

  /** Undefined where nothing tells. */
  of({ run, call }: { readonly run: string; readonly call: string }): Outcome | undefined {
    const facts = this.#facts.get(keyOf(run, call))
    return facts === undefined ? undefined : outcomeOf(facts)
  }

  #of(run: string | undefined, call: string): Facts | undefined {
    const key = keyOf(run ?? '', call)
    const known = this.#facts.get(key)
    if (known !== undefined || this.#facts.size >= MAX_CALLS) return known
    const facts: Facts = {}
    this.#facts.set(key, facts)
    return facts
  }

  #message(event: WireMessageEvent): void {
    const { direction, connection, chain } = event
    const isCall = direction === 'out' && chain?.call !== undefined
    if (!isCall && (direction === 'out' || this.#open.size === 0)) return
    if (exceedsDepth(event.text)) return
    for (const reading of readingsOf(event)) {
      if (isCall) this.#sent(reading, connection, this.#of(chain.run, chain.call))
      else this.#came(reading, connection)
    }
  }

  #sent(reading: Reading, connection: string, facts: Facts | undefined): void {
    if (facts === undefined || reading.kind !== 'request') return
    const { id } = reading.message
    if (actOf(reading.message) === undefined) return
    facts.sent = true
    if (this.#open.size < MAX_OPEN) this.#open.set(keyOf(connection, id), facts)
  }

  #came(reading: Reading, connection: string): void {
    if (reading.kind !== 'result' && reading.kind !== 'error') return
    const { id } = reading.message
    if (id === undefined || id === null) return
    const key = keyOf(connection, id)
    const facts = this.#open.get(key)
    this.#open.delete(key)
    if (facts !== undefined) facts.good = isGood(reading)
  }
}

/** The same for one call. */
export function chainOutcome({ decision, told, written, frames }: CallChain): Outcome | undefined {
  const answer = frames.findLast(({ kind }) => kind === 'result' || kind === 'error')
  const facts: Facts = { sent: frames.some((frame) => actOf(frame) !== undefined) }
  if (decision !== undefined) note(facts, 'decision', decision)
  if (told !== undefined) facts.failed = told.failed
  if (written !== undefined) facts.native = isNative(written)
  if (answer !== undefined) facts.good = answer.kind === 'result' && !saysError(answer.text)
  return outcomeOf(facts)
}

function note(facts: Facts, kind: string, data: JsonObject): void {
  const { verdict, failed } = data
  if (kind === 'decision' && typeof verdict === 'string') facts.verdict = verdict
  if (kind === 'tool-result') facts.failed = failed === true
  if (kind === 'tool-call') facts.native = isNative(data)
}

function isNative({
  server,
  tool,
}: {
  readonly server?: unknown
  readonly tool?: unknown
}): boolean {
  return typeof server !== 'string' && typeof tool === 'string'
}

function outcomeOf({ verdict, failed, native, sent, good }: Facts): Outcome | undefined {
  if (verdict === 'deny') return 'refused'
  if (failed === false) return 'ok'
  if (good !== undefined) return good && failed === undefined ? 'ok' : 'failed'
  if (sent === true) return 'no-result'
  if (failed === undefined) return undefined
  return native === true ? 'failed' : 'not-called'
}

function isGood(reading: Reading): boolean {
  return reading.kind === 'result' && !hasError(reading.message.result)
}

function saysError(text: string): boolean {
  const value: unknown = JSON.parse(text) // it was read as an answer before
  return isJsonObject(value) && hasError(value['result'])
}

function hasError(result: unknown): boolean {
  return isJsonObject(result) && result['isError'] === true
}

function keyOf(one: string, two: string | number): string {
  return JSON.stringify([one, two])
}
