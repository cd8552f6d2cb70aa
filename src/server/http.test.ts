import { describe, expect, it } from 'vitest'
import { REVISIONS } from '../protocol/revision.ts'
import { defineTool } from '../tools/define.ts'
import { notification, request } from '../../test/support/fake-http.ts'
import { behind, call, codeOf, text } from '../../test/support/http/behind.ts'
import { handled, initialize, modern, MODERN } from '../../test/support/http/handled.ts'

const LEGACY = REVISIONS.filter((one) => one !== MODERN)

describe.each(LEGACY)('a session in %s', (version) => {
  it('opens, is used, and ends, on one path [HTTP-01, VERS-02, VERS-07, VERS-08]', async () => {
    const { ask, session, handler } = behind()
    const headers = await session(version)
    expect(handler.sessions).toBe(1)
    const reply = await ask({ json: call(1, 'echo', { text: 'hi' }), headers })
    expect([reply.status, reply.json]).toEqual([200, { jsonrpc: '2.0', id: 1, result: text('hi') }])
    expect((await ask({ method: 'DELETE', headers })).status).toBe(204)
    expect(handler.sessions).toBe(0)
  })

  it('may be spoken to without the header of its version [HTTP-36]', async () => {
    const { ask, session } = behind()
    const headers = await session(version)
    expect((await ask({ json: request(1, 'ping'), headers })).status).toBe(200)
  })

  it.each(LEGACY)('may be spoken to with the header %s', async (other) => {
    const { ask, session } = behind()
    const headers = { ...(await session(version)), 'mcp-protocol-version': other }
    expect((await ask({ json: request(1, 'ping'), headers })).status).toBe(200)
  })

  it.each(['1900-01-01', 'v999', '', '2031-01-01'])(
    'may not be spoken to with the header %j [HTTP-37]',
    async (other) => {
      const { ask, session } = behind()
      const headers = { ...(await session(version)), 'mcp-protocol-version': other }
      const replies = await Promise.all(
        ['POST', 'GET', 'DELETE'].map((method) =>
          ask({ method, json: request(1, 'ping'), headers }),
        ),
      )
      expect(replies.map(({ status }) => status)).toEqual([400, 400, 400])
    },
  )

  it('primes its streams as was agreed, whatever a header says', async () => {
    const { ask, session } = behind()
    const headers = await session(version)
    const heads = ['2025-03-26', '2025-11-25'].map((other) => ({
      ...headers,
      'mcp-protocol-version': other,
    }))
    const replies = await Promise.all(
      heads.map((one, id) =>
        ask({ json: call(id, 'steps', {}, { progressToken: id }), headers: one }),
      ),
    )
    const primed = version === '2025-11-25' ? ['0', '1', '2'] : ['1', '2']
    for (const reply of replies)
      expect(reply.events.map(({ id }) => id?.split('-')[1])).toEqual(primed)
  })

  it('serves a request with an envelope all the same, outside of it [VERS-08]', async () => {
    const { ask, session } = behind()
    const headers = await session(version)
    const { json, headers: own } = modern(1, 'tools/call', {
      name: 'echo',
      arguments: { text: 'hi' },
    })
    const reply = await ask({ json, headers: { ...headers, ...own } })
    expect(reply.json['result']).toMatchObject({ resultType: 'complete', ...text('hi') })
  })

  it('is told of changes on its own stream, once it has said that it is ready', async () => {
    const { ask, send, session, server } = behind()
    const headers = await session(version)
    const stream = send({ method: 'GET', headers })
    const hasty = await ask({ json: initialize(version) })
    const early = send({
      method: 'GET',
      headers: { 'mcp-session-id': hasty.headers['mcp-session-id'] },
    })
    server.tools.add(defineTool({ name: 'more', run: () => 'more' }))
    await stream.until(() => stream.messages.length > 0)
    expect(stream.messages).toEqual([notification('notifications/tools/list_changed')])
    expect([early.state, early.messages]).toEqual(['open', []])
  })
})

describe('the opening', () => {
  it.each(['2031-01-01', '1900-01-01', MODERN])(
    'in the version %s is answered with one that is served [VERS-02]',
    async (version) => {
      const reply = await behind().ask({ json: initialize(version) })
      expect([reply.status, reply.json['result']]).toMatchObject([
        200,
        { protocolVersion: '2025-11-25' },
      ])
      expect(reply.headers['mcp-session-id']).toMatch(/^[\w-]{32}$/)
    },
  )

  it('with a header of any handshake is answered by what it says itself', async () => {
    const { ask } = behind({ revisions: ['2025-06-18'] })
    for (const header of ['2025-11-25', '2031-01-01']) {
      const reply = await ask({
        json: initialize('2025-11-25'),
        headers: { 'mcp-protocol-version': header },
      })
      expect(reply.json['result']).toMatchObject({ protocolVersion: '2025-06-18' })
    }
  })

  it('that lacks its version is refused, and begins nothing', async () => {
    const { ask, handler } = behind()
    const reply = await ask({ json: request(1, 'initialize', {}) })
    expect([codeOf(reply), reply.headers['mcp-session-id'], handler.sessions]).toEqual([
      -32602,
      undefined,
      0,
    ])
  })

  it('in a session that is open is an error, and the session goes on', async () => {
    const { ask, session } = behind()
    const headers = await session()
    expect(codeOf(await ask({ json: initialize('2025-11-25'), headers }))).toBe(-32600)
    expect((await ask({ json: request(1, 'ping'), headers })).status).toBe(200)
  })

  it('with the id of a session that has ended is refused with 404 [HTTP-31]', async () => {
    const { ask, session } = behind()
    const headers = await session()
    await ask({ method: 'DELETE', headers })
    expect((await ask({ json: initialize('2025-11-25'), headers })).status).toBe(404)
  })
})

