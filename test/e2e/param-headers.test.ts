/** Arguments that a tool wants repeated in headers, as a client sends them over a carrier that has some. */
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import { decodeHeaderValue } from '../../src/formats/header-value.ts'
import { playedServer, type Asked, type PlayedOptions } from '../support/played-server.ts'

const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

const tool = (name: string, properties: JsonObject): JsonObject => ({
  name,
  inputSchema: { type: 'object', properties },
})
const REGION = { region: { type: 'string', 'x-mcp-header': 'Region' } }

function serving(
  tools: () => readonly JsonObject[],
  answer: (asked: Asked) => unknown = () => false,
  options: PlayedOptions = {},
) {
  return playedServer(
    (asked) => {
      if (asked.method === 'tools/list')
        return asked.result({ resultType: 'complete', tools: [...tools()] })
      if (asked.method !== 'tools/call') return false
      if (answer(asked) !== false) return true
      return asked.result({ resultType: 'complete', content: [] })
    },
    { revision: '2026-07-28', ...options },
  )
}

async function meet(
  server: ReturnType<typeof serving>,
  options: ClientOptions = {},
): Promise<Client> {
  const client = await connect(server.transport, options)
  clients.push(client)
  return client
}

const paramsOf = (headers: Readonly<Record<string, string>>): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith('mcp-param-'))
      .map(([name, value]) => [name.slice('mcp-param-'.length), decodeHeaderValue(value)]),
  )
const sent = (server: ReturnType<typeof serving>): readonly Record<string, string | undefined>[] =>
  server.of('tools/call').map(({ headers }) => paramsOf(headers))

