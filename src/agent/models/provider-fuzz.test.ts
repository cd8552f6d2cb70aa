/** Random answers of Responses, Messages and Ollama: read the same however they are cut, sent back as they came, no harm from what is none. */
import { describe, expect, it } from 'vitest'
import { hear } from '../../../test/support/chat-stream.ts'
import { failureOf } from '../../../test/support/model-errors.ts'
import { oddText } from '../../../test/support/odd-texts.ts'
import {
  callItem,
  message,
  messageEvents,
  namedEvents,
  response,
  responseEvents,
  saidItem,
  type Members,
} from '../../../test/support/provider-streams.ts'
import { dice, type Dice } from '../../../test/support/seeded.ts'
import { ModelError } from '../../base/errors.ts'
import { anthropicCodec } from './anthropic-codec.ts'
import type { Codec } from './codec.ts'
import { ollamaCodec } from './ollama-codec.ts'
import { responsesCodec } from './responses-codec.ts'

const SEED = 20_261_203
const RUNS = 150
const BROKEN_RUNS = 500
const BENT_RUNS = 2500

/** Never blank: blank texts are left out on their way back. */
function text(chance: Dice): string {
  return `x${oddText(chance)}`
}

function many<Item>(chance: Dice, most: number, make: (at: number) => Item): readonly Item[] {
  return Array.from({ length: chance.between(1, most) }, (_, at) => make(at))
}

/** An answer, and what an honest reader has to find in it. */
interface Answer {
  readonly codec: Codec
  readonly chunks: readonly unknown[]
  readonly body: string
  /** The same in one piece. */
  readonly whole: string
  /** From here on a stream that is cut may be whole all the same. */
  readonly endsAt: number
  readonly said: {
    readonly text: string
    readonly reasoning: string
    readonly calls: readonly unknown[]
  }
  /** What goes back of it; undefined where the message itself does. */
  readonly back: readonly unknown[] | undefined
}

function responsesAnswer(chance: Dice): Answer {
  const said = { texts: [] as string[], thoughts: [] as string[], calls: [] as unknown[] }
  const output = many(chance, 6, (at): Members => {
    const kind = chance.between(0, 2)
    const words = text(chance)
    if (kind === 0) {
      said.texts.push(words)
      return saidItem(words, chance.chance(0.5) ? { phase: 'commentary' } : {})
    }
    if (kind === 1) {
      said.calls.push({ id: `c${at}`, name: 'add', argumentsText: words })
      return callItem(`c${at}`, words)
    }
    said.thoughts.push(words)
    const summary = [{ type: 'summary_text', text: words }]
    return { id: `rs_${at}`, type: 'reasoning', summary, encrypted_content: `gA${at}` }
  })
  const chunks = responseEvents(output)
  const body = namedEvents(...chunks)
  return {
    codec: responsesCodec('gpt-x'),
    chunks,
    body,
    whole: JSON.stringify(response(output)),
    endsAt: body.indexOf('"type":"response.completed"'),
    said: {
      text: said.texts.join('\n\n'),
      reasoning: said.thoughts.join('\n\n'),
      calls: said.calls,
    },
    back: said.thoughts.length === 0 ? undefined : output.map(({ type }) => type),
  }
}

function anthropicAnswer(chance: Dice): Answer {
  const said = { text: '', reasoning: '', calls: [] as unknown[] }
  const content = many(chance, 6, (at): Members => {
    const kind = chance.between(0, 3)
    const words = text(chance)
    if (kind === 0) {
      said.text += words
      return { type: 'text', text: words }
    }
    if (kind === 1) {
      const input = chance.chance(0.2) ? {} : { a: words }
      said.calls.push({ id: `t${at}`, name: 'add', argumentsText: JSON.stringify(input) })
      return { type: 'tool_use', id: `t${at}`, name: 'add', input }
    }
    if (kind === 2) return { type: 'redacted_thinking', data: `Em${at}` }
    said.reasoning += words
    return { type: 'thinking', thinking: words, signature: `Eq${at}` }
  })
  const chunks = messageEvents(content, 'end_turn')
  const body = namedEvents(...chunks)
  const isThinking = ({ type }: Members): boolean => type !== 'text' && type !== 'tool_use'
  return {
    codec: anthropicCodec('claude-x'),
    chunks,
    body,
    whole: JSON.stringify(message(content, 'end_turn')),
    endsAt: body.indexOf('"type":"message_delta"'),
    said,
    // The thinking at its end is left out, which is another test.
    back: content.some(isThinking)
      ? content.slice(0, content.findLastIndex((block) => !isThinking(block)) + 1)
      : undefined,
  }
}

