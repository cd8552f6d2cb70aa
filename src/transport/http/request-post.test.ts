import { describe, expect, it } from 'vitest'
import {
  LEGACY,
  linkStage,
  turn,
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
const QUESTION = { jsonrpc: '2.0', id: 's1', method: 'ping' }

describe('a request', () => {
  it('is a POST of its own that takes JSON and event streams [HTTP-06, HTTP-08]', async () => {
    const { call, ask, http } = await asked()
    ask(8)
    expect(http.calls).toHaveLength(2)
    expect(call.request).toEqual({
      method: 'POST',
      url: URL_OF_ENDPOINT,
      body: '{"jsonrpc":"2.0","id":7,"method":"tools/list"}',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
    })
  })

  it('says in Accept that it takes both kinds [HTTP-07]', async () => {
    const { call } = await asked()
    expect(call.header['accept']?.split(', ')).toEqual(['application/json', 'text/event-stream'])
  })

  it('has the mirror headers that came with it [HTTP-52, HTTP-56, HTTP-57]', async () => {
    const { link, http } = await linkStage()
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'x',
    }
    link.write({ kind: 'request', id: 1, text: '{}', facts: { headers } })
    expect(http.calls[0]?.header).toMatchObject(headers)
  })

  it('tells by its receipt whether it has left', async () => {
    const { http, ask } = await linkStage()
    const receipt = ask(1)
    expect(receipt.sent).toBe('no')
    http.calls[0]?.sending()
    expect(receipt.sent).toBe('maybe')
    http.calls[0]?.left()
    expect(receipt.sent).toBe('maybe')
    http.calls[0]?.head(200, { 'content-type': 'application/json' })
    expect(receipt.sent).toBe('yes')
  })

  it('is backlog until the carrier has taken it', async () => {
    const { link, http, ask } = await linkStage()
    ask(1)
    let drained = false
    void link.drained().then(() => (drained = true))
    http.calls[0]?.sending()
    await turn()
    expect([link.backlogMessages, link.backlogBytes, drained]).toEqual([1, 46, false])
    http.calls[0]?.left()
    await turn()
    expect([link.backlogMessages, link.backlogBytes, drained]).toEqual([0, 0, true])
  })
})

describe('an answer of JSON', () => {
  it('is handed on with the stream it came by and its status [HTTP-11]', async () => {
    const { call, port } = await asked()
    call.result({ tools: [] })
    expect(port.messages).toEqual([{ jsonrpc: '2.0', id: 7, result: { tools: [] } }])
    expect(port.facts).toEqual([{ exchange: 'post 7', status: 200 }])
    expect(port.failures).toEqual([])
  })

  it('may come in any pieces, with any spelling of its type, with none, and with a byte order mark', async () => {
    for (const type of ['Application/JSON; charset=UTF-8', undefined]) {
      const { call, port } = await asked()
      call.head(200, type === undefined ? {} : { 'content-type': type })
      const bytes = new TextEncoder().encode(`\uFEFF${JSON.stringify(answerTo(call, { a: 'ü✓' }))}`)
      for (const byte of bytes) call.data(Uint8Array.of(byte))
      call.end()
      expect(port.messages).toEqual([{ jsonrpc: '2.0', id: 7, result: { a: 'ü✓' } }])
      expect(port.failures).toEqual([])
    }
  })

  it('that answers something else is handed on, and the request ends all the same', async () => {
    for (const body of ['null', '[]', '{"jsonrpc":"2.0","id":8,"result":{}}', 'nonsense', '{}']) {
      const { call, port } = await asked()
      call.head(200, { 'content-type': 'application/json' }).data(body).end()
      expect(port.texts).toEqual([body])
      expect(port.errorOf(7)).toMatchObject({ code: 'DP_PROTOCOL_MESSAGE', requirement: 'HTTP-10' })
    }
  })

  it('that is an error without an id ends the request, with that error as its reason', async () => {
    const { call, port } = await asked()
    const error = { code: -32_600, message: 'which session?' }
    call.json({ jsonrpc: '2.0', id: null, error })
    expect(port.errorOf(7)).toMatchObject({
      code: 'DP_PROTOCOL_MESSAGE',
      cause: { rpcCode: -32_600, message: 'which session?' },
    })
  })

  it('that is malformed and has the id is left to whoever reads it', async () => {
    const { call, port } = await asked()
    call.json({ jsonrpc: '2.0', id: 7, result: {}, error: { code: 1, message: '' } })
    expect(port.texts).toHaveLength(1)
    expect(port.failures).toEqual([])
  })

  it('that is a batch answers where there are batches, and nowhere else', async () => {
    for (const batches of [true, false]) {
      const { link, port, ask, http } = await linkStage({ listens: false })
      link.settle?.({ ...LEGACY, batches })
      ask(7)
      http.calls[0]?.json([PROGRESS, { jsonrpc: '2.0', id: 7, result: {} }])
      expect(port.texts).toHaveLength(1)
      expect(port.failures).toHaveLength(batches ? 0 : 1)
    }
  })

  it('over the limit fails its request alone, and is not read further', async () => {
    const { call, port, ask, http } = await asked({ maxMessageBytes: 100 })
    call.head(200, { 'content-type': 'application/json' })
    call.data('x'.repeat(100)).data('x')
    expect(call.aborted).toBe(true)
    expect(port.errorOf(7)).toMatchObject({ code: 'DP_TRANSPORT_TOO_LARGE', sent: 'yes' })
    ask(8)
    http.calls[1]?.json(answerTo(http.calls[1]))
    expect(port.texts).toHaveLength(1)
  })

  it('of exactly the limit is read', async () => {
    const { call, port } = await asked({ maxMessageBytes: 60 })
    const body = JSON.stringify(answerTo(call))
    call.head(200, { 'content-type': 'application/json' }).data(body.padEnd(60)).end()
    expect(port.texts).toHaveLength(1)
    expect(port.failures).toEqual([])
  })

  it('that is not UTF-8 fails its request and is noted with its bytes', async () => {
    const { call, port } = await asked()
    call
      .head(200, { 'content-type': 'application/json' })
      .data(Uint8Array.of(0x22, 0xff, 0x22))
      .end()
    expect(port.errorOf(7)).toMatchObject({ code: 'DP_PROTOCOL_MESSAGE' })
    expect(port.notes).toMatchObject([{ kind: 'not-utf8', bytes: Uint8Array.of(0x22, 0xff, 0x22) }])
  })

  it('that breaks off fails with what is known: it was sent, and began to be answered', async () => {
    const { call, port } = await asked()
    call.head(200, { 'content-type': 'application/json' }).data('{"js').fail()
    expect(port.errorOf(7)).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
    expect(port.texts).toEqual([])
  })
})

