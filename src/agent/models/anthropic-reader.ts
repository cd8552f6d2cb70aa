/** Reads one answer of the Messages API: a stream of events that build up blocks, or the whole message at once. */

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type { FinishReason, ModelReply } from '../model.ts'
import { AnthropicUsage } from './anthropic-usage.ts'
import { AnswerObjects } from './answer-objects.ts'
import { ReplyDraft, unreadableReply } from './chat-draft.ts'
import { countOf, textIn } from './chat-words.ts'
import type { ReadOptions, ReplyReader } from './codec.ts'
import { saidFailure } from './model-failure.ts'

export interface AnthropicReaderOptions extends ReadOptions {
  readonly provider: string
  /** Of the codec, for kept items. */
  readonly codec: string
  /** The model that was asked. */
  readonly model: string
}

const FINISHES: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'filtered'],
  ['pause_turn', 'interrupted'],
])

/** Ends that may come in the middle of a call. */
const BROKEN_OFF: ReadonlySet<FinishReason> = new Set(['length', 'filtered', 'interrupted'])

/** Most blocks of one message. */
const MAX_BLOCKS = 1024

/** One block while it comes. */
interface Block {
  /** As it began; pieces are added to copies of what it has. */
  readonly given: JsonObject
  /** Text, thinking or arguments so far. */
  text: string
  signature: string
}

export class AnthropicReader implements ReplyReader {
  readonly #provider: string
  readonly #draft: ReplyDraft
  readonly #objects: AnswerObjects
  readonly #usage = new AnthropicUsage()
  readonly #blocks = new Map<number, Block>()
  /** Nothing was cut off. */
  #isWhole = false

