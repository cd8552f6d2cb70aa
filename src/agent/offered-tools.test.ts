import { describe, expect, it } from 'vitest'
import { hostTool } from '../../test/support/host-tools.ts'
import { HOSTILE_SCHEMAS } from '../../test/support/tool-schemas.ts'
import type { JsonObject } from '../base/json.ts'
import { ToolOffer } from './offered-tools.ts'

const NO_LIMITS = { maxTools: undefined, maxDescription: undefined }
const closed = (properties: JsonObject): { readonly inputSchema: JsonObject } => ({
  inputSchema: {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  },
})

describe('an offer of tools', () => {
  it('has 99 of 100 tools where one is poisoned, for each poison and each dialect', () => {
    const sound = Array.from({ length: 99 }, (_, at) => hostTool(`s__t${at}`))
    let poisoned = 0
    for (const dialect of [
      'deepseek',
      'openai',
      'anthropic',
      'gemini',
      'llamacpp',
      'plain',
    ] as const) {
      for (const [name, schema] of HOSTILE_SCHEMAS) {
        // What a server sends need not be an object.
        const poison = hostTool('s__poison', { inputSchema: schema as JsonObject })
        const tools = [...sound.slice(0, 50), poison, ...sound.slice(50)]
        const offer = new ToolOffer({ dialect, traits: NO_LIMITS }).of(tools)
        const names = offer.tools.map((tool) => tool.name)
        expect([name, names.filter((one) => one !== 's__poison').length]).toEqual([name, 99])
        if (names.includes('s__poison')) continue
        poisoned += 1
        expect(offer.leftOut).toEqual([
          {
            alias: 's__poison',
            reason: expect.stringMatching(/^Its schema cannot be offered: .+\.$/),
          },
        ])
      }
    }
    expect(poisoned).toBeGreaterThan(20)
  })

  it('is the same array for the same tools, with the same objects in it when others come', () => {
    const offer = new ToolOffer({ dialect: 'openai', traits: NO_LIMITS })
    const tools = [hostTool('s__a'), hostTool('s__b')]
    const first = offer.of(tools)
    expect(offer.of([...tools]).tools).toBe(first.tools)
    const more = offer.of([...tools, hostTool('s__c')])
    expect(more.tools[0]).toBe(first.tools[0])
    expect(more.tools.map(({ name }) => name)).toEqual(['s__a', 's__b', 's__c'])
  })

  it('leaves out tools that are held, and those of which the name is no name or is taken', () => {
    const held = hostTool('s__held', { held: { reason: 'It has changed.', diff: [] } })
    const tools = [
      held,
      hostTool('s__a'),
      hostTool('s__a'),
      hostTool('no name'),
      hostTool('x'.repeat(65)),
    ]
    const { tools: shown, leftOut } = new ToolOffer({ dialect: 'openai', traits: NO_LIMITS }).of(
      tools,
    )
    expect(shown.map(({ name }) => name)).toEqual(['s__a'])
    expect(leftOut).toEqual([
      { alias: 's__held', reason: 'It is held back: It has changed.' },
      { alias: 's__a', reason: 'Another tool has its name.' },
      { alias: 'no name', reason: 'The model takes no tool of this name.' },
      { alias: 'x'.repeat(65), reason: 'The model takes no tool of this name.' },
    ])
  })

  it('knows that names of functions begin with a letter for some', () => {
    const tools = [hostTool('1__a')]
    expect(new ToolOffer({ dialect: 'gemini', traits: NO_LIMITS }).of(tools).tools).toEqual([])
    expect(new ToolOffer({ dialect: 'openai', traits: NO_LIMITS }).of(tools).tools).toHaveLength(1)
  })

  it('has as many tools as the model takes, the first ones', () => {
    const tools = Array.from({ length: 130 }, (_, at) => hostTool(`s__t${at}`))
    const traits = { maxTools: 128, maxDescription: undefined }
    const { tools: shown, leftOut } = new ToolOffer({ dialect: 'deepseek', traits }).of(tools)
    expect(shown).toHaveLength(128)
    expect(leftOut.map(({ alias }) => alias)).toEqual(['s__t128', 's__t129'])
  })

  it('cuts descriptions to what the model takes, between characters, and tells of it', () => {
    const tool = hostTool('s__a', { description: `${'d'.repeat(1_022)}😀😀` })
    const traits = { maxTools: undefined, maxDescription: 1_024 }
    const offer = new ToolOffer({ dialect: 'openai', traits }).of([tool])
    expect(offer.tools[0]?.description).toBe(`${'d'.repeat(1_022)}…`)
    expect(offer.byName.get('s__a')?.losses).toMatchObject([
      { keyword: 'description', kind: 'cut' },
    ])
  })

  it('has the schemas held to by the provider when all of them can be, and none when one cannot', () => {
    const offer = new ToolOffer({ dialect: 'openai', traits: NO_LIMITS, strict: 'auto' })
    const fine = [hostTool('s__a', closed({ a: { type: 'string' } })), hostTool('s__b', closed({}))]
    expect(offer.of(fine).tools.every(({ strict }) => strict === true)).toBe(true)
    const map = hostTool(
      's__c',
      closed({ m: { type: 'object', additionalProperties: { type: 'number' } } }),
    )
    const mixed = offer.of([...fine, map])
    expect(mixed.tools).toHaveLength(3)
    expect(mixed.tools.some(({ strict }) => strict === true)).toBe(false)
    const plain = new ToolOffer({ dialect: 'openai', traits: NO_LIMITS }).of(fine)
    expect(plain.tools.some(({ strict }) => strict === true)).toBe(false)
  })

  it('estimates what it takes of each request', () => {
    const of = (count: number): number =>
      new ToolOffer({ dialect: 'openai', traits: NO_LIMITS }).of(
        Array.from({ length: count }, (_, at) =>
          hostTool(`s__tool${at}`, { description: 'Does a thing.' }),
        ),
      ).tokens
    expect(of(0)).toBe(0)
    expect(of(1_000) / of(100)).toBeCloseTo(10, 0)
  })
})
