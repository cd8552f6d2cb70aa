import { describe, expect, it } from 'vitest'
import { ScriptedExchange } from '../../../test/support/http/scripted-exchange.ts'
import type { HttpFlight, HttpRequest } from './exchange.ts'
import { followRedirects } from './redirects.ts'

const POST: HttpRequest = {
  method: 'POST',
  url: 'https://a.test/mcp',
  headers: { authorization: 'Bearer t', 'mcp-session-id': 's' },
  body: '{}',
}

function journey(
  request: HttpRequest = POST,
  max = 5,
): { http: ScriptedExchange; flight: HttpFlight; heard: unknown[] } {
  const http = new ScriptedExchange()
  const heard: unknown[] = []
  const flight = followRedirects(http.exchange, max)(request, {
    sending: () => heard.push('sending'),
    left: () => heard.push('left'),
    head: (status) => heard.push(status),
    data: (bytes) => heard.push(new TextDecoder().decode(bytes)),
    end: () => heard.push('end'),
    failed: (error) => heard.push(error),
  })
  return { http, flight, heard }
}

describe('a redirect', () => {
  it.each([307, 308])('with %d is followed with method, body and headers', (status) => {
    const { http, heard } = journey()
    http.calls[0]?.empty(status, { location: '/mcp/' })
    expect(http.calls[1]?.request).toEqual({ ...POST, url: 'https://a.test/mcp/' })
    http.calls[1]?.head(200).data('x').end()
    expect(heard.slice(2)).toEqual([200, 'x', 'end'])
  })

  it('brings nothing of its own body', () => {
    const { http, heard } = journey()
    http.calls[0]?.head(307, { location: '/b' }).data('moved').end()
    http.calls[1]?.head(204).end()
    expect(heard).toEqual([204, 'end'])
  })

  it('is followed when its own answer breaks off or never ends', () => {
    for (const finish of ['fail', 'flood'] as const) {
      const { http } = journey()
      const first = http.calls[0]?.head(307, { location: '/b' })
      if (finish === 'fail') first?.fail()
      else for (let part = 0; part < 3; part += 1) first?.data(new Uint8Array(30_000))
      expect(http.calls).toHaveLength(2)
      expect(http.calls[0]?.aborted).toBe(finish === 'flood')
    }
  })

  it('to another origin is refused, names where it leads, and nothing is sent there', () => {
    const { http, heard } = journey()
    http.calls[0]?.head(307, { location: 'https://evil.test/mcp?x=1' })
    expect(http.calls).toHaveLength(1)
    expect(http.calls[0]?.aborted).toBe(true)
    expect(heard).toEqual([expect.objectContaining({ code: 'DP_TRANSPORT_ORIGIN' })])
    expect(String(heard[0])).toContain('https://evil.test/mcp?…')
  })

  it.each([301, 302, 303])('with %d would turn a POST into a GET and is refused', (status) => {
    const { http, heard } = journey()
    http.calls[0]?.head(status, { location: '/elsewhere' })
    expect(http.calls).toHaveLength(1)
    expect(heard).toEqual([expect.objectContaining({ code: 'DP_TRANSPORT_HTTP', status })])
    expect(String(heard[0])).toContain('https://a.test/elsewhere')
  })

  it('of a GET is followed whatever its kind', () => {
    const { http } = journey({ method: 'GET', url: 'https://a.test/sse', headers: {} })
    http.calls[0]?.empty(302, { location: 'stream' })
    expect(http.calls[1]?.request.url).toBe('https://a.test/stream')
  })

  it('in a circle ends after so many', () => {
    const { http, heard } = journey(POST, 2)
    for (let at = 0; at < 5; at += 1) http.calls[at]?.empty(307, { location: '/mcp' })
    expect(http.calls).toHaveLength(3)
    expect(heard.at(-1)).toMatchObject({ code: 'DP_TRANSPORT_HTTP', status: 307 })
  })

  it('without a place to go is an answer like any other', () => {
    const { http, heard } = journey()
    http.calls[0]?.empty(304)
    expect(heard.slice(2)).toEqual([304, 'end'])
  })
})

describe('an exchange that travels', () => {
  it('is not sent on once it was aborted', () => {
    const { http, flight } = journey()
    http.calls[0]?.head(307, { location: '/b' })
    flight.abort()
    http.calls[0]?.end()
    expect(http.calls).toHaveLength(1)
    expect(http.calls[0]?.aborted).toBe(true)
  })

  it('stays paused on its next leg', () => {
    const { http, flight } = journey()
    flight.pause()
    http.calls[0]?.empty(307, { location: '/b' })
    expect(http.calls[1]?.paused).toBe(1)
    flight.resume()
    expect(http.calls[1]?.paused).toBe(0)
  })

  it('tells of the last leg alone that it has left', () => {
    const { http, heard } = journey()
    http.calls[0]?.sending().head(307, { location: '/b' }).left().end()
    expect(heard).toEqual(['sending'])
    http.calls[1]?.sending().left()
    expect(heard).toEqual(['sending', 'sending', 'left'])
  })
})