describe('an answer on an event stream', () => {
  it('comes after whatever belongs to the request, in order [HTTP-11]', async () => {
    const { call, port } = await asked()
    call.stream(eventOf(PROGRESS), eventOf(QUESTION), eventOf(answerTo(call))).end()
    expect(port.messages).toEqual([PROGRESS, QUESTION, { jsonrpc: '2.0', id: 7, result: {} }])
    expect(port.facts[1]).toEqual({ exchange: 'post 7', status: 200 })
    expect(port.failures).toEqual([])
  })

  it('is not made of events with other names, empty data or comments', async () => {
    const { call, port } = await asked()
    call.stream(': hi\n\n', 'id: 1\ndata:\n\n', 'event: ping\ndata: {"t":1}\n\n')
    call.data(eventOf(answerTo(call))).end()
    expect(port.texts).toHaveLength(1)
    expect(port.notes).toMatchObject([{ kind: 'sse-event', data: { event: 'ping' } }])
  })

  it('that never comes fails the request when the stream ends, not later', async () => {
    for (const how of ['end', 'fail'] as const) {
      const { call, port } = await asked()
      call.stream(': working\n\n', 'data: {"jsonrpc":"2.0","id":')
      call[how]()
      expect(port.errorOf(7)).toMatchObject({ code: 'DP_TRANSPORT_CLOSED', sent: 'yes' })
    }
  })

  it('stops being read while the reader is full', async () => {
    const { call, port } = await asked()
    let release: () => void = () => {}
    port.full = new Promise((resolve) => (release = resolve))
    call.stream(eventOf(PROGRESS) + eventOf(PROGRESS))
    expect(call.paused).toBe(1)
    release()
    await turn()
    expect(call.paused).toBe(0)
  })

  it('that is too large fails its request alone, and the stream goes on', async () => {
    const { call, port } = await asked({ maxMessageBytes: 200 })
    call.stream(eventOf(PROGRESS))
    call.data(eventOf({ ...answerTo(call), padding: 'x'.repeat(300) }))
    expect(port.pieces).toMatchObject([{ reason: 'too-large' }])
    call.end()
    // Whoever reads the piece ends the request: its id stands in the first bytes.
    expect(port.failures).toEqual([])
  })

  it('leaves a stream that may stay open for a while, and no longer', async () => {
    const { call, clock } = await asked()
    call.stream(eventOf(answerTo(call)))
    await clock.advance(4999)
    expect(call.aborted).toBe(false)
    await clock.advance(1)
    expect(call.aborted).toBe(true)
    expect(clock.pending).toBe(0)
  })
})

