import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../base/json.ts'
import { encodeHeaderValue } from '../formats/header-value.ts'
import type { Request } from '../jsonrpc/message.ts'
import { DIALECTS, dialectFor } from './dialects/index.ts'
import { checkHeaders, headerMismatch, requestHeaders, type Headers } from './headers.ts'

const MODERN = '2026-07-28'
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const request = (method: string, params: JsonObject = {}): Request => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { ...params, _meta: { [VERSION_KEY]: MODERN } },
})
const call = request('tools/call', { name: 'get_weather', arguments: {} })
const HEADERS: Headers = {
  'mcp-protocol-version': MODERN,
  'mcp-method': 'tools/call',
  'mcp-name': 'get_weather',
}
const mismatch = (header: string): unknown =>
  expect.objectContaining({ rpcCode: -32020, message: expect.stringContaining(`"${header}"`) })

describe('the headers of a request', () => {
  it('repeat its revision and its method [HTTP-52, HTTP-56]', () => {
    expect(requestHeaders(MODERN, 'tools/list', { cursor: 'x' })).toEqual({
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/list',
    })
    expect(requestHeaders(MODERN, 'server/discover', undefined)).toEqual({
      'mcp-protocol-version': MODERN,
      'mcp-method': 'server/discover',
    })
  })

  it.each([
    ['tools/call', 'name'],
    ['prompts/get', 'name'],
    ['resources/read', 'uri'],
    ['tasks/get', 'taskId'],
    ['tasks/update', 'taskId'],
    ['tasks/cancel', 'taskId'],
  ])('of %s repeat its %s [HTTP-57, TASKX-16]', (method, member) => {
    const params = { name: 'n', uri: 'u', taskId: 't', [member]: 'what it is' }
    expect(requestHeaders(MODERN, method, params)['mcp-name']).toBe('what it is')
  })

  it.each(['tools/list', 'completion/complete', 'subscriptions/listen', 'toString', '__proto__'])(
    'of %s name nothing [HTTP-57]',
    (method) => {
      const params = { name: 'n', uri: 'u', taskId: 't' }
      expect(requestHeaders(MODERN, method, params)).not.toHaveProperty('mcp-name')
    },
  )

  it('wrap what a header cannot hold [HTTP-60]', () => {
    expect(requestHeaders(MODERN, 'tools/call', { name: 'wétter' })['mcp-name']).toBe(
      '=?base64?d8OpdHRlcg==?=',
    )
  })

  it('are written by the dialects that mirror, and by no others', () => {
    for (const dialect of DIALECTS) {
      const headers = dialect.requestHeaders('tools/call', { name: 'n' })
      expect(Object.keys(headers ?? {}).length > 0).toBe(dialect.traits.mirrorsHeaders)
    }
  })
})

describe('headers beside a body', () => {
  it('pass when they say the same [HTTP-58]', () => {
    expect(() => checkHeaders(call, HEADERS)).not.toThrow()
    expect(() =>
      checkHeaders(request('tools/list'), { ...HEADERS, 'mcp-method': 'tools/list' }),
    ).not.toThrow()
  })

  it.each(Object.keys(HEADERS))('are refused without %s [HTTP-58]', (header) => {
    const { [header]: _, ...rest } = HEADERS
    expect(() => checkHeaders(call, rest)).toThrow(mismatch(header))
  })

  it.each([
    ['mcp-protocol-version', '2025-11-25'],
    ['mcp-method', 'tools/list'],
    ['mcp-method', 'TOOLS/CALL'],
    ['mcp-name', 'Get_Weather'],
    ['mcp-name', 'get_weather2'],
    ['mcp-name', ''],
    ['mcp-name', 'get_weather, get_weather'],
    ['mcp-name', '=?base64?Z2V0X3dlYXRoZXI?='],
    ['mcp-name', '=?BASE64?Z2V0X3dlYXRoZXI=?='],
    ['mcp-name', '=?base64?ZGFuZ2Vy?='],
  ])('are refused when %s is %j [HTTP-58, HTTP-59]', (header, value) => {
    expect(() => checkHeaders(call, { ...HEADERS, [header]: value })).toThrow(mismatch(header))
  })

  it('are read before they are compared [HTTP-62]', () => {
    const wrapped = {
      ...HEADERS,
      'mcp-name': '=?base64?Z2V0X3dlYXRoZXI=?=',
      'mcp-method': ' tools/call\t',
    }
    expect(() => checkHeaders(call, wrapped)).not.toThrow()
  })

  it('are refused with bad Base64, also where the body says the same [HTTP-63]', () => {
    const name = '=?base64?no?='
    expect(() =>
      checkHeaders(request('tools/call', { name }), { ...HEADERS, 'mcp-name': name }),
    ).toThrow(mismatch('mcp-name'))
  })

  it('are refused with raw characters beyond ASCII, also where the body says the same [HTTP-58]', () => {
    const name = 'wétter'
    expect(() =>
      checkHeaders(request('tools/call', { name }), { ...HEADERS, 'mcp-name': name }),
    ).toThrow(mismatch('mcp-name'))
  })

  it('do not matter where the body has nothing to compare: the request is refused for that', () => {
    const bare: Request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 5 } }
    expect(() => checkHeaders(bare, { 'mcp-method': 'tools/call', 'mcp-name': 'x' })).not.toThrow()
  })

  it('are what the same request is given, for all names (seed 20260807)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (name, method) => {
        for (const one of [request('tools/call', { name }), request(method)]) {
          expect(() =>
            checkHeaders(one, requestHeaders(MODERN, one.method, one.params)),
          ).not.toThrow()
        }
      }),
      { seed: 20_260_807, numRuns: 1000 },
    )
  })

  it('never pass for another name (seed 20260808)', () => {
    const names = fc.string({ unit: fc.constantFrom('a', 'A', ' ', '=', 'é', 'e\u0301') })
    fc.assert(
      fc.property(names, names, (one, other) => {
        fc.pre(one !== other)
        const headers = { ...HEADERS, 'mcp-name': encodeHeaderValue(one) }
        expect(() => checkHeaders(request('tools/call', { name: other }), headers)).toThrow(
          mismatch('mcp-name'),
        )
      }),
      { seed: 20_260_808, numRuns: 1000 },
    )
  })
})

describe('a dialect that mirrors', () => {
  const dialect = dialectFor(MODERN)
  const whole = request('tools/call', {
    name: 'get_weather',
    arguments: {},
  })
  const meta = {
    [VERSION_KEY]: MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const complete: Request = { ...whole, params: { ...whole.params, _meta: meta } }

  it('checks the headers that a carrier hands over, and asks for none where there are none [HTTP-58]', () => {
    expect(() => dialect.decodeRequest(complete, undefined)).not.toThrow()
    expect(() => dialect.decodeRequest(complete, { headers: HEADERS })).not.toThrow()
    expect(() => dialect.decodeRequest(complete, { headers: {} })).toThrow(
      mismatch('mcp-protocol-version'),
    )
  })

  it('answers a mismatch with -32020 and the status 400 [ERR-06, HTTP-58]', () => {
    expect(dialect.encodeError(headerMismatch('mcp-name', 'it is missing'))).toEqual({
      error: { code: -32020, message: expect.stringContaining('mcp-name') },
      status: 400,
    })
  })
})
