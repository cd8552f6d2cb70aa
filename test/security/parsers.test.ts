/** Texts that two readers could read differently: doubled names, headers beside bodies, depth, encodings, cuts. Real sockets. */
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import { resultToText } from '../../src/tools/content.ts'
import { http } from '../../src/transport/node/http-client.ts'
import { place, type Place } from '../support/attacked.ts'
import { modern } from '../support/http/handled.ts'
import type { RawHttp } from '../support/http/raw-http.ts'
import type { TestServer } from '../support/http/servers.ts'
import { smallServer, startEvents } from '../support/http/small-server.ts'
import { JSON_BOTH } from '../support/principals.ts'
import { readEvents } from '../support/read-events.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

const HEADS = modern(1, 'tools/call', { name: 'echo' }).headers
const META = JSON.stringify(Object(modern(1, 'x').json['params'])._meta)
const wholeOf = (params: string, more = ''): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call",${more}"params":{${params},"_meta":${META}}}`

describe('a name that stands twice', () => {
  const NAME = '"name":"echo"'
  it.each([
    ['the method', wholeOf(NAME, '"method":"tools/list",')],
    ['the method, escaped', wholeOf(NAME, String.raw`"m\u0065thod":"tools/list",`)],
    ['the id', wholeOf(NAME, '"id":2,')],
    ['the params', wholeOf(NAME, '"params":{"name":"secret"},')],
    ['the name of the tool', wholeOf(`${NAME},"name":"secret"`)],
    ['the name of the tool, first', wholeOf(`"name":"secret",${NAME}`)],
    ['the name of the tool, escaped', wholeOf(String.raw`${NAME},"\u006eame":"secret"`)],
    ['the arguments', wholeOf(`${NAME},"arguments":{"text":"a"},"arguments":{"text":"b"}`)],
    ['the metadata', wholeOf(`${NAME},"_meta":{}`)],
  ])('is refused, and nothing runs: %s (A23)', async (_, text) => {
    const at = await place()
    const { status, error } = await at.post(text, HEADS)
    expect([status, [-32_600, -32_700, -32_602].includes(Number(error['code']))]).toEqual([
      400,
      true,
    ])
    expect(at.ran).toEqual([])
  })

  it.each(['Name', 'NAME', 'na\u0000me', 'name ', '\u212Aey', 'nam\u00e9', '__proto__'])(
    'is another one when it only looks alike: %j (A23)',
    async (alike) => {
      const at = await place()
      const both = await at.post(wholeOf(`"name":"echo",${JSON.stringify(alike)}:"secret"`), HEADS)
      expect(both.said).toBe(' for nobody')
      const alone = await at.post(wholeOf(`${JSON.stringify(alike)}:"echo"`), HEADS)
      expect(alone.error['code']).toBe(-32_602)
      expect(at.ran).toEqual(['echo'])
    },
  )

  it.each(['Method', 'METHOD', 'paramſ', 'Params', 'Id'])(
    'is no member of the message: %j (A23)',
    async (alike) => {
      const at = await place()
      const headers = await at.session()
      const swapped: JsonObject = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'echo' },
        [alike]: { name: 'secret' },
      }
      expect((await at.post(swapped, headers)).said).toBe(' for nobody')
      const member = alike.toLowerCase().replace('ſ', 's')
      const { [member]: value, ...rest } = { ...swapped, [alike]: swapped[member] }
      const heard = await at.post(rest, headers)
      expect(value).toBeDefined()
      expect(heard.result['content']).toBeUndefined()
      expect(at.ran).toEqual(['echo'])
    },
  )
})

