/**
 * Reads one answer of the Responses API: a stream of events that tell items piece by piece and then whole, or the whole response
 * at once.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type { ModelReply, Usage } from '../model.ts'
import { AnswerObjects } from './answer-objects.ts'
import { ReplyDraft, unreadableReply } from './chat-draft.ts'
import { countOf, textIn } from './chat-words.ts'
import type { ReadOptions, ReplyReader } from './codec.ts'
import { saidFailure } from './model-failure.ts'

export interface ResponsesReaderOptions extends ReadOptions {
  readonly provider: string
  /** Of the codec, for kept items. */
  readonly codec: string
  /** The model that was asked. */
  readonly model: string
}

/** One item of the output while it comes. */
interface Item {
  /** Text or reasoning of it was told as pieces. */
  isTold: boolean
  /** The call has a name. */
  isCall: boolean
  /** Arguments of it were told as pieces. */
  hasArguments: boolean
  /** What goes back of it, once it is whole. */
  kept: JsonObject | undefined
  isWhole: boolean
}

export class ResponsesReader implements ReplyReader {
  readonly #provider: string
  readonly #draft: ReplyDraft
  readonly #objects: AnswerObjects
  readonly #items = new Map<number, Item>()
  #hasText = false
  #hasReasoning = false

  constructor(options: ResponsesReaderOptions) {
    const { provider, codec, model, request, onDelta, contentType, maxBytes } = options
    this.#provider = provider
    this.#draft = new ReplyDraft({ provider, codec, model, request, onDelta, tellsEndings: true })
    this.#objects = new AnswerObjects({
      provider,
      contentType,
      maxBytes,
      onEvent: (event) => this.#takeEvent(event),
      onWhole: (answer) => this.#takeResponse(answer),
      onWaiting: () => this.#draft.waiting(),
    })
  }

  push(bytes: Uint8Array): void {
    this.#objects.push(bytes)
  }

  end(): ModelReply {
    this.#objects.end()
    this.#draft.keep(this.#keptItems())
    return this.#draft.done()
  }

  #takeEvent(event: JsonObject): void {
    const response = event['response']
    switch (event['type']) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        if (isJsonObject(response)) this.#draft.answeredBy(response['model'], response['id'])
        return this.#draft.waiting()
      case 'response.output_item.added':
        return this.#takeItem(event, false)
      case 'response.output_item.done':
        return this.#takeItem(event, true)
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        if (isJsonObject(response))
          this.#takeResponse({ status: event['type'].slice('response.'.length), ...response })
        return
      case 'error':
        throw this.#failed(isJsonObject(event['error']) ? event['error'] : event)
      default:
        return this.#takePiece(event)
    }
  }

  /** Events that are not known take no place among the items. */
  #takePiece(event: JsonObject): void {
    const { type, error } = event
    if (typeof type !== 'string' || !PIECES.has(type)) {
      if (type === undefined && isJsonObject(error)) throw this.#failed(error)
      return
    }
    const item = this.#itemAt(event)
    const text = textIn(event, 'delta') ?? ''
    switch (type) {
      case 'response.output_text.delta':
        return this.#addText(item, text)
      case 'response.refusal.delta':
        this.#addText(item, '')
        return this.#draft.refuse(text)
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.#addReasoning(item, text)
      case 'response.reasoning_summary_part.added':
        if (item.isTold) this.#draft.addReasoning('\n\n')
        return
      case 'response.function_call_arguments.delta':
        item.hasArguments = true
        return this.#draft.addCall({ index: placeOf(event), arguments: text })
      default: // every other piece was passed over above
    }
  }

  /** Text of two items is two paragraphs. */
  #addText(item: Item, text: string): void {
    if (!item.isTold && this.#hasText) this.#draft.addText('\n\n')
    item.isTold = true
    this.#hasText = true
    this.#draft.addText(text)
  }

  #addReasoning(item: Item, text: string): void {
    if (!item.isTold && this.#hasReasoning) this.#draft.addReasoning('\n\n')
    item.isTold = true
    this.#hasReasoning = true
    this.#draft.addReasoning(text)
  }

  /** An item that begins, or is whole; what was not told as pieces is told then. */
  #takeItem(event: JsonObject, isWhole: boolean): void {
    const { item: given } = event
    if (!isJsonObject(given)) return
    const item = this.#itemAt(event)
    if (item.isWhole) return
    item.isWhole = isWhole
    switch (given['type']) {
      case 'function_call':
        return this.#takeCall(given, item, placeOf(event))
      case 'message':
        if (isWhole) this.#takeMessage(given, item)
        return
      case 'reasoning':
        if (isWhole) this.#takeReasoning(given, item)
        return
      default:
        if (isWhole)
          this.#draft.warn('odd-reply', 'The reply has items of a kind that was not asked for.')
    }
  }

  #takeCall(given: JsonObject, item: Item, index: number): void {
    const { call_id: id, name } = given
    if (!item.isCall) this.#draft.addCall({ index, id, name })
    item.isCall = true
    if (!item.isWhole) return
    if (!item.hasArguments) this.#draft.addCall({ index, arguments: given['arguments'] })
    item.kept = { type: 'function_call' }
  }

  #takeMessage(given: JsonObject, item: Item): void {
    const parts: unknown = given['content']
    const wasTold = item.isTold
    const content: JsonObject[] = []
    for (const part of Array.isArray(parts) ? parts.map((one: unknown) => one) : []) {
      if (!isJsonObject(part)) continue
      const text = textIn(part, 'text')
      const refusal = textIn(part, 'refusal')
      if (text !== undefined) {
        content.push({ type: 'output_text', text, annotations: [] })
        if (!wasTold) this.#addText(item, text)
      } else if (refusal !== undefined) {
        content.push({ type: 'refusal', refusal })
        if (wasTold) continue
        this.#addText(item, '')
        this.#draft.refuse(refusal)
      }
    }
    if (content.length === 0) return
    const { phase } = given
    item.kept = {
      type: 'message',
      role: 'assistant',
      content,
      ...(typeof phase === 'string' && { phase }),
    }
  }

  #takeReasoning(given: JsonObject, item: Item): void {
    if (!item.isTold) {
      const told = [...textsIn(given['summary']), ...textsIn(given['content'])]
      if (told.length > 0) this.#addReasoning(item, told.join('\n\n'))
    }
    // Without it the far side, which keeps nothing, could not know what is meant.
    if (textIn(given, 'encrypted_content') !== undefined) item.kept = given
  }

  /** The whole response, or the last event of a stream, which repeats all that was told. */
  #takeResponse(response: JsonObject): void {
    const { status, output, error } = response
    if (!Array.isArray(output) && status === undefined)
      throw isJsonObject(error)
        ? this.#failed(error)
        : unreadableReply(this.#provider, 'no-response', JSON.stringify(response))
    this.#draft.answeredBy(response['model'], response['id'])
    this.#draft.usage = usageOf(response['usage']) ?? this.#draft.usage
    if (status === 'failed') throw this.#failed(isJsonObject(error) ? error : {})
    if (Array.isArray(output))
      for (const [index, item] of output.entries())
        this.#takeItem({ item, output_index: index }, true)
    this.#finish(response)
  }

  #finish(response: JsonObject): void {
    const { status, incomplete_details: details } = response
    const word = textIn(response, 'status') ?? ''
    if (status === 'completed') return this.#draft.finish('stop', word)
    if (status !== 'incomplete') return this.#draft.finish('other', word)
    const reason = isJsonObject(details) ? (textIn(details, 'reason') ?? '') : ''
    // Whatever the reason, it is not whole: none of its calls may be made.
    this.#draft.finish(reason === 'content_filter' ? 'filtered' : 'length', reason || word)
  }

  #failed(error: JsonObject): Error {
    return saidFailure({
      provider: this.#provider,
      message: textIn(error, 'message') ?? '',
      kind: textIn(error, 'code') ?? textIn(error, 'type'),
    })
  }

  /** In the order of the output, where anything in it could not be written again from the message alone. */
  #keptItems(): readonly JsonValue[] {
    const kept = [...this.#items.entries()]
      .toSorted(([one], [other]) => one - other)
      .flatMap(([, { kept: item }]) => (item === undefined ? [] : [item]))
    const isNeeded = kept.some(
      (item) => item['type'] === 'reasoning' || item['phase'] !== undefined,
    )
    return isNeeded ? kept : []
  }

  #itemAt(event: JsonObject): Item {
    const place = placeOf(event)
    const known = this.#items.get(place)
    if (known !== undefined) return known
    if (this.#items.size >= MAX_ITEMS)
      throw unreadableReply(this.#provider, { why: 'too-many-items', limit: MAX_ITEMS })
    const item: Item = {
      isTold: false,
      isCall: false,
      hasArguments: false,
      kept: undefined,
      isWhole: false,
    }
    this.#items.set(place, item)
    return item
  }
}

