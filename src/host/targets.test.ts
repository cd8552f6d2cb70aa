import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { recordingPort } from '../../test/support/stdio/port.ts'
import { entryOf } from '../../test/support/runtime.ts'
import { UsageError } from '../base/errors.ts'
import type { UrlEntry } from '../config/entry.ts'
import { transportOf } from './targets.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

function urlEntry(rest: Partial<UrlEntry>): UrlEntry {
  const { command: _, args: __, env: ___, ...base } = entryOf('web')
  return { ...base, transport: 'auto', url: 'https://example.com/mcp', headers: {}, ...rest }
}

describe('the way to a server', () => {
  it('that is a process is named by its key, and has its time to start', () => {
    expect(transportOf(entryOf('files', { command: 'node' }))).toMatchObject({
      name: 'files',
      startTimeoutMs: 30_000,
    })
    expect(transportOf(entryOf('files', { command: 'npx' }))).toMatchObject({
      startTimeoutMs: 120_000,
    })
    expect(transportOf(entryOf('files')).reopens).toBeUndefined()
  })

  it.each<[UrlEntry['transport'], boolean]>([
    ['auto', true],
    ['streamable-http', false],
    ['sse', false],
  ])('over HTTP as %s has another way to fall back on: %s', (transport, falls) => {
    const way = transportOf(urlEntry({ transport }))
    expect(way).toMatchObject({ name: 'web', reopens: true })
    expect(way.fallback !== undefined).toBe(falls)
  })

  it.each(['wss://example.com/mcp', 'WS://example.com'])('over %s is a WebSocket', (url) => {
    expect(transportOf(urlEntry({ url }))).toMatchObject({ name: 'web', reopens: true })
    expect(transportOf(urlEntry({ url })).fallback).toBeUndefined()
  })

  it.each([
    ['an address that is none', { url: 'nowhere' }],
    ['a header that is none', { headers: { 'bad name': 'x' } }],
  ])('cannot be made of %s', (_, rest) => {
    expect(() => transportOf(urlEntry(rest))).toThrow(UsageError)
  })

  it('sends the headers of the entry', async () => {
    const heard = new Promise<IncomingHttpHeaders>((resolve) => {
      const server = createServer((request, response) => {
        resolve(request.headers)
        response.writeHead(401).end()
      }).listen(0, '127.0.0.1')
      servers.push(server)
    })
    await new Promise((resolve) => servers[0]?.once('listening', resolve))
    const address = servers[0]?.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const url = `http://127.0.0.1:${port}/mcp`
    const way = transportOf(urlEntry({ url, headers: { Authorization: 'Bearer t' } }))
    const link = await way.open(recordingPort())
    link.write({ text: '{"jsonrpc":"2.0","id":1,"method":"ping"}', kind: 'request', id: 1 })
    expect(await heard).toMatchObject({ authorization: 'Bearer t' })
    await link.close()
  })
})