describe('a client of the modern era over HTTP', () => {
  it('repeats annotated arguments as they are, whole numbers in decimals, truth as a word [HTTP-64, HTTP-70]', async () => {
    const properties = {
      ...REGION,
      size: { type: 'integer', 'x-mcp-header': 'Size' },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
      inner: {
        type: 'object',
        properties: { zone: { type: 'string', 'x-mcp-header': 'Zone' } },
      },
      plain: { type: 'string' },
    }
    const server = serving(() => [tool('act', properties)])
    const client = await meet(server)
    await client.listTools()
    const args = {
      region: 'Zürich\n ',
      size: -9007199254740991,
      dry: false,
      inner: { zone: '' },
      plain: 'x',
    }
    await client.callTool('act', args)
    expect(sent(server)).toEqual([
      { region: 'Zürich\n ', size: '-9007199254740991', 'dry-run': 'false', zone: '' },
    ])
    const [call] = server.of('tools/call')
    expect(call?.params['arguments']).toEqual(args)
    expect(call?.headers['mcp-name']).toBe('act')
    for (const value of Object.values(call?.headers ?? {})) expect(value).toMatch(/^[\t -~]*$/)
  })

  it('sends no header for an argument that is absent, null or of another kind [HTTP-71]', async () => {
    const properties = { ...REGION, size: { type: 'integer', 'x-mcp-header': 'Size' } }
    const server = serving(() => [tool('act', properties)])
    const client = await meet(server, { checkArguments: false })
    await client.listTools()
    await client.callTool('act', {})
    await client.callTool('act', { region: null, size: null })
    await client.callTool('act', { region: { a: 1 }, size: 1.5 })
    expect(sent(server)).toEqual([{}, {}, {}])
  })

  it('leaves out a tool that asks for headers it may not have, and says so [HTTP-68]', async () => {
    const notes: unknown[] = []
    const bad = { a: { type: 'number', 'x-mcp-header': 'A' } }
    const server = serving(() => [tool('good', REGION), tool('bad', bad)])
    const client = await meet(server, {
      wire: (event) => {
        if (event.type === 'note') notes.push(event.note)
      },
    })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['good'])
    expect(notes).toContainEqual(
      expect.objectContaining({
        kind: 'bad-tool',
        data: { index: 1, problem: expect.stringContaining('"bad" was left out') },
      }),
    )
  })

  it('reads the list again after a refusal for headers, and calls once more with those of today [HTTP-74]', async () => {
    let annotated = false
    const server = serving(
      () => [tool('act', annotated ? REGION : { region: { type: 'string' } })],
      (asked) => {
        if (asked.headers['mcp-param-region'] !== undefined) return false
        annotated = true
        return asked.error(-32020, 'The header "mcp-param-region" is missing')
      },
    )
    const client = await meet(server)
    await client.listTools()
    const calls = Array.from({ length: 5 }, () => client.callTool('act', { region: 'eu' }))
    expect(await Promise.all(calls)).toHaveLength(5)
    expect(sent(server).slice(5)).toEqual(Array.from({ length: 5 }, () => ({ region: 'eu' })))
    expect(server.of('tools/list')).toHaveLength(2)
    expect(new Set(server.of('tools/call').map(({ id }) => id)).size).toBe(10)
  })

  it('does so for a tool that it was never told of [HTTP-74]', async () => {
    const server = serving(
      () => [tool('act', REGION)],
      (asked) =>
        asked.headers['mcp-param-region'] === 'eu' ? false : asked.error(-32020, 'missing'),
    )
    const client = await meet(server)
    await client.callTool('act', { region: 'eu' })
    expect(sent(server)).toEqual([{}, { region: 'eu' }])
  })

  it('does so once, and not at all where the headers would be the same [HTTP-74]', async () => {
    let turns = 0
    const stubborn = serving(
      () => [tool('act', { region: { type: 'string', 'x-mcp-header': `R${(turns += 1)}` } })],
      (asked) => asked.error(-32020, 'never good enough'),
    )
    const one = await meet(stubborn)
    await one.listTools()
    await expect(one.callTool('act', { region: 'eu' })).rejects.toMatchObject({ rpcCode: -32020 })
    expect(stubborn.of('tools/call')).toHaveLength(2)
    const same = serving(
      () => [tool('act', REGION)],
      (asked) => asked.error(-32020, 'the version is wrong'),
    )
    const two = await meet(same)
    await two.listTools()
    await expect(two.callTool('act', { region: 'eu' })).rejects.toMatchObject({ rpcCode: -32020 })
    expect(same.of('tools/call')).toHaveLength(1)
  })

  it('tells of the refusal when the list cannot be read', async () => {
    const server = playedServer(
      (asked) =>
        asked.method === 'tools/call'
          ? asked.error(-32020, 'missing')
          : asked.method === 'tools/list' && asked.error(-32603, 'no list'),
      { revision: '2026-07-28' },
    )
    const client = await connect(server.transport)
    clients.push(client)
    await expect(client.callTool('act')).rejects.toMatchObject({ rpcCode: -32020 })
  })

  it('repeats the headers on every round of a call [MRTR-15]', async () => {
    const server = serving(
      () => [tool('act', REGION)],
      (asked) =>
        asked.params['requestState'] === undefined
          ? asked.result({ resultType: 'input_required', requestState: 's' })
          : false,
    )
    const client = await meet(server)
    await client.listTools()
    await client.callTool('act', { region: 'eu' })
    expect(sent(server)).toEqual([{ region: 'eu' }, { region: 'eu' }])
    expect(server.of('tools/call').map(({ headers }) => headers['mcp-method'])).toEqual([
      'tools/call',
      'tools/call',
    ])
  })
})

describe('a client', () => {
  it.each([
    ['over one stream for everything', { perRequest: false }],
    ['in an older revision', { revision: '2025-11-25' }],
  ] as const)('cares for no annotations %s [HTTP-69]', async (_, options) => {
    const bad = tool('bad', { a: { type: 'number', 'x-mcp-header': 'not a token' } })
    const server = serving(() => [bad, tool('act', REGION)], undefined, options)
    const client = await meet(server)
    expect(await client.listTools()).toHaveLength(2)
    await client.callTool('act', { region: 'eu' })
    expect(sent(server)).toEqual([{}])
  })
})
