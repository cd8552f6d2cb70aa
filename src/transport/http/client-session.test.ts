import { describe, expect, it } from 'vitest'
import {
  LEGACY,
  linkStage,
  MODERN,
  ready,
  SESSION,
  turn,
  URL_OF_ENDPOINT,
} from '../../../test/support/http/link-stage.ts'

describe('a session', () => {
  it('is named on every request after the one that began it [HTTP-29]', async () => {
    const { http, ask } = await ready({ listens: true })
    ask(2)
    expect(http.of('POST').map(({ header }) => header['mcp-session-id'])).toEqual([
      undefined,
      'session-1',
      'session-1',
    ])
    expect(http.of('GET')[0]?.header).toMatchObject(SESSION)
  })

  it('is not named by the requests that may begin one, whatever an earlier answer said', async () => {
    const { http, ask } = await linkStage()
    ask(1, 'server/discover')
    http.calls[0]?.json(
      { jsonrpc: '2.0', id: 1, error: { code: -32_601, message: '' } },
      200,
      SESSION,
    )
    ask(2, 'initialize')
    expect(http.calls[1]?.header).not.toHaveProperty('mcp-session-id')
  })

  it('is the one that the later question began, also when the earlier is answered last', async () => {
    const { http, ask, link, tell } = await linkStage({ listens: false })
    ask(1, 'server/discover')
    ask(2, 'initialize')
    http.calls[1]?.result({}, SESSION)
    http.calls[0]?.result({}, { 'mcp-session-id': 'stray' })
    tell('notifications/initialized')
    link.settle?.(LEGACY)
    expect(http.calls[2]?.header).toMatchObject(SESSION)
  })

  it('keeps the id it began with', async () => {
    const { http, ask, port } = await ready()
    ask(2)
    http.calls[2]?.result({}, { 'mcp-session-id': 'another' })
    ask(3)
    expect(http.calls[3]?.header).toMatchObject(SESSION)
    expect(port.kinds).toEqual(['session-ignored'])
  })

  it.each(['', 'a b', 'ü', 'a\u007f', 'x'.repeat(2000)])(
    'has no id that is not visible ASCII or is endless: %j [HTTP-28]',
    async (id) => {
      const { http, ask, link } = await linkStage({ listens: false })
      ask(1, 'initialize')
      http.calls[0]?.result({}, { 'mcp-session-id': id })
      link.settle?.(LEGACY)
      ask(2)
      expect(http.calls[1]?.header).not.toHaveProperty('mcp-session-id')
    },
  )

  it('is not begun by an answer that refuses', async () => {
    const { http, ask, link } = await linkStage({ listens: false })
    ask(1, 'initialize')
    http.calls[0]?.empty(400, SESSION)
    link.settle?.(LEGACY)
    ask(2)
    expect(http.calls[1]?.header).not.toHaveProperty('mcp-session-id')
  })

  it('is forgotten where the agreed revision has none', async () => {
    const { http, ask, link } = await linkStage()
    ask(1, 'server/discover')
    http.calls[0]?.result({}, SESSION)
    link.settle?.(MODERN)
    ask(2)
    http.calls[1]?.result({}, SESSION)
    ask(3)
    for (const at of [1, 2]) expect(http.calls[at]?.header).not.toHaveProperty('mcp-session-id')
    await link.close()
    expect(http.of('DELETE')).toEqual([])
  })

  it('that the server does not know any more fails the request as never executed [HTTP-32]', async () => {
    const { http, ask, port } = await ready()
    ask(2)
    const error = { code: -32_001, message: 'Session not found' }
    http.calls[2]?.json({ jsonrpc: '2.0', id: null, error }, 404)
    expect(port.errorOf(2)).toMatchObject({ code: 'DP_TRANSPORT_SESSION', status: 404 })
  })

  it('is gone for all: nothing more is asked in it, and it is not ended either', async () => {
    const { http, ask, port, link } = await ready()
    ask(2)
    ask(3)
    http.calls[2]?.empty(404)
    ask(4)
    expect(http.calls).toHaveLength(4)
    expect(port.errorOf(4)).toMatchObject({ code: 'DP_TRANSPORT_SESSION', sent: 'no' })
    http.calls[3]?.result()
    expect(port.texts).toHaveLength(2)
    await link.close()
    expect(http.of('DELETE')).toEqual([])
  })

  it('is not gone because a method is unknown', async () => {
    const { http, ask, port } = await ready()
    ask(2)
    http.calls[2]?.json({ jsonrpc: '2.0', id: 2, error: { code: -32_601, message: '' } }, 404)
    expect(port.failures).toEqual([])
    ask(3)
    expect(http.calls).toHaveLength(4)
  })

  it('stands in no note, fact or error [HTTP-34]', async () => {
    const { http, ask, port, link } = await ready({ listens: true })
    ask(2)
    http.calls
      .at(-1)
      ?.head(500, { ...SESSION, 'content-type': 'text/plain' })
      .data('oh')
      .end()
    ask(3)
    http.calls.at(-1)?.result({}, { 'mcp-session-id': 'session-2' })
    ask(4)
    http.calls.at(-1)?.empty(404)
    await link.close()
    const told = JSON.stringify([
      port.notes,
      port.facts,
      port.failures.map(({ error }) => [error.message, error]),
    ])
    expect(told).not.toMatch(/session-[12]/)
  })

  it('is ended when the link is closed [HTTP-33]', async () => {
    const { http, link, port } = await ready()
    const closing = link.close()
    await turn()
    const [last] = http.of('DELETE')
    expect(last?.request).toMatchObject({ url: URL_OF_ENDPOINT, headers: SESSION })
    expect(last?.header).toMatchObject({ 'mcp-protocol-version': '2025-11-25' })
    expect(port.ends).toEqual([])
    last?.empty(405)
    await closing
    expect(port.ends).toEqual([undefined])
  })

  it('does not hold up closing when the server does not answer its end', async () => {
    const { http, link, clock } = await ready()
    const closing = link.close()
    await turn()
    await clock.advance(2000)
    await closing
    expect(http.of('DELETE')[0]?.aborted).toBe(true)
    expect(clock.pending).toBe(0)
  })
})

describe('the version', () => {
  it('is on every request once it is agreed, and on none before [HTTP-35]', async () => {
    const { http, ask, link } = await ready({ listens: true })
    ask(2)
    const closing = link.close()
    await turn()
    http.of('DELETE')[0]?.empty(200)
    await closing
    expect(http.calls.map(({ header }) => header['mcp-protocol-version'])).toEqual([
      undefined,
      '2025-11-25',
      '2025-11-25',
      '2025-11-25',
      '2025-11-25',
    ])
  })

  it('is on none where the agreed revision has no such header', async () => {
    const { http, ask } = await ready({}, { ...LEGACY, versionHeader: undefined })
    ask(2)
    for (const { header } of http.calls) expect(header).not.toHaveProperty('mcp-protocol-version')
  })
})
