import { request as httpRequest, type RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../base/json.ts'
import { request } from '../../../test/support/fake-http.ts'
import { behind, post } from '../../../test/support/http/listening.ts'

describe('a framework that has read the body', () => {
  const parsed =
    (body: unknown) =>
    (listener: RequestListener) =>
    (incoming: Parameters<RequestListener>[0], outgoing: Parameters<RequestListener>[1]) => {
      incoming.resume()
      incoming.on('end', () => listener(Object.assign(incoming, { body }), outgoing))
    }
  const message: JsonObject = request('é', 'echo')

  it.each<[string, unknown]>([
    ['an object', message],
    ['text', JSON.stringify(message)],
    ['bytes', Buffer.from(JSON.stringify(message))],
  ])('hands it on as %s', async (_, body) => {
    const { url } = await behind({}, parsed(body))
    expect(await (await post(url, message)).json()).toMatchObject({ id: 'é', result: {} })
  })

  it.each<[string, unknown, number]>([
    ['an object that is none of JSON', { a: 1n }, 400],
    ['bytes that are no UTF-8', Uint8Array.of(0xff), 400],
    ['a function', () => {}, 400],
    ['nothing of use', {}, 400],
    ['more than is taken', 'x'.repeat(2000), 413],
  ])('does not break it with %s', async (_, body, status) => {
    const { url } = await behind({ maxBodyBytes: 1000 }, parsed(body))
    expect((await post(url, message)).status).toBe(status)
  })
})

describe('an endpoint under a router', () => {
  it('sees the path that is left for it', async () => {
    const strip =
      (listener: RequestListener) =>
      (incoming: Parameters<RequestListener>[0], outgoing: Parameters<RequestListener>[1]) =>
        listener(Object.assign(incoming, { url: incoming.url?.replace('/api', '') }), outgoing)
    const { port } = await behind({ path: '/mcp' }, strip)
    expect((await post(`http://127.0.0.1:${port}/api/mcp`, request(1, 'echo'))).status).toBe(200)
  })

  it('answers HEAD as any method that it has not', async () => {
    const { port } = await behind()
    const status = await new Promise((resolve) => {
      httpRequest({ port, host: '127.0.0.1', method: 'HEAD', path: '/mcp' }, (reply) =>
        resolve(reply.resume().statusCode),
      ).end()
    })
    expect(status).toBe(405)
  })
})
