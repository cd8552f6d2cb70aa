/** Patterns, schemas and templates of strangers, and URIs that lead elsewhere: no time burnt, nothing fetched, no root left. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/base/json.ts'
import { connect } from '../../src/client/connect.ts'
import { parseTemplate } from '../../src/formats/uri-template.ts'
import { compileSchema } from '../../src/schema/check.ts'
import { defineTemplate } from '../../src/tools/template.ts'
import { http } from '../../src/transport/node/http-client.ts'
import { place } from '../support/attacked.ts'
import { nestedText } from '../support/hostile.ts'
import { smallServer, sendJson } from '../support/http/small-server.ts'
import { dice } from '../support/seeded.ts'

const SEED = 20_261_211
const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

/** CPU time of this process, the least of three tries: noise only adds. */
async function leastMs(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 3; turn += 1) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

describe('a template', () => {
  const EVIL: readonly (readonly [string, string])[] = [
    ['x://a{/id*}', `x://a/${','.repeat(8000)}`],
    ['x://a{/id*}', `x://a${'/,'.repeat(4000)}!`],
    ['x://{a}{b}{c}{d}', `x://${'a'.repeat(8000)}/`],
    ['x://{a,b,c,d,e}', `x://${','.repeat(8000)}/`],
    ['x://{+a}{+b}{+c}!', `x://${'a/'.repeat(4000)}`],
    ['x://a{?q*}', `x://a?${'a=&'.repeat(2600)}`],
    ['x://a{;q*}{;r*}', `x://a${';a=b'.repeat(2000)}/`],
    ['x://a{.b*}{.c*}{.d*}', `x://a${'.'.repeat(8000)}/`],
  ]

  it.each(EVIL)(
    '%s reads a URI that was made against it in no time (A28)',
    async (uriTemplate, uri) => {
      const made = defineTemplate({ uriTemplate, name: 'evil', read: () => 'x' })
      const at = await place({}, { templates: [made] })
      expect(await leastMs(() => at.ask('resources/read', { uri }))).toBeLessThan(200)
      expect(await leastMs(() => made.match('/' + ','.repeat(50)))).toBeLessThan(100)
    },
  )

  it(`made by chance reads what was made against it in linear time (A28, seed ${SEED})`, async () => {
    const chance = dice(SEED)
    const parts = ['{a}', '{+b}', '{/c*}', '{?d*}', '{;e}', '{.f*}', '{#g}', 'x', '/', '.', ',']
    const pieces = [',', '/', '.', 'a', '=', '&', '%2C', ';a=b', '?', '!']
    let worst = 0
    for (let turn = 0; turn < 150; turn += 1) {
      const text = `x:${Array.from({ length: chance.between(1, 8) }, () => chance.pick(parts)).join('')}`
      let template
      try {
        template = parseTemplate(
          text.replaceAll(
            /\{([^a-z]?)([a-z])/g,
            (_, op, name) => `{${op}${name}${Math.floor(chance.next() * 1e6)}`,
          ),
        )
      } catch {
        continue // no template
      }
      const uri = `x:${chance.pick(pieces).repeat(4000)}${chance.pick(pieces).repeat(4000)}`
      worst = Math.max(worst, await leastMs(() => template.match(uri)))
    }
    expect(worst).toBeLessThan(250)
  })
})

describe('a pattern in a schema', () => {
  const PATTERNS = [
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '(x+x+)+y',
    '^(.*a){12}$',
    '^(\\w+\\s?)*$',
    '([a-zA-Z]+)*$',
    '^(a?){25}a{25}$',
    '(.*)*b',
    '^((ab)*)*c$',
    '(a*)*(a*)*c',
    '^([^,]+,?)*$',
  ]

  it.each(PATTERNS)(
    '%s runs in time that its text allows, or is refused (A28)',
    async (pattern) => {
      const ready = await compileSchema({ type: 'string', pattern })
      for (const subject of [
        'a'.repeat(30_000) + '!',
        'x'.repeat(30_000),
        'ab '.repeat(10_000) + '!',
      ]) {
        const ms = await leastMs(() =>
          ready.kind === 'checkable' ? ready.check(subject) : undefined,
        )
        expect(ms).toBeLessThan(1000)
      }
    },
  )
})

describe('a schema of a server', () => {
  it('fetches nothing, costs little, and spoils no other tool of the list (A29)', async () => {
    let fetched = 0
    const bait = createServer((_, response) => {
      fetched += 1
      response.end('{}')
    })
    bait.on('connection', () => (fetched += 1))
    await new Promise<void>((resolve) => bait.listen(0, '127.0.0.1', resolve))
    open.push(bait)
    const { port } = bait.address() as AddressInfo // it listens on a port
    const object = { type: 'object' }
    const schemas: readonly JsonValue[] = [
      { ...object, $ref: `http://127.0.0.1:${port}/schema` },
      { ...object, $ref: 'http://169.254.169.254/latest/meta-data/' },
      { ...object, $ref: 'file:///etc/passwd' },
      { ...object, $schema: `http://127.0.0.1:${port}/meta`, $id: `http://127.0.0.1:${port}/` },
      { ...object, properties: { a: { $ref: '#' } } },
      { ...object, $ref: '#' },
      {
        ...object,
        $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
        $ref: '#/$defs/a',
      },
      { ...object, $dynamicAnchor: 'x', $dynamicRef: '#x' },
      { ...object, anyOf: Array.from({ length: 50_000 }, () => object) },
      { ...object, properties: { a: { enum: ['x'.repeat(1_000_000)] } } },
      { ...object, properties: { a: { pattern: '^(a+)+$' } } },
      JSON.parse(`{"type":"object","properties":{"a":${nestedText(100, 'objects')}}}`),
    ]
    const tools = schemas.map((inputSchema, at) => ({
      name: `evil-${at}`,
      inputSchema,
      outputSchema: inputSchema,
    }))
    const server = await smallServer((seen, response) => {
      if (seen.message?.['method'] !== 'tools/list') return false
      const list = [...tools, { name: 'good', inputSchema: { ...object, required: ['a'] } }]
      sendJson(response, { jsonrpc: '2.0', id: seen.message['id'], result: { tools: list } })
      return true
    })
    open.push(server)
    const client = await connect(http(server.url), { era: 'legacy' })
    open.push(client)
    expect((await client.listTools()).map(({ name }) => name)).toContain('good')
    expect(await client.callTool('good', { a: 1 })).toMatchObject({
      content: [{ text: '{"a":1}' }],
    })
    await expect(client.callTool('good', {})).rejects.toMatchObject({ code: 'DP_SCHEMA_ARGUMENTS' })
    for (const { name } of tools) {
      const args = { a: 'a'.repeat(28) + '!' }
      const before = process.cpuUsage()
      const code = await client.callTool(name, args).then(
        () => 'DP_',
        (error: unknown) => String(Reflect.get(Object(error), 'code')),
      )
      const { user, system } = process.cpuUsage(before)
      expect([name, code.slice(0, 3), (user + system) / 1000 < 2000]).toEqual([name, 'DP_', true])
    }
    expect(fetched).toBe(0)
  })
})

const INJECTIONS = [
  ';id',
  '$(id)',
  '`id`',
  '../',
  '..',
  '?x=1',
  '#x',
  '&x=1',
  '\r\nX-Evil: 1',
  '%2f',
  '%00',
  '\u0000',
  'a b',
  "' OR 1=1--",
  '{x}',
  '/etc/passwd',
  'C:\\x',
  '漢',
]

describe('a value in a template', () => {
  it.each(INJECTIONS)('is one value in one place when it is %j (A37)', (value) => {
    const template = parseTemplate('https://api.example/v1/{table}/{id}{?q}')
    const uri = template.expand({ table: value, id: value, q: value })
    const { origin, pathname, searchParams, hash } = new URL(uri)
    expect([origin, hash]).toEqual(['https://api.example', ''])
    // A dot segment is all that an address may lose: no expansion can keep it.
    expect(pathname.split('/')).toHaveLength(value === '..' ? 2 : 4)
    expect([...searchParams]).toEqual([['q', value]])
    expect(template.match(uri)).toEqual({ table: value, id: value, q: value })
    expect(uri).not.toMatch(/[\s"'`<>\\^{|}]/)
  })

  it('reaches a server’s code as it was written, in its own variable, or not at all (A37)', async () => {
    const at = await place()
    for (const value of INJECTIONS) {
      const uri = `row://${encodeURIComponent(value)}/x`
      const { said, error } = await at.ask('resources/read', { uri })
      const climbs = /\.\.|%00|\0/.test(value)
      expect(climbs ? error['code'] : JSON.parse(String(said))).toEqual(
        climbs ? -32_602 : { table: value, id: 'x' },
      )
    }
    for (const uri of [
      'row://a\r\nb/x',
      'row://a b/x',
      'row://a\u0000/x',
      'row://a"/x',
      'row://a%/x',
      'row://a%zz/x',
      'row://漢/x',
    ])
      expect(
        (
          await at.ask(
            'resources/read',
            { uri },
            { 'mcp-name': `=?base64?${Buffer.from(uri).toString('base64')}?=` },
          )
        ).error['code'],
      ).toBe(-32_602)
  })
})

describe('a URI', () => {
  const OUTSIDE = [
    'file:///etc/passwd',
    'file://host/root/a',
    'file://root/a',
    'file:/root/a',
    'FILE:///etc/passwd',
    'file:///root/../etc/passwd',
    'file:///root/a/../../etc/passwd',
    'file:///root/%2e%2e/etc/passwd',
    'file:///root/%2E%2e%2fetc%2fpasswd',
    'file:///root/..%2fetc/passwd',
    'file:///root/..%5cetc/passwd',
    'file:///root/.%2e/etc/passwd',
    'file:///root/..',
    'file:///root/a/..',
    'file:///root-evil/a',
    'file:///rootevil',
    'http://169.254.169.254/latest/meta-data/',
    'row://../x',
    'row://a/..',
    'row://%2e%2e/x',
    `file:///root/${'a/'.repeat(5000)}`,
    'root/a',
    '',
    'javascript:alert(1)',
  ]

  it.each(OUTSIDE)('that leaves what is offered reaches no code: %s (A38)', async (uri) => {
    const at = await place()
    const session = await at.session()
    const ask = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }
    const { error: old } = await at.post(ask, session)
    const { error } = await at.ask('resources/read', { uri })
    expect([-32_002, -32_602]).toContain(old['code'])
    expect(error['code']).toBe(-32_602)
    await at.post({ ...ask, method: 'resources/subscribe' }, session)
    expect(at.ran).toEqual([])
  })

  it('within what is offered does, with its path decoded once (A38)', async () => {
    const at = await place()
    for (const [uri, path] of [
      ['file:///root/a/b.txt', 'a/b.txt'],
      ['file:///root/a%20b', 'a b'],
      ['file:///root/a%252e%252e', 'a%2e%2e'],
      ['file:///root/a..b', 'a..b'],
    ] as const)
      expect((await at.ask('resources/read', { uri })).said).toBe(`contents of ${path}`)
  })

  it('of a completion names what there is, whatever its value (A38)', async () => {
    const at = await place()
    const ask = (
      uri: string,
      name: string,
      value: JsonValue,
    ): Promise<{ readonly error: JsonObject; readonly status: number }> =>
      at.ask('completion/complete', {
        ref: { type: 'ref/resource', uri },
        argument: { name, value },
      })
    expect((await ask('file:///root/{+path}', 'path', '../'.repeat(100))).status).toBe(200)
    for (const [uri, name, value] of [
      ['file:///etc/{+path}', 'path', 'x'],
      ['file:///root/{+path}', 'other', 'x'],
      ['file:///root/{+path}', 'path', 'x'.repeat(10_000)],
      ['file:///root/{+path}', 'path', ['x']],
    ] as const)
      expect((await ask(uri, name, value as JsonValue)).error['code']).toBe(-32_602)
  })
})
