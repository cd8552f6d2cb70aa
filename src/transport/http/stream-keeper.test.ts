import { describe, expect, it } from 'vitest'
import {
  linkStage,
  MODERN,
  URL_OF_ENDPOINT,
  type LinkStage,
  type StageOptions,
} from '../../../test/support/http/link-stage.ts'
import {
  answerTo,
  eventOf,
  type ScriptedCall,
} from '../../../test/support/http/scripted-exchange.ts'

/** A link on which request 7 was just posted. */
async function asked(options?: StageOptions): Promise<LinkStage & { readonly call: ScriptedCall }> {
  const stage = await linkStage(options)
  stage.ask(7)
  return { ...stage, call: await stage.http.call(0) }
}

const PROGRESS = { jsonrpc: '2.0', method: 'notifications/progress', params: {} }

describe('a stream that breaks off after an event with an id', () => {
  const primed = 'id: ev-1\nretry: 100\ndata:\n\n'

  it('is taken up again by GET with that id, after the time that the server named [HTTP-17]', async () => {
    const { call, port, http, clock } = await asked({ listens: false })
    call.stream(primed).end()
    expect(port.failures).toEqual([])
    await clock.advance(99)
    expect(http.calls).toHaveLength(1)
    await clock.advance(1)
    const get = await http.call(1)
    expect(get.request).toMatchObject({ method: 'GET', url: URL_OF_ENDPOINT })
    expect(get.header).toMatchObject({ accept: 'text/event-stream', 'last-event-id': 'ev-1' })
    get.stream(eventOf(answerTo(call), 'id: ev-2\n')).end()
    expect(port.messages).toEqual([{ jsonrpc: '2.0', id: 7, result: {} }])
  })

  it('goes on from the last id of all its connections [HTTP-26]', async () => {
    const { call, port, http, clock } = await asked({ listens: false })
    call.stream(primed).end()
    await clock.advance(100)
    ;(await http.call(1)).stream(eventOf(PROGRESS, 'id: ev-2\n')).fail()
    await clock.advance(100)
    const third = await http.call(2)
    expect(third.header['last-event-id']).toBe('ev-2')
    third.stream(eventOf(answerTo(call))).end()
    expect(port.messages).toEqual([PROGRESS, { jsonrpc: '2.0', id: 7, result: {} }])
  })

  it('waits a second when the server named no time, then longer with each try, and gives up after five', async () => {
    const { call, port, http, clock } = await asked({ listens: false })
    call.stream('id: 1\ndata:\n\n').fail()
    // Chance is always a half: 1,000, then half of 2,000, 4,000, 8,000 and 16,000.
    for (const [at, wait] of [1000, 1000, 2000, 4000, 8000].entries()) {
      await clock.advance(wait - 1)
      expect(http.calls).toHaveLength(at + 1)
      await clock.advance(1)
      http.calls[at + 1]?.fail()
    }
    expect(port.errorOf(7)).toMatchObject({ code: 'DP_TRANSPORT_CLOSED', sent: 'yes' })
    expect(clock.pending).toBe(0)
  })

  it('is never asked for sooner than the server named, whatever chance says', async () => {
    const random = (bytes: number): Uint8Array => new Uint8Array(bytes)
    const { call, http, clock } = await asked({ listens: false, random })
    call.stream(primed).end()
    for (let at = 1; at <= 5; at += 1) {
      await clock.advance(99)
      expect(http.calls).toHaveLength(at)
      await clock.advance(1)
      http.calls[at]?.fail()
    }
  })

  it('may be polled for as long as each connection brings something', async () => {
    const { call, port, http, clock } = await asked({ listens: false })
    call.stream(primed).end()
    for (let poll = 1; poll <= 20; poll += 1) {
      await clock.advance(100)
      http.calls[poll]?.stream(': still working\n\n').end()
    }
    expect(port.failures).toEqual([])
    await clock.advance(100)
    http.calls[21]?.stream(eventOf(answerTo(call))).end()
    expect(port.texts).toHaveLength(1)
  })

  it('is not polled for ever when nothing comes', async () => {
    const { call, port, http, clock } = await asked({ listens: false })
    call.stream(primed).end()
    for (let poll = 1; poll <= 6; poll += 1) {
      await clock.advance(60_000)
      http.calls[poll]?.stream().end()
    }
    expect(http.calls).toHaveLength(6)
    expect(port.errorOf(7)).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
  })

  it.each([400, 404, 405, 410])(
    'is lost when the server answers the GET with %d',
    async (status) => {
      const { call, port, http, clock } = await asked({ listens: false })
      call.stream(primed).end()
      await clock.advance(100)
      http.calls[1]?.empty(status)
      expect(port.errorOf(7)).toMatchObject({ code: 'DP_TRANSPORT_HTTP', status })
    },
  )

  it('is tried again when the server says that it cannot at the moment', async () => {
    const { call, http, clock, port } = await asked({ listens: false })
    call.stream(primed).end()
    await clock.advance(100)
    http.calls[1]?.empty(503)
    await clock.advance(100)
    http.calls[2]?.stream(eventOf(answerTo(call))).end()
    expect(port.texts).toHaveLength(1)
  })

  it('is not taken up where nothing can be resumed: the request failed [HTTP-82]', async () => {
    const { link, port, ask, http, clock } = await linkStage()
    link.settle?.(MODERN)
    ask(7)
    http.calls[0]?.stream(primed).end()
    expect(port.errorOf(7)).toMatchObject({ code: 'DP_TRANSPORT_CLOSED', sent: 'yes' })
    expect(clock.pending).toBe(0)
  })

  it('is not taken up after the answer has come', async () => {
    const { call, port, http, clock } = await asked({ listens: false })
    call.stream(primed, eventOf(answerTo(call))).end()
    await clock.advance(60_000)
    expect(http.calls).toHaveLength(1)
    expect(port.failures).toEqual([])
  })

  it('is not taken up when nobody waits any more', async () => {
    const { link, call, http, clock, port } = await asked({ listens: false })
    call.stream(primed).end()
    expect(link.abandon?.(7)).toBe(false)
    await clock.advance(60_000)
    expect(http.calls).toHaveLength(1)
    expect(port.failures).toEqual([])
  })

  it('sends ids back as the bytes they came as, and none that a header cannot hold', async () => {
    for (const [id, header] of [
      ['żółć', Buffer.from('żółć').toString('latin1')],
      ['x'.repeat(2000), undefined],
      ['a\u0001b', undefined],
    ] as const) {
      const { call, http, clock, port } = await asked({ listens: false })
      call.stream(`id: ${id}\ndata:\n\n`).end()
      await clock.advance(1000)
      expect(http.calls[1]?.header['last-event-id']).toBe(header)
      expect(port.failures).toHaveLength(header === undefined ? 1 : 0)
    }
  })
})