describe('a server of one era', () => {
  it('that has no handshake opens none, and says what it speaks [VERS-19]', async () => {
    const { ask, handler } = behind({ revisions: [MODERN] })
    const reply = await ask({ json: initialize('2025-11-25') })
    expect([reply.status, codeOf(reply), reply.json['id'], handler.sessions]).toEqual([
      400,
      -32022,
      'init',
      0,
    ])
    expect(reply.json['error']).toMatchObject({ data: { supported: [MODERN] } })
  })

  it('that has no handshake knows no sessions [VERS-20]', async () => {
    const { ask } = behind({ revisions: [MODERN] })
    const headers = { 'mcp-session-id': 'x', 'last-event-id': '1-1' }
    const [get, del] = [
      await ask({ method: 'GET', headers }),
      await ask({ method: 'DELETE', headers }),
    ]
    expect([get.status, get.headers['allow'], del.status]).toEqual([405, 'POST', 405])
    const { json, headers: own } = modern(1, 'tools/list')
    const reply = await ask({ json, headers: { ...headers, ...own } })
    expect([reply.status, reply.headers['mcp-session-id']]).toEqual([200, undefined])
  })

  it('that has no handshake refuses what does not say what it is [VERS-21]', async () => {
    const { ask } = behind({ revisions: [MODERN] })
    for (const json of [request(1, 'tools/list'), request(1, 'ping')]) {
      const reply = await ask({ json })
      expect([reply.status, codeOf(reply)]).toEqual([400, -32602])
    }
    expect((await ask({ json: [request(1, 'tools/list')] })).status).toBe(400)
  })

  it('that has the handshake alone says so to a modern request', async () => {
    const { ask } = behind({ revisions: ['2025-06-18'] })
    const reply = await ask(modern(1, 'server/discover'))
    expect([reply.status, codeOf(reply)]).toEqual([400, -32022])
    expect(reply.json['error']).toMatchObject({ data: { supported: ['2025-06-18'] } })
  })

  it('refuses a header of a handshake that it does not serve [HTTP-37]', async () => {
    const { ask, session } = behind({ revisions: ['2025-06-18', MODERN] })
    const headers = { ...(await session()), 'mcp-protocol-version': '2025-03-26' }
    expect((await ask({ json: request(1, 'ping'), headers })).status).toBe(400)
  })
})

describe('whoever asks', () => {
  it('is known to the tools in both eras', async () => {
    const { ask, session } = behind(
      {},
      {
        authenticate: (asked) => {
          const principal = asked.header('authorization')
          return principal === undefined ? undefined : { principal }
        },
      },
    )
    const authorization = 'alice'
    const headers = await session('2025-11-25', { authorization })
    const legacy = await ask({ json: call(1, 'caller'), headers })
    const { json, headers: own } = modern(1, 'tools/call', { name: 'caller' })
    const stateless = await ask({ json, headers: { ...own, authorization } })
    expect(legacy.json['result']).toMatchObject(text('alice'))
    expect(stateless.json['result']).toMatchObject(text('alice'))
  })
})

describe('a handler', () => {
  it('answers fetch, and so needs no server of Node', async () => {
    const { handler } = behind()
    const { json, headers } = modern(1, 'tools/call', { name: 'echo', arguments: { text: 'hi' } })
    const all = {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const init = { method: 'POST', headers: all, body: JSON.stringify(json) }
    const response = await handler.fetch(new Request('http://localhost:1/mcp', init))
    expect(await response.json()).toMatchObject({ id: 1, result: text('hi') })
  })

  it('ends its own links when it is closed, and no others of its server', async () => {
    const { server, handler, session } = behind()
    await session()
    const other = handled(server)
    const headers = await other.session()
    await handler.close()
    await handler.close()
    expect([handler.sessions, other.handler.sessions]).toEqual([0, 1])
    expect((await other.ask({ json: request(1, 'ping'), headers })).status).toBe(200)
  })

  it('has no sessions left when its server is closed, and goes on', async () => {
    const { server, handler, session } = behind()
    await session()
    await server.close()
    expect(handler.sessions).toBe(0)
    await session()
    expect(handler.sessions).toBe(1)
  })

  it('takes any Host only when it is told to', async () => {
    const parts = { ...modern(1, 'tools/list'), method: 'POST' }
    const headers = { ...parts.headers, host: 'mcp.example.com' }
    const statuses = await Promise.all(
      [
        {},
        { dangerouslyOpen: true },
        { allowedHosts: ['mcp.example.com'] },
        { allowedHosts: ['a'], dangerouslyOpen: true },
      ].map(async (options) => (await behind({}, options).ask({ ...parts, headers })).status),
    )
    expect(statuses).toEqual([403, 200, 200, 403])
  })
})
