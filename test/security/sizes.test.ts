/** Messages that are too large, too slow, or without an end, over real sockets: memory and time stay bounded, others are served. */
import { createServer, type AddressInfo, type Server as NetServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { http } from '../../src/transport/node/http-client.ts'
import { place, type Place } from '../support/attacked.ts'
import { liveBytes } from '../support/heap.ts'
import type { RawHttp } from '../support/http/raw-http.ts'
import { smallServer, startEvents, type Misbehaviour } from '../support/http/small-server.ts'
import { bundleFile } from '../support/bundle.ts'
import { request } from '../support/fake-http.ts'
import { endServers, memoryOf, startServer } from '../support/server-process.ts'

const CAP = 256 * 1024
const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
  await endServers()
})

function begin(raw: RawHttp, { port }: Place, more: readonly string[]): void {
  raw.send([
    'POST /mcp HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    ...more,
  ])
}

/** Settles when both ends have taken everything that was written, as far as one can tell. */
async function taken(raw: RawHttp): Promise<void> {
  while (raw.socket.writableLength > 0 && !raw.ended) await new Promise(setImmediate)
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
}

describe('a body', () => {
  it('of a quarter of a million chunks of one byte costs what its bytes cost (A27)', async () => {
    const at = await place({ maxBodyBytes: CAP })
    await at.ask('tools/list')
    const raw = await at.raw()
    begin(raw, at, ['Transfer-Encoding: chunked'])
    const before = liveBytes()
    const piece = '1\r\n \r\n'.repeat(8192)
    for (let sent = 0; sent + 8192 < CAP; sent += 8192) {
      raw.socket.write(piece)
      await taken(raw)
    }
    const now = liveBytes()
    expect(raw.ended).toBe(false)
    expect(now.heap - before.heap + now.buffers - before.buffers).toBeLessThan(3 * CAP)
    raw.socket.write(piece)
    raw.socket.write(piece)
    expect((await raw.reply()).status).toBe(413)
  })
})

describe('a head', () => {
  it('without end is refused, in one header or in many, and the connection ends (A27)', async () => {
    const at = await place()
    for (const line of [() => 'x'.repeat(1000), (n: number) => `x-${n}: ${'x'.repeat(500)}\r\n`]) {
      const raw = await at.raw()
      raw.socket.write('POST /mcp HTTP/1.1\r\nx: ')
      for (let n = 0; n < 200 && !raw.ended; n += 1) {
        raw.socket.write(line(n))
        await taken(raw)
      }
      expect((await raw.reply()).status).toBe(431)
    }
  })
})

describe('a client that takes its time', () => {
  it('is ended with its head, its body or its silence, and two hundred of them hold up nobody (A27)', async () => {
    const times = { headersMs: 300, requestMs: 600, connectionIdleMs: 300 }
    const at = await place({ ...times, maxConnections: 1000 })
    const slow = await Promise.all(Array.from({ length: 200 }, () => at.raw()))
    for (const [index, raw] of slow.entries()) {
      if (index % 2 === 0) raw.socket.write('POST /mcp HTTP/1.1\r\nHo')
      else {
        begin(raw, at, ['Content-Length: 100000'])
        raw.socket.write('{"jsonrpc"')
      }
    }
    const before = liveBytes()
    for (let turn = 0; turn < 20; turn += 1) {
      expect((await at.ask('tools/call', { name: 'echo' })).status).toBe(200)
      for (const raw of slow) if (!raw.ended) raw.socket.write('a')
    }
    const now = liveBytes()
    expect(now.heap - before.heap + now.buffers - before.buffers).toBeLessThan(8 * 1024 * 1024)
    await Promise.all(slow.map((raw) => raw.until(() => raw.ended)))
    expect(slow.filter(({ text }) => !/^$|^HTTP\/1\.1 408/.test(text)).length).toBe(0)
  })

  it('of more connections than may be is turned away, and those that are in go on (A27)', async () => {
    const at = await place({ maxConnections: 5 })
    const held = await Promise.all(Array.from({ length: 5 }, () => at.raw()))
    const late = await at.raw()
    begin(late, at, ['Content-Length: 0'])
    await late.until(() => late.ended)
    expect(late.text).toBe('')
    const [first] = held
    if (first === undefined) throw new Error('There are five.')
    begin(first, at, ['Content-Length: 2'])
    first.socket.write('{}')
    expect((await first.reply()).status).toBe(400)
  })
})

