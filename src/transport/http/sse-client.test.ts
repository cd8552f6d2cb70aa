import { describe, expect, it } from 'vitest'
import { fakeClock, type FakeClock } from '../../../test/support/fake-clock.ts'
import { HttpPort } from '../../../test/support/http/http-port.ts'
import { turn } from '../../../test/support/http/link-stage.ts'
import {
  eventOf,
  ScriptedExchange,
  type ScriptedCall,
} from '../../../test/support/http/scripted-exchange.ts'
import type { Link, LinkTraits } from '../../jsonrpc/link.ts'
import { sseTransport } from './client.ts'
import type { HttpOptions } from './way.ts'

const URL_OF_STREAM = 'https://example.test/base/sse'
const ENDPOINT = 'event: endpoint\r\ndata: messages?sid=1&x=a%20b\r\n\r\n'
const TRAITS = { sessions: true } as LinkTraits // the old transport reads none of them

interface Opening {
  readonly opening: Promise<Link>
  readonly http: ScriptedExchange
  readonly port: HttpPort
  readonly clock: FakeClock
  /** The GET of the stream. */
  readonly get: ScriptedCall
}

async function open(options: HttpOptions = {}, signal?: AbortSignal): Promise<Opening> {
  const http = new ScriptedExchange()
  const port = new HttpPort()
  const clock = fakeClock()
  const opening = sseTransport(URL_OF_STREAM, { clock, ...options }, () => http.exchange).open(
    port,
    signal,
  )
  opening.catch(() => undefined)
  return { opening, http, port, clock, get: await http.call(0) }
}

async function opened(options?: HttpOptions): Promise<Opening & { readonly link: Link }> {
  const stage = await open(options)
  stage.get.stream(': hello\r\n\r\n', ENDPOINT)
  return { ...stage, link: await stage.opening }
}

const request = (id: number): Parameters<Link['write']>[0] => ({
  kind: 'request',
  id,
  text: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }),
})
const notification = (method: string): Parameters<Link['write']>[0] => ({
  kind: 'notification',
  text: JSON.stringify({ jsonrpc: '2.0', method }),
})

describe('opening the old transport', () => {
  it('opens the stream first and is open when that says where to post [HSSE-01, HSSE-02]', async () => {
    const { opening, get } = await open()
    expect(get.request).toEqual({
      method: 'GET',
      url: URL_OF_STREAM,
      headers: { accept: 'text/event-stream' },
    })
    let isOpen = false
    void opening.then(() => (isOpen = true))
    get.stream(': hello\n\n')
    await turn()
    expect(isOpen).toBe(false)
    get.data(ENDPOINT)
    await turn()
    expect(isOpen).toBe(true)
  })

  it.each([
    'https://evil.test/messages',
    '//evil.test/messages',
    'http://example.test/messages',
    'https://example.test:8443/messages',
  ])('fails, and sends nothing, when it is to post to another origin: %s [HSSE-08]', async (to) => {
    const { opening, get, http } = await open({ headers: { authorization: 'Bearer t' } })
    get.stream(`event: endpoint\ndata: ${to}\n\n`)
    await expect(opening).rejects.toMatchObject({ code: 'DP_TRANSPORT_ORIGIN' })
    expect([http.calls.length, get.aborted, http.closed]).toEqual([1, true, 1])
  })

  it.each([
    [404, 'text/html', { code: 'DP_TRANSPORT_HTTP', status: 404 }],
    [200, 'application/json', { code: 'DP_TRANSPORT_HTTP', status: 200 }],
    [401, 'text/plain', { code: 'DP_AUTH_REQUIRED', status: 401 }],
  ])('fails when the server answers %d with %s', async (status, type, expected) => {
    const { opening, get, http, clock } = await open()
    get.head(status, { 'content-type': type }).data('no').end()
    await expect(opening).rejects.toMatchObject(expected)
    expect([http.closed, clock.pending]).toEqual([1, 0])
  })

  it('fails when the stream ends before it said where to post', async () => {
    const { opening, get } = await open()
    get.stream(': hello\n\n').end()
    await expect(opening).rejects.toMatchObject({ code: 'DP_TRANSPORT_HTTP', status: 200 })
  })

  it('fails with the error of the carrier', async () => {
    const { opening, get } = await open()
    const error = new Error('refused')
    get.fail(error)
    await expect(opening).rejects.toBe(error)
  })

  it('fails when the server does not say within thirty seconds where to post', async () => {
    const { opening, get, clock } = await open()
    get.stream(': hello\n\n')
    await clock.advance(30_000)
    await expect(opening).rejects.toMatchObject({ code: 'DP_TIMEOUT', timer: 'start' })
    expect([get.aborted, clock.pending]).toEqual([true, 0])
  })

  it('can be given up, before and while it waits', async () => {
    const gaveUp = new AbortController()
    const { opening, get } = await open({}, gaveUp.signal)
    gaveUp.abort('enough')
    await expect(opening).rejects.toMatchObject({ code: 'DP_CANCELLED', reason: 'enough' })
    expect(get.aborted).toBe(true)
    const exchange = new ScriptedExchange()
    const late = sseTransport(URL_OF_STREAM, {}, () => exchange.exchange)
    const signal = AbortSignal.abort()
    await expect(late.open(new HttpPort(), signal)).rejects.toMatchObject({ code: 'DP_CANCELLED' })
    expect(exchange.calls).toEqual([])
  })
})

