import { describe, expect, it } from 'vitest'
import type { InboundRequest } from '../../jsonrpc/inbound-request.ts'
import { request } from '../../../test/support/fake-http.ts'
import { behind, head, HEADERS, post, servers } from '../../../test/support/http/listening.ts'
import { rawReply } from '../../../test/support/http/raw-http.ts'

describe('behind Node', () => {
  it('a request is answered in one piece with its length', async () => {
    const { url } = await behind({ onRequest: () => ({ text: 'é' }) })
    const response = await post(url, request(1, 'echo'))
    const text = await response.text()
    expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: 1, result: { text: 'é' } })
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
  })

  it('a connection carries one request after the other', async () => {
    const { port, openRaw } = await behind()
    const raw = await openRaw()
    const body = JSON.stringify(request(1, 'echo'))
    for (let n = 1; n <= 3; n += 1) {
      raw.send(head(port, [`Content-Length: ${body.length}`]), body)
      await raw.until(() => raw.replies === n)
    }
    expect([raw.replies, raw.ended]).toEqual([3, false])
  })

  it('a body may come in any pieces', async () => {
    const { port, openRaw } = await behind({ onRequest: () => ({ done: true }) })
    const raw = await openRaw()
    const body = Buffer.from(JSON.stringify(request('é🙂', 'echo')))
    raw.send(head(port, [`Content-Length: ${body.length}`]))
    for (const byte of body) {
      raw.socket.write(Uint8Array.of(byte))
      await new Promise(setImmediate)
    }
    expect((await raw.reply()).body).toContain('é🙂')
  })

  it('a stream tells its head at once, and goes on until it ends', async () => {
    let inbound: InboundRequest | undefined
    let answer = (): void => {}
    const { url } = await behind({
      onRequest: (_, asked) => {
        inbound = asked
        asked.notify('said', {})
        return new Promise((resolve) => (answer = () => resolve({})))
      },
    })
    const response = await post(url, request(1, 'wait'))
    expect([
      response.headers.get('content-type'),
      response.headers.get('x-accel-buffering'),
    ]).toEqual(['text/event-stream', 'no'])
    inbound?.notify('said', {})
    answer()
    expect((await response.text()).split('\n\n')).toHaveLength(4)
  })

  it('a request whose connection breaks is cancelled', async () => {
    let arrived = (_inbound: InboundRequest): void => {}
    const inbound = new Promise<InboundRequest>((resolve) => (arrived = resolve))
    const { port, openRaw } = await behind({
      onRequest: (_, asked) => {
        arrived(asked)
        return new Promise(() => {})
      },
    })
    const raw = await openRaw()
    const body = JSON.stringify(request(1, 'wait'))
    raw.send(head(port, [`Content-Length: ${body.length}`]), body)
    const { signal } = await inbound
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
    raw.close()
    await expect(aborted).resolves.toBeDefined()
  })

  it('a reader that takes nothing is cut off, and others are not disturbed', async () => {
    const inbounds = new Map<unknown, InboundRequest>()
    const { port, url, openRaw, endpoint } = await behind({
      maxUnsentBytes: 256 * 1024,
      onRequest: (_, asked) => {
        inbounds.set(asked.id, asked)
        asked.notify('begun', {})
        return new Promise(() => {})
      },
    })
    const slow = await openRaw()
    const body = JSON.stringify(request('slow', 'wait'))
    slow.send(head(port, [`Content-Length: ${body.length}`]), body)
    await slow.until(() => slow.text.includes('begun'))
    slow.socket.pause()
    const other = await post(url, request('other', 'wait'))
    expect(endpoint.open).toBe(2)
    const text = 'x'.repeat(64 * 1024)
    for (let n = 0; n < 400 && inbounds.get('slow')?.cancelled === false; n += 1) {
      inbounds.get('slow')?.notify('said', { text })
      await new Promise(setImmediate)
    }
    expect([
      inbounds.get('slow')?.cancelled,
      inbounds.get('other')?.cancelled,
      endpoint.open,
    ]).toEqual([true, false, 1])
    await other.body?.cancel()
  })

  it('a reader that takes nothing of a long answer is not waited for', async () => {
    const long = { text: 'x'.repeat(32 * 1024 * 1024) }
    const { port, openRaw } = await behind({ onRequest: () => long }, undefined, { stallMs: 100 })
    const [server] = servers
    const closed = new Promise((resolve) =>
      server?.on('connection', (socket) => socket.on('close', resolve)),
    )
    const raw = await openRaw()
    const body = JSON.stringify(request(1, 'long'))
    raw.send(head(port, [`Content-Length: ${body.length}`]), body)
    await raw.until(() => raw.text.length > 0)
    raw.socket.pause()
    await expect(closed).resolves.toBeDefined()
  })
})