describe('a header that says another thing than the body', () => {
  const call = (name: string, args: JsonObject = {}) =>
    modern(1, 'tools/call', { name, arguments: args })
  const SAFE: readonly (readonly [string, Record<string, string | readonly string[]>])[] = [
    ['another name', { 'mcp-name': 'region' }],
    ['the name in another case', { 'mcp-name': 'Echo' }],
    ['the name with more behind it', { 'mcp-name': 'echo,region' }],
    ['two names', { 'mcp-name': ['echo', 'region'] }],
    ['the same name twice', { 'mcp-name': ['echo', 'echo'] }],
    ['no name', { 'mcp-name': [] }],
    ['a name that is no Base64', { 'mcp-name': '=?base64?ZWNo?=x' }],
    ['a name of bad Base64', { 'mcp-name': '=?base64?Z*?=' }],
    ['another name in Base64', { 'mcp-name': '=?base64?cmVnaW9u?=' }],
    ['another method', { 'mcp-method': 'tools/list' }],
    ['no method', { 'mcp-method': [] }],
    ['two methods', { 'mcp-method': ['tools/call', 'tools/list'] }],
    ['another version', { 'mcp-protocol-version': '2025-11-25' }],
    ['no version', { 'mcp-protocol-version': [] }],
    ['two versions', { 'mcp-protocol-version': ['2026-07-28', '2025-11-25'] }],
  ]

  it.each(SAFE)(
    'is refused with 400 and -32020, and nothing runs: %s (A24)',
    async (_, spoiled) => {
      const at = await place()
      const { json, headers } = call('echo')
      const reply = await post(at, JSON.stringify(json), { ...headers, ...spoiled })
      expect([reply.status, JSON.parse(reply.body).error.code]).toEqual([400, -32_020])
      expect(at.ran).toEqual([])
    },
  )

  it('is refused for an argument as well, whether missing, doubled or another (A24)', async () => {
    const at = await place()
    const { json, headers } = call('region', { region: 'eu' })
    for (const said of [[], 'us', ['eu', 'us'], 'EU', '=?base64?dXM=?=', '=?base64?!?=']) {
      const reply = await post(at, JSON.stringify(json), { ...headers, 'mcp-param-region': said })
      expect([said, reply.status, JSON.parse(reply.body).error.code]).toEqual([said, 400, -32_020])
    }
    expect(at.ran).toEqual([])
    for (const said of ['eu', '=?base64?ZXU=?='])
      expect(
        (await post(at, JSON.stringify(json), { ...headers, 'mcp-param-region': said })).status,
      ).toBe(200)
  })

  it('is never written by a client, whatever an argument holds (A24)', async () => {
    const at = await place()
    const client = await connect(http(at.served.url), { era: 'modern' })
    open.push(client)
    await client.listTools()
    for (const region of [
      'a\r\nX-Evil: 1',
      '\u0000',
      'é',
      ' eu ',
      '=?base64?ZXU=?=',
      '',
      '\u2028',
      'a\tb',
    ])
      expect(resultToText(await client.callTool('region', { region }))).toBe(region)
    await expect(client.callTool('ech\r\nX-Evil: 1')).rejects.toMatchObject({ rpcCode: -32_602 })
  })
})

describe('depth', () => {
  const nested = (depth: number, [before, after]: readonly [string, string]): string =>
    before.repeat(depth) + after.repeat(depth)
  const SHAPES: readonly (readonly [string, string])[] = [
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ]

  it.each([100, 127, 129, 10_000, 500_000])(
    'of %i levels is read or refused, over HTTP in both eras, and the server goes on (A26)',
    async (depth) => {
      const at = await place()
      const session = await at.session()
      for (const shape of SHAPES) {
        const each = shape[0] === '[{"a":' ? Math.floor(depth / 2) : depth
        const inner =
          shape[1] === ']' ? nested(each, shape) : nested(each, shape).replace(':}', ':0}')
        const deep = wholeOf(`"name":"echo","arguments":{"text":"x","more":${inner}}`)
        for (const [text, headers] of [
          [deep, HEADS],
          [deep.replace(`,"_meta":${META}`, ''), session],
        ] as const) {
          const { status, answer } = await at.post(text, headers)
          const code: unknown = Object(answer['error']).code
          expect([status, code]).toEqual(depth < 110 ? [200, undefined] : [400, -32_600])
        }
      }
      expect((await at.ask('tools/call', { name: 'echo' })).said).toBe(' for nobody')
    },
  )

  it('of an answer fails its call alone (A26)', async () => {
    let depth = 200_000
    const server = await smallServer((seen, response) => {
      if (seen.message?.['method'] !== 'tools/call') return false
      const inner = nested(depth, ['[', ']'])
      const text = `{"jsonrpc":"2.0","id":${JSON.stringify(seen.message['id'])},"result":{"content":[],"x":${inner}}}`
      response.writeHead(200, { 'content-type': 'application/json' }).end(text)
      return true
    })
    const client = await legacy(server)
    await expect(client.callTool('echo')).rejects.toMatchObject({ code: 'DP_PROTOCOL_MESSAGE' })
    depth = 3
    expect(await client.callTool('echo')).toMatchObject({ content: [] })
  })
})

const ODD_TEXT = 'aé\u2028\u2029\u0000\u0085\ud83d\ude00漢\r\n\t"\\\ufeff\u007f'