  constructor(options: AnthropicReaderOptions) {
    const { provider, codec, model, request, onDelta, contentType, maxBytes } = options
    this.#provider = provider
    this.#draft = new ReplyDraft({ provider, codec, model, request, onDelta, tellsEndings: true })
    this.#objects = new AnswerObjects({
      provider,
      contentType,
      maxBytes,
      onEvent: (event) => this.#takeEvent(event),
      onWhole: (answer) => this.#takeMessage(answer),
      onWaiting: () => this.#draft.waiting(),
    })
  }

  push(bytes: Uint8Array): void {
    this.#objects.push(bytes)
  }

  end(): ModelReply {
    this.#objects.end()
    this.#endCalls()
    this.#draft.usage = this.#usage.usage
    this.#draft.keep(this.#keptBlocks())
    return this.#draft.done()
  }

  #takeEvent(event: JsonObject): void {
    const { message, delta, error, content_block: block } = event
    switch (event['type']) {
      case 'message_start':
        if (!isJsonObject(message)) return
        this.#draft.answeredBy(message['model'], message['id'])
        return this.#usage.add(message['usage'])
      case 'content_block_start':
        if (isJsonObject(block)) this.#begin(placeOf(event), block)
        return
      case 'content_block_delta':
        if (isJsonObject(delta)) this.#takePiece(placeOf(event), delta)
        return
      case 'message_delta':
        this.#usage.add(event['usage'])
        if (isJsonObject(delta)) this.#finish(delta)
        return
      case 'ping':
        return this.#draft.waiting()
      case 'error':
        throw this.#failed(isJsonObject(error) ? error : event)
      default: // ends of blocks and of the message say nothing more, and new events may come
    }
  }

  /** The whole message at once. */
  #takeMessage(message: JsonObject): void {
    const { content, error } = message
    if (!Array.isArray(content))
      throw isJsonObject(error)
        ? this.#failed(error)
        : unreadableReply(this.#provider, 'no-message', JSON.stringify(message))
    this.#draft.answeredBy(message['model'], message['id'])
    this.#usage.add(message['usage'])
    for (const [index, block] of content.entries())
      if (isJsonObject(block)) this.#begin(index, block)
    this.#finish(message)
    // An answer in one piece has ended when it is there.
    if (!this.#draft.isFinished) this.#draft.finish('other', '')
  }

  #begin(index: number, given: JsonObject): void {
    if (this.#blocks.size >= MAX_BLOCKS)
      throw unreadableReply(this.#provider, { why: 'too-many-blocks', limit: MAX_BLOCKS })
    const block: Block = { given, text: '', signature: '' }
    this.#blocks.set(index, block)
    switch (given['type']) {
      case 'text':
        return this.#addText(block, textIn(given, 'text'))
      case 'thinking':
        block.signature = textIn(given, 'signature') ?? ''
        return this.#addThinking(block, textIn(given, 'thinking'))
      case 'redacted_thinking':
        return
      case 'tool_use': {
        this.#draft.addCall({ index, id: given['id'], name: given['name'] })
        const { input } = given
        if (isJsonObject(input) && Object.keys(input).length > 0)
          this.#addArguments(index, { block, text: JSON.stringify(input) })
        return
      }
      default:
        this.#draft.warn('odd-reply', 'The reply has blocks of a kind that was not asked for.')
    }
  }

  #takePiece(index: number, delta: JsonObject): void {
    const block = this.#blocks.get(index)
    if (block === undefined) throw unreadableReply(this.#provider, 'stray-piece')
    switch (delta['type']) {
      case 'text_delta':
        return this.#addText(block, textIn(delta, 'text'))
      case 'thinking_delta':
        return this.#addThinking(block, textIn(delta, 'thinking'))
      case 'signature_delta':
        block.signature += textIn(delta, 'signature') ?? ''
        return
      case 'input_json_delta':
        return this.#addArguments(index, { block, text: textIn(delta, 'partial_json') ?? '' })
      default: // citations and whatever comes to be told beside the text
    }
  }

  #addText(block: Block, text = ''): void {
    block.text += text
    this.#draft.addText(text)
  }

  #addThinking(block: Block, text = ''): void {
    block.text += text
    this.#draft.addReasoning(text)
  }

  #addArguments(index: number, { block, text }: { block: Block; text: string }): void {
    if (block.given['type'] !== 'tool_use') return
    block.text += text
    this.#draft.addCall({ index, arguments: text })
  }

  /** A call that was given no arguments was given an object without members, unless the reply broke off before them. */
  #endCalls(): void {
    for (const [index, { given, text }] of this.#blocks) {
      if (given['type'] === 'tool_use' && text === '' && this.#isWhole)
        this.#draft.addCall({ index, arguments: '{}' })
    }
  }

  #finish(holder: JsonObject): void {
    const word = textIn(holder, 'stop_reason')
    if (word === undefined) return
    const reason = FINISHES.get(word) ?? 'other'
    this.#isWhole = !BROKEN_OFF.has(reason)
    this.#draft.finish(reason, word)
  }

  #failed(error: JsonObject): Error {
    return saidFailure({
      provider: this.#provider,
      message: textIn(error, 'message') ?? '',
      kind: textIn(error, 'type'),
    })
  }

  /** All blocks in their order, where there is thinking among them: it goes back as it came, at the place where it stood. */
  #keptBlocks(): readonly JsonValue[] {
    const blocks = [...this.#blocks.entries()]
      .toSorted(([one], [other]) => one - other)
      .map(([, block]) => block)
    if (!blocks.some(({ given }) => isThinking(given['type']))) return []
    return blocks.flatMap((block) => keptBlock(block))
  }
}

function isThinking(type: unknown): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

function keptBlock({ given, text, signature }: Block): readonly JsonValue[] {
  switch (given['type']) {
    case 'thinking':
      return [{ ...given, thinking: text, signature }]
    case 'text':
      // An empty one is refused when it comes back.
      return text.trim() === '' ? [] : [{ type: 'text', text }]
    case 'tool_use':
      return [{ type: 'tool_use' }]
    default:
      return [given]
  }
}

function placeOf(event: JsonObject): number {
  return countOf(event['index']) ?? 0
}
