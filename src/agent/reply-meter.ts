/**
 * How much of a reply came before it broke off, by its pieces: a provider counts what it wrote, and tells it at the end alone. It holds
 * one reply, for which the model's own limit is the bound.
 */

import type { ModelDelta } from './model.ts'
import { estimateTokens } from './token-estimate.ts'

export class ReplyMeter {
  #pieces: string[] = []

  /** Hears every piece, in order. */
  hear(delta: ModelDelta): void {
    switch (delta.kind) {
      case 'text':
      case 'reasoning':
      case 'arguments':
        this.#pieces.push(delta.text)
        return
      case 'call':
        this.#pieces.push(delta.name)
        return
      case 'waiting':
      case 'restart':
        return
      default:
        return delta satisfies never
    }
  }

  /** Tokens of what came, about, and begins anew; undefined where nothing did. */
  take(): number | undefined {
    if (this.#pieces.length === 0) return undefined
    const text = this.#pieces.join('')
    this.#pieces = []
    return estimateTokens(text)
  }
}