describe('an encoding', () => {
  it.each<readonly [string, Buffer, number]>([
    ['a byte that is none', Buffer.from([0xff]), 400],
    ['half a character', Buffer.from([0xc3]), 400],
    ['an overlong slash', Buffer.from([0xc0, 0xaf]), 400],
    ['a surrogate in UTF-8', Buffer.from([0xed, 0xa0, 0x80]), 400],
    ['a raw newline', Buffer.from('\n'), 400],
    ['a raw NUL', Buffer.from([0]), 400],
    ['half a surrogate pair, escaped', Buffer.from(String.raw`\ud800`), 200],
    ['a replacement character', Buffer.from('\ufffd'), 200],
  ])('with %s in a text is read or refused (A32)', async (_, bytes, status) => {
    const at = await place()
    const [before = '', after = ''] = wholeOf('"name":"echo","arguments":{"text":"#"}').split('#')
    const body = Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)])
    const init = { method: 'POST', headers: { ...JSON_BOTH, ...HEADS }, body }
    expect((await fetch(at.served.url, init)).status).toBe(status)
    expect(at.ran).toHaveLength(status === 200 ? 1 : 0)
  })

  it('is the same wherever a body is cut, and no line break leaves a text (A32)', async () => {
    const at = await place()
    const raw = await at.raw()
    const args = { text: ODD_TEXT.repeat(4) }
    const params = { name: 'echo', arguments: args, _meta: { progressToken: 1 } }
    const { json, headers } = modern(1, 'tools/call', params)
    const body = Buffer.from(JSON.stringify(json).replace(String.raw`\ufeff`, '\ufeff'))
    let expected: string | undefined
    const odd: number[] = []
    for (let cut = 1; cut < body.length; cut += 1) {
      raw.text = ''
      const head = headOf(at, { ...headers, 'transfer-encoding': 'chunked' })
      const pieces = [body.subarray(0, cut), body.subarray(cut)].flatMap((part) => [
        Buffer.from(`${part.length.toString(16)}\r\n`),
        part,
        Buffer.from('\r\n'),
      ])
      raw.socket.write(Buffer.concat([Buffer.from(head), ...pieces, Buffer.from('0\r\n\r\n')]))
      await raw.until(() => raw.text.endsWith('0\r\n\r\n'))
      const events = dechunked(raw)
      expected ??= events
      if (events !== expected) odd.push(cut)
    }
    expect(odd).toEqual([])
    const messages = readEvents(expected ?? '').map(({ data }) => JSON.parse(data) as JsonObject) // all of them
    expect(messages).toHaveLength(2)
    expect(JSON.stringify(messages)).toContain(JSON.stringify(args.text).slice(1, -1))
    expect((expected ?? '').split('\n').filter((line) => line.startsWith('data: '))).toHaveLength(2)
  })

  it.each(['\n', '\r\n', '\r'])(
    'is the same wherever an event stream with %j is cut (A32)',
    async (end) => {
      const text = ODD_TEXT.repeat(2)
      let cut = 1
      let length = 2
      const server = await smallServer((seen, response) => {
        if (seen.message?.['method'] !== 'tools/call') return false
        const result = { content: [{ type: 'text', text }] }
        const data = JSON.stringify({ jsonrpc: '2.0', id: seen.message['id'], result })
        const bytes = Buffer.from(`: hello${end}id: 1${end}data: ${data}${end}${end}`)
        length = bytes.length
        startEvents(response).write(bytes.subarray(0, cut))
        setImmediate(() => response.end(bytes.subarray(cut)))
        return true
      })
      const client = await legacy(server)
      for (; cut < length; cut += end === '\r' ? 1 : 3)
        expect(resultToText(await client.callTool('echo'))).toBe(text)
      expect(cut).toBeGreaterThan(100)
    },
  )
})

async function legacy(server: TestServer): Promise<Client> {
  open.push(server)
  const client = await connect(http(server.url), { era: 'legacy' })
  open.push(client)
  return client
}

function headOf({ port }: Place, headers: Record<string, string | readonly string[]>): string {
  const all = { host: `127.0.0.1:${port}`, ...JSON_BOTH, ...headers }
  const lines = Object.entries(all).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}: ${one}`),
  )
  return `POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

async function post(at: Place, body: string, headers: Record<string, string | readonly string[]>) {
  const raw = await at.raw()
  raw.socket.write(
    headOf(at, { ...headers, 'content-length': String(Buffer.byteLength(body)) }) + body,
  )
  const reply = await raw.reply()
  raw.close()
  return reply
}

/** The body of the reply in chunks that has come. */
function dechunked({ text }: RawHttp): string {
  let rest = Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4))
  let whole = ''
  for (;;) {
    const line = rest.indexOf('\r\n')
    const size = Number.parseInt(rest.subarray(0, line).toString(), 16)
    if (!(size > 0)) return whole
    whole += rest.subarray(line + 2, line + 2 + size).toString()
    rest = rest.subarray(line + 4 + size)
  }
}
