import http from 'node:http'
import net from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import {
  bodyOf,
  serveBytes,
  serveHttp,
  serveHttps,
  TLS,
  type TestServer,
} from '../../../test/support/http/servers.ts'
import { begin, make } from '../../../test/support/http/watched-sink.ts'
import type { HttpExchange } from '../http/exchange.ts'
import { nodeExchange, type NodeExchangeOptions } from './http-exchange.ts'

interface TestProxy {
  readonly port: number
  /** Request lines and credentials of what came to it. */
  readonly seen: { readonly line: string; readonly credentials: string | undefined }[]
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})
const keep = (server: TestServer): TestServer => {
  closing.push(() => server.close())
  return server
}
const exchangeWith = (options: NodeExchangeOptions): HttpExchange => {
  const exchange = nodeExchange(options)
  closing.push(() => exchange.close?.())
  return exchange
}

/** A proxy that passes plain requests on and makes tunnels, or answers those with `refusal`. */
async function startProxy(refusal?: number): Promise<TestProxy> {
  const seen: TestProxy['seen'] = []
  const note = (request: http.IncomingMessage): void => {
    const credentials = request.headers['proxy-authorization']
    seen.push({ line: `${request.method} ${request.url}`, credentials })
  }
  const server = http.createServer((request, response) => {
    note(request)
    const { method = '', url = '', headers } = request
    const passed = http.request(url, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    request.pipe(passed)
  })
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  server.on('connect', (request, socket, head) => {
    note(request)
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`)
      return
    }
    const port = Number(request.url?.split(':').at(-1))
    const far = net.connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      far.write(head)
      far.pipe(socket).pipe(far)
    })
    sockets.add(far)
    for (const one of [far, socket]) one.on('error', () => far.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, seen } // it listens on TCP
}

describe('a proxy', () => {
  it('is asked for the whole URL where TLS is not spoken, with its own credentials alone', async () => {
    const { url } = keep(
      await serveHttp((request, response) => {
        void bodyOf(request).then((body) =>
          response.end(JSON.stringify([request.url, request.headers.host, body])),
        )
      }),
    )
    const { port, seen } = await startProxy()
    const exchange = exchangeWith({ proxy: `http://me:pw@127.0.0.1:${port}` })
    const sink = await make(exchange, `${url}/mcp?a=1`, { method: 'POST', body: '{}' })
    expect(JSON.parse(sink.body)).toEqual(['/mcp?a=1', new URL(url).host, '{}'])
    const credentials = `Basic ${btoa('me:pw')}`
    expect(seen).toEqual([{ line: `POST ${url}/mcp?a=1`, credentials }])
  })

  it('makes one tunnel for all requests to a server of TLS, and sees nothing of them', async () => {
    const server = keep(
      await serveHttps((request, response) => void response.end(JSON.stringify(request.headers))),
    )
    const { port, seen } = await startProxy()
    const exchange = exchangeWith({
      proxy: `http://me:pw@127.0.0.1:${port}`,
      tls: { ca: TLS.ca },
    })
    const url = `https://localhost:${server.port}`
    for (let time = 0; time < 3; time += 1) {
      const sink = await make(exchange, url, { headers: { authorization: 'Bearer t' } })
      expect(JSON.parse(sink.body)).toMatchObject({ authorization: 'Bearer t' })
      expect(sink.body).not.toContain('proxy')
    }
    const credentials = `Basic ${btoa('me:pw')}`
    expect(seen).toEqual([{ line: `CONNECT localhost:${server.port}`, credentials }])
  })

  it('does not stand for the server: that has to prove who it is', async () => {
    const server = keep(await serveHttps((_, response) => void response.end()))
    const { port } = await startProxy()
    const proxy = `http://127.0.0.1:${port}`
    const url = `https://localhost:${server.port}`
    const { error } = await make(exchangeWith({ proxy }), url)
    expect(error).toMatchObject({ code: 'DP_TRANSPORT_CONNECT', sent: 'no' })
  })

  it('that refuses is named in the error, without its credentials', async () => {
    const { port } = await startProxy(407)
    const exchange = exchangeWith({ proxy: `http://me:pw@127.0.0.1:${port}` })
    const { error } = await make(exchange, 'https://a.test/', { method: 'POST', body: '{}' })
    expect(error).toMatchObject({ code: 'DP_TRANSPORT_CONNECT', sent: 'no' })
    expect(error?.message).toBe(
      `a.test:443 was not reached through the proxy 127.0.0.1:${port}: it answered 407.`,
    )
  })

  it('that is not there is told of as well', async () => {
    const exchange = exchangeWith({ proxy: 'http://127.0.0.1:1' })
    for (const url of ['https://a.test/', 'http://a.test/']) {
      const { error } = await make(exchange, url)
      expect(error).toMatchObject({ code: 'DP_TRANSPORT_CONNECT', sent: 'no' })
    }
  })

  it('that does not answer is given up after ten seconds', async () => {
    const silent = keep(await serveBytes(() => {}))
    const clock = fakeClock()
    const proxy = `http://127.0.0.1:${silent.port}`
    const sink = begin(exchangeWith({ proxy, clock }), 'https://a.test/')
    while (clock.pending === 0) await new Promise(setImmediate)
    await clock.advance(10_000)
    await sink.until(() => sink.over)
    expect(sink.error).toMatchObject({ code: 'DP_TRANSPORT_CONNECT', sent: 'no' })
    await silent.quiet()
    expect(clock.pending).toBe(0)
  })

  it('of the environment is passed by for servers on this machine', async () => {
    const { url } = keep(await serveHttp((_, response) => void response.end('direct')))
    const variables = { HTTP_PROXY: 'http://127.0.0.1:1' }
    expect((await make(exchangeWith({ variables }), url)).body).toBe('direct')
    const { error } = await make(exchangeWith({ variables }), 'http://a.test/')
    expect(error).toMatchObject({ code: 'DP_TRANSPORT_CONNECT' })
  })

  it('that cannot be used fails the request with what to write instead', async () => {
    const { error } = await make(exchangeWith({ proxy: 'socks5://a.test' }), 'http://b.test/')
    expect(error).toMatchObject({ code: 'DP_USAGE' })
  })
})
