import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../base/json.ts'
import {
  MAX_CAPABILITIES,
  MAX_DESCRIPTION,
  MAX_ICONS,
  MAX_INSTRUCTIONS,
  MAX_NAME,
  readImplementation,
  readServerCapabilities,
  readServerFacts,
} from './decode.ts'

const parse = (text: string): JsonObject => JSON.parse(text)

describe('a name and version', () => {
  it('is read with what else the peer says about itself [LIFE-21]', () => {
    const info = {
      name: 'n',
      version: '1',
      title: 't',
      description: 'd',
      websiteUrl: 'https://x.y',
      icons: [{ src: 'https://x.y/i' }],
    }
    expect(readImplementation(info)).toEqual(info)
  })

  it.each([undefined, null, 'x', [], {}, { name: 5 }])(
    'is nothing when there is only %j',
    (raw) => {
      expect(readImplementation(raw)).toBeUndefined()
    },
  )

  it('is not refused for a missing version or a title of the wrong type [META-11]', () => {
    expect(readImplementation({ name: 'n', title: 3, icons: 'x' })).toEqual({
      name: 'n',
      version: '',
    })
  })

  it('is cut where it is too long', () => {
    const long = 'x'.repeat(1_000_000)
    const icons = Array.from({ length: 100 }, () => ({ src: 'https://x.y/i' }))
    const info = readImplementation({
      name: long,
      version: long,
      description: long,
      icons: [...icons, { src: long }],
    })
    expect(info?.name).toHaveLength(MAX_NAME)
    expect(info?.version).toHaveLength(MAX_NAME)
    expect(info?.description).toHaveLength(MAX_DESCRIPTION)
    expect(info?.icons).toHaveLength(MAX_ICONS)
  })

  it('has no icons without a usable source', () => {
    const icons = [{}, null, { src: 1 }, { src: 'x'.repeat(100_000) }]
    expect(readImplementation({ name: 'n', version: '1', icons })).toEqual({
      name: 'n',
      version: '1',
    })
  })
})

describe('capabilities', () => {
  it('are what is an object, and true counts as an empty one', () => {
    const raw = {
      tools: true,
      prompts: { listChanged: true },
      logging: null,
      resources: 'yes',
      completions: false,
      custom: {},
    }
    expect(readServerCapabilities(raw)).toEqual({
      tools: {},
      prompts: { listChanged: true },
      custom: {},
    })
  })

  it.each([undefined, null, [], 'x'])('are empty when the peer says %j', (raw) => {
    expect(readServerCapabilities(raw)).toEqual({})
  })

  it('reach no prototype by the names that a peer chose', () => {
    const raw = parse(
      '{"__proto__":{"tools":{}},"extensions":{"__proto__":{"x":{}},"constructor":{}}}',
    )
    const capabilities = readServerCapabilities(raw)
    expect(capabilities.tools).toBeUndefined()
    expect(Object.getPrototypeOf(capabilities.extensions)).toBeNull()
    expect(Object.keys(capabilities.extensions ?? {})).toEqual(['__proto__', 'constructor'])
    expect(Reflect.get({}, 'x')).toBeUndefined()
  })

  it('are never named __proto__, also when all else is right', () => {
    const capabilities = readServerCapabilities(parse('{"tools":{},"__proto__":{"prompts":{}}}'))
    expect(Object.keys(capabilities)).toEqual(['tools'])
    expect(Object.assign({}, capabilities).prompts).toBeUndefined()
  })

  it('are bounded in number', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`c${at}`, {}]))
    const capabilities = readServerCapabilities({ extensions: many, ...many })
    expect(Object.keys(capabilities)).toHaveLength(MAX_CAPABILITIES)
    expect(Object.keys(capabilities.extensions ?? {})).toHaveLength(MAX_CAPABILITIES)
    expect(Object.keys(readServerCapabilities(many))).toHaveLength(MAX_CAPABILITIES)
  })
})

describe('what a server says about itself', () => {
  it('stands in the result of the handshake [LIFE-03]', () => {
    const raw = {
      protocolVersion: 'x',
      serverInfo: { name: 's', version: '1' },
      capabilities: { tools: {} },
      instructions: 'i',
    }
    expect(readServerFacts(raw, '2025-11-25')).toEqual({
      revision: '2025-11-25',
      era: 'legacy',
      info: { name: 's', version: '1' },
      capabilities: { tools: {} },
      instructions: 'i',
    })
  })

  it('stands in the metadata of a discovery, and in no member called serverInfo [LIFE-14]', () => {
    const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } }
    expect(readServerFacts({ _meta, capabilities: {} }, '2026-07-28').info).toEqual({
      name: 's',
      version: '1',
    })
    expect(
      readServerFacts({ serverInfo: { name: 's', version: '1' } }, '2026-07-28').info,
    ).toBeUndefined()
  })

  it('has instructions of a bounded length, or none', () => {
    expect(
      readServerFacts({ instructions: 'x'.repeat(1_000_000) }, '2025-11-25').instructions,
    ).toHaveLength(MAX_INSTRUCTIONS)
    expect(readServerFacts({ instructions: null }, '2025-11-25').instructions).toBeUndefined()
  })
})
