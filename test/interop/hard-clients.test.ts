/**
 * The server, as a process, against clients that break the rules of stdio in the ways that real ones have: broken
 * lines, odd ids, no handshake, requests without an end and nobody who reads the answers.
 */
import { rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { bundleFile } from '../support/bundle.ts'
import {
  callOf,
  endServers,
  initialize,
  initialized,
  memoryOf,
  ping,
  startServer,
  type ServerProcess,
} from '../support/server-process.ts'

/** For machines that are slow or busy. */
const LONG = { timeout: 30_000, interval: 5 }

let file = ''
beforeAll(async () => {
  file = await bundleFile('test/support/server-under-test.ts')
})
afterAll(() => rmSync(file, { force: true }))
afterEach(endServers)

/** A server whose session is open. */
async function ready(...words: string[]): Promise<ServerProcess> {
  const server = startServer(file, words)
  server.send(initialize, initialized)
  await server.answer('init')
  return server
}

const text = (value: string) => ({ result: { content: [{ type: 'text', text: value }] } })

describe('a client that writes what is no message', () => {
  it('gets a parse error without an id for each broken line, and answers to the rest [STDIO-21]', async () => {
    const server = await ready()
    const broken = [
      '{"jsonrpc":"2.0","id":1,"method":"ping"',
      '}{',
      'GET / HTTP/1.1',
      'Content-Length: 3',
      "{'id':1}",
    ]
    server.send(...broken, callOf(2, 'echo', { text: 'still' }))
    expect(await server.answer(2)).toMatchObject(text('still'))
    const errors = server.answers().filter(({ error }) => error !== undefined)
    expect(errors).toHaveLength(broken.length)
    for (const error of errors) expect(error).toMatchObject({ id: null, error: { code: -32700 } })
  })

  it('gets an invalid request, or nothing where it claims to answer [RPC-01]', async () => {
    const server = await ready()
    server.send('null', '0', '"ping"', 'true', '[]', '[null]', '{}')
    server.send(
      { jsonrpc: '2.0', id: 50, result: {} },
      { jsonrpc: '2.0', id: 51, error: { code: 1, message: 'm' } },
    )
    server.send(
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { id: 2, method: 'ping' },
      { jsonrpc: '2.0', id: 3 },
    )
    server.send(
      { jsonrpc: '2.0', id: 4, method: {} },
      { jsonrpc: '2.0', id: 5, method: 'ping', params: [1] },
    )
    server.send(ping('after'))
    expect(await server.answer('after')).toMatchObject({ result: {} })
    const [, ...answers] = server.answers().slice(0, -1)
    expect(answers.map(({ id }) => id ?? null)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      1,
      2,
      3,
      4,
      5,
    ])
    for (const answer of answers) expect(answer).toMatchObject({ error: { code: -32600 } })
  })

  it('is answered after bytes that are no UTF-8, and after a line that is too long [RPC-02]', async () => {
    const server = await ready('narrow')
    server.child.stdin.write(Buffer.from([0x7b, 0xff, 0xfe, 0x0a]))
    server.send(callOf('long', 'echo', { text: 'x'.repeat(2 << 20) }), ping('after'))
    expect(await server.answer('after')).toMatchObject({ result: {} })
    expect(await server.answer('long')).toMatchObject({ error: { code: -32600 } })
    expect(
      server.answers().some(({ id, error }) => (id ?? null) === null && error !== undefined),
    ).toBe(true)
  })
})

it('reads a byte order mark, both line ends, blanks, empty lines and line separators in texts [STDIO-20]', async () => {
  const server = startServer(file)
  server.child.stdin.write(`\uFEFF${JSON.stringify(initialize)}\r\n\r\n \t\n`)
  server.child.stdin.write(
    `   ${JSON.stringify(callOf(1, 'echo', { text: 'a\u2028b\u2029c\uFEFF' }))} \r\n`,
  )
  expect(await server.answer(1)).toMatchObject(text('a\u2028b\u2029c\uFEFF'))
  expect(server.answers()).toHaveLength(2)
})

it('reads a message however its bytes are cut [STDIO-20]', async () => {
  const server = await ready()
  server.child.stdin.setDefaultEncoding('latin1')
  const bytes = Buffer.from(`${JSON.stringify(callOf(1, 'echo', { text: '日本 🦀 é' }))}\r\n`)
  for (const byte of bytes) {
    server.child.stdin.write(Buffer.of(byte))
    await new Promise(setImmediate)
  }
  expect(await server.answer(1)).toMatchObject(text('日本 🦀 é'))
})

it('gives every id back as it came, type and value [RPC-06]', async () => {
  const server = await ready()
  const ids = [
    '1',
    1,
    0,
    -7,
    '',
    '0',
    Number.MAX_SAFE_INTEGER,
    'ключ 🔑',
    '{"a":1}',
    '__proto__',
    ' ',
  ]
  server.send(...ids.map(ping), '{"jsonrpc":"2.0","id":null,"method":"ping"}', ping('end'))
  await server.answer('end')
  const answers = server.answers().filter(({ result }) => result !== undefined)
  expect(answers.map(({ id }) => id)).toEqual(['init', ...ids, 'end'])
})