function ollamaAnswer(chance: Dice): Answer {
  const said = { text: '', reasoning: '', calls: [] as unknown[] }
  const told = many(chance, 8, (at): Members => {
    const kind = chance.between(0, 2)
    const words = text(chance)
    if (kind === 0) {
      said.text += words
      return { content: words }
    }
    if (kind === 1) {
      said.reasoning += words
      return { content: '', thinking: words }
    }
    const given = { a: words }
    said.calls.push({ id: `o${at}`, name: 'add', argumentsText: JSON.stringify(given) })
    return {
      content: '',
      tool_calls: [{ id: `o${at}`, function: { name: 'add', arguments: given } }],
    }
  })
  const chunks = [
    ...told.map((one) => ({ model: 'm', message: { role: 'assistant', ...one }, done: false })),
    { model: 'm', done: true, done_reason: 'stop' },
  ]
  const body = chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join('')
  const tool_calls = told.flatMap(({ tool_calls: calls }) => (Array.isArray(calls) ? calls : []))
  const once = { content: said.text, thinking: said.reasoning, tool_calls }
  return {
    codec: ollamaCodec('m'),
    chunks,
    body,
    whole: JSON.stringify({ model: 'm', message: once, done: true, done_reason: 'stop' }),
    endsAt: body.indexOf('"done":true'),
    said,
    back: undefined,
  }
}

const KINDS = [responsesAnswer, anthropicAnswer, ollamaAnswer]
const ONCE = { contentType: 'application/json', request: { stream: false } }

/** The types of what stands in the conversation for a reply, as it is sent; the blocks themselves for Messages. */
function sentBack(codec: Codec, said: ReturnType<typeof hear>['reply']['message']): unknown {
  const { input, messages } = codec.encode({ messages: [said], tools: [] }).body
  if (Array.isArray(input)) return input.map((item) => (item as Members)['type']) // items are objects
  return Array.isArray(messages) ? ((messages[0] as Members | undefined)?.['content'] ?? []) : []
}

describe(`random answers (seed ${SEED})`, () => {
  it('are read for what is in them, streamed and in one piece', () => {
    const chance = dice(SEED)
    for (let run = 0; run < RUNS; run += 1) {
      const { codec, body, whole, said } = chance.pick(KINDS)(chance)
      for (const { reply } of [hear(codec, body), hear(codec, whole, ONCE)]) {
        const { text: words, reasoning = '', calls } = reply.message
        expect({ text: words, reasoning, calls }, body).toEqual(said)
      }
    }
  })

  it('give the same reply and the same pieces however their bytes are cut', () => {
    const chance = dice(SEED)
    for (let run = 0; run < RUNS / 3; run += 1) {
      const { codec, body } = chance.pick(KINDS)(chance)
      const turned = chance.chance(0.3) ? body.replaceAll('\n', '\r\n') : body
      const whole = hear(codec, turned)
      for (const size of [1, chance.between(2, 9), 97])
        expect(hear(codec, turned, { size }), JSON.stringify(turned)).toEqual(whole)
    }
  })

  it('go back as they came, in their order', () => {
    const chance = dice(SEED)
    let checked = 0
    for (let run = 0; run < RUNS; run += 1) {
      const { codec, body, back } = chance.pick([responsesAnswer, anthropicAnswer])(chance)
      if (back === undefined) continue
      checked += 1
      expect(sentBack(codec, hear(codec, body).reply.message), body).toEqual(back)
    }
    expect(checked).toBeGreaterThan(RUNS / 3)
  })

  it('that are cut anywhere before their end are cut replies, which are asked for again', () => {
    const chance = dice(SEED)
    for (let run = 0; run < RUNS; run += 1) {
      const { codec, body, endsAt } = chance.pick(KINDS)(chance)
      const bytes = new TextEncoder().encode(body.slice(0, endsAt))
      const cut = bytes.slice(0, chance.between(0, bytes.length))
      const failure = failureOf(() => hear(codec, cut, { size: chance.between(1, 400) }))
      expect(failure, new TextDecoder().decode(cut)).toMatchObject({
        code: 'DP_MODEL_CUT',
        retryable: true,
      })
    }
  })

  it('larger than their limit are refused, and no others', () => {
    const chance = dice(SEED)
    for (let run = 0; run < RUNS; run += 1) {
      const { codec, body } = chance.pick(KINDS)(chance)
      const size = new TextEncoder().encode(body).length
      const maxBytes = size + chance.between(-20, 20)
      const failure = failureOf(() => hear(codec, body, { maxBytes, size: chance.between(1, 99) }))
      const code = failure instanceof ModelError ? failure.code : failure
      expect(code).toBe(maxBytes >= size ? undefined : 'DP_MODEL_UNREADABLE')
    }
  })
})

