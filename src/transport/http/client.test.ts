import { describe, expect, it } from 'vitest'
import { HttpPort } from '../../../test/support/http/http-port.ts'
import { ScriptedExchange } from '../../../test/support/http/scripted-exchange.ts'
import { httpTransport, sseTransport } from './client.ts'
import { http, sse } from './fetch-client.ts'

const make = () => new ScriptedExchange().exchange

describe('a way to a server over HTTP', () => {
  it('has the old transport at the same address to fall back on, unless one of both is wished for [VERS-17]', () => {
    const url = 'https://example.test/mcp'
    expect(httpTransport(url, {}, make).fallback?.name).toBe(url)
    expect(httpTransport(url, { transport: 'http' }, make).fallback).toBeUndefined()
    expect(httpTransport(url, { transport: 'sse' }, make).fallback).toBeUndefined()
    expect(sseTransport(url, {}, make).fallback).toBeUndefined()
  })

  it('with the old transport wished for opens the stream of that', async () => {
    const exchange = new ScriptedExchange()
    const way = httpTransport('https://a.test/', { transport: 'sse' }, () => exchange.exchange)
    const opening = way.open(new HttpPort())
    ;(await exchange.call(0)).stream('event: endpoint\ndata: /m\n\n')
    await (await opening).close()
    expect(exchange.calls[0]?.request.method).toBe('GET')
  })

  it('sends nothing when it is opened, and may be opened again', async () => {
    const exchanges: ScriptedExchange[] = []
    const way = httpTransport('https://a.test/', {}, () => {
      exchanges.push(new ScriptedExchange())
      return exchanges.at(-1)?.exchange ?? make()
    })
    expect(way.reopens).toBe(true)
    for (let time = 1; time <= 2; time += 1) {
      const link = await way.open(new HttpPort())
      expect(link.perRequest).toBe(true)
      await link.close()
    }
    expect(exchanges.map(({ calls, closed }) => [calls.length, closed])).toEqual([
      [0, 1],
      [0, 1],
    ])
  })

  it('leaves an exchange that it was given to whoever gave it', async () => {
    const given = new ScriptedExchange()
    const way = httpTransport('https://a.test/', { exchange: given.exchange }, make)
    await (await way.open(new HttpPort())).close()
    expect(given.closed).toBe(0)
  })

  it('is not opened when that was given up before', async () => {
    const way = httpTransport('https://a.test/', {}, make)
    const signal = AbortSignal.abort('enough')
    await expect(way.open(new HttpPort(), signal)).rejects.toMatchObject({ code: 'DP_CANCELLED' })
  })

  it('is refused at once when URL or headers cannot be used', () => {
    for (const make of [http, sse]) {
      expect(() => make('mailto:a@b.test')).toThrow(expect.objectContaining({ code: 'DP_USAGE' }))
      expect(() => make('https://a.test/', { headers: { 'a b': '1' } })).toThrow(
        expect.objectContaining({ code: 'DP_USAGE' }),
      )
    }
  })

  it('is named by its URL without secrets, or as its user says', () => {
    expect(http('https://me:pw@a.test/mcp?key=1').name).toBe('https://a.test/mcp?…')
    expect(sse('https://a.test/mcp', { name: 'weather' }).name).toBe('weather')
  })
})
