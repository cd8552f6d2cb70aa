/**
 * The stand-in for DeepSeek's rules, held against recorded exchanges before anything is held against it: what was accepted it accepts,
 * what was refused it refuses in the same words, and the shape that it gives to replies is the recorded one.
 */
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts'
import { DeepSeekRules, isThinking, type Refusal } from '../support/deepseek-rules.ts'
import { shapedReply, StreamShape, streamFaults } from '../support/deepseek-shape.ts'
import { itemsOf, saidTurn } from '../support/deepseek-turn.ts'
import {
  recordedExchanges,
  recordingsFolder,
  recordingsIn,
  type RecordedExchange,
} from '../support/recorded-exchanges.ts'

interface Asked extends RecordedExchange {
  readonly file: string
  readonly request: JsonObject
}

const folder = recordingsFolder()
if (folder === undefined)
  console.log('There are no recordings beside this project: the rules are not held against them.')

/** The chat exchanges of each file whose request is JSON. */
const deepseek = join(folder ?? '', 'deepseek')
const files: readonly (readonly Asked[])[] = (
  folder === undefined ? [] : recordingsIn(deepseek)
).map((file) =>
  recordedExchanges(file).flatMap((exchange) => {
    const request = objectOf(exchange.body)
    return request === undefined ? [] : [{ ...exchange, file: relative(deepseek, file), request }]
  }),
)
const asked = files.flat()

function objectOf(body: string | undefined): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(body ?? '')
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined // not every recorded body is JSON
  }
}

const MODELS = ['deepseek-v4-pro', 'deepseek-v4-flash']
/** Taken then, and named nowhere. */
const OLD_MODELS = ['deepseek-chat', 'deepseek-reasoner']
const KEY = 'the-right-key'

/** Credentials are not in the recordings, only what came of them. */
const keyFor = ({ status }: RecordedExchange): string =>
  `Bearer ${status === 401 ? 'some-bogus-key' : KEY}`

/** What the rules say to each exchange of a file, in order, with its replies given out before the next. */
function judge(exchanges: readonly Asked[]): readonly (Refusal | undefined)[] {
  const rules = new DeepSeekRules({ key: KEY, models: MODELS, oldModels: OLD_MODELS })
  return exchanges.map((exchange) => {
    const refusal = rules.refusal(exchange.request, keyFor(exchange))
    if (exchange.status === 200) rules.gave(saidTurn(exchange.reply))
    return refusal
  })
}

