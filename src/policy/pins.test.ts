import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { act, policyOf } from '../../test/support/acts.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import type { Tool } from '../protocol/types/tools.ts'
import { decide } from './decide.ts'
import { comparePins, definitionOf, isUnchanged, pinOfTool, pinsOf, type Offered } from './pins.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A tool with every member that a model or a person can see, nested as real ones are. */
const TOOL: Tool = {
  name: 'send_note',
  title: 'Send a note',
  description: 'Sends a note.\nOnly to colleagues.',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    description: 'What to send',
    properties: {
      to: {
        type: 'string',
        title: 'Receiver',
        description: 'A name',
        pattern: '^[a-z]+$',
        maxLength: 40,
      },
      how: { enum: ['mail', 'post', null], default: 'mail', description: 'By what' },
      parts: {
        type: 'array',
        items: { type: 'string', const: 'x' },
        minItems: 0,
        uniqueItems: true,
      },
      $extra: {
        anyOf: [{ type: 'number', minimum: -1.5 }, { $ref: '#/$defs/size' }],
        examples: [1, 'two', { three: [] }],
      },
    },
    dependentRequired: { how: ['to', 'parts'] },
    patternProperties: { '^x-': { type: 'string', description: 'More', format: 'uri' } },
    $defs: { size: { type: 'integer', exclusiveMaximum: 10, description: '' } },
    required: ['to', 'how'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'Its number' },
      at: { type: ['string', 'null'] },
    },
    required: ['id'],
  },
  annotations: {
    title: 'Note',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  icons: [{ src: 'https://example.org/note.png', mimeType: 'image/png', sizes: ['48x48'] }],
  execution: { taskSupport: 'optional' },
}

interface Mutation {
  readonly what: string
  readonly value: JsonValue
}

/** Every way in which one place of a value can differ: another value, another type, one member or item more or less, another name. */
function* mutations(value: JsonValue, path: string = ''): Generator<Mutation> {
  const set = (what: string, other: JsonValue): Mutation => ({
    what: `${path || '/'}: ${what}`,
    value: other,
  })
  if (typeof value === 'string') {
    yield set('a letter more', `${value}x`)
    yield set('a blank more', `${value} `)
    yield set('a zero width space more', `\u200b${value}`)
    yield set('another case', value === value.toUpperCase() ? `${value}A` : value.toUpperCase())
    yield set('a look-alike', value.includes('e') ? value.replace('e', '\u0435') : `${value}\u0435`)
    if (value !== '') yield set('a letter less', value.slice(1))
    yield set('null', null)
  } else if (typeof value === 'number') {
    yield set('another number', value + 1)
    yield set('a text', String(value))
  } else if (typeof value === 'boolean') {
    yield set('the opposite', !value)
    yield set('a text', String(value))
  } else if (value === null) {
    yield set('false', false)
    yield set('a text', 'null')
  } else if (Array.isArray(value)) {
    yield set('an item more', [...value, 'more'])
    yield set('an object', Object.fromEntries(value.map((item, index) => [String(index), item])))
    for (const [index, item] of value.entries()) {
      yield set(`without item ${index}`, value.toSpliced(index, 1))
      for (const inner of mutations(item, `${path}/${index}`))
        yield { ...inner, value: value.with(index, inner.value) }
    }
    if (value.length > 1) yield set('another order', value.toReversed())
  } else {
    yield set('a member more', { ...value, more: 1 })
    yield set('a member called __proto__ more', withMember(value, '__proto__', { x: 1 }))
    for (const [key, member] of Object.entries(value)) {
      const others = Object.entries(value).filter(([name]) => name !== key)
      yield set(`without ${key}`, Object.fromEntries(others))
      yield set(`${key} under another name`, Object.fromEntries([...others, [`${key}_`, member]]))
      for (const inner of mutations(member ?? null, `${path}/${key}`))
        yield { ...inner, value: { ...value, [key]: inner.value } }
    }
  }
}

function withMember(value: JsonObject, key: string, member: JsonValue): JsonObject {
  return Object.fromEntries([...Object.entries(value), [key, member]])
}

/** The same value with all keys in the opposite order. */
function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => reversed(item))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, member]) => [key, reversed(member ?? null)])
  return Object.fromEntries(entries.toReversed()) as JsonObject // every member is JSON
}

/** A tool as a server sent it, whatever it is; a member beside those that a tool has is no part of it. */
const asTool = (value: JsonValue): Tool => value as unknown as Tool // what strangers send need not be a tool

