import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../base/json.ts'
import { REVISIONS } from '../protocol/revision.ts'
import { defineTool } from '../tools/define.ts'
import { notification, request } from '../../test/support/fake-http.ts'
import { behind, call, codeOf, text } from '../../test/support/http/behind.ts'
import { modern, MODERN } from '../../test/support/http/handled.ts'

describe('a request of 2026-07-28', () => {
  const good = () => modern(1, 'tools/call', { name: 'echo', arguments: { text: 'hi' } })

  it('is served without any session [HTTP-50, VERS-05]', async () => {
    const { ask, handler } = behind()
    const reply = await ask(good())
    expect([reply.status, reply.json['result'], handler.sessions]).toMatchObject([
      200,
      text('hi'),
      0,
    ])
  })

  interface Spoiled {
    readonly meta?: Record<string, unknown>
    readonly headers?: Record<string, string | undefined>
    readonly method?: string
    readonly params?: JsonObject
  }
  const VERSION = 'io.modelcontextprotocol/protocolVersion'
  const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

  function spoiled({ meta, headers, method = 'tools/call', params }: Spoiled): {
    json: JsonObject
    headers: Record<string, string | undefined>
  } {
    const whole = modern(1, method, params ?? { name: 'echo', arguments: { text: 'hi' } })
    const given = whole.json['params'] as JsonObject // made one line above
    const _meta =
      meta === undefined ? given['_meta'] : { ...(given['_meta'] as JsonObject), ...meta }
    return {
      json: { ...whole.json, params: { ...given, _meta: JSON.parse(JSON.stringify(_meta)) } },
      headers: { ...whole.headers, ...headers },
    }
  }

  it.each<[string, Spoiled, number, number]>([
    ['no version in it', { meta: { [VERSION]: undefined } }, 400, -32602],
    ['no capabilities in it', { meta: { [CAPABILITIES]: undefined } }, 400, -32602],
    ['capabilities that are none', { meta: { [CAPABILITIES]: [] } }, 400, -32602],
    ['no header for its version', { headers: { 'mcp-protocol-version': undefined } }, 400, -32020],
    [
      'another version in its header',
      { headers: { 'mcp-protocol-version': '2025-11-25' } },
      400,
      -32020,
    ],
    ['another version in it than in its header', { meta: { [VERSION]: 'v999.0.0' } }, 400, -32020],
    [
      'a version that nobody knows',
      { meta: { [VERSION]: 'v999.0.0' }, headers: { 'mcp-protocol-version': 'v999.0.0' } },
      400,
      -32022,
    ],
    [
      'a version that has a handshake',
      { meta: { [VERSION]: '2025-11-25' }, headers: { 'mcp-protocol-version': '2025-11-25' } },
      400,
      -32022,
    ],
    ['no header for its method', { headers: { 'mcp-method': undefined } }, 400, -32020],
    ['another method in its header', { headers: { 'mcp-method': 'tools/list' } }, 400, -32020],
    ['its method in capitals', { headers: { 'mcp-method': 'TOOLS/CALL' } }, 400, -32020],
    ['no header for its name', { headers: { 'mcp-name': undefined } }, 400, -32020],
    ['another name in its header', { headers: { 'mcp-name': 'safe' } }, 400, -32020],
    ['two names in its header', { headers: { 'mcp-name': 'echo, danger' } }, 400, -32020],
    ['a name that is no Base64', { headers: { 'mcp-name': '=?base64?%%%?=' } }, 400, -32020],
    [
      'no header for an argument',
      { params: { name: 'region', arguments: { region: 'eu' } } },
      400,
      -32020,
    ],
    [
      'another argument in its header',
      {
        params: { name: 'region', arguments: { region: 'eu' } },
        headers: { 'mcp-param-region': 'us' },
      },
      400,
      -32020,
    ],
    ['a method that nobody knows', { method: 'nope', params: {} }, 404, -32601],
    ['initialize', { method: 'initialize', params: {} }, 404, -32601],
    ['ping', { method: 'ping', params: {} }, 404, -32601],
    ['logging/setLevel', { method: 'logging/setLevel', params: { level: 'info' } }, 404, -32601],
    ['resources/subscribe', { method: 'resources/subscribe', params: { uri: 'a:b' } }, 404, -32601],
    ['a tool that nobody knows', { params: { name: 'nope' } }, 200, -32602],
    ['a tool that asks what it cannot', { params: { name: 'model' } }, 400, -32021],
  ])(
    'with %s is refused, with its id [HTTP-58, HTTP-59, HTTP-86, HTTP-88]',
    async (_, change, status, code) => {
      const reply = await behind().ask(spoiled(change))
      expect([reply.status, codeOf(reply), reply.json['id']]).toEqual([status, code, 1])
    },
  )

  it('without any envelope is told so, though its header is fine [ERR-15]', async () => {
    const reply = await behind().ask({
      json: call(1, 'echo', { text: 'hi' }),
      headers: good().headers,
    })
    expect([reply.status, codeOf(reply)]).toEqual([400, -32602])
  })

  it('that is initialize and has the header alone is no handshake', async () => {
    const { ask, handler } = behind()
    for (const method of ['initialize', 'ping']) {
      const json = request(1, method, { protocolVersion: MODERN, capabilities: {}, clientInfo: {} })
      const reply = await ask({ json, headers: modern(1, method).headers })
      expect([reply.status, codeOf(reply), handler.sessions]).toEqual([400, -32602, 0])
    }
  })

  it('says which versions there are when it wants another [ERR-08]', async () => {
    const reply = await behind().ask(
      spoiled({ meta: { [VERSION]: 'v9' }, headers: { 'mcp-protocol-version': 'v9' } }),
    )
    expect(reply.json['error']).toMatchObject({
      data: { requested: 'v9', supported: [...REVISIONS].reverse() },
    })
  })

  it.each<[string, Record<string, string>]>([
    ['blanks around them', { 'mcp-method': ' tools/call ', 'mcp-name': '\techo ' }],
    ['a name in Base64', { 'mcp-name': `=?base64?${btoa('echo')}?=` }],
    ['a header that nobody asked for', { 'mcp-param-other': 'x' }],
  ])('may have headers with %s [HTTP-62]', async (_, headers) => {
    expect((await behind().ask(spoiled({ headers }))).status).toBe(200)
  })

  it('is answered on its own stream once there is progress, without ids and without priming', async () => {
    const reply = await behind().ask(
      modern(1, 'tools/call', { name: 'steps', _meta: { progressToken: 1 } }),
    )
    expect(reply.events.map(({ id }) => id)).toEqual([undefined, undefined])
    expect(reply.messages.map(({ method }) => method)).toEqual([
      'notifications/progress',
      undefined,
    ])
  })

  it('brings questions back in its result, never on a stream [HTTP-78]', async () => {
    const { ask } = behind()
    const json = modern(1, 'tools/call', { name: 'who' })
    const params = json.json['params'] as JsonObject // made one line above
    const _meta = { ...(params['_meta'] as JsonObject), [CAPABILITIES]: { elicitation: {} } }
    const reply = await ask({ ...json, json: { ...json.json, params: { ...params, _meta } } })
    expect(reply.json['result']).toMatchObject({ resultType: 'input_required' })
  })

  it('takes notifications, which mean nothing [HTTP-84]', async () => {
    const cancel = notification('notifications/cancelled', { requestId: 1 })
    const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'notifications/cancelled' }
    const reply = await behind().ask({ json: cancel, headers })
    expect([reply.status, reply.text]).toEqual([202, ''])
  })

  it('is not looked for under GET and DELETE', async () => {
    const { ask } = behind()
    const headers = { 'mcp-protocol-version': MODERN }
    for (const method of ['GET', 'DELETE'])
      expect((await ask({ method, headers })).status).toBe(405)
  })
})