/** Without the place in the text of the request, which a reader of JSON values does not know. */
const placeless = (text: string): JsonValue =>
  JSON.parse(text.replace(/ at line \d+ column \d+"/, '"'))

describe.runIf(folder !== undefined)('the rules, held against recordings', () => {
  it('have enough to be held against', () => {
    expect(asked.length).toBeGreaterThan(140)
    expect(asked.filter(({ status }) => status !== 200).length).toBeGreaterThan(8)
  })

  it('accept every request that was accepted', () => {
    const refused = files.flatMap((exchanges) =>
      judge(exchanges).flatMap((refusal, at) =>
        exchanges[at]?.status === 200 && refusal !== undefined
          ? [{ file: exchanges[at].file, at, body: refusal.body }]
          : [],
      ),
    )
    expect(refused).toEqual([])
  })

  it('refuse every request that was refused, with the same status, type and words', () => {
    const differences = files.flatMap((exchanges) =>
      judge(exchanges).flatMap((refusal, at) => {
        const exchange = exchanges[at]
        if (exchange === undefined || exchange.status === 200) return []
        const said = {
          status: exchange.status,
          contentType: exchange.replyHeaders['content-type'],
          body: placeless(exchange.reply),
        }
        const same = { ...refusal, body: placeless(refusal?.body ?? 'null') }
        return JSON.stringify(sorted(said)) === JSON.stringify(sorted(same)) ? [] : [{ said, same }]
      }),
    )
    expect(differences).toEqual([])
  })

  it('refuse what was accepted, once the reasoning of a turn with calls is taken out', () => {
    const roundTrips = asked.filter(
      ({ request, status }) =>
        status === 200 &&
        isThinking(request) &&
        itemsOf(request['tools']).length > 0 &&
        itemsOf(request['messages']).some((message) => 'tool_calls' in message),
    )
    expect(roundTrips.length).toBeGreaterThan(5)
    for (const { request } of roundTrips) {
      const rules = new DeepSeekRules()
      expect(rules.refusal(request)).toBeUndefined()
      const messages = itemsOf(request['messages']).map((message) => ({
        ...message,
        reasoning_content: undefined,
      }))
      const refusal = rules.refusal({ ...request, messages })
      expect(refusal?.status).toBe(400)
      expect(refusal?.body).toContain('must be passed back')
      expect(rules.refusal({ ...request, messages, tools: [] })).toBeUndefined()
      const disabled = { ...request, messages, thinking: { type: 'disabled' } }
      expect(rules.refusal(disabled)).toBeUndefined()
    }
  })

  it('notice when the reasoning of a turn comes back empty or altered', () => {
    const [first, second] =
      files.find(([one]) => one?.file === 'reasoning_tool_roundtrip/nonstreaming.yaml') ?? []
    const rules = new DeepSeekRules()
    rules.gave(saidTurn(first?.reply ?? ''))
    expect(rules.refusal(second?.request ?? {})).toBeUndefined()
    expect(rules.altered).toEqual([])
    const messages = itemsOf(second?.request['messages']).map((message) =>
      'reasoning_content' in message ? { ...message, reasoning_content: '' } : message,
    )
    expect(rules.refusal({ ...second?.request, messages })).toBeUndefined()
    expect(rules.altered).toHaveLength(1)
  })
})

describe.runIf(folder !== undefined)('the shape of replies, held against recordings', () => {
  const streams = asked.filter(
    ({ status, replyHeaders }) =>
      status === 200 && (replyHeaders['content-type'] ?? '').startsWith('text/event-stream'),
  )
  const whole = asked.filter(
    ({ status, replyHeaders }) =>
      status === 200 && (replyHeaders['content-type'] ?? '').startsWith('application/json'),
  )

  it('is that of every recorded stream', () => {
    expect(streams.length).toBeGreaterThan(40)
    const odd = streams.flatMap(({ file, reply }) =>
      streamFaults(reply).map((fault) => `${file}: ${fault}`),
    )
    expect(odd).toEqual([])
  })

  it('leaves every recorded reply as it is, but for signs of life before it', () => {
    for (const { reply } of streams) {
      const shape = new StreamShape({ keepAlives: 2, cached: 7 })
      const halves = [reply.slice(0, reply.length / 2), reply.slice(reply.length / 2)]
      const shaped = halves.map((half) => shape.push(half)).join('') + shape.end()
      expect(shaped).toBe(`: keep-alive\n\n: keep-alive\n\n${reply}`)
    }
    for (const { reply } of whole)
      expect(shapedReply(reply, { keepAlives: 1, cached: 7 })).toBe(`\n${reply}`)
  })
})

describe('the shape of replies', () => {
  const chunk = (delta: object, rest: object = {}): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null, ...rest }] })}\n\n`
  const usage = 'data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2}}\n\n'
  const foreign = `${chunk({ content: 'hi' })}${chunk({}, { finish_reason: 'stop' })}${usage}data: [DONE]\n\n`

  it('has faults where another server gives its usage apart', () => {
    expect(streamFaults(foreign)).toContain('A chunk has not exactly one choice.')
    expect(streamFaults(foreign)).toContain('The usage is not on the last choice alone.')
  })

  it('moves the usage to the last choice, wherever the stream is cut in pieces', () => {
    for (let at = 0; at <= foreign.length; at += 1) {
      const shape = new StreamShape({ keepAlives: 0, cached: 4 })
      const shaped = shape.push(foreign.slice(0, at)) + shape.push(foreign.slice(at)) + shape.end()
      expect(streamFaults(shaped)).toEqual([])
      expect(shaped).toContain('"prompt_cache_hit_tokens":4,"prompt_cache_miss_tokens":6')
    }
  })

  it('gives all that came of a stream that was cut', () => {
    const shape = new StreamShape({ keepAlives: 0, cached: 0 })
    const cut = `${chunk({ content: 'hi' })}data: {"choices"`
    expect(shape.push(cut) + shape.end()).toBe(cut)
  })

  it('finds reasoning after text, and calls that begin without their id', () => {
    const late = `${chunk({ content: 'a' })}${chunk({ reasoning_content: 'b' })}`
    expect(streamFaults(late)).toContain('There is reasoning after text.')
    const bare = chunk({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '' } }] })
    expect(streamFaults(bare)).toContain('A call does not begin with its id and no arguments.')
  })
})

function sorted(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
}
