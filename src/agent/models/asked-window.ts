/**
 * The window of a model that a server runs itself: asked for once where nobody named it, and watched where a server cuts longer prompts
 * without a word. Nothing here fails: what a server does not tell stays unknown.
 */

import { messageTokens } from '../compaction.ts'
import type { ModelReply, ModelRequest, ModelTool } from '../model.ts'
import { estimateTokens } from '../token-estimate.ts'
import type { WindowWay } from './window-ways.ts'

/** A window that may be learned later. */
export interface LearnedWindow {
  /** In tokens; undefined while it is not known. */
  tokens: number | undefined
}

export interface WindowFacts {
  readonly learned: LearnedWindow
  readonly ways: readonly WindowWay[]
  /** The server keeps a part of a prompt that is longer, and says nothing. Default false. */
  readonly cutsSilently?: boolean
}

export interface AskedWindowOptions extends WindowFacts {
  /** Asks the server; undefined where it has no answer. Never rejects. */
  readonly ask: (way: WindowWay, signal: AbortSignal | undefined) => Promise<unknown>
}

/** Nobody is believed who says less or more. */
const LEAST = 512
const MOST = 100_000_000
/** A prompt is surely too long from this share of the window on, as estimates go. */
const SURELY = 1.5
/** From this share on it may be. */
const MAYBE = 0.8
/** Of a prompt that is too long a half of the window is kept, and a few tokens. */
const ABOUT_HALF = 8

export class AskedWindow {
  readonly #options: AskedWindowOptions
  #asked: 'before' | 'after' | undefined

  constructor(options: AskedWindowOptions) {
    this.#options = options
  }

  /** Asks where it is not known, the first time that it is called. */
  async prepare(signal?: AbortSignal): Promise<void> {
    if (this.#asked !== undefined) return
    this.#asked = 'before'
    await this.#ask(signal)
  }

  /** The reply, with a warning where its prompt was cut; its counts are left out then, as they are those of a part. */
  async watched(
    request: ModelRequest,
    reply: ModelReply,
    signal?: AbortSignal,
  ): Promise<ModelReply> {
    const { learned, cutsSilently = false } = this.#options
    if (!cutsSilently) return reply
    // Now the model is loaded, which is when such a server knows. Who never asked is not asked for now.
    if (this.#asked === 'before') {
      this.#asked = 'after'
      await this.#ask(signal)
    }
    const { tokens } = learned
    if (tokens === undefined) return reply
    const sent = tokensOf(request)
    if (!isCut(reply.usage?.input, { sent, window: tokens })) return reply
    const message = `The window of the model has ${tokens} tokens, and about ${sent} were sent: its server left the beginning out. Ask for a larger window with --context, or send less.`
    const warnings = [...reply.warnings, { kind: 'cut-prompt', message } as const]
    return { ...reply, usage: undefined, warnings }
  }

  async #ask(signal: AbortSignal | undefined): Promise<void> {
    const { learned, ways, ask } = this.#options
    for (const way of ways) {
      if (learned.tokens !== undefined || signal?.aborted === true) return
      learned.tokens = believed(await ask(way, signal))
    }
  }
}

function believed(value: unknown): number | undefined {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value)
  return isNumber && value >= LEAST && value <= MOST ? value : undefined
}

function isCut(
  counted: number | undefined,
  { sent, window }: { readonly sent: number; readonly window: number },
): boolean {
  const isHalf = counted !== undefined && Math.abs(counted - window / 2) <= ABOUT_HALF
  return isHalf ? sent > window * MAYBE : sent > window * SURELY && (counted ?? 0) <= window
}

function tokensOf({ messages, tools }: ModelRequest): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), toolTokens(tools))
}

const weighed = new WeakMap<readonly ModelTool[], number>()

function toolTokens(tools: readonly ModelTool[]): number {
  const before = weighed.get(tools)
  if (before !== undefined) return before
  const tokens = tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools))
  weighed.set(tools, tokens)
  return tokens
}
