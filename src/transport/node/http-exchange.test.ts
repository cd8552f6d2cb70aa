import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { exchangeContract } from '../../../test/support/http/exchange-contract.ts'
import {
  bodyOf,
  serveAnswer,
  serveBytes,
  serveHttp,
  serveHttps,
  TLS,
  type TestServer,
} from '../../../test/support/http/servers.ts'
import { begin, make } from '../../../test/support/http/watched-sink.ts'
import type { HttpExchange } from '../http/exchange.ts'
import { nodeExchange, type NodeExchangeOptions } from './http-exchange.ts'

exchangeContract('Node’s client', () => nodeExchange())

const servers: TestServer[] = []
const exchanges: HttpExchange[] = []
const keep = (server: TestServer): TestServer => {
  servers.push(server)
  return server
}
const exchangeWith = (options: NodeExchangeOptions = {}): HttpExchange => {
  const exchange = nodeExchange(options)
  exchanges.push(exchange)
  return exchange
}
afterEach(async () => {
  for (const exchange of exchanges.splice(0)) exchange.close?.()
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const POST = { method: 'POST', body: '{}' } as const

describe('connections', () => {
  it('are kept and used again, one for each exchange that is under way', async () => {
    const server = keep(await serveHttp((_, response) => void response.end('x')))
    const exchange = exchangeWith()
    for (let time = 0; time < 5; time += 1) await make(exchange, server.url, POST)
    expect(server.connections).toHaveLength(1)
    await Promise.all([1, 2, 3].map(() => make(exchange, server.url, POST)))
    expect(server.connections).toHaveLength(3)
  })

  it('that were reset before the request was on them are replaced, once', async () => {
    let posts = 0
    const server = keep(
      await serveHttp((request, response) => {
        posts += 1
        void bodyOf(request).then((body) => response.end(body))
      }),
    )
    const exchange = exchangeWith()
    await make(exchange, server.url, POST)
    // The reset is on its way before the next request, and this side has not read it yet.
    server.connections[0]?.resetAndDestroy()
    const sink = await make(exchange, server.url, { method: 'POST', body: '{"n":2}' })
    expect([sink.body, sink.error, posts]).toEqual(['{"n":2}', undefined, 2])
    expect(sink.steps.filter((step) => step === 'head')).toHaveLength(1)
  })

  it('that are reset again fail, and are not tried for ever', async () => {
    let connections = 0
    const server = keep(
      await serveBytes((socket) => {
        connections += 1
        socket.on('data', () => {
          if (connections === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
          else socket.resetAndDestroy()
        })
      }),
    )
    const exchange = exchangeWith()
    await make(exchange, server.url, POST)
    server.connections[0]?.resetAndDestroy()
    const { error } = await make(exchange, server.url, POST)
    expect(error).toMatchObject({ code: 'DP_TRANSPORT_CLOSED', sent: 'maybe' })
    expect(connections).toBe(2)
  })

  it('that go after the request was on them fail it: it may have been executed', async () => {
    let posts = 0
    const server = keep(
      await serveHttp((_, response) => {
        posts += 1
        if (posts === 1) response.end()
        else response.socket?.destroy()
      }),
    )
    const exchange = exchangeWith()
    await make(exchange, server.url, POST)
    const { error } = await make(exchange, server.url, POST)
    expect(error).toMatchObject({ code: 'DP_TRANSPORT_CLOSED', sent: 'maybe' })
    expect([posts, server.connections.length]).toEqual([2, 1])
  })

  it('that are idle are ended after a while, and streams that are silent are not', async () => {
    const server = keep(
      await serveHttp((request, response) => {
        response.writeHead(200).flushHeaders()
        // Longer than connections are kept: they must not count as idle.
        if (request.url === '/silent') setTimeout(() => response.end('late'), 300)
        else response.end()
      }),
    )
    const exchange = exchangeWith({ keepMs: 50 })
    await make(exchange, `${server.url}/idle`)
    await once(server.connections[0] as Socket, 'close') // the connection of the exchange above
    const silent = await make(exchange, `${server.url}/silent`)
    expect([silent.body, silent.error]).toEqual(['late', undefined])
  })
})

describe('reaching a server', () => {
  it('is given up after ten seconds, also when only TLS is missing', async () => {
    const silent = keep(await serveBytes((socket) => void socket.resume()))
    const clock = fakeClock()
    const sink = begin(exchangeWith({ clock }), silent.url.replace('http:', 'https:'), POST)
    while (clock.pending === 0) await new Promise(setImmediate)
    await clock.advance(9999)
    expect(sink.steps).toEqual([])
    await clock.advance(1)
    await sink.until(() => sink.over)
    expect(sink.error).toMatchObject({ code: 'DP_TRANSPORT_CONNECT', sent: 'no' })
    expect(sink.error?.message).toContain('10000 ms')
    await silent.quiet()
    expect(clock.pending).toBe(0)
  })

  it('leaves no timer behind when it works, fails or is given up', async () => {
    const clock = fakeClock()
    const server = keep(await serveHttp((_, response) => void response.end()))
    const exchange = exchangeWith({ clock })
    await make(exchange, server.url)
    await make(exchange, 'http://127.0.0.1:1/')
    const silent = keep(await serveBytes(() => {}))
    const sink = begin(exchange, silent.url.replace('http:', 'https:'))
    while (clock.pending === 0) await new Promise(setImmediate)
    sink.flight.abort()
    expect(clock.pending).toBe(0)
  })

  it('tells of the first reason when all addresses of a name fail', async () => {
    const { error } = await make(exchangeWith(), 'http://localhost:1/', POST)
    expect(error).toMatchObject({ code: 'DP_TRANSPORT_CONNECT', sent: 'no' })
    expect(error?.message).toContain('ECONNREFUSED')
  })

  it('tells of a name that nobody knows', async () => {
    const { error } = await make(exchangeWith(), 'http://nobody.invalid/', POST)
    expect(error).toMatchObject({ code: 'DP_TRANSPORT_CONNECT', sent: 'no' })
  })
})

describe('answers', () => {
  it('may have headers up to the limit', async () => {
    const headers = `x-a: ${'y'.repeat(3000)}\r\n`
    const { url } = keep(
      await serveAnswer(`HTTP/1.1 200 OK\r\n${headers}content-length: 0\r\n\r\n`),
    )
    const small = await make(exchangeWith({ maxHeaderBytes: 2000 }), url)
    expect(small.error).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
    const large = await make(exchangeWith({ maxHeaderBytes: 4000 }), url)
    expect(large.header('x-a')).toHaveLength(3000)
  })

  it('are not asked for in any encoding, and refused in one', async () => {
    let asked: string | undefined
    const server = keep(
      await serveHttp((request, response) => {
        asked = request.headers['accept-encoding']
        response.writeHead(200, { 'content-encoding': 'gzip' }).end('xxxx')
      }),
    )
    const sink = await make(exchangeWith(), server.url)
    expect(asked).toBe('identity')
    expect(sink.steps).toEqual(['sending', 'left', 'failed'])
    expect(sink.error).toMatchObject({ code: 'DP_TRANSPORT_HTTP', status: 200 })
    await server.quiet()
  })

  it('are read strictly, whatever the options of the process say', async () => {
    const folded = 'HTTP/1.1 200 OK\r\nx-a: b\r\n c\r\ncontent-length : 0\r\n\r\n'
    const { url } = keep(await serveAnswer(folded))
    expect((await make(exchangeWith(), url)).error).toMatchObject({ family: 'transport' })
  })
})

describe('requests', () => {
  it('are backlog as long as the system does not take them', async () => {
    const server = keep(await serveBytes((socket) => socket.pause()))
    const body = 'x'.repeat(64 * 1024 * 1024)
    const sink = begin(exchangeWith(), server.url, { method: 'POST', body })
    await sink.until(() => sink.steps.includes('sending'))
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate)
    expect(sink.steps).toEqual(['sending'])
    server.connections[0]?.on('data', () => {})
    server.connections[0]?.resume()
    await sink.until(() => sink.steps.includes('left'))
    sink.flight.abort()
  })

  it('that cannot be made fail and are not sent', async () => {
    const server = keep(await serveHttp((_, response) => void response.end()))
    const exchange = exchangeWith()
    for (const headers of [{ 'a b': 'c' }, { a: 'b\nc' }, { a: '\u0100' }]) {
      const { error } = await make(exchange, server.url, { headers })
      expect(error).toMatchObject({ code: 'DP_TRANSPORT_WRITE', sent: 'no' })
    }
    expect(server.connections).toHaveLength(0)
  })
})

describe('TLS', () => {
  it('is spoken with servers whose certificate is signed by whom one trusts', async () => {
    const { url } = keep(await serveHttps((_, response) => void response.end('safe')))
    const { ca } = TLS
    expect((await make(exchangeWith({ tls: { ca } }), url)).body).toBe('safe')
    expect((await make(exchangeWith({ tls: { ca: [Buffer.from(ca)] } }), url)).body).toBe('safe')
  })

  it('is refused with any other, before anything is sent', async () => {
    let requests = 0
    const server = keep(
      await serveHttps((_, response) => {
        requests += 1
        response.end()
      }),
    )
    const stranger = await make(exchangeWith(), server.url, POST)
    expect(stranger.error).toMatchObject({ code: 'DP_TRANSPORT_CONNECT', sent: 'no' })
    const tls = { ca: TLS.ca, servername: 'other.test' }
    const misnamed = await make(exchangeWith({ tls }), server.url, POST)
    expect(misnamed.error).toMatchObject({ code: 'DP_TRANSPORT_CONNECT', sent: 'no' })
    expect(requests).toBe(0)
  })

  it('accepts anything only when told to', async () => {
    const { url } = keep(await serveHttps((_, response) => void response.end('risky')))
    const exchange = exchangeWith({ tls: { rejectUnauthorized: false } })
    expect((await make(exchange, url)).body).toBe('risky')
  })

  it('shows a certificate of its own where a server wants one', async () => {
    const { cert, key, ca } = TLS
    const demands = { requestCert: true, rejectUnauthorized: true, ca }
    const { url } = keep(await serveHttps((_, response) => void response.end('known'), demands))
    expect((await make(exchangeWith({ tls: { ca, cert, key } }), url)).body).toBe('known')
    expect((await make(exchangeWith({ tls: { ca } }), url)).error).toMatchObject({
      family: 'transport',
    })
  })
})
