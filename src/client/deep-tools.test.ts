import { afterEach, describe, expect, it } from 'vitest'
import { rawEnd } from '../../test/support/hostile.ts'
import type { JsonObject } from '../base/json.ts'
import type { WireEvent, WireNote } from '../jsonrpc/wire.ts'
import type { Client } from './client.ts'
import { connect } from './connect.ts'
import type { ClientOptions } from './options.ts'

const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

const nested = (levels: number, end = '{}'): string =>
  '{"a":'.repeat(levels - 1) + end + '}'.repeat(levels - 1)
const tool = (name: string, schema = '{"type":"object"}', more = ''): string =>
  `{"name":${JSON.stringify(name)},"inputSchema":${schema}${more}}`
/** A definition of 126 levels: one more than fits, below the three of a message with a list. */
const DEEP = nested(125)
const listOf = (tools: readonly string[], more = ''): string => `{"tools":[${tools.join()}]${more}}`

interface Far {
  readonly client: Client
  /** Remarks on the wire. */
  readonly notes: WireNote[]
  /** What was remarked of tools. */
  readonly bad: JsonObject[]
  /** Everything that came in, as it came. */
  readonly texts: string[]
  /** Says a text as it stands. */
  readonly say: (text: string) => void
  readonly heard: readonly unknown[]
}

