/**
 * Reads one answer of Chat Completions: an event stream or one JSON object, told apart by how it begins and not by what its
 * header says, for both come under both names.
 *
 * The reply is the same however the bytes are cut.
 */

import type { NoReply, NoReplyWhy } from '../../base/error-detail.ts'
import type { ModelError } from '../../base/errors.ts'
import { isJsonObject, type JsonObject } from '../../base/json.ts'
import { ByteHold } from '../../formats/byte-hold.ts'
import { createSseReader, type SseReader } from '../../formats/sse.ts'
import { decodeUtf8 } from '../../formats/utf8.ts'
import type { ModelReply } from '../model.ts'
import { ReasoningDetails } from './chat-details.ts'
import { cutReply, ReplyDraft, unreadableReply } from './chat-draft.ts'
import type { ChatFlavour } from './chat-flavour.ts'
import { finishOf, objectIn, saidIn, textIn, usageOf } from './chat-words.ts'
import type { ReadOptions, ReplyReader } from './codec.ts'
import { endsInCharacter, wholeCharacters } from './cut-characters.ts'
import { saidFailure } from './model-failure.ts'

export interface ChatReaderOptions extends ReadOptions {
  readonly flavour: ChatFlavour
  /** Of the codec, for kept items. */
  readonly codec: string
  /** The model that was asked. */
  readonly model: string
}

const OPENING_BRACE = 123
const EMPTY_LINES: Uint8Array = Uint8Array.of(10, 10)
/** A byte order mark, and what servers send while they wait. */
const BLANKS: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf, 9, 10, 13, 32])
/** First bytes of lines of an event stream: `data`, `event`, `id`, `retry`, and a comment. */
const STREAM_STARTS: ReadonlySet<number> = new Set([100, 101, 105, 114, 58])

export class ChatReader implements ReplyReader {
  readonly #options: ChatReaderOptions
  readonly #draft: ReplyDraft
  readonly #details = new ReasoningDetails()
  readonly #whole = new ByteHold()
  #events: SseReader | undefined
  #hasBegun = false
  #size = 0
  /** `[DONE]` was there: nothing after it counts. */
  #isDone = false
  #isEnding = false
  /** Found inside of a callback that must not throw. */
  #failure: Error | undefined