describe('a listen stream', () => {
  const listen = (id: number, notifications: JsonObject) =>
    modern(id, 'subscriptions/listen', { notifications })

  it('hears changes as long as it is open, and only those that it asked for [SUB-02]', async () => {
    const { send, server } = behind({ prompts: [] })
    const tools = send(listen(1, { toolsListChanged: true }))
    const prompts = send(listen(1, { promptsListChanged: true }))
    await tools.until(() => tools.messages.length === 1)
    await prompts.until(() => prompts.messages.length === 1)
    server.tools.add(defineTool({ name: 'more', run: () => 'more' }))
    await tools.until(() => tools.messages.length === 2)
    expect(tools.messages.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
    ])
    expect(prompts.messages).toHaveLength(1)
    tools.leave()
    server.tools.remove('more')
    await new Promise(setImmediate)
    expect(tools.messages).toHaveLength(2)
  })

  it('ends with its response when the handler is closed [SUB-09]', async () => {
    const { send, handler } = behind()
    const stream = send(listen(1, { toolsListChanged: true }))
    await stream.until(() => stream.messages.length === 1)
    await handler.close()
    expect(stream.state).toBe('ended')
    expect(stream.messages.at(-1)).toMatchObject({ id: 1, result: { resultType: 'complete' } })
  })
})
