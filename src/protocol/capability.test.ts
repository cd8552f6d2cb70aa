import { describe, expect, it } from 'vitest'
import {
  capabilityAt,
  declares,
  elicitationModes,
  missingCapability,
  missingForInput,
  projectCapabilities,
} from './capability.ts'
import { dialectFor, DIALECTS } from './dialects/index.ts'
import type { MethodRule, Opening } from './dialect.ts'
import type { JsonObject } from '../base/json.ts'
import type { Revision } from './revision.ts'
import type { ClientCapabilities } from './types/common.ts'

function rule(revision: Revision, method: string): MethodRule {
  const found = dialectFor(revision).methods.get(method)
  if (found === undefined) throw new Error(`no ${method}`)
  return found
}

describe('what a method needs', () => {
  it('is named with its owner when it is missing [LIFE-08]', () => {
    const declared = { client: {}, server: { tools: {} } }
    expect(missingCapability(rule('2025-11-25', 'tools/call'), declared)).toBeUndefined()
    expect(missingCapability(rule('2025-11-25', 'resources/subscribe'), declared)).toBe(
      'server resources.subscribe',
    )
    expect(missingCapability(rule('2025-11-25', 'sampling/createMessage'), declared)).toBe(
      'client sampling',
    )
    expect(missingCapability(rule('2025-11-25', 'ping'), declared)).toBeUndefined()
  })

  it('is not there when it is declared as false [LIFE-08]', () => {
    const declared = { client: {}, server: { resources: { subscribe: false } } }
    expect(missingCapability(rule('2025-11-25', 'resources/subscribe'), declared)).toBe(
      'server resources.subscribe',
    )
  })

  it('is nothing for completion before there was a capability for it [COMP-01]', () => {
    const declared = { client: {}, server: {} }
    const missing = DIALECTS.map((dialect) =>
      missingCapability(rule(dialect.revision, 'completion/complete'), declared),
    )
    expect(missing).toEqual([undefined, ...Array(4).fill('server completions')])
  })

  it('belongs to whoever receives it where both may send it', () => {
    const list = rule('2025-11-25', 'tasks/list')
    const declared = { client: {}, server: { tasks: { list: {} } } }
    expect(missingCapability(list, { ...declared, sender: 'client' })).toBeUndefined()
    expect(missingCapability(list, { ...declared, sender: 'server' })).toBe('client tasks.list')
    expect(missingCapability(list, declared)).toBeUndefined()
    const notice = rule('2025-11-25', 'notifications/tasks/status')
    expect(missingCapability(notice, { ...declared, sender: 'server' })).toBeUndefined()
  })

  it('is not found on a prototype', () => {
    expect(declares({}, 'constructor')).toBe(false)
    expect(declares({ tools: {} }, 'tools.toString')).toBe(false)
  })
})

describe('what a question needs', () => {
  const url = { mode: 'url' }
  const rows: [string, JsonObject | undefined, ClientCapabilities, string | undefined][] = [
    ['roots/list', undefined, {}, 'roots'],
    ['roots/list', undefined, { roots: {} }, undefined],
    ['sampling/createMessage', {}, {}, 'sampling'],
    ['sampling/createMessage', {}, { sampling: {} }, undefined],
    ['sampling/createMessage', { tools: [] }, { sampling: {} }, 'sampling.tools'],
    ['sampling/createMessage', { toolChoice: {} }, { sampling: {} }, 'sampling.tools'],
    ['sampling/createMessage', { tools: [] }, { sampling: { tools: {} } }, undefined],
    ['elicitation/create', {}, {}, 'elicitation'],
    ['elicitation/create', {}, { elicitation: {} }, undefined],
    ['elicitation/create', url, { elicitation: {} }, 'elicitation.url'],
    ['elicitation/create', url, { elicitation: { url: {} } }, undefined],
    ['elicitation/create', {}, { elicitation: { url: {} } }, 'elicitation.form'],
    ['tools/call', {}, {}, 'tools/call'],
  ]

  it.each(rows)(
    '%s with %j of a client with %j lacks %s [ELIC-01, ELIC-02, ELIC-04, SAMP-06, MRTR-04]',
    (method, params, client, missing) => {
      expect(missingForInput(method, params, client)).toBe(missing)
    },
  )

  it('reads an empty elicitation as the form alone [ELIC-01]', () => {
    expect([...elicitationModes({ elicitation: {} })]).toEqual(['form'])
    expect([...elicitationModes({ elicitation: { form: {}, url: {} } })]).toEqual(['form', 'url'])
    expect([...elicitationModes({})]).toEqual([])
  })

  it('is told as an object of capabilities [ERR-07]', () => {
    expect(capabilityAt('elicitation.url')).toEqual({ elicitation: { url: {} } })
  })
})

describe('what is declared in each revision', () => {
  const all: ClientCapabilities = {
    roots: { listChanged: true },
    sampling: { tools: {} },
    elicitation: { form: {}, url: {} },
    tasks: { list: {} },
    extensions: { 'a/b': {} },
    gossip: {},
  }
  const declared = async (
    revision: Revision,
    capabilities: ClientCapabilities,
  ): Promise<unknown> => {
    let sent: unknown
    const opening: Opening = {
      ask: (_, params) => {
        sent = params
        return Promise.reject(new Error('enough'))
      },
      tell: () => undefined,
      wait: () => Promise.resolve(),
      note: () => undefined,
    }
    const self = { info: { name: 'c', version: '1' }, capabilities }
    await dialectFor(revision)
      .open(opening, self)
      .catch(() => undefined)
    return Reflect.get(Object(sent), 'capabilities')
  }

  it.each([
    ['2024-11-05', { roots: { listChanged: true }, sampling: {}, extensions: { 'a/b': {} } }],
    ['2025-03-26', { roots: { listChanged: true }, sampling: {}, extensions: { 'a/b': {} } }],
    [
      '2025-06-18',
      { roots: { listChanged: true }, sampling: {}, elicitation: {}, extensions: { 'a/b': {} } },
    ],
    [
      '2025-11-25',
      {
        roots: { listChanged: true },
        sampling: { tools: {} },
        elicitation: { form: {}, url: {} },
        tasks: { list: {} },
        extensions: { 'a/b': {} },
      },
    ],
  ] as [Revision, JsonObject][])(
    'is what %s has words for [SAMP-01, ELIC-01, EXT-05]',
    async (revision, expected) => {
      expect(await declared(revision, all)).toEqual(expected)
    },
  )

  it('is no elicitation where the only mode has no word [ELIC-01]', async () => {
    const urlOnly = { elicitation: { url: {} } }
    expect(await declared('2025-06-18', urlOnly)).toEqual({})
    expect(await declared('2025-11-25', urlOnly)).toEqual(urlOnly)
  })

  it('has no own member that a peer could reach through a prototype', () => {
    const poisoned: ClientCapabilities = Object.create({ roots: {} })
    expect(projectCapabilities(poisoned, { roots: [] })).toEqual({})
  })
})
