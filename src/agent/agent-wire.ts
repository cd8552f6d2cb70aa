/**
 * The agent's own place on the wire: what the model was sent and said, what a call was taken for, and what the model was shown of its
 * outcome, as notes with the same ids that decisions and frames carry. It carries no message.
 */

import type { Clock } from '../base/clock.ts'
import type { JsonObject } from '../base/json.ts'
import type { Chain, WireNote, WireSink } from '../jsonrpc/wire.ts'
import type { AgentCall, CallOutcome } from './events.ts'
import type { ModelLeg, ModelReply } from './model.ts'

/** Runs so far, to name their places. */
let runs = 0

export class AgentWire {
  readonly #sink: WireSink | undefined
  readonly #clock: Clock
  readonly #run: string
  readonly #connection: string
  /** The last answer of the model's provider, until it is known what it comes to. */
  #answer: { readonly turn: string; readonly leg: ModelLeg & { kind: 'reply' } } | undefined
  #seq = 0

  /** `run` names the session in each chain; it is that of the host. */
  constructor(sink: WireSink | undefined, clock: Clock, run: string) {
    this.#sink = sink
    this.#clock = clock
    this.#run = run
    runs += 1
    this.#connection = `agent-${runs}`
    this.#emit({ type: 'open' })
  }

  /** One leg of the way to the model and back. */
  leg(turn: string, model: string, leg: ModelLeg): void {
    if (this.#sink === undefined) return
    const { attempt } = leg
    const chain = this.#chain(turn, undefined, attempt)
    this.#flush({})
    if (leg.kind === 'request') {
      const data = { model, attempt, url: leg.url }
      this.#note({ kind: 'model-request', direction: 'out', text: leg.body, data, chain })
    } else if (leg.kind === 'retry') {
      const { delayMs, why } = leg
      this.#note({ kind: 'model-retry', data: { attempt, delayMs, why }, chain })
    } else {
      this.#answer = { turn, leg }
    }
  }

  /** What the last answer came to; without a reply it was none. */
  replied(reply: ModelReply | undefined): void {
    if (reply === undefined) return this.#flush({})
    const { finish, finishText, model, usage } = reply
    this.#flush({ finish, finishText, model, ...(usage !== undefined && { usage: { ...usage } }) })
  }

  call(call: AgentCall): void {
    if (this.#sink === undefined) return
    const { modelCall, alias, server, tool } = call
    const { id: modelId, name, argumentsText } = modelCall
    this.#note({
      kind: 'tool-call',
      data: {
        modelCall: modelId,
        name,
        alias,
        server: server ?? null,
        tool: tool ?? null,
        argumentsText,
      },
      chain: this.#chain(call.turn, call.id),
    })
  }

  result({ call, bytes, shownBytes, artifact, failed, shown }: CallOutcome): void {
    if (this.#sink === undefined) return
    this.#note({
      kind: 'tool-result',
      text: shown,
      data: { bytes, shownBytes, ...(artifact !== undefined && { artifact }), failed },
      chain: this.#chain(call.turn, call.id),
    })
  }

  close(): void {
    this.#flush({})
    this.#emit({ type: 'close' })
  }

  #flush(facts: JsonObject): void {
    const answer = this.#answer
    if (answer === undefined) return
    this.#answer = undefined
    const { turn, leg } = answer
    const { attempt, status, contentType, body } = leg
    this.#note({
      kind: 'model-reply',
      direction: 'in',
      text: body,
      data: { attempt, status, contentType, ...facts },
      chain: this.#chain(turn, undefined, attempt),
    })
  }

  #chain(turn: string, call?: string, attempt?: number): Chain {
    return {
      run: this.#run,
      turn,
      ...(call !== undefined && { call }),
      ...(attempt !== undefined && { attempt }),
    }
  }

  #note(note: WireNote): void {
    this.#emit({ type: 'note', note })
  }

  #emit(
    event: { readonly type: 'open' | 'close' } | { readonly type: 'note'; readonly note: WireNote },
  ): void {
    if (this.#sink === undefined) return
    const stamp = {
      seq: this.#seq,
      connection: this.#connection,
      transport: 'agent',
      at: this.#clock.now(),
      wall: this.#clock.wall(),
    }
    this.#seq += 1
    this.#sink({ ...stamp, ...event })
  }
}
