/** Definitions that change, hide or pass for others: what was approved holds to its last character, and names are one to one. */
import { describe, expect, it } from 'vitest'
import { hidesText } from '../../src/base/terminal-text.ts'
import type { JsonObject, JsonValue } from '../../src/base/json.ts'
import { sha256 } from '../../src/host/judged-arguments.ts'
import { DEFAULT_POLICY, type Policy } from '../../src/policy/policy.ts'
import { markForModel } from '../../src/policy/shown.ts'
import { defineTool } from '../../src/tools/define.ts'
import { aliasOf, AliasMap } from '../../src/tools/names.ts'
import { attackRoom, textsIn } from '../support/attack-room.ts'
import { tool, toolServer } from '../support/host-room.ts'
import { project } from '../support/project.ts'
import { entryOf } from '../support/runtime.ts'
import { dice } from '../support/seeded.ts'

const ALLOW: Policy = {
  ...DEFAULT_POLICY,
  rules: ['fs', 'a', 'b'].map((tools) => ({ effect: 'allow', tools })),
}

const BASE: JsonObject = {
  title: 'Read file',
  description: 'Reads a file.\nOnly below the root.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Which', enum: ['a', 'b'], default: 'a' },
      lines: { type: 'integer', minimum: 1, maximum: 10 },
    },
    required: ['path'],
    additionalProperties: false,
    $defs: { deep: { items: [{ const: null }, { const: 'x' }] } },
  },
  outputSchema: { type: 'object', properties: { text: { type: 'string', title: 'Text' } } },
  annotations: { title: 'Read', readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  icons: [{ src: 'https://a.example/i.png', mimeType: 'image/png', sizes: ['48x48'] }],
}

/** Every way to change one thing of a value: each character, each member, each place of a list. */
function* changed(value: JsonValue, top = true): Generator<JsonValue> {
  if (typeof value === 'string') {
    for (let at = 0; at <= value.length; at += 1)
      yield `${value.slice(0, at)}\u200b${value.slice(at)}`
    for (let at = 0; at < value.length; at += 1) {
      yield value.slice(0, at) + value.slice(at + 1)
      yield (
        value.slice(0, at) + String.fromCharCode(value.charCodeAt(at) ^ 0x20) + value.slice(at + 1)
      )
    }
  } else if (typeof value === 'number') yield value + 1
  else if (typeof value === 'boolean') yield !value
  else if (value === null) yield false
  else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      for (const other of changed(item, false)) yield value.with(at, other)
      yield value.toSpliced(at, 1)
      yield value.toSpliced(at, 0, item)
    }
    if (value.length > 1) yield value.toReversed()
  } else {
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue
      for (const other of changed(member, false)) yield { ...value, [key]: other }
      const { [key]: _gone, ...rest } = value
      yield rest
      if (!top) yield { ...rest, [`${key}\u200b`]: member }
    }
    if (!top) yield { ...value, more: 'x' }
  }
}

/** The same with the members of every object the other way round. */
function reordered(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== 'object' || value === null) return value ?? null
  const members = Object.entries(value).toReversed()
  return Object.fromEntries(members.map(([key, member]) => [key, reordered(member)]))
}

const CHANGES = [...changed(BASE)]
const named = (definitions: readonly JsonValue[]): readonly JsonObject[] =>
  definitions.map((definition, at) => tool(`t${at}`, Object(definition)))

describe('a definition that was approved', () => {
  it(`is held after any one of ${CHANGES.length} changes of it, and after none (A51)`, async () => {
    expect(CHANGES.length).toBeGreaterThan(500)
    const fs = toolServer(...named([...CHANGES, BASE, BASE].map(() => BASE)))
    const room = await attackRoom({ fs }, { policy: ALLOW })
    expect(room.host.tools().every(({ held }) => held === undefined)).toBe(true)
    fs.change(named([...CHANGES, BASE, reordered(BASE)]))
    await room.later()
    const passed: string[] = []
    for (let at = 0; at < CHANGES.length + 2; at += 1)
      await room.host.callTool(`fs__t${at}`, { path: 'a' }).then(
        () => passed.push(`t${at}`),
        (error: unknown) => expect(error).toMatchObject({ code: 'DP_POLICY_HELD' }),
      )
    // Only those that are the same, one of them in another order of its keys.
    expect(passed).toEqual([`t${CHANGES.length}`, `t${CHANGES.length + 1}`])
    expect(fs.calls.map(({ name }) => name)).toEqual(passed)
    expect([room.undecided(), room.asked]).toEqual([[], []])
    room.host.turn()
    const held = room.host.tools().filter(({ held: is }) => is !== undefined)
    expect(held).toHaveLength(CHANGES.length)
    // A model still gets what was approved, and a person sees a difference without anything hidden.
    for (const one of held) {
      expect(one.description).toBe(BASE['description'])
      expect(one.held?.diff.length).toBeGreaterThan(0)
      expect(one.held?.diff.some(hidesText)).toBe(false)
    }
  })

  it('is held in another session too, and when it was another one only for a moment (A51)', async () => {
    const at = await project()
    const options = { policy: ALLOW, home: at.home }
    const fs = toolServer(tool('read', BASE))
    const first = await attackRoom({ fs }, options)
    await first.host.callTool('fs__read', { path: 'a' })
    await first.host.close()
    const evil = toolServer(tool('read', { ...BASE, description: 'Reads a file!' }))
    const second = await attackRoom({ fs: evil }, options)
    await expect(second.host.callTool('fs__read', { path: 'a' })).rejects.toMatchObject({
      code: 'DP_POLICY_HELD',
    })
    evil.change([tool('read', BASE)])
    await second.later()
    await expect(second.host.callTool('fs__read', { path: 'a' })).rejects.toMatchObject({
      code: 'DP_POLICY_HELD',
    })
    await second.host.close()
    const third = await attackRoom({ fs }, options)
    await expect(third.host.callTool('fs__read', { path: 'a' })).rejects.toMatchObject({
      code: 'DP_POLICY_HELD',
    })
    expect(evil.calls).toEqual([])
  })

  it('is not two: a name that comes twice with other words is held (A51, A52)', async () => {
    const fs = toolServer(tool('read', BASE))
    const room = await attackRoom({ fs }, { policy: ALLOW })
    fs.change([tool('read', BASE), tool('read', { ...BASE, description: 'Other' })])
    await room.later()
    const outcome = await room.host.callTool('fs__read', { path: 'a' }).then(
      () => room.host.tools()[0]?.description,
      (error: unknown) => Object(error).code,
    )
    // Either the client took the first alone, or it is held: never the other words.
    expect([BASE['description'], 'DP_POLICY_HELD']).toContain(outcome)
  })
})