describe(`broken answers (seed ${SEED})`, () => {
  it('give a reply or a ModelError, and nothing else, when bytes of them are others', () => {
    const chance = dice(SEED)
    const outcomes = new Outcomes()
    for (let run = 0; run < BROKEN_RUNS; run += 1) {
      const { codec, body, whole } = chance.pick(KINDS)(chance)
      const isOnce = chance.chance(0.2)
      const bytes = new TextEncoder().encode(isOnce ? whole : body)
      for (let hits = chance.between(1, 4); hits > 0; hits -= 1)
        bytes[chance.between(0, bytes.length - 1)] = chance.pick([0, 10, 34, 44, 92, 123, 125, 255])
      outcomes.take(() => hear(codec, bytes, { size: chance.between(1, 400), ...(isOnce && ONCE) }))
    }
    expect(outcomes.faults).toEqual([])
  })

  it('as well when their events are lost, repeated, turned round, or hold what they should not', () => {
    const chance = dice(SEED)
    const outcomes = new Outcomes()
    for (let run = 0; run < BENT_RUNS; run += 1) {
      const { codec, chunks } = chance.pick(KINDS)(chance)
      const broken = chunks.map((chunk) => (chance.chance(0.3) ? bent(chunk, chance) : chunk))
      for (let moves = chance.between(0, 3); moves > 0; moves -= 1) {
        const from = chance.between(0, broken.length - 1)
        const taken = broken.splice(from, chance.pick([0, 1, 1]))
        broken.splice(
          chance.between(0, broken.length),
          0,
          ...taken,
          ...broken.slice(from, from + 1),
        )
      }
      outcomes.take(() => hear(codec, written(codec, broken)))
    }
    expect(outcomes.faults).toEqual([])
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

const ODD_VALUES = [null, 7, -1, 1.5, 1e300, 'x', '', true, [], {}, [null], [[]], ['x'], [{}], [7]]

/** Most harm comes from what is not there. */
function odd(chance: Dice): unknown {
  return chance.chance(0.3) ? null : chance.pick(ODD_VALUES)
}

/** The value with one member somewhere in it replaced by something odd. */
function bent(value: unknown, chance: Dice): unknown {
  if (typeof value !== 'object' || value === null || chance.chance(0.2)) {
    return chance.chance(0.1)
      ? (JSON.parse('{"__proto__":{"polluted":1},"constructor":{}}') as unknown)
      : odd(chance)
  }
  const names = Object.keys(value)
  if (names.length === 0) return odd(chance)
  const name = chance.pick(names)
  if (Array.isArray(value)) return value.with(Number(name), bent(value[Number(name)], chance))
  return { ...value, [name]: bent((value as Members)[name], chance) } // an object that is no array
}

function written({ name }: Codec, chunks: readonly unknown[]): string {
  return chunks
    .map((chunk) => JSON.stringify(chunk))
    .map((line) => (name === 'ollama' ? `${line}\n` : `data: ${line}\n\n`))
    .join('')
}

class Outcomes {
  #replies = 0
  #told = 0
  readonly #odd: unknown[] = []

  take(run: () => ReturnType<typeof hear>): void {
    const failure = failureOf(() => {
      const { calls, text: words, reasoning = '' } = run().reply.message
      const isSound =
        typeof words === 'string' &&
        typeof reasoning === 'string' &&
        new Set(calls.map(({ id }) => id)).size === calls.length &&
        calls.every(({ id, name, argumentsText }) =>
          [id, name, argumentsText].every((one) => typeof one === 'string'),
        ) &&
        calls.every(({ id }) => id !== '')
      if (!isSound) throw new Error('The reply is not sound.')
    })
    if (failure === undefined) this.#replies += 1
    else if (failure instanceof ModelError) this.#told += 1
    else this.#odd.push(failure)
  }

  /** What came that should not; that a kind hardly came as well, for then it was tried in vain. */
  get faults(): readonly unknown[] {
    const isRare = Math.min(this.#replies, this.#told) < BROKEN_RUNS / 20
    return isRare ? [...this.#odd, `${this.#replies} replies, ${this.#told} errors`] : this.#odd
  }
}
