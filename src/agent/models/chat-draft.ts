/**
 * A reply while it comes: text, reasoning and calls are put together from pieces, told as they come, and kept within bounds.
 *
 * It knows no provider's words for them: readers look those up and call this.
 */

import type { NoReply, NoReplyWhy } from '../../base/error-detail.ts'
import { ModelError } from '../../base/errors.ts'
import type { JsonValue } from '../../base/json.ts'
import type { KeptItems } from '../conversation.ts'
import type {
  FinishReason,
  ModelDelta,
  ModelReply,
  ModelRequest,
  ModelWarning,
  Usage,
} from '../model.ts'
import { ChatCalls, type CallPiece } from './chat-calls.ts'
import { leakedCall } from './leaked-calls.ts'

/** Most warnings of one reply. */
const MAX_WARNINGS = 32
/** Longest name of a model and longest id of a reply that are kept, in UTF-16 units. */
const MAX_NAME = 256

export interface DraftOptions {
  readonly provider: string
  /** Names kept items. */
  readonly codec: string
  /** The model that was asked. */
  readonly model: string
  readonly request: ModelRequest
  readonly onDelta: ((delta: ModelDelta) => void) | undefined
  /** As of a flavour. Default false. */
  readonly tellsEndings?: boolean | undefined
}

export class ReplyDraft {
  usage: Usage | undefined
  readonly #options: DraftOptions
  readonly #calls: ChatCalls
  readonly #warnings: ModelWarning[] = []
  #text = ''
  #reasoning = ''
  #kept: readonly JsonValue[] = []
  #finish: FinishReason | undefined
  #finishText = ''
  #isRefused = false
  #model: string | undefined
  #id: string | undefined

  constructor(options: DraftOptions) {
    this.#options = options
    this.#calls = new ChatCalls({
      provider: options.provider,
      messages: options.request.messages,
      onDelta: options.onDelta,
      warn: (kind, message) => this.warn(kind, message),
    })
  }

  get isFinished(): boolean {
    return this.#finish !== undefined
  }

  addText(text: string): void {
    if (text === '') return
    this.#text += text
    this.#options.onDelta?.({ kind: 'text', text })
  }

  addReasoning(text: string): void {
    if (text === '') return
    this.#reasoning += text
    this.#options.onDelta?.({ kind: 'reasoning', text })
  }

  /** A refusal is text, and the reply counts as filtered whatever word it ends with. */
  refuse(text: string): void {
    this.#isRefused = true
    this.addText(text)
  }

  addCall(piece: CallPiece): void {
    this.#calls.add(piece)
  }

  /** What goes back unchanged; replaces what was there. */
  keep(items: readonly JsonValue[]): void {
    this.#kept = items
  }

  /** Why the reply ended, with the provider's word for it. The last one counts. */
  finish(reason: FinishReason, word: string): void {
    this.#finish = reason
    this.#finishText = word.slice(0, MAX_NAME)
  }

  /** Who answered, and under which id: the first of each counts. */
  answeredBy(model: unknown, id: unknown): void {
    if (typeof model === 'string' && model !== '') this.#model ??= model.slice(0, MAX_NAME)
    if (typeof id === 'string' && id !== '') this.#id ??= id.slice(0, MAX_NAME)
  }

  /** Each text once. */
  warn(kind: ModelWarning['kind'], message: string): void {
    if (this.#warnings.length >= MAX_WARNINGS) return
    if (!this.#warnings.some((one) => one.message === message))
      this.#warnings.push({ kind, message })
  }

  waiting(): void {
    this.#options.onDelta?.({ kind: 'waiting' })
  }

  /** The whole reply. Throws `DP_MODEL_CUT` when nothing said that it has ended. */
  done(): ModelReply {
    const { codec, model, provider } = this.#options
    if (this.#finish === undefined) throw cutReply(provider)
    const calls = this.#calls.done()
    this.#lookForLeaks()
    const kept: KeptItems | undefined =
      this.#kept.length === 0 ? undefined : { codec, items: this.#kept }
    return {
      message: {
        role: 'assistant',
        text: this.#text,
        ...(this.#reasoning !== '' && { reasoning: this.#reasoning }),
        calls,
        ...(kept !== undefined && { kept }),
      },
      finish: this.#finishOf(this.#finish, calls.length > 0),
      finishText: this.#finishText,
      usage: this.usage,
      model: this.#model ?? model,
      ...(this.#id !== undefined && { id: this.#id }),
      warnings: this.#warnings,
    }
  }

  /** Some servers say `stop` after calls; a reply that names calls and has none has ended all the same. */
  #finishOf(reason: FinishReason, hasCalls: boolean): FinishReason {
    if (this.#isRefused && reason === 'stop') return 'filtered'
    if (reason === 'stop' && hasCalls) return 'tool-calls'
    if (reason === 'other' && hasCalls && this.#options.tellsEndings === true) return 'interrupted'
    if (reason === 'other' && hasCalls && this.#finishText !== '')
      this.warn(
        'odd-reply',
        `The reply ended with "${this.#finishText}", which is not known here; its calls count as whole.`,
      )
    if (reason !== 'tool-calls' || hasCalls) return reason
    this.warn('odd-reply', `The reply ended with "${this.#finishText}" and has no calls.`)
    return 'stop'
  }

  #lookForLeaks(): void {
    if (this.#options.request.tools.length === 0) return
    const leak = leakedCall(this.#text)
    if (leak === undefined) return
    this.warn(
      'leaked-call',
      `The text of the reply holds what looks like a tool call ("${leak.mark}" at ${leak.at}). It was not called.`,
    )
  }
}

export function cutReply(provider: string): ModelError {
  return new ModelError(
    'DP_MODEL_CUT',
    `The reply of ${provider} ended before it was whole. Ask again.`,
    { provider, retryable: true, detail: { kind: 'model-cut', kept: false } },
  )
}

const NO_REPLY: Readonly<Record<NoReplyWhy, (facts: NoReply) => string>> = {
  'too-large': ({ limit }) => `it is larger than ${limit} bytes`,
  'too-many-blocks': ({ limit }) => `it has more than ${limit} blocks`,
  'too-many-items': ({ limit }) => `it has more than ${limit} items`,
  'no-utf8': () => 'it is no UTF-8',
  'no-json': ({ contentType }) =>
    `it is no JSON object${contentType === undefined ? '' : ` (${contentType || 'of no type'})`}`,
  'no-choices': () => 'it has no choices',
  'no-message': () => 'it is no message',
  'no-response': () => 'it is no response',
  'event-too-large': () => 'an event is too large',
  'event-no-json': () => 'an event is no JSON object',
  'line-no-utf8': () => 'a line is no text',
  'stray-piece': () => 'it has a piece of a block that never began',
  odd: () => 'it broke the reader',
}

/** The answer is no reply. `said` is the text at fault. */
export function unreadableReply(
  provider: string,
  facts: NoReplyWhy | NoReply,
  said?: string,
): ModelError {
  const what = typeof facts === 'string' ? { why: facts } : facts
  return new ModelError(
    'DP_MODEL_UNREADABLE',
    `The answer of ${provider} cannot be read as a reply: ${NO_REPLY[what.why](what)}. Check the base URL and which API it speaks.`,
    { provider, said, detail: { kind: 'model-no-reply', ...what } },
  )
}
