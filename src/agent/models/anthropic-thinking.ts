/**
 * How a model of Anthropic's is asked to think. Newer ones weigh for themselves how much and are given an effort; older ones are
 * given tokens to think with. Which one it is, is known of a model or is not: nothing is read out of its name here.
 */

import type { JsonObject } from '../../base/json.ts'
import type { Effort, ModelWarning } from '../model.ts'

export interface Thinking {
  readonly members: JsonObject
  /** Surely thinks: then no call can be forced and no temperature chosen. */
  readonly isOn: boolean
}

export interface ThinkingOptions {
  /** It is given an effort, and not tokens. */
  readonly levels: boolean
  readonly maxTokens: number
  readonly warn: (warning: ModelWarning) => void
}

/** Tokens to think with; fewer than the first number are refused. */
const BUDGETS: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  max: 32_768,
}
const LEAST_BUDGET = 1_024
/** Tokens of the reply itself that thinking does not take. */
const LEAST_REPLY = 1_024

export function thinkingOf(effort: Effort | undefined, options: ThinkingOptions): Thinking {
  if (effort === undefined) return { members: {}, isOn: false }
  if (effort === 'none') return { members: { thinking: { type: 'disabled' } }, isOn: false }
  if (options.levels)
    return {
      // What it thought is not told by the newest ones unless asked for.
      members: {
        thinking: { type: 'adaptive', display: 'summarized' },
        output_config: { effort },
      },
      isOn: true,
    }
  const budget = Math.min(BUDGETS[effort], options.maxTokens - LEAST_REPLY)
  if (budget < LEAST_BUDGET) {
    options.warn({
      kind: 'ignored-option',
      message: `There is no room to think in a reply of ${options.maxTokens} tokens: the effort "${effort}" was not sent.`,
    })
    return { members: {}, isOn: false }
  }
  return { members: { thinking: { type: 'enabled', budget_tokens: budget } }, isOn: true }
}