const TWINS: readonly (readonly [string, string])[] = [
  ['a', 'b_c'],
  ['a_b', 'c'],
  ['a_', 'b'],
  ['a', '_b'],
  ['a__b', 'c'],
  ['a', 'b__c'],
  ['a', 'read'],
  ['A', 'read'],
  ['\u0430', 'read'],
  ['a\u200b', 'read'],
  ['a ', 'read'],
  ['caf\u00e9', 'x'],
  ['cafe\u0301', 'x'],
  ['', 'a__read'],
  ['a', ''],
  ['a', 'read\u0000'],
  ['a\u0000read', ''],
  ['a', 'r'.repeat(64)],
  ['a', 'r'.repeat(65)],
  ['a', `${'r'.repeat(64)}x`],
  ['a'.repeat(64), 'r'],
  ['a'.repeat(65), 'r'],
  ['__proto__', 'constructor'],
  ['constructor', '__proto__'],
  ['mcp', 'a__read'],
  ['mcp__a', 'read'],
  ['a', '\ud800'],
  ['a', '\ufffd'],
  ['a', '\u{1f600}'],
  ['a', 'read_0123456789ab'],
]

describe('names for models', () => {
  it('are one to one for names that are made to meet, and lead back (A52)', () => {
    const map = new AliasMap(sha256)
    const aliases = TWINS.map(([server, name]) => map.add(server, name))
    expect(new Set(aliases).size).toBe(TWINS.length)
    for (const [at, [server, name]] of TWINS.entries()) {
      expect(aliases[at]).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      expect(map.find(aliases[at] ?? '')).toEqual({ server, tool: name })
    }
  })

  it('are one to one for names of few letters that nearly meet (A52)', () => {
    const random = dice(20_261_202)
    const letters = ['a', 'b', '_', '__', '-', '\u0430', '\u200b', '0123456789ab', 'A'.repeat(30)]
    const word = (): string =>
      Array.from({ length: random.between(0, 4) }, () => random.pick(letters)).join('')
    const pairs = new Map<string, string>()
    const met: string[] = []
    for (let turn = 0; turn < 50_000; turn += 1) {
      const [server, name] = [word(), word()]
      const pair = JSON.stringify([server, name])
      const alias = aliasOf(server, name, sha256)
      if ((pairs.get(alias) ?? pair) !== pair) met.push(alias)
      pairs.set(alias, pair)
    }
    expect(met).toEqual([])
    expect(pairs.size).toBeGreaterThan(1_000)
  })

  it('of a tool that is there lead where they led, whoever comes later and whatever it is called (A52)', async () => {
    const a = toolServer(tool('read'), tool('b_c'), tool('read_file'))
    const servers: Record<string, ReturnType<typeof toolServer>> = { a }
    const room = await attackRoom(
      { a },
      { policy: ALLOW, transport: ({ key }) => servers[key]?.transport },
    )
    room.host.mount([defineTool({ name: 'read_file', run: () => 'native' })])
    room.host.turn()
    const before = room.host.tools().map(({ alias, server, name }) => [alias, server, name])
    const others = ['A', 'a_b', 'a_', '\u0430', 'b', 'read_file', '__proto__']
    for (const key of others) {
      servers[key] = toolServer(
        tool('read'),
        tool('c'),
        tool('a__read'),
        tool('read_file'),
        tool('b_c'),
      )
      room.host.attach(entryOf(key))
    }
    await room.host.settled()
    room.host.turn()
    const after = room.host.tools().map(({ alias, server, name }) => [alias, server, name])
    expect(after.slice(0, before.length)).toEqual(before)
    expect(new Set(after.map(([alias]) => alias)).size).toBe(after.length)
    for (const alias of ['a__read', 'a__b_c', 'a__read_file']) await room.host.callTool(alias)
    expect(a.calls.map(({ name }) => name)).toEqual(['read', 'b_c', 'read_file'])
    for (const key of others) expect(servers[key]?.calls, key).toEqual([])
    expect((await room.host.callTool('read_file')).content).toEqual([
      { type: 'text', text: 'native' },
    ])
    const look = room.host.tools().find(({ alias }) => alias === 'a__read')
    expect(look?.warnings.join()).toContain('looks like')
  })

  it('come from the configuration and never from what a server calls itself (A52)', async () => {
    const evil = toolServer(tool('read'))
    const room = await attackRoom({ evil, a: toolServer(tool('read')) })
    const keys = room.host.servers().map(({ key, info }) => [key, info?.name])
    expect(keys).toEqual([
      ['evil', 'scripted'],
      ['a', 'scripted'],
    ])
    expect(room.host.tools().map(({ alias }) => alias)).toEqual(['evil__read', 'a__read'])
  })
})

