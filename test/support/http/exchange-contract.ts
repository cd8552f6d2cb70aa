/** What every carrier of HTTP exchanges owes its sinks, as tests: against real servers on this machine. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HttpExchange } from '../../../src/transport/http/exchange.ts'
import { bodyOf, serveAnswer, serveBytes, serveHttp, type TestServer } from './servers.ts'
import { begin, make } from './watched-sink.ts'

const OK = 'HTTP/1.1 200 OK\r\n'

const NO_HTTP: Readonly<Record<string, string>> = {
  'two lengths': `${OK}content-length: 2\r\ncontent-length: 4\r\n\r\nabcd`,
  'a length beside chunks': `${OK}transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\nabcd`,
  'an unknown coding': `${OK}transfer-encoding: xchunked\r\ncontent-length: 4\r\n\r\nabcd`,
  'a chunk of no size': `${OK}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\nabcd`,
  'NUL in a header': `${OK}x-a: b\0c\r\n\r\n`,
  'another protocol': 'SSH-2.0-OpenSSH_9.6\r\n',
  'a switch to another protocol': 'HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nabcd',
  'headers without end': `${OK}${'x: y\r\n'.repeat(20_000)}\r\n`,
  nothing: '',
}

export function exchangeContract(name: string, makeExchange: () => HttpExchange): void {
  describe(`an exchange by ${name}`, () => {
    const servers: TestServer[] = []
    let exchange: HttpExchange
    const keep = (server: TestServer): TestServer => {
      servers.push(server)
      return server
    }
    beforeEach(() => {
      exchange = makeExchange()
    })
    afterEach(async () => {
      exchange.close?.()
      await Promise.all(servers.splice(0).map((server) => server.close()))
    })

    it('brings status, headers and body, and tells each step in order', async () => {
      const { url } = keep(
        await serveHttp((_, response) => {
          response.writeHead(207, [
            ['X-Kind', 'a'],
            ['x-kind', 'b'],
            ['Content-Type', 'text/plain'],
          ] as never) // pairs are allowed, and the types of Node know it for some versions only
          response.write('one ')
          setImmediate(() => response.end('two ✓'))
        }),
      )
      const sink = await make(exchange, url)
      expect([sink.status, sink.header('x-kind'), sink.header('content-type')]).toEqual([
        207,
        'a, b',
        'text/plain',
      ])
      expect(sink.header('x-none')).toBeUndefined()
      expect(sink.body).toBe('one two ✓')
      expect(sink.steps).toEqual(['sending', 'left', 'head', 'data', 'end'])
    })

    it('sends method, path, headers and body as they are', async () => {
      const { url } = keep(
        await serveHttp((request, response) => {
          void bodyOf(request).then((body) => {
            const { method, url: path, headers } = request
            response.end(JSON.stringify({ method, path, body, headers }))
          })
        }),
      )
      const sent = await make(exchange, `${url}/a%20b?c=d%26`, {
        method: 'POST',
        headers: { 'x-name': 'v  w', 'content-type': 'application/json' },
        body: '{"text":"ü🙂"}',
      })
      const { headers, ...rest } = JSON.parse(sent.body)
      expect(rest).toEqual({ method: 'POST', path: '/a%20b?c=d%26', body: '{"text":"ü🙂"}' })
      expect(headers).toMatchObject({
        'x-name': 'v  w',
        'content-type': 'application/json',
        'content-length': '17',
        host: new URL(url).host,
      })
      expect(headers).not.toHaveProperty('cookie')
      const got = JSON.parse((await make(exchange, url, { method: 'DELETE' })).body)
      expect(got).toMatchObject({ method: 'DELETE', path: '/', body: '' })
    })

    it('hands on each piece of a stream when it comes', async () => {
      let write: (text: string) => void = () => {}
      const { url } = keep(
        await serveHttp((_, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
          write = (text) => response.write(text)
        }),
      )
      const sink = begin(exchange, url)
      await sink.until(() => sink.status === 200)
      for (const text of ['a', 'b', 'c']) {
        write(text)
        await sink.until(() => sink.body.endsWith(text))
      }
      expect(sink.over).toBe(false)
      sink.flight.abort()
    })

    it('does not follow a redirect', async () => {
      const { url } = keep(
        await serveHttp((request, response) => {
          response.writeHead(request.url === '/' ? 307 : 200, { location: '/b' }).end()
        }),
      )
      const sink = await make(exchange, url)
      expect([sink.status, sink.header('location')]).toEqual([307, '/b'])
    })

    it('that is aborted tells nothing more, and the server sees that it is gone', async () => {
      let gone: () => void = () => {}
      const seen = new Promise<void>((resolve) => (gone = resolve))
      const { url } = keep(
        await serveHttp((_, response) => {
          response.on('close', gone)
          response.write('x')
        }),
      )
      const sink = begin(exchange, url)
      await sink.until(() => sink.body === 'x')
      sink.flight.abort()
      await seen
      sink.flight.abort()
      expect(sink.steps).toEqual(['sending', 'left', 'head', 'data'])
    })

    it('that is aborted at once tells nothing at all', async () => {
      const server = keep(await serveHttp((_, response) => void response.end()))
      const sink = begin(exchange, server.url)
      sink.flight.abort()
      const next = await make(exchange, server.url)
      expect([sink.steps, next.status]).toEqual([[], 200])
    })

    it('reads no further while it is paused, and goes on afterwards', async () => {
      const total = 64 * 1024 * 1024
      const piece = Buffer.alloc(256 * 1024, 'x')
      let written = 0
      const { url } = keep(
        await serveHttp((_, response) => {
          const more = (): void => {
            while (written < total) {
              written += piece.length
              if (!response.write(piece)) return void response.once('drain', more)
            }
            response.end()
          }
          more()
        }),
      )
      const sink = begin(exchange, url)
      await sink.until(() => sink.bytes > 0)
      sink.flight.pause()
      // Other exchanges go on, and each is time to read on by mistake.
      const other = keep(await serveHttp((_, response) => void response.end()))
      for (let time = 0; time < 100; time += 1) await make(exchange, other.url)
      const held = sink.bytes
      expect(held).toBeLessThan(4 * 1024 * 1024)
      expect(written).toBeLessThan(total)
      sink.flight.resume()
      await sink.until(() => sink.over)
      expect(sink.bytes).toBe(total)
    })

    it('fails when nobody is there, and was not sent', async () => {
      const server = await serveHttp(() => {})
      await server.close()
      const { error, steps } = await make(exchange, server.url, { method: 'POST', body: '{}' })
      expect(error).toMatchObject({ code: 'DP_TRANSPORT_CONNECT', sent: 'no' })
      expect(error?.message).toContain(server.url)
      expect(steps.at(-1)).toBe('failed')
    })

    it('fails when the connection goes without an answer, and may have been sent', async () => {
      const { url } = keep(
        await serveBytes((socket) => socket.once('data', () => socket.destroy())),
      )
      const { error } = await make(exchange, url, { method: 'POST', body: '{}' })
      expect(error).toMatchObject({ code: 'DP_TRANSPORT_CLOSED', sent: 'maybe' })
    })

    it('fails when its answer breaks off, and was sent', async () => {
      const answers = [
        'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf',
        'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n',
      ]
      for (const answer of answers) {
        const { url } = keep(await serveAnswer(answer))
        const { error, body, steps } = await make(exchange, url)
        expect([body, steps.includes('end')]).toEqual(['half', false])
        expect(error).toMatchObject({ code: 'DP_TRANSPORT_CLOSED', sent: 'yes' })
      }
    })

    it.each(Object.entries(NO_HTTP))(
      'fails, and ends the connection, when what comes is no HTTP: %s',
      async (_, answer) => {
        const server = keep(await serveAnswer(answer))
        const { error } = await make(exchange, server.url)
        expect(error).toMatchObject({ family: 'transport' })
        await server.quiet()
      },
    )

    it('keeps no connection after it is closed', async () => {
      const server = keep(await serveHttp((_, response) => void response.end('x')))
      await make(exchange, server.url)
      exchange.close?.()
      if (exchange.close !== undefined) await server.quiet()
      expect(server.connections).toHaveLength(1)
    })
  })
}
