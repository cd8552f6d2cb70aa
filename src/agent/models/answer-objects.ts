/**
 * One answer cut into its JSON objects: each event of a stream, or the one object that the answer is. Which of both it is, is told
 * by how it begins: headers are not always right.
 *
 * It knows no provider's words. What it hands on is the same however the bytes are cut.
 */

import type { NoReply, NoReplyWhy } from '../../base/error-detail.ts'
import { asError, type ModelError } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { ByteHold } from '../../formats/byte-hold.ts'
import { createSseReader, type SseReader } from '../../formats/sse.ts'
import { decodeUtf8 } from '../../formats/utf8.ts'
import { cutReply, unreadableReply } from './chat-draft.ts'
import { objectIn } from './chat-words.ts'
import { endsInCharacter, wholeCharacters } from './cut-characters.ts'

export interface AnswerObjectsOptions {
  /** For errors. */
  readonly provider: string
  readonly contentType: string
  /** Most bytes of the answer. */
  readonly maxBytes: number
  /** One event of a stream. What it throws ends the answer. */
  onEvent(event: JsonObject): void
  /** The answer, where it is one object. */
  onWhole(answer: JsonObject): void
  /** A sign of life without content. */
  onWaiting(): void
}

const EMPTY_LINES: Uint8Array = Uint8Array.of(10, 10)
/** A byte order mark, and what servers send while they wait. */
const BLANKS: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf, 9, 10, 13, 32])
const OPENING_BRACE = 123

export class AnswerObjects {
  readonly #options: AnswerObjectsOptions
  readonly #whole = new ByteHold()
  #events: SseReader | undefined
  #hasBegun = false
  #isEnding = false
  #isDone = false
  #size = 0
  /** Found inside of a callback that must not throw. */
  #failure: Error | undefined

  constructor(options: AnswerObjectsOptions) {
    this.#options = options
  }

  push(bytes: Uint8Array): void {
    const { maxBytes } = this.#options
    this.#size += bytes.length
    if (this.#size > maxBytes) throw this.#unreadable({ why: 'too-large', limit: maxBytes })
    const rest = this.#hasBegun ? bytes : this.#begin(bytes)
    if (this.#events === undefined) this.#whole.add(rest)
    else this.#events.push(rest)
    if (this.#failure !== undefined) throw this.#failure
  }

  end(): void {
    if (this.#events === undefined) return this.#readWhole()
    // A last event without its empty line counts if it is whole.
    this.#isEnding = true
    this.#events.push(EMPTY_LINES)
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Passes over blanks, then decides by the first byte what the answer is. */
  #begin(bytes: Uint8Array): Uint8Array {
    const from = bytes.findIndex((byte) => !BLANKS.has(byte))
    if (from < 0) {
      this.#options.onWaiting()
      return new Uint8Array(0)
    }
    this.#hasBegun = true
    if (bytes[from] !== OPENING_BRACE) this.#events = this.#openEvents()
    return bytes.subarray(from)
  }

  #openEvents(): SseReader {
    const { maxBytes } = this.#options
    return createSseReader({
      maxEventBytes: maxBytes,
      onEvent: ({ data }) => this.#guard(() => this.#takeEvent(data)),
      onUnreadable: (event) =>
        this.#guard(() => {
          // The last event of a stream that broke off, as one that is no whole object.
          if (this.#isEnding && endsInCharacter(event)) return
          throw this.#unreadable(event.reason === 'not-utf8' ? 'no-utf8' : 'event-too-large')
        }),
      onComment: () => this.#options.onWaiting(),
    })
  }

  /** The first error is thrown afterwards, and what follows it is not looked at. */
  #guard(run: () => void): void {
    if (this.#failure !== undefined || this.#isDone) return
    try {
      run()
    } catch (error) {
      this.#failure = asError(error)
    }
  }

  #takeEvent(data: string): void {
    if (data.trim() === '[DONE]') {
      this.#isDone = true
      return
    }
    const event = objectIn(data)
    if (event !== undefined) this.#options.onEvent(event)
    else if (!this.#isEnding) throw this.#unreadable('event-no-json', data)
  }

  #readWhole(): void {
    const { provider, contentType } = this.#options
    const text = this.#whole.use((bytes) => decodeUtf8(wholeCharacters(bytes)))
    if (text === '') throw cutReply(provider)
    const answer = text === undefined ? undefined : objectIn(text)
    if (answer !== undefined) return this.#options.onWhole(answer)
    if (text?.trimEnd().endsWith('}') === false) throw cutReply(provider)
    throw this.#unreadable({ why: 'no-json', contentType }, text)
  }

  #unreadable(facts: NoReplyWhy | NoReply, said?: string): ModelError {
    return unreadableReply(this.#options.provider, facts, said)
  }
}
