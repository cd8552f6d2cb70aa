import { expect, it } from 'vitest'
import { UsageError } from '../base/errors.ts'
import type { ServerReply, ServerRequest } from '../transport/http/server-request.ts'
import { httpHandler } from './http.ts'
import { Server } from './server.ts'

const server = new Server({ name: 'early', version: '1' })

/** A request that gets no further than the guard. */
const STRANGE: ServerRequest = {
  method: 'GET',
  target: '/mcp',
  remote: undefined,
  port: undefined,
  header: () => undefined,
  headersWith: () => ({}),
  readBody: () => {},
}

/** A reply that notes its status. */
function noted(statuses: number[]): ServerReply {
  return {
    answer: (status) => void statuses.push(status),
    stream: () => {
      throw new Error('no stream is expected')
    },
    onGone: () => {},
  }
}

it('answers requests that come before everything is loaded, in their order', async () => {
  const handler = httpHandler(server)
  const statuses: number[] = []
  handler.handle(STRANGE, noted(statuses))
  handler.handle({ ...STRANGE, target: '*' }, noted(statuses))
  expect(statuses).toEqual([])
  const response = await handler.fetch(new Request('http://localhost/mcp'))
  expect(statuses).toEqual([403, 400])
  expect(response.status).toBe(405)
  await handler.close()
})

it('lets only so many requests wait for that', async () => {
  const handler = httpHandler(server)
  const statuses: number[] = []
  for (let count = 0; count < 4096; count += 1) handler.handle(STRANGE, noted([]))
  handler.handle(STRANGE, noted(statuses))
  expect(statuses).toEqual([503])
  await handler.close()
  handler.handle(STRANGE, noted(statuses))
  expect(statuses).toEqual([503, 403])
})

it('says at once what can never match', () => {
  expect(() => httpHandler(server, { allowedHosts: ['http://a.example'] })).toThrow(UsageError)
  expect(() => httpHandler(server, { allowedOrigins: ['a.example'] })).toThrow(UsageError)
})

it('can be closed before everything is loaded, and refuses what comes later', async () => {
  const handler = httpHandler(server)
  const closed = handler.close()
  expect(handler.sessions).toBe(0)
  await closed
  const response = await handler.fetch(new Request('http://localhost/mcp'))
  expect(response.status).toBe(503)
})