/** A client at a server that answers with these texts: `result` and `error` by method. */
async function meet(
  answer: (method: string, params: JsonObject) => string | undefined,
  options: ClientOptions & { readonly modern?: boolean } = {},
): Promise<Far> {
  const { modern = false, ...rest } = options
  const notes: WireNote[] = []
  const bad: JsonObject[] = []
  const texts: string[] = []
  const end = rawEnd(({ id, method, params }, self) => {
    if (id === undefined || typeof method !== 'string') return
    const said = answer(method, Object(params)) ?? opening(method, modern)
    const tail = said.startsWith('"') ? said : `"result":${said}`
    void self.say(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${tail}}`)
  })
  const wire = (event: WireEvent): void => {
    if (event.type === 'message' && event.direction === 'in') texts.push(event.text)
    if (event.type !== 'note') return
    notes.push(event.note)
    if (event.note.kind === 'bad-tool') bad.push(event.note.data ?? {})
  }
  const era = modern ? 'modern' : 'legacy'
  const client = await connect(end.transport, { era, wire, ...rest })
  clients.push(client)
  return { client, notes, bad, texts, say: (text) => void end.say(text), heard: end.heard }
}

function opening(method: string, modern: boolean): string {
  const capabilities = { tools: { listChanged: true }, prompts: {} }
  const serverInfo = { name: 's', version: '1' }
  if (method === 'initialize' && !modern)
    return JSON.stringify({ protocolVersion: '2025-11-25', capabilities, serverInfo })
  if (method === 'server/discover' && modern) {
    const supportedVersions = ['2026-07-28']
    return JSON.stringify({ resultType: 'complete', supportedVersions, capabilities, serverInfo })
  }
  return '"error":{"code":-32601,"message":"no"}'
}

/** A server whose lists, by cursor, are these texts. */
const lists =
  (pages: Readonly<Record<string, string>>) =>
  (method: string, { cursor }: JsonObject): string | undefined =>
    method === 'tools/list' ? pages[typeof cursor === 'string' ? cursor : ''] : undefined

const namesOf = async (client: Client): Promise<readonly string[]> =>
  (await client.listTools()).map(({ name }) => name)
const TOO_DEEP = {
  code: 'DP_PROTOCOL_MESSAGE',
  message: 'The answer to tools/list is no valid JSON-RPC: nested deeper than 128 levels.',
  requirement: 'RPC-01',
}

describe('a tool that nests deeper than a message may', () => {
  it('costs no other, and is named with the reason', async () => {
    const list = listOf([tool('a'), tool('b', DEEP), tool('c')])
    const { client, bad, texts } = await meet(lists({ '': list }))
    expect(await namesOf(client)).toEqual(['a', 'c'])
    expect(bad).toEqual([
      { index: 1, problem: '"b" was left out: its definition nests deeper than 125 levels' },
    ])
    expect(texts.some((text) => text.includes(list))).toBe(true)
  })

  it('is one with 126 levels, and 125 are none', async () => {
    const { client, bad } = await meet(
      lists({ '': listOf([tool('a', nested(124)), tool('b', nested(125))]) }),
    )
    expect(await namesOf(client)).toEqual(['a'])
    expect(bad).toHaveLength(1)
  })

  it.each([
    ['its output schema', tool('b', '{}', `,"outputSchema":${DEEP}`)],
    ['a member that nobody knows', tool('b', '{}', `,"x":[[${DEEP}]]`)],
    ['its own name', `{"name":${DEEP},"inputSchema":{}}`],
    ['a list in its place', `[${DEEP}]`],
    ['more than one of its members', tool('b', DEEP, `,"_meta":${DEEP}`)],
  ])('is left out for %s', async (_, deep) => {
    const { client, bad } = await meet(lists({ '': listOf([deep, tool('c')]) }))
    expect(await namesOf(client)).toEqual(['c'])
    expect(bad).toMatchObject([{ index: 0 }])
  })

  it('is left out on its page alone, in both eras, and what is kept knows nothing of it', async () => {
    for (const modern of [false, true]) {
      const hints = modern ? ',"resultType":"complete","ttlMs":60000,"cacheScope":"private"' : ''
      const { client, bad, heard } = await meet(
        lists({
          '': listOf([tool('a')], `,"nextCursor":"2"${hints}`),
          '2': listOf([tool('deep', DEEP), tool('b')], `,"nextCursor":"3"${hints}`),
          '3': listOf([tool('c'), tool('deep')], hints),
        }),
        { modern },
      )
      for (let turn = 1; turn <= 2; turn += 1) {
        expect(await namesOf(client)).toEqual(['a', 'b', 'c'])
        expect(bad.splice(0)).toMatchObject([
          { index: 1, problem: expect.stringContaining('"deep" was left out') },
          { index: 4, problem: expect.stringContaining('a second tool') },
        ])
      }
      const asked = heard.filter((one) => Object(one).method === 'tools/list')
      expect(asked).toHaveLength(modern ? 4 : 6)
    }
  })

  it('leaves the others checked, and nothing known of itself', async () => {
    const { client } = await meet((method, params) => {
      if (method === 'tools/call') return '{"content":[]}'
      const strict = '{"type":"object","required":["x"]}'
      return lists({ '': listOf([tool('a', strict), tool('b', DEEP)]) })(method, params)
    })
    await client.listTools()
    await expect(client.callTool('a', {})).rejects.toMatchObject({ code: 'DP_SCHEMA_ARGUMENTS' })
    expect(await client.callTool('b', {})).toMatchObject({ content: [] })
  })

  it('cannot be hidden or feigned by what a server writes in the place of what is cut', async () => {
    const marks = ['0', '1', 'null', '"0"', '{"0":1}'].map((mark, at) =>
      tool(`t${at}`, '{}', `,"x":${mark}`),
    )
    const { client, bad } = await meet(lists({ '': listOf([...marks, tool('deep', DEEP)]) }))
    expect(await namesOf(client)).toEqual(['t0', 't1', 't2', 't3', 't4'])
    expect(bad).toHaveLength(1)
  })
})

describe('everything else that nests too deep', () => {
  it.each([
    ['a member beside the tools', listOf([tool('a')], `,"_meta":${nested(130)}`)],
    ['one beside a tool that does', listOf([tool('a', DEEP)], `,"_meta":${nested(130)}`)],
    ['a cursor', listOf([tool('a', DEEP)], `,"nextCursor":${nested(130)}`)],
    ['an object in place of the list', `{"tools":{"a":[${DEEP}]}}`],
    ['a list in place of the result', `[[[${DEEP}]]]`],
    ['a tool that a second list hides', listOf([tool('a', DEEP)], `,"tools":[${tool('b')}]`)],
    ['the data of an error', `"error":{"code":1,"message":"no","data":${nested(130)}}`],
    ['what is no JSON', listOf([tool('a', DEEP)], ',')],
    ['a message that says a thing twice', `${listOf([tool('a', DEEP)])},"result":{}`],
    ['a message with more than a result', `${listOf([tool('a', DEEP)])},"x":${nested(130)}`],
  ])('costs the list: %s', async (_, said) => {
    const { client, bad } = await meet(lists({ '': said }))
    await expect(client.listTools()).rejects.toMatchObject(TOO_DEEP)
    expect(bad).toEqual([])
  })

  it('costs whoever asks for the raw answer', async () => {
    const { client } = await meet(lists({ '': listOf([tool('a'), tool('b', DEEP)]) }))
    await expect(client.request('tools/list')).rejects.toMatchObject(TOO_DEEP)
  })

  it('costs a call, and other lists', async () => {
    const { client } = await meet((method) => {
      if (method === 'tools/call') return `{"content":[],"structuredContent":${nested(127)}}`
      return method === 'prompts/list' ? `{"prompts":[${tool('a', DEEP)}]}` : undefined
    })
    for (const method of ['tools/call', 'prompts/list']) {
      const message = TOO_DEEP.message.replace('tools/list', method)
      await expect(client.request(method, { name: 'a' })).rejects.toMatchObject({
        ...TOO_DEEP,
        message: expect.stringContaining(message),
      })
    }
  })

  it('is no request and no notification', async () => {
    const { client, say, notes } = await meet(lists({ '': listOf([tool('a')]) }))
    const deep = `"params":{"tools":[${tool('a', DEEP)}]}}`
    say(`{"jsonrpc":"2.0","id":1,"method":"tools/list",${deep}`)
    say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed",${deep}`)
    expect(await namesOf(client)).toEqual(['a'])
    const reason = 'nested deeper than 128 levels'
    const stray = { kind: 'stray', data: { reason, requirement: 'RPC-01' } }
    expect(notes).toMatchObject([stray, stray])
  })
})