it('answers what comes before the handshake, and shakes hands all the same [LIFE-05, VERS-02]', async () => {
  const server = startServer(file)
  server.send(
    ping(1),
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    initialized,
    initialize,
    initialized,
  )
  server.send({ jsonrpc: '2.0', id: 3, method: 'tools/list' })
  expect(await server.answer(3)).toHaveProperty('result.tools')
  expect(await server.answer(1)).toMatchObject({ result: {} })
  expect(await server.answer(2)).toMatchObject({ error: { code: -32602 } })
  expect(await server.answer('init')).toMatchObject({ result: { protocolVersion: '2025-06-18' } })
})

it('refuses unknown methods, tools and arguments with the code for each [ERR-01, ERR-14, ERR-20]', async () => {
  const server = await ready()
  const cases: [string, unknown, number][] = [
    ['no/such', {}, -32601],
    ['resources/read', { uri: 'a:b' }, -32601],
    ['tools/call', undefined, -32602],
    ['tools/call', null, -32602],
    ['tools/call', { name: 5 }, -32602],
    ['tools/call', { name: 'none' }, -32602],
    ['tools/call', { name: 'echo', arguments: [] }, -32602],
    ['tools/call', { name: 'echo' }, -32602],
    ['tools/list', { cursor: 'none' }, -32602],
  ]
  server.send({ jsonrpc: '2.0', method: 'no/such' })
  for (const [id, [method, params]] of cases.entries())
    server.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  const codes = await Promise.all(cases.map((_, id) => server.answer(id)))
  expect(codes.map(({ error }) => Reflect.get(Object(error), 'code'))).toEqual(
    cases.map(([, , code]) => code),
  )
  expect(server.answers()).toHaveLength(1 + cases.length)
})

describe('a client that leaves', () => {
  it('has every answer that it was owed, and the server ends at once [STDIO-10]', async () => {
    const server = startServer(file)
    server.child.stdin.end(
      [initialize, initialized, ...Array.from({ length: 300 }, (_, id) => ping(id))]
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
    )
    expect(await server.exited).toBe(0)
    expect(server.answers()).toHaveLength(301)
  })

  it.each([[], ['busy']])(
    'ends a server that is at work (%s) without waiting for the work [STDIO-10]',
    async (...words) => {
      const server = await ready(...words)
      server.send(callOf(1, 'slow', { ms: 600_000 }), ping('begun'))
      await server.answer('begun')
      server.child.stdin.end()
      expect(await server.exited).toBe(0)
      expect(server.stderr()).toBe('')
    },
  )

  it('ends a server whose answers go nowhere, without a crash', async () => {
    const server = await ready('busy')
    server.child.stdout.destroy()
    const beat = setInterval(() => server.send(ping('x')), 20)
    try {
      expect(await server.exited).toBe(0)
    } finally {
      clearInterval(beat)
    }
    expect(server.stderr()).toBe('')
  })
})

it('keeps stray output of its tools off the protocol, on stderr [STDIO-03]', async () => {
  const server = await ready('chatty')
  server.send(callOf(1, 'echo', { text: 'hello\n{"jsonrpc":"2.0","id":9,"result":{}}' }))
  await server.answer(1)
  expect(server.lines.map((line) => JSON.parse(line) as unknown)).toHaveLength(2)
  await vi.waitFor(() => expect(server.stderr()).toContain('a stray word hello'), LONG)
})

describe('a client that asks and asks and does not read', () => {
  const many = (count: number, request: (id: number) => object): string =>
    Array.from({ length: count }, (_, id) => `${JSON.stringify(request(id))}\n`).join('')

  it('finds every answer when it reads again', async () => {
    const server = startServer(file, [], true)
    server.send(initialize, initialized)
    server.child.stdin.write(many(20_000, ping))
    // As much as the pipes hold has been answered by now, and nobody has read it.
    await vi.waitFor(() => expect(server.child.stdout.readableLength).toBeGreaterThan(0), LONG)
    server.child.stdout.resume()
    await server.answer(19_999)
    expect(server.answers()).toHaveLength(20_001)
  })

  it.each([
    ['pings', 200_000, ping],
    ['calls', 50_000, (id: number) => callOf(id, 'echo', { text: 'p'.repeat(1000) })],
    ['messages that are none', 200_000, (id: number) => ({ id, method: 'ping' })],
  ] as const)('cannot fill the memory of the server with %s', async (_, count, request) => {
    const server = startServer(file)
    server.send(initialize, initialized)
    // Sent and read once: what any busy process is given by the system is not what unread answers hold.
    server.child.stdin.write(many(count, request))
    server.send(ping('warm'))
    await server.answer('warm')
    server.child.stdout.pause()
    const before = memoryOf(server.child.pid) ?? 0
    server.child.stdin.write(many(count, request))
    const peak = await highest(server, 1500)
    expect(peak - before).toBeLessThan(32 * 1024 * 1024)
  })
})

/** The most memory that a server is seen to hold within a time; where the system does not tell, 0. */
async function highest(server: ServerProcess, ms: number): Promise<number> {
  const until = performance.now() + ms
  let peak = 0
  while (performance.now() < until) {
    peak = Math.max(peak, memoryOf(server.child.pid) ?? 0)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return peak
}
