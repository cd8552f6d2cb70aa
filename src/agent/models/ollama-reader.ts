/**
 * Reads one answer of Ollama's own chat API: JSON objects, one a line while it streams, the last of them with `done`.
 *
 * Calls come whole and often without ids. The reply is the same however the bytes are cut.
 */

import { isJsonObject, type JsonObject } from '../../base/json.ts'
import { ByteHold } from '../../formats/byte-hold.ts'
import { createLineReader, type LineReader } from '../../formats/ndjson.ts'
import { decodeUtf8 } from '../../formats/utf8.ts'
import type { FinishReason, ModelReply, Usage } from '../model.ts'
import { cutReply, ReplyDraft, unreadableReply } from './chat-draft.ts'
import { countOf, objectIn, textIn } from './chat-words.ts'
import type { ReadOptions, ReplyReader } from './codec.ts'
import { endsInCharacter, wholeCharacters } from './cut-characters.ts'
import { saidFailure } from './model-failure.ts'

export interface OllamaReaderOptions extends ReadOptions {
  readonly codec: string
  /** The model that was asked. */
  readonly model: string
}

const PROVIDER = 'ollama'
const FINISHES: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
])

export class OllamaReader implements ReplyReader {
  readonly #options: OllamaReaderOptions
  readonly #draft: ReplyDraft
  /** For an answer that was asked for in one piece, which may have line ends in it. */
  readonly #whole: ByteHold | undefined
  readonly #lines: LineReader
  #size = 0
  #isEnding = false
  /** Found inside of a callback that must not throw. */
  #failure: Error | undefined

  constructor(options: OllamaReaderOptions) {
    this.#options = options
    const { codec, model, request, onDelta, contentType, maxBytes } = options
    this.#draft = new ReplyDraft({ provider: PROVIDER, codec, model, request, onDelta })
    const isStream = request.stream !== false || contentType === 'application/x-ndjson'
    this.#whole = isStream ? undefined : new ByteHold()
    this.#lines = createLineReader({
      maxBytes,
      onText: (text) => this.#guard(() => this.#takeLine(text)),
      onUnreadable: (line) =>
        this.#guard(() => {
          if (this.#isEnding && endsInCharacter(line)) throw cutReply(PROVIDER)
          throw unreadableReply(PROVIDER, 'line-no-utf8')
        }),
    })
  }

  push(bytes: Uint8Array): void {
    const { maxBytes } = this.#options
    this.#size += bytes.length
    if (this.#size > maxBytes)
      throw unreadableReply(PROVIDER, { why: 'too-large', limit: maxBytes })
    if (this.#whole === undefined) this.#lines.push(bytes)
    else this.#whole.add(bytes)
    if (this.#failure !== undefined) throw this.#failure
  }

  end(): ModelReply {
    this.#isEnding = true
    if (this.#whole === undefined) this.#lines.end()
    else {
      const text = this.#whole.use((bytes) => decodeUtf8(wholeCharacters(bytes)))
      if (text === undefined) throw unreadableReply(PROVIDER, 'no-utf8')
      if (text.trim() === '') throw cutReply(PROVIDER)
      this.#takeLine(text)
    }
    if (this.#failure !== undefined) throw this.#failure
    return this.#draft.done()
  }

  #guard(run: () => void): void {
    if (this.#failure !== undefined || this.#draft.isFinished) return
    try {
      run()
    } catch (error) {
      this.#failure = error instanceof Error ? error : unreadableReply(PROVIDER, 'odd')
    }
  }

  #takeLine(text: string): void {
    const value = objectIn(text)
    if (value !== undefined) this.#takeChunk(value)
    // The last line of a stream that broke off is half a line.
    else if (this.#isEnding && text.trimStart().startsWith('{')) throw cutReply(PROVIDER)
    else throw unreadableReply(PROVIDER, 'no-json', text)
  }

  #takeChunk(chunk: JsonObject): void {
    const { error, message } = chunk
    if (typeof error === 'string' && error !== '')
      throw saidFailure({ provider: PROVIDER, message: error })
    this.#draft.answeredBy(chunk['model'], undefined)
    if (isJsonObject(message)) this.#takeMessage(message)
    if (chunk['done'] !== true) return
    // Older ones give no reason.
    const word = textIn(chunk, 'done_reason') ?? ''
    this.#draft.finish(word === '' ? 'stop' : (FINISHES.get(word) ?? 'other'), word)
    this.#draft.usage = usageOf(chunk)
  }

  #takeMessage(message: JsonObject): void {
    this.#draft.addReasoning(textIn(message, 'thinking') ?? '')
    this.#draft.addText(textIn(message, 'content') ?? '')
    const calls = message['tool_calls']
    if (!Array.isArray(calls)) return
    for (const call of calls) {
      if (!isJsonObject(call)) continue
      const called = isJsonObject(call['function']) ? call['function'] : {}
      const { name, arguments: given } = called
      this.#draft.addCall({ id: call['id'], name, arguments: given, isWhole: true })
    }
  }
}

/** What was in its cache it does not count: a prompt that was there whole has no count at all. */
function usageOf(chunk: JsonObject): Usage | undefined {
  const output = countOf(chunk['eval_count'])
  const input = countOf(chunk['prompt_eval_count'])
  return input === undefined || output === undefined ? undefined : { input, output }
}
