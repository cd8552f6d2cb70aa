import { describe, expect, it } from 'vitest'
import { isJsonObject } from '../../base/json.ts'
import type { InboundRequest } from '../../jsonrpc/inbound-request.ts'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { request, stage, type Stage, type StageOptions } from '../../../test/support/fake-http.ts'
import { readEvents } from '../../../test/support/read-events.ts'
import { fetchHandler } from './fetch-handler.ts'

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': 'alone',
}

interface Behind extends Stage {
  readonly fetch: (request: Request) => Promise<Response>
}

function behind(options: StageOptions = {}): Behind {
  const set = stage(options)
  return { ...set, fetch: fetchHandler(set.endpoint, set.clock) }
}

function posted(init: RequestInit = {}, url = 'http://localhost:8080/mcp?x=1'): Request {
  return new Request(url, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(request(1, 'echo')),
    ...init,
  })
}

const settled = (): Promise<void> => new Promise(setImmediate)

describe('a handler for fetch', () => {
  it('answers with JSON', async () => {
    const { fetch } = behind({ onRequest: () => ({ done: true }), path: '/mcp' })
    const response = await fetch(posted())
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/json',
    ])
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: { done: true } })
  })

  it('hands on the headers that repeat the message, and no others', async () => {
    const { fetch, wire } = behind()
    await (
      await fetch(posted({ headers: { ...HEADERS, 'Mcp-Name': 'n', authorization: 'secret' } }))
    ).text()
    expect(wire.find(({ type }) => type === 'message')).toMatchObject({
      facts: { headers: { 'mcp-name': 'n', 'mcp-protocol-version': 'alone' } },
    })
    expect(JSON.stringify(wire)).not.toContain('secret')
  })

  it('answers with a stream that ends with the answer', async () => {
    let inbound: InboundRequest | undefined
    let answer = (): void => {}
    const { fetch, clock } = behind({
      onRequest: (_, asked) => {
        inbound = asked
        return new Promise((resolve) => (answer = () => resolve({})))
      },
    })
    const waiting = fetch(posted())
    await settled()
    await settled()
    inbound?.notify('said', { text: 'é' })
    const response = await waiting
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    answer()
    const events = readEvents(await response.text())
    expect(events.map(({ data }) => Object.keys(JSON.parse(data) as object))).toEqual([
      ['jsonrpc', 'method', 'params'],
      ['jsonrpc', 'id', 'result'],
    ])
    expect(events[0]?.data).toContain('é')
    await clock.advance(1000)
    expect(clock.pending).toBe(0)
  })

  it.each(['by the reader', 'by the signal'])(
    'cancels a request that is given up %s',
    async (way) => {
      let inbound: InboundRequest | undefined
      const { fetch } = behind({
        onRequest: (_, asked) => {
          inbound = asked
          return new Promise(() => {})
        },
      })
      const gaveUp = new AbortController()
      const waiting = fetch(posted({ signal: gaveUp.signal }))
      await settled()
      await settled()
      inbound?.notify('said', {})
      const response = await waiting
      if (way === 'by the reader') await response.body?.cancel()
      else gaveUp.abort()
      await settled()
      expect(inbound?.cancelled).toBe(true)
    },
  )

  it('cuts off a stream that nobody reads', async () => {
    let inbound: InboundRequest | undefined
    const { fetch, endpoint } = behind({
      maxUnsentBytes: 1000,
      onRequest: (_, asked) => {
        inbound = asked
        return new Promise(() => {})
      },
    })
    const waiting = fetch(posted())
    await settled()
    await settled()
    for (let n = 0; n < 100; n += 1) inbound?.notify('said', { text: 'x'.repeat(100) })
    const response = await waiting
    expect([inbound?.cancelled, endpoint.open]).toEqual([true, 0])
    await expect(response.text()).rejects.toThrow('not read')
  })

  it.each([
    ['http://localhost:8080/mcp', {}, 200],
    ['http://[::1]/mcp', {}, 200],
    ['http://localhost:8080/mcp', { host: 'LOCALHOST:8080' }, 200],
    ['http://localhost/mcp', { host: 'localhost:80' }, 200],
    ['http://evil.example/mcp', {}, 403],
    ['http://evil.example/mcp', { host: 'localhost' }, 403],
    ['http://localhost:8080/mcp', { host: 'evil.example' }, 403],
    ['http://localhost:8080/mcp', { host: 'a b' }, 403],
    ['http://localhost:8080/mcp', { origin: 'http://localhost:8080' }, 200],
    ['http://localhost:8080/mcp', { origin: 'https://evil.example' }, 403],
  ])('at %s with %j answers with its status', async (url, headers, status) => {
    const { fetch } = behind()
    expect((await fetch(posted({ headers: { ...HEADERS, ...headers } }, url))).status).toBe(status)
  })

  it('answers a GET without body', async () => {
    const response = await behind().fetch(new Request('http://localhost/mcp'))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, GET, DELETE'])
  })

  it('takes a notification without saying anything', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'said' })
    const response = await behind().fetch(posted({ body }))
    expect([response.status, await response.text()]).toEqual([202, ''])
  })
})

describe('a body', () => {
  it('is refused by its length before it is read, and by its bytes while it is', async () => {
    const { fetch } = behind({ maxBodyBytes: 100 })
    const long = await fetch(
      posted({ body: 'x'.repeat(101), headers: { ...HEADERS, 'content-length': '101' } }),
    )
    const chunked = await fetch(posted({ body: 'é'.repeat(51) }))
    const fits = await fetch(posted({ body: JSON.stringify(request(1, 'echo')).padEnd(100) }))
    expect([long.status, chunked.status, fits.status]).toEqual([413, 413, 200])
  })

  it('is refused when it is no UTF-8, and when there is none', async () => {
    const { fetch } = behind()
    const broken = await fetch(posted({ body: Uint8Array.of(0x22, 0xff, 0x22) }))
    const none = await fetch(
      new Request('http://localhost/mcp', { method: 'POST', headers: HEADERS }),
    )
    const codes = await Promise.all([broken, none].map(async (one) => one.json()))
    expect([broken.status, none.status]).toEqual([400, 400])
    for (const said of codes)
      expect(isJsonObject(said) && said['error']).toMatchObject({ code: -32700 })
  })

  it('that does not end is waited for a minute', async () => {
    const clock = fakeClock()
    const { endpoint } = stage()
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Uint8Array.of(0x7b)),
    })
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: HEADERS,
      body,
      duplex: 'half',
    }
    const waiting = fetchHandler(endpoint, clock)(new Request('http://localhost/mcp', init))
    await clock.advance(60_000)
    expect((await waiting).status).toBe(408)
    expect(clock.pending).toBe(0)
  })

  it('that breaks off leaves nothing behind', async () => {
    const { endpoint, clock } = stage()
    const body = new ReadableStream({ start: (controller) => controller.error(new Error('gone')) })
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: HEADERS,
      body,
      duplex: 'half',
    }
    void fetchHandler(endpoint, clock)(new Request('http://localhost/mcp', init))
    await settled()
    expect([clock.pending, endpoint.open]).toEqual([0, 0])
  })
})