/** Events that tell a piece of an item. */
const PIECES: ReadonlySet<string> = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
  'response.reasoning_summary_part.added',
  'response.function_call_arguments.delta',
])
/** Most items of one response. */
const MAX_ITEMS = 1024

function placeOf(event: JsonObject): number {
  return countOf(event['output_index']) ?? 0
}

function textsIn(parts: unknown): readonly string[] {
  if (!Array.isArray(parts)) return []
  return parts.flatMap((part: unknown) => {
    const text = isJsonObject(part) ? textIn(part, 'text') : undefined
    return text === undefined ? [] : [text]
  })
}

function usageOf(value: unknown): Usage | undefined {
  if (!isJsonObject(value)) return undefined
  const input = countOf(value['input_tokens'])
  const output = countOf(value['output_tokens'])
  if (input === undefined || output === undefined) return undefined
  const cachedInput = detailIn(value['input_tokens_details'], 'cached_tokens', input)
  const cacheWrite = detailIn(value['input_tokens_details'], 'cache_write_tokens', input)
  const reasoning = detailIn(value['output_tokens_details'], 'reasoning_tokens', output)
  return {
    input,
    ...(cachedInput !== undefined && { cachedInput }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    output,
    ...(reasoning !== undefined && { reasoning }),
  }
}

/** A detail that says more than the whole is none. */
function detailIn(details: unknown, name: string, whole: number): number | undefined {
  const count = isJsonObject(details) ? countOf(details[name]) : undefined
  return count !== undefined && count <= whole ? count : undefined
}