describe('a request that could be read in two ways', () => {
  const body = JSON.stringify(request(1, 'echo'))
  const smuggled = 'POST /mcp HTTP/1.1\r\nHost: evil\r\nContent-Length: 0\r\n\r\n'

  it.each<[string, (port: number) => readonly string[], string]>([
    [
      'two Hosts',
      (port) => [...head(port, [`Content-Length: ${body.length}`]), 'Host: evil.example'],
      body,
    ],
    [
      'two Hosts, the good one last',
      (port) => [
        ...head(port, [`Content-Length: ${body.length}`], 'evil.example'),
        `Host: 127.0.0.1:${port}`,
      ],
      body,
    ],
    [
      'two equal Hosts',
      (port) => [...head(port, [`Content-Length: ${body.length}`]), `Host: 127.0.0.1:${port}`],
      body,
    ],
    [
      'no Host',
      (port) =>
        head(port, [`Content-Length: ${body.length}`]).filter((line) => !line.startsWith('Host')),
      body,
    ],
    ['an empty Host', (port) => head(port, [`Content-Length: ${body.length}`], ''), body],
    [
      'a whole URL as target',
      (port) => [
        'POST http://evil/ HTTP/1.1',
        ...head(port, [`Content-Length: ${body.length}`]).slice(1),
      ],
      body,
    ],
    [
      'a whole URL of its own as target',
      (port) => [
        `POST http://127.0.0.1:${port}/mcp HTTP/1.1`,
        ...head(port, [`Content-Length: ${body.length}`]).slice(1),
      ],
      body,
    ],
    [
      'two Origins',
      (port) => [
        ...head(port, [`Content-Length: ${body.length}`]),
        `Origin: http://127.0.0.1:${port}`,
        'Origin: https://evil',
      ],
      body,
    ],
    [
      'two types',
      (port) => [...head(port, [`Content-Length: ${body.length}`]), 'Content-Type: text/plain'],
      body,
    ],
    [
      'a length and chunks',
      (port) => head(port, ['Content-Length: 4', 'Transfer-Encoding: chunked']),
      `0\r\n\r\n${smuggled}`,
    ],
    [
      'two lengths',
      (port) => head(port, [`Content-Length: ${body.length}`, 'Content-Length: 5']),
      body,
    ],
    [
      'a folded header',
      (port) => head(port, ['X-Long: a', ' b', `Content-Length: ${body.length}`]),
      body,
    ],
    ['an odd encoding', (port) => head(port, ['Transfer-Encoding: xchunked']), body],
    [
      'two encodings',
      (port) => head(port, ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity']),
      `0\r\n\r\n${smuggled}`,
    ],
    ['a length that is no number', (port) => head(port, ['Content-Length: 1e1']), body],
    ['a space before the colon', (port) => head(port, [`Content-Length : ${body.length}`]), body],
    [
      'a header of more than 16 KiB',
      (port) => head(port, [`X-Long: ${'x'.repeat(17_000)}`, `Content-Length: ${body.length}`]),
      body,
    ],
  ])('by %s is refused, and begins no second one', async (_, lines, text) => {
    const { port, openRaw, talks } = await behind()
    const raw = await openRaw()
    raw.send(lines(port), text)
    const { status } = await raw.reply()
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    await new Promise(setImmediate)
    expect([talks.length, raw.replies]).toEqual([0, 1])
  })

  it('by bare line feeds is one request at most', async () => {
    const { port, openRaw, talks } = await behind()
    const raw = await openRaw()
    const lines = head(port, [`Content-Length: ${body.length}`])
    raw.socket.write(`${lines.join('\n')}\n\n${body}`)
    await raw.until(() => raw.replies > 0)
    expect(talks.length).toBeLessThanOrEqual(1)
    expect(raw.replies).toBe(1)
  })

  it('by two tokens lets nobody in', async () => {
    const { port, talks } = await behind({
      authenticate: (asked) =>
        asked.header('authorization') === 'Bearer good' ? { principal: 'a' } : undefined,
    })
    const lines = head(port, [
      `Content-Length: ${body.length}`,
      'Authorization: Bearer good',
      'Authorization: Bearer bad',
    ])
    expect((await rawReply(port, lines, body)).status).toBe(401)
    expect(talks).toEqual([])
  })

  it('by a doubled mirror header shows both values', async () => {
    const { port, wire } = await behind()
    const lines = head(port, [
      `Content-Length: ${body.length}`,
      'Mcp-Name: safe',
      'Mcp-Name: danger',
    ])
    await rawReply(port, lines, body)
    expect(wire.find(({ type }) => type === 'message')).toMatchObject({
      facts: { headers: { 'mcp-name': 'safe, danger' } },
    })
  })
})

describe('a body over the limit', () => {
  it('is refused by its length before a byte of it was read, and the connection ends', async () => {
    const { port, openRaw } = await behind({ maxBodyBytes: 1000 })
    const raw = await openRaw()
    raw.send(head(port, ['Content-Length: 1000000000']))
    const { status, head: said } = await raw.reply()
    expect([status, /connection: close/i.test(said)]).toEqual([413, true])
    await raw.until(() => false)
    expect(raw.ended).toBe(true)
  })

  it('does not have to say its length: chunks within the limit are read as one', async () => {
    const { port, openRaw } = await behind({ maxBodyBytes: 1000, onRequest: () => ({ ok: true }) })
    const raw = await openRaw()
    raw.send(head(port, ['Transfer-Encoding: chunked']))
    const text = JSON.stringify(request(1, 'echo', { text: 'é' }))
    for (const byte of Buffer.from(text)) raw.socket.write(Buffer.from([49, 13, 10, byte, 13, 10]))
    raw.socket.write('0\r\n\r\n')
    const reply = await raw.reply()
    expect([reply.status, JSON.parse(reply.body).result]).toEqual([200, { ok: true }])
  })

  it('is refused while it comes in chunks', async () => {
    const { port, openRaw, talks } = await behind({ maxBodyBytes: 1000 })
    const raw = await openRaw()
    raw.send(head(port, ['Transfer-Encoding: chunked']))
    const piece = `12c\r\n${' '.repeat(300)}\r\n`
    for (let n = 0; n < 3; n += 1) raw.socket.write(piece)
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    expect(raw.replies).toBe(0)
    raw.socket.write(piece)
    expect((await raw.reply()).status).toBe(413)
    expect(talks).toEqual([])
  })

  it('is one byte longer than what is taken', async () => {
    const { url } = await behind({ maxBodyBytes: 200 })
    const text = (size: number): string => JSON.stringify(request(1, 'echo')).padEnd(size)
    const sizes = await Promise.all(
      [199, 200, 201].map((size) =>
        fetch(url, { method: 'POST', headers: HEADERS, body: text(size) }),
      ),
    )
    expect(sizes.map(({ status }) => status)).toEqual([200, 200, 413])
  })

  it('does not end the connection when it is short and another reason came first', async () => {
    const { port, openRaw } = await behind()
    const raw = await openRaw()
    raw.send(['POST /mcp HTTP/1.1', 'Host: evil', 'Content-Length: 5'], 'xxxxx')
    await raw.until(() => raw.replies === 1)
    raw.send(['GET /mcp HTTP/1.1', `Host: 127.0.0.1:${port}`])
    await raw.until(() => raw.replies === 2)
    expect([raw.replies, raw.ended]).toEqual([2, false])
  })

  it('is not waited for when its sender goes', async () => {
    const { port, openRaw, endpoint, talks } = await behind()
    const raw = await openRaw()
    raw.send(head(port, ['Content-Length: 100']), '{')
    raw.close()
    await new Promise((resolve) => servers[0]?.close(resolve))
    expect([endpoint.open, talks.length]).toEqual([0, 0])
  })
})
