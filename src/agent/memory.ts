/**
 * What is remembered between the runs of one conversation beside what was said: what was made of the tools, and how far estimates of
 * tokens are from what the provider counts. It lives and goes with the transcript.
 */

import { compact, messageTokens, type Compaction } from './compaction.ts'
import type { AssistantMessage, Message } from './conversation.ts'
import type { Model, Usage } from './model.ts'
import { estimateTokens } from './token-estimate.ts'
import type { Transcript } from './transcript.ts'
import { ToolMemory, type TurnTools } from './turn-tools.ts'

/** What the provider counted up to a reply, this included. */
interface Counted {
  readonly tokens: number
  readonly reply: AssistantMessage
  readonly model: Model
}

/** Tokens of what is sent beside the conversation, about; counted when they are needed. */
export type Besides = () => number

/** Of the window, so much is kept free for a reply at least. */
const FREE = 0.2
/** After old parts were left out, so much of the room is used at most. */
const LEFT = 0.5
/** How far an estimate may be off. */
const LEAST_RATIO = 0.5
const MOST_RATIO = 3

const memories = new WeakMap<Transcript, ConversationMemory>()

export class ConversationMemory {
  readonly tools: ToolMemory = new ToolMemory()
  readonly #transcript: Transcript
  #counted: Counted | undefined
  /** A request that was counted, and what is estimated for it: looked at when it is needed. */
  #sample: { readonly tokens: number; readonly sent: () => number } | undefined
  #known = 1
  toldUnwritten = false
  /** Tools of which was told that they are left out, with the reason. */
  readonly toldLeftOut: Set<string> = new Set()
  /** Warnings of replies that were told. */
  readonly toldWarnings: Set<string> = new Set()
  /** Tools of which was told that they keep the others from being strict. */
  readonly toldNotStrict: Set<string> = new Set()

  private constructor(transcript: Transcript) {
    this.#transcript = transcript
  }

  /** The one of a transcript. */
  static of(transcript: Transcript): ConversationMemory {
    const before = memories.get(transcript)
    if (before !== undefined) return before
    const memory = new ConversationMemory(transcript)
    memories.set(transcript, memory)
    return memory
  }

  /** Tokens that the next request will have: what the provider counted and an estimate of what is new, or of all. */
  expect(model: Model, besides: Besides): number {
    const { messages } = this.#transcript
    const counted = this.#counted
    const at = counted?.model === model ? messages.lastIndexOf(counted.reply) : -1
    if (counted !== undefined && at >= 0)
      return counted.tokens + estimated(messages, at + 1) * this.#ratio()
    return (besides() + estimated(messages, 0)) * this.#ratio()
  }

  /** A reply came, and it is in the transcript; `besides` was sent with it. */
  learn(
    { usage, reply, model }: { usage: Usage | undefined; reply: AssistantMessage; model: Model },
    besides: Besides,
  ): void {
    if (usage === undefined || usage.input <= 0) return
    const { messages } = this.#transcript
    const before = this.#counted
    const isKnown = before?.model === model && messages.lastIndexOf(before.reply) >= 0
    this.#counted = { tokens: usage.input + usage.output, reply, model }
    // Where the last count still holds, estimates are only made of what is new.
    if (isKnown) return
    const sent = (): number => besides() + estimated(messages, 0) - messageTokens(reply)
    this.#sample = { tokens: usage.input, sent }
  }

  /** Real tokens for one that is estimated. */
  #ratio(): number {
    if (this.#sample !== undefined) {
      const { tokens, sent } = this.#sample
      this.#known = Math.min(MOST_RATIO, Math.max(LEAST_RATIO, tokens / Math.max(1, sent())))
      this.#sample = undefined
    }
    return this.#known
  }

  /**
   * Leaves out old parts when the next request would not leave room for a reply; `force` when the provider has said so. Undefined when
   * there is no need or nothing can go.
   */
  makeRoom(
    model: Model,
    wishes: { readonly besides: Besides; readonly reply: number; readonly force?: boolean },
  ): Compaction | undefined {
    const { reply, force = false } = wishes
    const { window } = model.traits
    if (window === undefined && !force) return undefined
    const expected = this.expect(model, wishes.besides)
    const room =
      window === undefined
        ? expected
        : window - Math.min(Math.max(reply, window * FREE), window / 2)
    if (!force && expected <= room) return undefined
    // What is estimated for the parts must come to what is known of the whole.
    const besides = wishes.besides()
    const scale = expected / Math.max(1, besides + estimated(this.#transcript.messages, 0))
    const target = Math.min(room, expected) * LEFT - besides * scale
    const tokensOf = (message: Message): number => messageTokens(message) * scale
    return compact(this.#transcript, { target, tokensOf })
  }
}

/** What is estimated for the messages from a place on. */
function estimated(messages: readonly Message[], from: number): number {
  let sum = 0
  for (let at = from; at < messages.length; at += 1) {
    const message = messages[at]
    if (message !== undefined) sum += messageTokens(message)
  }
  return sum
}

export function besidesOf({ offered }: TurnTools, system: string): Besides {
  return () => estimateTokens(system) + offered.tokens
}
