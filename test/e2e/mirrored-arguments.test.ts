/** Arguments that HTTP headers repeat: what a server checks, whatever carries the message. */

import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { encodeHeaderValue } from '../../src/formats/header-value.ts'
import { requestHeaders } from '../../src/protocol/headers.ts'
import { Server } from '../../src/server/server.ts'
import { defineTool } from '../../src/tools/define.ts'
import { LEGACY, MODERN } from '../support/pair.ts'
import { connectWith } from '../support/principal.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const query = defineTool({
  name: 'query',
  input: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      limit: { type: 'integer', 'x-mcp-header': 'limit' },
      deep: {
        type: 'object',
        properties: { dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' } },
      },
    },
  },
  run: () => 'ran',
})

/** Calls the tool with arguments, and with headers beside those that every request has. */
async function call(
  revision: (typeof MODERN)[number],
  args: JsonObject,
  headers: Readonly<Record<string, string>>,
): Promise<unknown> {
  const server = new Server({ name: 's', version: '1', tools: [query] })
  servers.push(server)
  const client = await connectWith(
    server,
    (text) => {
      const { method = '', params }: { method?: string; params?: JsonObject } = JSON.parse(text)
      return { headers: { ...requestHeaders(revision, method, params), ...headers } }
    },
    { revision },
  )
  return client.callTool('query', args)
}

describe.each(MODERN)('headers of arguments at %s', (revision) => {
  it('that say what the arguments say let the call run [HTTP-62, HTTP-72, HTTP-73]', async () => {
    const fine: [JsonObject, Record<string, string>][] = [
      [{ region: 'eu' }, { 'mcp-param-region': 'eu' }],
      [{ region: 'ü b' }, { 'mcp-param-region': encodeHeaderValue('ü b') }],
      [{ limit: 42 }, { 'mcp-param-limit': '42.0' }],
      [{ deep: { dry: true } }, { 'mcp-param-dry-run': 'true' }],
      [{ region: 'eu' }, { 'mcp-param-region': 'eu', 'mcp-param-unknown': 'x' }],
    ]
    for (const [args, headers] of fine) {
      expect(await call(revision, args, headers)).toMatchObject({ content: [{ text: 'ran' }] })
    }
  })

  it('that are missing, wrong or unreadable refuse it [HTTP-58, HTTP-63, HTTP-72, ERR-06]', async () => {
    const wrong: [JsonObject, Record<string, string>][] = [
      [{ region: 'eu' }, {}],
      [{ region: 'eu' }, { 'mcp-param-region': 'us' }],
      [{ region: 'eu' }, { 'mcp-param-region': 'EU' }],
      [{ region: 'eu' }, { 'mcp-param-region': '=?base64?%%%?=' }],
      [{ limit: 42 }, { 'mcp-param-limit': '43' }],
      [{ deep: { dry: false } }, { 'mcp-param-dry-run': 'true' }],
      [{}, { 'mcp-param-region': 'eu' }],
    ]
    for (const [args, headers] of wrong) {
      await expect(
        call(revision, args, headers),
        JSON.stringify([args, headers]),
      ).rejects.toMatchObject({
        rpcCode: -32020,
      })
    }
  })
})

describe.each(LEGACY)('headers of arguments at %s', (revision) => {
  it('mean nothing [VERS-21]', async () => {
    expect(await call(revision, { region: 'eu' }, {})).toMatchObject({ content: [{ text: 'ran' }] })
  })
})

describe('a tool whose annotations break the rules', () => {
  it.each([
    ['an empty name', { a: { type: 'string', 'x-mcp-header': '' } }],
    ['no token', { a: { type: 'string', 'x-mcp-header': 'a b' } }],
    ['no text', { a: { type: 'string', 'x-mcp-header': 7 } }],
    [
      'a name twice',
      { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } },
    ],
    ['a number', { a: { type: 'number', 'x-mcp-header': 'a' } }],
    ['an object', { a: { type: 'object', 'x-mcp-header': 'a' } }],
    ['items', { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'a' } } }],
    ['a choice', { a: { oneOf: [{ type: 'string', 'x-mcp-header': 'a' }] } }],
  ])('is refused when it is defined: %s [HTTP-65, HTTP-66, HTTP-67]', (_what, properties) => {
    const define = (): unknown =>
      defineTool({ name: 't', input: { type: 'object', properties }, run: () => 'x' })
    expect(define).toThrow(/tool t cannot be offered over HTTP/)
  })
})
