/**
 * What is remembered between the runs of one conversation beside what was said: what was made of the tools, and how far estimates of
 * tokens are from what the provider counts. It lives and goes with the transcript.
 */

import { messageTokens } from './compaction.ts'
import { estimateTokens } from './token-estimate.ts'
import type { Transcript } from './transcript.ts'
import { ToolMemory, type TurnTools } from './turn-tools.ts'

const memories = new WeakMap<Transcript, ConversationMemory>()

export class ConversationMemory {
  readonly tools: ToolMemory = new ToolMemory()
  readonly #transcript: Transcript
  toldUnwritten = false

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

  /** Tokens of a request, estimated. */
  sentTokens({ offered }: TurnTools, system: string): number {
    const said = this.#transcript.messages.reduce((sum, one) => sum + messageTokens(one), 0)
    return said + estimateTokens(system) + offered.tokens
  }
}
