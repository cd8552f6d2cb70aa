/** Random answers: the same reply however they are cut, and no harm from what is no answer. */
import { describe, expect, it } from 'vitest'
import { callPiece, chunk, DONE, ending, events, hear } from '../../../test/support/chat-stream.ts'
import { oddText } from '../../../test/support/odd-texts.ts'
import { dice, type Dice } from '../../../test/support/seeded.ts'
import { ModelError } from '../../base/errors.ts'
import { chatCodec } from './chat-codec.ts'
import type { Codec } from './codec.ts'
import { ollamaCodec } from './ollama-codec.ts'
import { OPENROUTER } from './openai-chat.ts'

const SEED = 20_261_202

/** A stream as a server could send it, well formed. */
function stream(chance: Dice): string {
  const chunks: unknown[] = []
  let calls = 0
  for (let turn = chance.between(1, 12); turn > 0; turn -= 1) {
    const kind = chance.between(0, 4)
    if (kind === 0) chunks.push(chunk({ content: oddText(chance) }))
    else if (kind === 1) chunks.push(chunk({ reasoning_content: oddText(chance) }))
    else if (kind === 2) chunks.push(': wait\n\n')
    else if (kind === 3) {
      calls += 1
      const call = {
        index: calls,
        id: chance.pick(['', `c${calls}`, 'c1']),
        function: { name: 'add' },
      }
      chunks.push(chunk(callPiece(call)))
    } else if (calls > 0)
      chunks.push(chunk(callPiece({ index: calls, function: { arguments: oddText(chance) } })))
  }
  chunks.push(ending(chance.pick(['stop', 'length', 'tool_calls'])))
  const body = events(...chunks, DONE)
  return chance.chance(0.3) ? body.replaceAll('\n', '\r\n') : body
}

/** The same for Ollama. */
function lines(chance: Dice): string {
  const chunks = Array.from({ length: chance.between(1, 8) }, () => {
    const call = { function: { name: 'add', arguments: { a: oddText(chance) } } }
    const message = { content: oddText(chance), ...(chance.chance(0.3) && { tool_calls: [call] }) }
    return JSON.stringify({ model: 'm', message, done: false })
  })
  return `${[...chunks, '{"model":"m","done":true,"done_reason":"stop"}'].join('\n')}\n`
}

const KINDS: readonly ((chance: Dice) => readonly [Codec, string])[] = [
  (chance) => [chatCodec(OPENROUTER, 'm'), stream(chance)],
  (chance) => [ollamaCodec('m'), lines(chance)],
]

describe(`random answers (seed ${SEED})`, () => {
  it('give the same reply and the same pieces however their bytes are cut', () => {
    const chance = dice(SEED)
    for (let run = 0; run < 200; run += 1) {
      const [codec, body] = chance.pick(KINDS)(chance)
      const whole = hear(codec, body)
      for (const size of [1, chance.between(2, 9), 97]) {
        expect(hear(codec, body, { size }), JSON.stringify(body)).toEqual(whole)
      }
    }
  })

  it('that are broken give a reply or a ModelError, and nothing else', () => {
    const chance = dice(SEED)
    const outcomes = { reply: 0, told: 0, odd: [] as unknown[] }
    for (let run = 0; run < 2000; run += 1) {
      const [codec, body] = chance.pick(KINDS)(chance)
      const bytes = new TextEncoder().encode(body)
      for (let hits = chance.between(1, 4); hits > 0; hits -= 1)
        bytes[chance.between(0, bytes.length - 1)] = chance.pick([
          0, 10, 34, 44, 92, 123, 125, 0xff,
        ])
      const cut = chance.chance(0.5) ? bytes : bytes.slice(0, chance.between(0, bytes.length))
      const failure = failureOf(() => hear(codec, cut, { size: chance.between(1, 400) }))
      if (failure === undefined) outcomes.reply += 1
      else if (failure instanceof ModelError) outcomes.told += 1
      else outcomes.odd.push(failure)
    }
    expect(outcomes.odd).toEqual([])
    expect(Math.min(outcomes.reply, outcomes.told)).toBeGreaterThan(100)
  })

  it('whose members are of any kind are read without harm', () => {
    const chance = dice(SEED)
    const values = [
      'null',
      '7',
      '"x"',
      '[]',
      '{}',
      '[null]',
      '[7]',
      '["x"]',
      '[{}]',
      '{"__proto__":{}}',
      'true',
    ]
    const names = [
      'choices',
      'delta',
      'message',
      'content',
      'tool_calls',
      'function',
      'name',
      'arguments',
    ]
    const more = ['id', 'index', 'usage', 'reasoning_details', 'finish_reason', 'refusal', 'model']
    const value = (depth: number): string => {
      if (depth === 0 || chance.chance(0.2)) return chance.pick(values)
      const members = [...names, ...more]
        .filter(() => chance.chance(0.5))
        .map(
          (name) => `"${name}":${chance.chance(0.6) ? `[${value(depth - 1)}]` : value(depth - 1)}`,
        )
      return `{${members.join(',')}}`
    }
    const odd: unknown[] = []
    for (let run = 0; run < 1000; run += 1) {
      const body = `data: ${value(3)}\n\n${events(ending('stop'))}`
      const failure = failureOf(() => hear(chatCodec(OPENROUTER, 'm'), body))
      if (failure !== undefined && !(failure instanceof ModelError)) odd.push([body, failure])
    }
    expect(odd).toEqual([])
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

function failureOf(run: () => unknown): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    return error
  }
}