describe('a body that is compressed', () => {
  it('is refused unread, so that a bomb stays small (A27)', async () => {
    const at = await place()
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20))
    for (const coding of ['gzip', 'br', 'deflate', 'identity, gzip', 'GZIP']) {
      const before = liveBytes()
      const headers = {
        'content-type': 'application/json',
        'content-encoding': coding,
        accept: BOTH,
      }
      const response = await fetch(at.served.url, { method: 'POST', headers, body: bomb })
      expect([coding, response.status]).toEqual([coding, 415])
      expect(liveBytes().buffers - before.buffers).toBeLessThan(CAP)
    }
  })
})

const BOTH = 'application/json, text/event-stream'
const LIMIT = 64 * 1024

/** A client whose server misbehaves when a tool is called, and takes messages of up to 64 KiB. */
async function misled(misbehave: Misbehaviour) {
  const server = await smallServer((seen, response, usual) =>
    seen.message?.['method'] === 'tools/call' && Object(seen.message['params']).name === 'bad'
      ? misbehave(seen, response, usual)
      : false,
  )
  open.push(server)
  const client = await connect(http(server.url), { era: 'legacy', maxMessageBytes: LIMIT })
  open.push(client)
  return client
}

describe('an answer of a server', () => {
  it.each(['line', 'lines', 'empty', 'id', 'unknown', 'comments', 'json', 'page'])(
    'without end, as %s, fails its call in time and in little memory, and others go on (A27)',
    async (kind) => {
      const server = startServer(await bundleFile('test/support/pouring-server.ts'))
      await expect.poll(() => server.lines.length).toBe(1)
      const url = `http://127.0.0.1:${server.lines[0]}/mcp`
      const client = await connect(http(url), { era: 'legacy', maxMessageBytes: LIMIT })
      open.push(client)
      const before = liveBytes()
      // Bytes are no sign of life: where the reader waits for the next event, the limit of the call holds.
      const call = client.callTool(kind, {}, { timeoutMs: 300 })
      await expect(call).rejects.toHaveProperty('code')
      await expect.poll(() => server.lines.length).toBe(2)
      const now = liveBytes()
      expect(now.heap - before.heap + now.buffers - before.buffers).toBeLessThan(16 * LIMIT)
      expect(await client.callTool('echo')).toHaveProperty('content')
    },
  )

  it('that is compressed is refused, so that a bomb stays small (A27)', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20))
    const client = await misled((_seen, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(bomb)
      return true
    })
    await expect(client.callTool('bad')).rejects.toHaveProperty('code')
    expect(await client.callTool('echo')).toHaveProperty('content')
  })

  it('costs its own event only when it is too large: the one behind it is heard (A27)', async () => {
    const client = await misled(({ message }, response, usual) => {
      const large = `{"jsonrpc":"2.0","method":"notifications/x","params":{"a":"${'x'.repeat(2 * LIMIT)}"}}`
      startEvents(response).write(`data: ${large}\n\n`)
      response.end(`data: ${JSON.stringify(usual)}\n\n`)
      return message !== undefined
    })
    expect(await client.callTool('bad')).toHaveProperty('content')
  })

  it('with a head without end, or none, is given up (A27)', async () => {
    const server: NetServer = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.write('HTTP/1.1 200 OK\r\nx: ')
      const more = (): void => void socket.write('x'.repeat(8000), () => setImmediate(more))
      more()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    open.push(server)
    const { port } = server.address() as AddressInfo // it listens on a port
    await expect(connect(http(`http://127.0.0.1:${port}/mcp`))).rejects.toHaveProperty('code')
  })
})

describe('a line on standard input', () => {
  it('without end is bounded in memory, and the next one is read (A27)', async () => {
    const server = startServer(await bundleFile('test/support/server-under-test.ts'), ['narrow'])
    const piece = Buffer.alloc(64 * 1024, 0x20)
    const { stdin, pid } = server.child
    const feed = async (pieces: number): Promise<number> => {
      for (let sent = 0; sent < pieces; sent += 1)
        if (!stdin.write(piece)) await new Promise((resolve) => stdin.once('drain', resolve))
      return memoryOf(pid) ?? 0
    }
    // The first megabytes bring the garbage that is always there.
    const before = await feed(1000)
    expect((await feed(2000)) - before).toBeLessThan(48 * 1024 * 1024)
    server.send('', request(2, 'ping'))
    await server.answer(2)
  })
})
