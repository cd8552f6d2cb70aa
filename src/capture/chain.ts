/**
 * One call out of a recorded wire, from the words of the model to the bytes and back: what belongs together by the ids `run`, `turn`
 * and `call`, and answers by the ids of their requests. Pure: events in, one chain out.
 *
 * The file may be anybody's, so every member is checked and what is kept has a bound. Texts are as they were recorded.
 */

import type { JsonObject } from '../base/json.ts'
import type { WireEvent, WireMessageEvent, WireNoteEvent } from '../jsonrpc/wire.ts'
import { CallFrames, type ChainFrame } from './chain-frames.ts'

/** Something on the way to the model and back: a note of kind `model-request`, `model-reply` or `model-retry`. */
export interface ChainLeg {
  readonly kind: 'request' | 'reply' | 'retry'
  readonly attempt: number
  /** Milliseconds since 1970, and monotonic ones. */
  readonly wall: number
  readonly at: number
  /** The exact body; empty for a retry. */
  readonly text: string
  readonly data: JsonObject
}

/** The call as the model wrote it, and what it was taken for. */
export interface WrittenCall {
  /** The model's own id. */
  readonly modelCall: string
  readonly name: string
  readonly argumentsText: string
  readonly alias: string
  /** Null for a native tool, and for none. */
  readonly server: string | null
  /** Null where there is no such tool. */
  readonly tool: string | null
}

/** What the model was shown. */
export interface ToldResult {
  readonly text: string
  readonly bytes: number
  readonly shownBytes: number
  readonly artifact?: string
  readonly failed: boolean
}

/** One call. What was not recorded is missing or empty. */
export interface CallChain {
  readonly call: string
  readonly run: string
  readonly turn: string
  /** Of the turn of the call. */
  readonly model: readonly ChainLeg[]
  readonly written?: WrittenCall
  /** As the host wrote it down. */
  readonly decision?: JsonObject
  /** In the order of their crossing. */
  readonly frames: readonly ChainFrame[]
  readonly told?: ToldResult
  /** Of the frames so many were left out, because there are too many or their texts too long. */
  readonly leftOut: number
}

/** A call as a line. Texts are cut. */
export interface CallLine {
  readonly call: string
  readonly run: string
  /** What was called; the name that the model wrote where there is no such tool. */
  readonly alias: string
  readonly argumentsText: string
  readonly verdict?: string
  readonly told?: Omit<ToldResult, 'text'>
}

export interface ChainWish {
  /** The id of a call, as `t1c1`, or the model's own. */
  readonly call: string
  /** The beginning of the name of its run. Default any. */
  readonly run?: string
}

const MAX_CALLS = 10_000
const MAX_RUNS = 64
const MAX_LEGS = 64
const MAX_LINE = 512

/** Takes events in order. Of several calls that fit the wish the last one counts. */
export class ChainReader {
  readonly #wish: ChainWish | undefined
  readonly #lines = new Map<string, CallLine>()
  /** What went to the model last and came back, by run: the turn that it is of, and its legs. */
  readonly #legs = new Map<string, { readonly turn: string; readonly legs: ChainLeg[] }>()
  #found: Found | undefined
  #matches = 0

  /** Without a wish only the lines are read. */
  constructor(wish?: ChainWish) {
    this.#wish = wish
  }

  push(event: WireEvent): void {
    if (event.type === 'note') this.#note(event)
    else if (event.type === 'message') this.#message(event)
    else if (event.type === 'close') this.#found?.frames.forget(event.connection)
  }

  /** All calls, in order. Beyond 10,000 they are left out. */
  calls(): readonly CallLine[] {
    return [...this.#lines.values()]
  }

  /** How many calls fit the wish. */
  get matches(): number {
    return this.#matches
  }

  chain(): CallChain | undefined {
    if (this.#found === undefined) return undefined
    const { frames, model, written, decision, told, ...ids } = this.#found
    return {
      ...ids,
      model,
      ...(written !== undefined && { written }),
      ...(decision !== undefined && { decision }),
      frames: frames.all,
      ...(told !== undefined && { told }),
      leftOut: frames.leftOut,
    }
  }

  #note({ note, at, wall }: WireNoteEvent): void {
    const { kind, text = '', data = {}, chain = {} } = note
    const { run = '', turn = '', call, attempt = 1 } = chain
    const leg = LEGS.get(kind)
    if (leg !== undefined) this.#leg(run, turn, { kind: leg, attempt, wall, at, text, data })
    if (call === undefined) return
    const ids = { run, turn, call }
    if (kind === 'tool-call') this.#written(ids, writtenCall(data))
    else if (kind === 'decision') this.#decided(ids, data)
    else if (kind === 'tool-result') this.#told(ids, toldResult(text, data))
  }

  #message(event: WireMessageEvent): void {
    const { call, run = '', turn = '' } = event.chain ?? {}
    const found = call === undefined ? this.#found : this.#find({ run, turn, call })
    found?.frames.push(event)
  }