describe('a refusal', () => {
  it('with a message in it is that message, whatever its status [VERS-15]', async () => {
    for (const status of [400, 404, 500]) {
      const { call, port } = await asked()
      const error = { code: -32_022, message: 'Unsupported protocol version', data: {} }
      call.json({ jsonrpc: '2.0', id: 7, error }, status)
      expect(port.messages).toEqual([{ jsonrpc: '2.0', id: 7, error }])
      expect(port.facts).toEqual([{ exchange: 'post 7', status }])
      expect(port.failures).toEqual([])
    }
  })

  it('with a message that names no request is handed on, and ends the request with the status', async () => {
    const { call, port } = await asked()
    const error = { code: -32_020, message: 'Header mismatch' }
    call.json({ jsonrpc: '2.0', error }, 400)
    expect(port.messages).toEqual([{ jsonrpc: '2.0', error }])
    expect(port.errorOf(7)).toMatchObject({
      code: 'DP_TRANSPORT_HTTP',
      status: 400,
      cause: { rpcCode: -32_020 },
    })
  })

  it('without a message ends the request with status and body, and is noted', async () => {
    const { call, port } = await asked()
    call.head(502, { 'content-type': 'text/html' }).data('<html>bad gateway').end()
    expect(port.errorOf(7)).toMatchObject({ status: 502, body: '<html>bad gateway', sent: 'yes' })
    expect(port.texts).toEqual([])
    expect(port.notes).toMatchObject([{ kind: 'refused', data: { id: 7, status: 502 } }])
  })

  it('that breaks off is one all the same', async () => {
    const { call, port } = await asked()
    call.head(405, { 'content-type': 'text/plain' }).data('Meth').fail()
    expect(port.errorOf(7)).toMatchObject({ status: 405, body: 'Meth' })
  })

  it('that does not end is read no further than needed', async () => {
    const { call, port } = await asked()
    call.head(500, { 'content-type': 'text/plain' })
    for (let part = 0; part < 3; part += 1) call.data('x'.repeat(30_000))
    expect(call.aborted).toBe(true)
    expect(port.errorOf(7)).toMatchObject({ status: 500 })
  })

  it.each([
    [401, { 'www-authenticate': 'Bearer' }],
    [403, { 'www-authenticate': 'Bearer error="insufficient_scope"' }],
  ] as const)('with %d wants a sign-in, also with a message beside it', async (status, headers) => {
    const { call, port } = await asked()
    call.json({ jsonrpc: '2.0', id: 7, error: { code: -32_001, message: 'no' } }, status, headers)
    expect(port.errorOf(7)).toMatchObject({
      code: 'DP_AUTH_REQUIRED',
      status,
      challenge: headers['www-authenticate'],
    })
    expect(port.texts).toEqual([])
  })

  it('with 403 and the answer of a server that knows who asks is that answer', async () => {
    const { call, port } = await asked()
    call.json({ jsonrpc: '2.0', id: 7, error: { code: -32_000, message: 'not yours' } }, 403)
    expect(port.failures).toEqual([])
    expect(port.texts).toHaveLength(1)
  })

  it.each([200, 202, 204])(
    'is also a status %d without a body: a request wants an answer',
    async (status) => {
      const { call, port } = await asked()
      call.empty(status)
      expect(port.errorOf(7)).toMatchObject({ code: 'DP_TRANSPORT_HTTP', status, body: '' })
    },
  )

  it('is also a page in place of an answer, whatever stands in it', async () => {
    const { call, port } = await asked()
    call
      .head(200, { 'content-type': 'text/html' })
      .data(JSON.stringify(answerTo(call)))
      .end()
    expect(port.errorOf(7)).toMatchObject({ status: 200, contentType: 'text/html' })
    expect(port.texts).toEqual([])
  })
})

describe('a failure of the carrier', () => {
  it('fails the request alone, with its own error', async () => {
    const { call, port, ask, http } = await asked()
    const error = new Error('refused')
    call.fail(error)
    expect(port.errorOf(7)).toBe(error)
    ask(8)
    http.calls[1]?.result()
    expect(port.texts).toHaveLength(1)
    expect(port.ends).toEqual([])
  })
})