describe('messages over the old transport', () => {
  it('are posted to the address of the stream, without session and version [HSSE-03, HSSE-09]', async () => {
    const { link, http } = await opened({ headers: { 'x-tenant': 't' } })
    link.settle?.(TRAITS)
    link.write(request(1))
    expect(http.calls[1]?.request).toEqual({
      method: 'POST',
      url: 'https://example.test/base/messages?sid=1&x=a%20b',
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      headers: { 'x-tenant': 't', accept: '*/*', 'content-type': 'application/json' },
    })
  })

  it('of the server all come by the stream; the body of a POST says nothing [HSSE-04]', async () => {
    const { link, http, get, port } = await opened()
    link.write(request(1))
    http.calls[1]?.head(202, { 'content-type': 'text/plain' }).data('{"jsonrpc":"2.0"}').end()
    expect(port.texts).toEqual([])
    get.data(eventOf({ jsonrpc: '2.0', id: 1, result: {} }))
    expect(port.messages).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  })

  it('fail alone when their POST is refused or lost', async () => {
    const { link, http, port } = await opened()
    link.write(request(1))
    link.write(request(2))
    http.calls[1]?.head(400, { 'content-type': 'text/plain' }).data('no such session').end()
    http.calls[2]?.fail()
    expect(port.errorOf(1)).toMatchObject({ status: 400, body: 'no such session' })
    expect(port.errorOf(2)).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
    expect(port.ends).toEqual([])
  })

  it('do not wait for one another, so that a POST which is held open holds up nobody', async () => {
    const { link, http } = await opened()
    link.write(request(1))
    link.write(request(2))
    link.write({ kind: 'answer', id: 's1', text: '{}' })
    expect(http.calls).toHaveLength(3)
    await turn()
    link.settle?.(TRAITS)
    expect(http.calls).toHaveLength(4)
  })

  it('come after the first words', async () => {
    const { link, http } = await opened()
    link.write(notification('notifications/initialized'))
    link.settle?.(TRAITS)
    link.write(request(2))
    expect(http.calls).toHaveLength(2)
    http.calls[1]?.empty(202)
    await turn()
    expect(http.calls[2]?.message.id).toBe(2)
  })

  it('tell by their receipts whether they have left', async () => {
    const { link, http } = await opened()
    const receipt = link.write(request(1))
    expect([receipt.sent, link.backlogMessages]).toEqual(['no', 1])
    http.calls[1]?.sending().left()
    expect([receipt.sent, link.backlogMessages]).toEqual(['maybe', 0])
    http.calls[1]?.head(202)
    expect(receipt.sent).toBe('yes')
    await link.drained()
  })

  it('given up before they were sent are not sent, others need a notice', async () => {
    const { link, http } = await opened()
    link.write(request(1))
    expect(link.abandon?.(1)).toBe(true)
    expect(http.calls[1]?.aborted).toBe(true)
    link.write(request(2))
    http.calls[2]?.sending()
    expect(link.abandon?.(2)).toBe(false)
    expect(http.calls[2]?.aborted).toBe(false)
  })

  it('are not read while the reader is full', async () => {
    const { get, port } = await opened()
    let release: () => void = () => {}
    port.full = new Promise((resolve) => (release = resolve))
    get.data(eventOf({ jsonrpc: '2.0', method: 'x' }))
    expect(get.paused).toBe(1)
    release()
    await turn()
    expect(get.paused).toBe(0)
  })

  it('are not made of later "endpoint" events: those are nobody’s', async () => {
    const { link, get, http, port } = await opened()
    get.data('event: endpoint\ndata: /elsewhere\n\n')
    link.write(request(1))
    expect(http.calls[1]?.request.url).toContain('/base/messages')
    expect(port.kinds).toEqual(['sse-event'])
  })
})

describe('the end of the old transport', () => {
  it('is the end of its stream', async () => {
    for (const how of ['end', 'fail'] as const) {
      const { link, get, http, port, clock } = await opened()
      link.write(request(1))
      get[how]()
      expect(port.ends).toMatchObject([{ code: 'DP_TRANSPORT_CLOSED' }])
      expect([http.calls[1]?.aborted, http.closed, link.backlogMessages]).toEqual([true, 1, 0])
      expect(link.write(request(2)).sent).toBe('no')
      await link.close()
      expect([port.ends.length, clock.pending]).toEqual([1, 0])
    }
  })

  it('is told also when it came together with the address to post to', async () => {
    const stage = await open()
    stage.get.stream(ENDPOINT).end()
    await stage.opening
    expect(stage.port.ends).toMatchObject([{ code: 'DP_TRANSPORT_CLOSED' }])
  })

  it('is closing it, after what was said before', async () => {
    const { link, get, http, port, clock } = await opened()
    link.write(notification('a'))
    const closing = Promise.all([link.close(), link.close()])
    await turn()
    expect(get.aborted).toBe(false)
    http.calls[1]?.empty(202)
    await closing
    expect([get.aborted, http.closed, clock.pending]).toEqual([true, 1, 0])
    expect(port.ends).toEqual([undefined])
  })

  it('does not wait for longer than two seconds', async () => {
    const { link, clock, port } = await opened()
    link.write(notification('a'))
    const closing = link.close()
    await clock.advance(2000)
    await closing
    expect(port.ends).toEqual([undefined])
    expect(clock.pending).toBe(0)
  })
})