  #leg(run: string, turn: string, leg: ChainLeg): void {
    if (this.#wish === undefined) return
    let last = this.#legs.get(run)
    if (last?.turn !== turn) {
      last = { turn, legs: [] }
      this.#legs.delete(run)
      this.#legs.set(run, last)
      const [oldest] = this.#legs.keys()
      if (this.#legs.size > MAX_RUNS && oldest !== undefined) this.#legs.delete(oldest)
    }
    if (last.legs.length < MAX_LEGS) last.legs.push(leg)
  }

  #written(ids: Ids, written: WrittenCall): void {
    const { alias, argumentsText, modelCall } = written
    this.#line(ids, { alias, argumentsText: argumentsText.slice(0, MAX_LINE) })
    const found = this.#find(ids, modelCall)
    if (found !== undefined) found.written = written
  }

  #decided(ids: Ids, data: JsonObject): void {
    const alias = textOf(data['alias'])
    this.#line(ids, { verdict: textOf(data['verdict']), ...(alias !== '' && { alias }) })
    const found = this.#find(ids)
    if (found !== undefined) found.decision = data
  }

  #told(ids: Ids, told: ToldResult): void {
    const { text: _text, ...facts } = told
    this.#line(ids, { told: facts })
    const found = this.#find(ids)
    if (found !== undefined) found.told = told
  }

  #line({ run, call }: Ids, more: Partial<CallLine>): void {
    const key = JSON.stringify([run, call])
    const line = this.#lines.get(key) ?? { call, run, alias: '', argumentsText: '' }
    if (this.#lines.size >= MAX_CALLS && !this.#lines.has(key)) return
    this.#lines.set(key, { ...line, ...more })
  }

  /** What is gathered for the wish, when these ids are of the call that is wished for. */
  #find(ids: Ids, modelCall?: string): Found | undefined {
    const found = this.#found
    if (found !== undefined && found.run === ids.run && found.call === ids.call) return found
    const wish = this.#wish
    if (wish === undefined || !ids.run.startsWith(wish.run ?? '')) return undefined
    if (ids.call !== wish.call && modelCall !== wish.call) return undefined
    const last = this.#legs.get(ids.run)
    const model = last !== undefined && last.turn === ids.turn ? last.legs : []
    this.#matches += 1
    this.#found = { ...ids, model, frames: new CallFrames() }
    return this.#found
  }
}

interface Ids {
  readonly run: string
  readonly turn: string
  readonly call: string
}

interface Found extends Ids {
  readonly model: readonly ChainLeg[]
  readonly frames: CallFrames
  written?: WrittenCall
  decision?: JsonObject
  told?: ToldResult
}

const LEGS: ReadonlyMap<string, ChainLeg['kind']> = new Map([
  ['model-request', 'request'],
  ['model-reply', 'reply'],
  ['model-retry', 'retry'],
])

function writtenCall(data: JsonObject): WrittenCall {
  const { modelCall, name, argumentsText, alias, server, tool } = data
  return {
    modelCall: textOf(modelCall),
    name: textOf(name),
    argumentsText: textOf(argumentsText),
    alias: textOf(alias),
    server: typeof server === 'string' ? server : null,
    tool: typeof tool === 'string' ? tool : null,
  }
}

function toldResult(text: string, { bytes, shownBytes, artifact, failed }: JsonObject): ToldResult {
  return {
    text,
    bytes: countOf(bytes),
    shownBytes: countOf(shownBytes),
    ...(typeof artifact === 'string' && { artifact }),
    failed: failed === true,
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? value : 0
}