const HIDDEN: readonly (readonly [string, string])[] = [
  ['tags', '\u{e0048}\u{e0049}'],
  ['zero width', '\u200b\u200c\u200d\u2060'],
  ['directions', '\u202e\u2066\u2069'],
  ['selectors', 'a\ufe01\u{e0100}\u{e01ef}'],
  ['Hangul fillers', '\u115f\u3164\uffa0'],
  ['soft hyphens', 'a\u00adb'],
  ['marks of direction', '\u200e\u061c'],
  ['line ends of Unicode', '\u2028\u2029'],
  ['half a pair', '\ud83d'],
  ['a mark of order', '\ufeff'],
]
const FIELDS: Readonly<Record<string, (text: string) => JsonObject>> = {
  title: (text) => ({ title: text }),
  description: (text) => ({ description: text }),
  'name of a parameter': (text) => ({
    inputSchema: { type: 'object', properties: { [text]: {} } },
  }),
  'its description': (text) => ({
    inputSchema: { type: 'object', properties: { p: { description: text } } },
  }),
  'its title': (text) => ({ inputSchema: { type: 'object', properties: { p: { title: text } } } }),
  enum: (text) => ({ inputSchema: { type: 'object', properties: { p: { enum: [text] } } } }),
  const: (text) => ({ inputSchema: { type: 'object', properties: { p: { const: text } } } }),
  default: (text) => ({ inputSchema: { type: 'object', properties: { p: { default: text } } } }),
  required: (text) => ({ inputSchema: { type: 'object', required: [text] } }),
  definitions: (text) => ({
    inputSchema: { type: 'object', $defs: { [text]: { $comment: text } } },
  }),
  'output schema': (text) => ({ outputSchema: { type: 'object', description: text } }),
  annotations: (text) => ({ annotations: { title: text } }),
}

describe('what cannot be seen', () => {
  it.each(HIDDEN)(
    'is told of in twelve places, and taken from what a model gets: %s (A55)',
    async (_, hidden) => {
      expect(Object.keys(FIELDS)).toHaveLength(12)
      const text = `Adds ${hidden}numbers`
      const tools = Object.values(FIELDS).map((make, at) => tool(`t${at}`, make(text)))
      const room = await attackRoom({ fs: toolServer(...tools) })
      const shown = room.host.tools()
      expect(shown).toHaveLength(12)
      for (const [at, field] of Object.keys(FIELDS).entries()) {
        const { warnings, ...rest } = shown[at] ?? { warnings: [] }
        expect(warnings.length, field).toBeGreaterThan(0)
        for (const one of textsIn(rest))
          expect(hidesText(one), `${field}: ${JSON.stringify(one)}`).toBe(false)
        expect(warnings.some(hidesText)).toBe(false)
      }
      // The raw text is in the capture alone.
      const escaped = JSON.stringify(text).slice(1, -1)
      expect(room.events.length === 0 || escaped !== '').toBe(true)
    },
  )

  it.each(HIDDEN)(
    'is marked in a result, where nothing may be taken away: %s (A55)',
    (_, hidden) => {
      const marked = markForModel(`a ${hidden} b`)
      expect(marked).toMatch(/<U\+[0-9A-F]{4,6}>/)
      expect(hidesText(marked)).toBe(false)
      expect(markForModel('plain text\n\tof two lines')).toBe('plain text\n\tof two lines')
    },
  )

  it('is still there for the server whose it is: parameters keep their names on the wire (A55)', async () => {
    const fs = toolServer(tool('t', { description: 'x\u200by' }))
    const room = await attackRoom({ fs }, { policy: ALLOW })
    await room.host.callTool('fs__t', { 'p\u200b': 'v\u202e' })
    expect(fs.calls).toEqual([{ name: 't', arguments: { 'p\u200b': 'v\u202e' } }])
    expect(room.undecided()).toEqual([])
  })
})
