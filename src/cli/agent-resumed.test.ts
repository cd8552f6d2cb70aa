import { describe, expect, it } from 'vitest'
import { keptIn, type KeptModel } from './agent-kept.ts'
import type { AgentCommandOptions } from './agent-options.ts'
import { filledIn, keptModel, resumedModel } from './agent-resumed.ts'
import { SecretMask } from './secrets.ts'

const HERE = 'http://127.0.0.1:8080/v1'
const own: AgentCommandOptions = {
  model: 'qwen3:8b',
  baseUrl: HERE,
  context: 8192,
  effort: 'high',
  maxOutput: 500,
  stream: false,
}
const LABEL = 'compatible:qwen3:8b'
type Env = Readonly<Record<string, string>>

const kept = (options: AgentCommandOptions, env: Env = {}): KeptModel =>
  keptModel(options, env, new SecretMask())
/** The options of a chat that goes on with one that was held with `then`. */
const again = (
  then: AgentCommandOptions,
  given: AgentCommandOptions = {},
  env: { readonly was?: Env; readonly now?: Env } = {},
): AgentCommandOptions =>
  filledIn(given, { model: LABEL, kept: kept(then, env.was) }, env.now ?? {})

describe('what is kept of the way to a model', () => {
  it('is read back as it was written', () => {
    const facts = kept({ ...own, insecureHttp: true }, { DEEP_PILOT_CONTEXT: '10' })
    expect(keptIn(JSON.parse(JSON.stringify(facts)))).toEqual(facts)
    expect(facts).toMatchObject({ context: 8192, variables: { DEEP_PILOT_CONTEXT: '10' } })
  })

  it('is no key, no user, no query, and nothing that is known to be secret', () => {
    const mask = new SecretMask()
    mask.know(['hidden-path'])
    const env = { DEEP_PILOT_API_KEY: 'sk-0123456789', DEEP_PILOT_BASE_URL: 'https://x.test/?k=q' }
    const facts = [
      kept({ baseUrl: 'https://me:pass@x.test/v1?key=secret#more' }, env),
      keptModel({ baseUrl: 'https://x.test/hidden-path/v1' }, {}, mask),
    ]
    expect(JSON.stringify(facts)).not.toMatch(/sk-0|me:|pass|key=|hidden|k=q|more/)
    expect(facts.map(({ isCut }) => isCut)).toEqual([true, true])
  })

  it('is left out where it is of another type or no value', () => {
    const odd = { baseUrl: 7, context: -1, effort: 'much', stream: true, variables: { PATH: 'x' } }
    expect(keptIn(odd)).toEqual({ variables: {} })
    expect(keptIn('x')).toBeUndefined()
  })
})

describe('a session that is taken up again', () => {
  it('is asked as before, where nothing is given', () => {
    expect(again(own)).toEqual({ ...own, model: LABEL })
    expect(again({ baseUrl: 'http://x.test', insecureHttp: true })).toMatchObject({
      baseUrl: 'http://x.test',
      insecureHttp: true,
    })
  })

  it('goes by the options that are given now', () => {
    const given = {
      baseUrl: 'http://127.0.0.1:9/v1',
      context: 10,
      effort: 'low',
      maxOutput: 2,
    } as const
    expect(again(own, given)).toEqual({ model: LABEL, ...given })
  })

  it('keeps its address for another model there, and not for one of a provider elsewhere', () => {
    for (const model of ['other', 'compatible:other'])
      expect(again(own, { model })).toEqual({ model, baseUrl: HERE, stream: false })
    expect(again(own, { model: 'anthropic:claude' })).toEqual({ model: 'anthropic:claude' })
  })

  it('allows plain http: to no other address than before', () => {
    const then = { baseUrl: 'http://x.test', insecureHttp: true }
    expect(again(then, { baseUrl: 'http://y.test' }).insecureHttp).toBeUndefined()
  })

  it('goes by a variable that is another one than it was, and not by one that stayed', () => {
    const stays = { DEEP_PILOT_BASE_URL: 'http://127.0.0.1:1', DEEP_PILOT_MODEL: 'x' }
    const env = { was: stays, now: stays }
    expect(again(own, {}, env)).toMatchObject({ model: LABEL, baseUrl: HERE })
    const moved = { DEEP_PILOT_BASE_URL: 'http://127.0.0.1:2', DEEP_PILOT_CONTEXT: '9' }
    const { baseUrl, context, model } = again(own, {}, { was: stays, now: moved })
    expect([baseUrl, context, model]).toEqual([undefined, undefined, LABEL])
    expect(again({}, {}, { was: stays })).toMatchObject({ baseUrl: 'http://127.0.0.1:1' })
  })

  it('is not sent to an address of which a part was not kept', () => {
    expect(again({ ...own, baseUrl: 'https://x.test/v1?key=1' }).baseUrl).toBeUndefined()
  })

  it('has the model alone of a version that kept nothing more', () => {
    expect(filledIn({}, { model: LABEL, kept: undefined }, {})).toEqual({ model: LABEL })
    expect(filledIn({}, { model: '', kept: undefined }, {})).toEqual({})
  })

  it('tells what was filled in, and what is another one', () => {
    const before = { model: LABEL, kept: kept(own) }
    const given = { model: 'other', stream: true }
    const filled = filledIn(given, before, {})
    const now = { model: 'compatible:other', kept: kept(filled) }
    expect(resumedModel(given, filled, { before, now })).toEqual({
      asBefore: [{ option: '--base-url', value: HERE }, { option: '--no-stream' }],
      changed: [
        { option: '--model', was: LABEL, now: 'compatible:other' },
        { option: '--context', was: '8192', now: undefined },
        { option: '--effort', was: 'high', now: undefined },
        { option: '--max-output', was: '500', now: undefined },
      ],
    })
    const same = filledIn({}, before, {})
    const asked = { model: LABEL, kept: kept(same) }
    expect(resumedModel({}, same, { before, now: asked }).changed).toEqual([])
  })
})
