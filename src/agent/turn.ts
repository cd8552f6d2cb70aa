/**
 * One request to the model: the words that are sent, and the reply with calls whose ids are their own. Makes no call.
 */

import { ModelError, TimeoutError, TransportError, UsageError } from '../base/errors.ts'
import type { AgentWire } from './agent-wire.ts'
import type { AssistantMessage, Message, ModelCall } from './conversation.ts'
import type { EventFeed } from './event-feed.ts'
import type { Interruption } from './interruption.ts'
import type { AgentOptions } from './loop-options.ts'
import type { ModelDelta, ModelLeg, ModelReply, ModelRequest, Usage } from './model.ts'
import { ReplyMeter } from './reply-meter.ts'
import type { Transcript } from './transcript.ts'
import type { TurnTools } from './turn-tools.ts'

export interface TurnParts {
  readonly options: AgentOptions
  /** As `t1`. */
  readonly turn: string
  readonly tools: TurnTools
  readonly feed: EventFeed
  readonly wire: AgentWire
  readonly interruption: Interruption
}

/** A try that came to no reply: what the provider told of it, and how many tokens of it came, about. */
interface LostTry {
  readonly usage: Usage | undefined
  /** Undefined where nothing came. */
  readonly output: number | undefined
  /** It was sent, and did not end by a word of the provider: that may have begun. */
  readonly brokeOff: boolean
  /** The request is sent again. */
  readonly repeated: boolean
}

/** Counts a try that came to no reply, and tells what it cost. */
export type CountLost = (lost: LostTry) => { readonly usage?: Usage; readonly usd?: number }

/** What is sent beside the conversation. */
export interface TurnWishes {
  /** Empty for none. */
  readonly system: string
  /** Said behind the conversation, in this request alone. */
  readonly note?: string
  readonly request: NonNullable<AgentOptions['request']>
}

/** The request of a turn. */
export function requestOf(
  { options, tools }: Pick<TurnParts, 'options' | 'tools'>,
  { system, note, request }: TurnWishes,
): ModelRequest {
  const said = options.transcript.messages
  const before: readonly Message[] = system === '' ? [] : [{ role: 'system', text: system }]
  const behind: readonly Message[] =
    note === undefined ? [] : [{ role: 'user', parts: [{ type: 'text', text: note }] }]
  const messages = [...before, ...said, ...behind]
  const { choice, parallel, ...rest } = request
  const hasTools = tools.offered.tools.length > 0
  return {
    messages,
    tools: tools.offered.tools,
    ...(hasTools && choice !== undefined && { choice }),
    ...(hasTools && parallel !== undefined && { parallel }),
    ...rest,
  }
}

/** Asks the model. Rejects as the model does, and with a `CancelledError` when it does not hear that it is to stop. */
export async function ask(
  parts: TurnParts,
  request: ModelRequest,
  count: CountLost,
): Promise<ModelReply> {
  const { options, turn, feed, wire, interruption } = parts
  const { model, transcript } = options
  const { leftMs } = interruption
  const meter = new ReplyMeter()
  /** A request is under way. */
  let isOut = false
  const onLeg = (leg: ModelLeg): void => {
    wire.leg(turn, model.name, leg)
    isOut = leg.kind !== 'retry'
    if (leg.kind !== 'retry') return
    const { kind: _kind, usage, ...failed } = leg
    const brokeOff = saysNothing(failed.error)
    const cost = count({ usage, output: meter.take(), brokeOff, repeated: true })
    feed.push({ type: 'retry', turn, ...failed, ...cost })
  }
  try {
    const onDelta = (delta: ModelDelta): void => {
      meter.hear(delta)
      feed.push({ type: 'delta', turn, delta })
    }
    const reply = await interruption.during(
      async (signal) =>
        await model.reply(request, {
          signal,
          ...(leftMs !== undefined && { leftMs }),
          onDelta,
          onLeg,
        }),
    )
    wire.replied(reply)
    return { ...reply, message: withOwnIds(reply.message, transcript, turn) }
  } catch (error) {
    wire.replied(undefined)
    const brokeOff = isOut && saysNothing(error)
    count({ usage: undefined, output: meter.take(), brokeOff, repeated: false })
    throw error
  }
}

/** Whether an error tells neither that nothing was sent nor what the provider made of it. */
function saysNothing(error: unknown): boolean {
  if (error instanceof TransportError || error instanceof TimeoutError) return error.sent !== 'no'
  if (error instanceof ModelError) return error.code === 'DP_MODEL_CUT'
  return !(error instanceof UsageError)
}

/** Each call gets an id that no other one of the conversation has: results are told apart by nothing else. */
function withOwnIds(
  message: AssistantMessage,
  transcript: Transcript,
  turn: string,
): AssistantMessage {
  const seen = new Set<string>()
  const isTaken = (id: string): boolean => id === '' || seen.has(id) || transcript.hasCall(id)
  const calls = message.calls.map((call, at): ModelCall => {
    let { id } = call
    for (let more = 0; isTaken(id); more += 1) {
      id = more === 0 ? `call_${turn}c${at + 1}` : `call_${turn}c${at + 1}_${more}`
    }
    seen.add(id)
    return id === call.id ? call : { ...call, id }
  })
  return calls.every((call, at) => call === message.calls[at]) ? message : { ...message, calls }
}
