/** What a server hands to a client to be brought back: nobody else can use it, nor for anything else, nor twice. Over HTTP. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { defineTool } from '../../src/tools/define.ts'
import { elicit } from '../../src/tools/context.ts'
import { envelope, place, type Heard, type Place } from '../support/attacked.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { answered, connected } from '../support/hostile-client.ts'
import { ALICE, BOB, TWO } from '../support/principals.ts'

const CAPABLE = { _meta: envelope({ elicitation: { form: {} } }) }
const ANSWERS = { inputResponses: { who: { action: 'accept', content: { name: 'Ann' } } } }
const CALL = { name: 'who', arguments: { what: 'pay' } }

/** The state of a call that waits for its answer. */
async function stateOf(
  at: Place,
  who: Record<string, string>,
  call: JsonObject = CALL,
): Promise<string> {
  const { result } = await at.ask('tools/call', { ...call, ...CAPABLE }, who)
  expect(result['resultType']).toBe('input_required')
  return JSON.stringify(result['requestState']).slice(1, -1)
}

function redeem(
  at: Place,
  requestState: string,
  { who = ALICE, call = CALL }: { who?: Record<string, string>; call?: JsonObject } = {},
): Promise<Heard> {
  return at.ask('tools/call', { ...call, ...CAPABLE, ...ANSWERS, requestState }, who)
}

const refused = ({ error, result }: Heard): boolean =>
  error['code'] === -32_602 && Object.keys(result).length === 0

describe('a sealed state', () => {
  it('is refused with any of its characters changed, cut, doubled or added (A19)', async () => {
    const at = await place({ authenticate: TWO })
    const state = await stateOf(at, ALICE)
    const others = (character: string): string => (character === 'A' ? 'B' : 'A')
    const spoiled = state
      .split('')
      .map((character, index) => state.slice(0, index) + others(character) + state.slice(index + 1))
    spoiled.push(
      state.slice(1),
      state.slice(0, -4),
      state + state,
      `${state}AAAA`,
      '',
      'x',
      `${state}=`,
    )
    spoiled.push(
      `${state}\u0000`,
      state.toUpperCase(),
      state.split('').toReversed().join(''),
      '{"state":{}}',
    )
    // The last character holds bits that say nothing: no other spelling of the same bytes is good either.
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
      spoiled.push(state.slice(0, -1) + last)
    for (const one of new Set(spoiled.filter((text) => text !== state))) {
      expect(refused(await redeem(at, one)), one).toBe(true)
    }
    expect(at.ran).toEqual([])
    expect((await redeem(at, state)).said).toBe('pay Ann')
  })

  it('is good for its caller, its tool and its arguments alone, and for that once (A19)', async () => {
    const again = defineTool<{ what?: string }>({
      name: 'other',
      input: { type: 'object', properties: { what: { type: 'string' } } },
      run: async (_args, context) =>
        JSON.stringify(
          await context.ask(
            'who',
            elicit({ message: 'm', requestedSchema: { type: 'object', properties: {} } }),
          ),
        ),
    })
    const at = await place({ authenticate: TWO })
    at.server.tools.add(again)
    const state = await stateOf(at, ALICE)
    expect(refused(await redeem(at, state, { who: BOB }))).toBe(true)
    expect(refused(await redeem(at, state, { call: { ...CALL, name: 'other' } }))).toBe(true)
    for (const args of [{ what: 'Pay' }, { what: 'pay', more: 1 }, {}, { what: ['pay'] }])
      expect(refused(await redeem(at, state, { call: { ...CALL, arguments: args } }))).toBe(true)
    const prompt = await at.ask(
      'prompts/get',
      { name: 'review', requestState: state, ...CAPABLE },
      ALICE,
    )
    expect(refused(prompt)).toBe(true)
    expect(at.ran).toEqual([])
    expect((await redeem(at, state)).said).toBe('pay Ann')
    expect(refused(await redeem(at, state))).toBe(true)
    expect(at.ran).toEqual(['who'])
  })

  it('is redeemed by one of a hundred that try at once (A19)', async () => {
    const at = await place({ authenticate: TWO })
    const state = await stateOf(at, ALICE)
    const all = await Promise.all(Array.from({ length: 100 }, () => redeem(at, state)))
    expect(all.filter(({ said }) => said === 'pay Ann')).toHaveLength(1)
    expect(at.ran).toEqual(['who'])
  })

  it('is refused when its time is over, and by a server with other keys (A19)', async () => {
    const clock = fakeClock()
    const at = await place({ authenticate: TWO }, { clock })
    const other = await place({ authenticate: TWO })
    const state = await stateOf(at, ALICE)
    expect(refused(await redeem(other, state))).toBe(true)
    await clock.advance(600_001)
    expect(refused(await redeem(at, state))).toBe(true)
    expect(at.ran).toEqual([])
  })

  it('is echoed by a client byte for byte, on that retry alone, for ten rounds at most (A19)', async () => {
    const strange = '{"__proto__":1}\u0000\u2028"é\ud83d\ude00 '
    let round = 0
    const states: unknown[] = []
    const { client } = await connected(
      'modern',
      ({ id, params }, end) => {
        if (id === undefined) return
        states.push(Object(params).requestState)
        round += 1
        const more = { inputRequests: { q: QUESTION }, requestState: `${strange}${round}` }
        void end.say(answered(id, { resultType: 'input_required', ...more }))
      },
      { answers: { elicitation: () => Promise.resolve({ action: 'decline' }) } },
    )
    await expect(client.callTool('x')).rejects.toMatchObject({ code: 'DP_PROTOCOL_ROUNDS' })
    await expect(client.callTool('x')).rejects.toMatchObject({ code: 'DP_PROTOCOL_ROUNDS' })
    expect(states).toHaveLength(22)
    expect([states[0], states[11]]).toEqual([undefined, undefined])
    expect(states.slice(1, 11)).toEqual(
      Array.from({ length: 10 }, (_, at) => `${strange}${at + 1}`),
    )
  })
})

const QUESTION = {
  method: 'elicitation/create',
  params: { message: 'm', requestedSchema: { type: 'object', properties: {} } },
}