describe('a pin', () => {
  const definition = TOOL as unknown as JsonObject // it is written as JSON
  const all = [...mutations(definition)].filter(
    ({ what }) => !/^\/: (a member|.* under another name)/.test(what),
  )

  it('is over everything that a tool shows', () => {
    expect(definitionOf(TOOL)).toEqual(TOOL)
  })

  it('is made over more than 500 single changes', () => {
    expect(all.length).toBeGreaterThan(500)
  })

  it('changes with every single change of a definition, and the call is denied', () => {
    const before = pinsOf({ tools: [TOOL] }, sha256)
    const missed = all.filter(({ value }) => {
      const tool = asTool(value)
      const now = pinsOf({ tools: [{ ...tool, name: TOOL.name }] }, sha256)
      const renamed = tool.name !== TOOL.name
      const { changed, added, removed } = comparePins(
        before,
        renamed ? pinsOf({ tools: [tool] }, sha256) : now,
      )
      return renamed ? added.length !== 1 || removed.length !== 1 : changed.length !== 1
    })
    expect(missed.map(({ what }) => what)).toEqual([])
    const allow = policyOf([{ effect: 'allow', tools: 'notes', afterUntrusted: true }])
    expect(decide(allow, act({ server: 'notes', pin: 'changed' })).verdict).toBe('deny')
  })

  it('explains every single change in at least one line', () => {
    const before = pinsOf({ tools: [TOOL] }, sha256)
    const silent = all
      .filter(({ value }) => asTool(value).name === TOOL.name)
      .filter(({ value }) => {
        const [change] = comparePins(before, pinsOf({ tools: [asTool(value)] }, sha256)).changed
        return change === undefined || !change.diff.some((line) => /^[-+] /.test(line))
      })
    expect(silent.map(({ what }) => what)).toEqual([])
  })

  it('is the same for keys in any order, at every depth', () => {
    expect(JSON.stringify(reversed(definition))).not.toBe(JSON.stringify(definition))
    expect(pinOfTool(asTool(reversed(definition)), sha256)).toMatchObject({
      sha256: pinOfTool(TOOL, sha256).sha256,
    })
  })

  it('is the same for blanks in the JSON and other ways to write a letter or number', () => {
    const text = JSON.stringify(TOOL, null, 4)
      .replaceAll('note', '\\u006eote')
      .replace('-1.5', '-15e-1')
    expect(pinOfTool(JSON.parse(text) as Tool, sha256).sha256).toBe(pinOfTool(TOOL, sha256).sha256)
  })

  it('is not over what is neither shown nor sent to a model', () => {
    const other: Tool = { ...TOOL, _meta: { build: 7 }, somethingNew: 1 }
    expect(pinOfTool(other, sha256)).toEqual(pinOfTool(TOOL, sha256))
  })

  it('tells halves of surrogate pairs apart', () => {
    const [first, second] = ['\ud800', '\udbff'].map((description) =>
      pinOfTool({ ...TOOL, description }, sha256),
    )
    expect(first?.sha256).not.toBe(second?.sha256)
  })
})

describe('the pins of a server', () => {
  const offer: Offered = {
    tools: [TOOL, { name: 'read', inputSchema: { type: 'object' } }],
    instructions: 'Read before you send.',
  }
  const before = pinsOf(offer, sha256)

  it('are unchanged for the same offer in another order', () => {
    const after = pinsOf({ ...offer, tools: offer.tools.toReversed() }, sha256)
    expect(isUnchanged(comparePins(before, after))).toBe(true)
  })

  it('show what came, what is gone and what is different', () => {
    const tools: Tool[] = [
      { ...TOOL, description: 'Sends a note.\nTo anyone.' },
      { name: 'list', inputSchema: {} },
    ]
    const changes = comparePins(before, pinsOf({ ...offer, tools }, sha256))
    expect(changes).toEqual({
      added: ['list'],
      removed: ['read'],
      changed: [
        { tool: 'send_note', diff: ['description:', '- Only to colleagues.', '+ To anyone.'] },
      ],
    })
    expect(isUnchanged(changes)).toBe(false)
  })

  it.each<[string, string | undefined, readonly string[]]>([
    ['are others', 'Send first.', ['- Read before you send.', '+ Send first.']],
    ['are gone', undefined, ['- Read before you send.']],
  ])('show that the instructions %s', (_, instructions, lines) => {
    const changes = comparePins(before, pinsOf({ ...offer, instructions }, sha256))
    expect(changes.instructions).toEqual(lines)
    expect(isUnchanged(changes)).toBe(false)
  })

  it('tell instructions that are empty from none', () => {
    const [none, empty] = [undefined, ''].map((instructions) =>
      pinsOf({ tools: [], instructions }, sha256),
    )
    expect(
      none !== undefined && empty !== undefined && comparePins(none, empty).instructions,
    ).toEqual(['- nothing', '+ ""'])
  })

  it('cover every definition of a name that comes more than once', () => {
    const [first, second, third] = ['one', 'two', 'three'].map((description) => ({
      ...TOOL,
      description,
    }))
    const of = (...tools: readonly (Tool | undefined)[]): string | undefined =>
      pinsOf({ tools: tools.filter((tool) => tool !== undefined) }, sha256).tools.get(TOOL.name)
        ?.sha256
    const hashes = [of(first), of(first, second), of(first, third), of(second, first)]
    expect(new Set(hashes).size).toBe(4)
  })

  it('take names of prototypes for names', () => {
    const tools = ['__proto__', 'constructor'].map((name): Tool => ({ name, inputSchema: {} }))
    const changes = comparePins(pinsOf({ tools: [] }, sha256), pinsOf({ tools }, sha256))
    expect(changes.added).toEqual(['__proto__', 'constructor'])
  })
})