  constructor(options: ChatReaderOptions) {
    this.#options = options
    const { codec, model, request, onDelta, flavour } = options
    this.#draft = new ReplyDraft({
      provider: flavour.provider,
      codec,
      model,
      request,
      onDelta,
      tellsEndings: flavour.tellsEndings,
    })
  }

  push(bytes: Uint8Array): void {
    this.#size += bytes.length
    if (this.#size > this.#options.maxBytes)
      throw this.#unreadable({ why: 'too-large', limit: this.#options.maxBytes })
    const rest = this.#hasBegun ? bytes : this.#begin(bytes)
    if (this.#events === undefined) this.#whole.add(rest)
    else this.#events.push(rest)
    if (this.#failure !== undefined) throw this.#failure
  }

  end(): ModelReply {
    if (this.#events === undefined) this.#readWhole()
    else {
      // A last event without its empty line counts if it is whole.
      this.#isEnding = true
      this.#events.push(EMPTY_LINES)
      if (this.#failure !== undefined) throw this.#failure
    }
    // Some servers tell no reason; that the stream has ended is told by its last word.
    if (this.#isDone && !this.#draft.isFinished) this.#draft.finish('other', '')
    this.#draft.keep(this.#details.items)
    return this.#draft.done()
  }

  /** Passes over blanks, then decides by the first byte what the answer is. */
  #begin(bytes: Uint8Array): Uint8Array {
    const from = bytes.findIndex((byte) => !BLANKS.has(byte))
    if (from < 0) {
      this.#draft.waiting()
      return new Uint8Array(0)
    }
    this.#hasBegun = true
    const first = bytes[from] ?? 0
    const isStream =
      first !== OPENING_BRACE &&
      (STREAM_STARTS.has(first) || this.#options.contentType === 'text/event-stream')
    if (isStream) this.#events = this.#openEvents()
    return from === 0 ? bytes : bytes.subarray(from)
  }

  #openEvents(): SseReader {
    return createSseReader({
      maxEventBytes: this.#options.maxBytes,
      onEvent: ({ data }) => this.#guard(() => this.#takeEvent(data)),
      onUnreadable: (event) =>
        this.#guard(() => {
          // The last event of a stream that broke off, as one that is no whole object.
          if (this.#isEnding && endsInCharacter(event)) return
          throw this.#unreadable(event.reason === 'not-utf8' ? 'no-utf8' : 'event-too-large')
        }),
      onComment: () => this.#draft.waiting(),
    })
  }

  /** Runs what may throw where nothing may: the first error is thrown afterwards, and what follows it is not looked at. */
  #guard(run: () => void): void {
    if (this.#failure !== undefined || this.#isDone) return
    try {
      run()
    } catch (error) {
      this.#failure = error instanceof Error ? error : this.#unreadable('odd')
    }
  }

  #takeEvent(data: string): void {
    if (data.trim() === '[DONE]') {
      this.#isDone = true
      return
    }
    const chunk = objectIn(data)
    if (chunk !== undefined) this.#takeChunk(chunk)
    else if (!this.#isEnding) throw this.#unreadable('event-no-json', data)
  }

  #readWhole(): void {
    const text = this.#whole.use((bytes) => decodeUtf8(wholeCharacters(bytes)))
    const { provider } = this.#options.flavour
    if (text === '') throw cutReply(provider)
    const value = text === undefined ? undefined : objectIn(text)
    if (value !== undefined) {
      this.#takeChunk(value)
      if (!Array.isArray(value['choices']) || value['choices'].length === 0)
        throw this.#unreadable('no-choices', text)
      // An answer in one piece has ended when it is there.
      if (!this.#draft.isFinished) this.#draft.finish('other', '')
      return
    }
    if (text?.startsWith('{') === true && !text.trimEnd().endsWith('}')) throw cutReply(provider)
    throw this.#unreadable('no-json', text)
  }

  /** One chunk of a stream, or the whole answer. */
  #takeChunk(chunk: JsonObject): void {
    this.#throwError(chunk)
    this.#draft.answeredBy(chunk['model'], chunk['id'])
    const choices = chunk['choices']
    if (Array.isArray(choices)) for (const choice of choices) this.#takeChoice(choice)
    this.#draft.usage = usageOf(chunk['usage']) ?? this.#draft.usage
  }

  #takeChoice(choice: unknown): void {
    if (!isJsonObject(choice)) return
    const { index = 0 } = choice
    if (index !== 0) {
      this.#draft.warn('odd-reply', 'The reply has more than one choice; only the first was read.')
      return
    }
    this.#throwError(choice)
    const { delta, message } = choice
    if (isJsonObject(delta)) this.#takeMessage(delta, false)
    else if (isJsonObject(message)) this.#takeMessage(message, true)
    const word = textIn(choice, 'finish_reason')
    if (word !== undefined) this.#draft.finish(finishOf(word), word)
    // One provider counts inside of the choice.
    this.#draft.usage = usageOf(choice['usage']) ?? this.#draft.usage
  }

  #takeMessage(message: JsonObject, isWhole: boolean): void {
    for (const { kind, text } of saidIn(message)) {
      if (kind === 'text') this.#draft.addText(text)
      else this.#draft.addReasoning(text)
    }
    if (this.#options.flavour.keepsDetails === true) this.#details.add(message['reasoning_details'])
    const refusal = textIn(message, 'refusal')
    if (refusal !== undefined) this.#draft.refuse(refusal)
    const calls = message['tool_calls']
    if (Array.isArray(calls)) for (const call of calls) this.#takeCall(call, isWhole)
  }

  #takeCall(call: unknown, isWhole: boolean): void {
    if (!isJsonObject(call)) return
    const { index, id } = call
    const called = isJsonObject(call['function']) ? call['function'] : {}
    this.#draft.addCall({
      index: typeof index === 'number' && Number.isSafeInteger(index) ? index : undefined,
      id,
      name: called['name'],
      arguments: called['arguments'],
      isWhole,
    })
  }

  #throwError(holder: JsonObject): void {
    const { error } = holder
    if (error === undefined || error === null) return
    const facts: JsonObject = isJsonObject(error) ? error : {}
    const code = facts['code']
    throw saidFailure({
      provider: this.#options.flavour.provider,
      message: typeof error === 'string' ? error : (textIn(facts, 'message') ?? ''),
      kind: textIn(facts, 'code') ?? textIn(facts, 'type'),
      status: typeof code === 'number' && code >= 400 && code < 600 ? code : undefined,
    })
  }

  #unreadable(facts: NoReplyWhy | NoReply, said?: string): ModelError {
    return unreadableReply(this.#options.flavour.provider, facts, said)
  }
}
