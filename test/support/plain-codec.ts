/**
 * The simplest way of writing to a model, for tests of what carries it: the last text goes out, and lines come back. `t:` is
 * text, `c:` the name of a tool to call, `u:` the tokens read and written, `w` a sign of life, `!` a failure that may pass, `#` one
 * that is final, `.` the end with its reason.
 */
import { ModelError } from '../../src/base/errors.ts'
import type { ModelCall } from '../../src/agent/conversation.ts'
import type { ModelReply, Usage } from '../../src/agent/model.ts'
import type { Codec, ReadOptions, ReplyReader } from '../../src/agent/models/codec.ts'
import { modelFailure, saidFailure } from '../../src/agent/models/model-failure.ts'

const FINISHES = {
  stop: 'stop',
  interrupted: 'interrupted',
  'tool-calls': 'tool-calls',
} as const

export const plainCodec: Codec = {
  name: 'plain',
  encode(request) {
    const last = request.messages.at(-1)
    const body = { say: last?.role === 'user' ? last.parts.length : 0 }
    const warnings =
      request.temperature === undefined
        ? []
        : [{ kind: 'ignored-option', message: 'No temperature here.' } as const]
    return { path: '/ask', body, text: JSON.stringify(body), warnings }
  },
  reader: (options) => new LinesReader(options),
  readError: (answer) => modelFailure({ provider: 'plain', ...answer }),
}

class LinesReader implements ReplyReader {
  readonly #options: ReadOptions
  readonly #decoder = new TextDecoder()
  #rest = ''
  #text = ''
  #usage: Usage | undefined
  readonly #calls: ModelCall[] = []
  #finish: keyof typeof FINISHES | undefined

  constructor(options: ReadOptions) {
    this.#options = options
  }

  push(bytes: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#take(line)
  }

  end(): ModelReply {
    if (this.#finish === undefined)
      throw new ModelError('DP_MODEL_CUT', 'plain was cut.', { provider: 'plain' })
    return {
      message: { role: 'assistant', text: this.#text, calls: this.#calls },
      finish: FINISHES[this.#finish],
      finishText: this.#finish,
      usage: this.#usage,
      model: 'plain-1',
      warnings: [],
    }
  }

  #take(line: string): void {
    const { onDelta } = this.#options
    if (line === 'w') onDelta?.({ kind: 'waiting' })
    else if (line.startsWith('t:')) {
      this.#text += line.slice(2)
      onDelta?.({ kind: 'text', text: line.slice(2) })
    } else if (line.startsWith('c:')) {
      const call = { id: `call_${this.#calls.length}`, name: line.slice(2) }
      onDelta?.({ kind: 'call', index: this.#calls.length, ...call })
      this.#calls.push({ ...call, argumentsText: '{}' })
    } else if (line.startsWith('u:')) {
      const [input = 0, output = 0] = line.slice(2).split(' ').map(Number)
      this.#usage = { input, output }
    } else if (line.startsWith('!'))
      throw saidFailure({ provider: 'plain', message: line.slice(1), kind: 'overloaded_error' })
    else if (line.startsWith('#'))
      throw saidFailure({
        provider: 'plain',
        message: line.slice(1),
        kind: 'invalid_request_error',
      })
    else if (line === '.stop') this.#finish = 'stop'
    else if (line === '.interrupted') this.#finish = 'interrupted'
    else if (line === '.tool-calls') this.#finish = 'tool-calls'
  }
}
