/** What differs between providers that speak Chat Completions, as data. Types only; the flavours stand in `deepseek.ts` and `openai-chat.ts`. */

import type { JsonObject } from '../../base/json.ts'
import type { Effort } from '../model.ts'

export interface ChatFlavour {
  /** As `deepseek`; it stands in errors. */
  readonly provider: string
  /** The member of an assistant message in which reasoning goes back, unchanged and for all turns. Without it none is sent. */
  readonly reasoningBack?: 'reasoning_content' | 'reasoning'
  /**
   * While it thinks, each assistant message with calls must have the member of `reasoningBack`: one that came without
   * reasoning, as of another model, gets an empty one.
   */
  readonly reasoningNeeded?: boolean
  /** It gives reasoning in signed pieces and wants these back as they came. */
  readonly keepsDetails?: boolean
  /** `content` of an assistant message that has calls and no text. */
  readonly textBesideCalls: 'empty' | 'omitted'
  /**
   * Arguments of earlier calls that are no JSON object: sent as they were written, or as `{}` where the server would refuse the
   * whole conversation over them. The tool message says what was wrong with them.
   */
  readonly brokenArguments: 'as-written' | 'emptied'
  readonly maxTokens: 'max_tokens' | 'max_completion_tokens'
  /** The members that ask for an effort. One that is not here cannot be asked for. */
  readonly efforts: Readonly<Partial<Record<Effort, JsonObject>>>
  /** Whether it thinks when no effort is asked for. */
  readonly thinksByDefault: boolean
  /** What it refuses or ignores while it thinks. */
  readonly whileThinking: {
    /** `tool_choice` of `required` or of one name. */
    readonly forcedChoice: boolean
    readonly temperature: boolean
  }
  /** Every reply ends with a word that is known here. One that does not was broken off, and its calls are not made. */
  readonly tellsEndings?: boolean
  /** Below the base URL: where a request with strict tools goes, if not to where all others go. */
  readonly strictPath?: string
  /** An English sentence that is told with a request with strict tools. */
  readonly strictDoubt?: string
  /** It takes images from users. */
  readonly images: boolean
}
