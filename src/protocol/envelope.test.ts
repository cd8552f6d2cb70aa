import { describe, expect, it } from 'vitest'
import { RpcRefusal } from '../base/errors.ts'
import { JsonText, type JsonObject } from '../base/json.ts'
import type { Request } from '../jsonrpc/message.ts'
import type { Call, ClientIdentity } from './dialect.ts'
import { dialectFor } from './dialects/index.ts'
import { envelopeRevision } from './envelope.ts'

const modern = dialectFor('2026-07-28')
const legacy = dialectFor('2025-11-25')
const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const INFO = 'io.modelcontextprotocol/clientInfo'
const LEVEL = 'io.modelcontextprotocol/logLevel'
const self: ClientIdentity = { info: { name: 'c', version: '1' }, capabilities: { sampling: {} } }
const envelope = { [VERSION]: '2026-07-28', [CAPABILITIES]: {} }

function sent(call: Call, dialect = modern): JsonObject | undefined {
  const { params } = dialect.encodeRequest(call, self)
  return params instanceof JsonText ? JSON.parse(params.text) : params
}

function request(params: JsonObject | undefined, method = 'tools/call'): Request {
  return params === undefined
    ? { jsonrpc: '2.0', id: 1, method }
    : { jsonrpc: '2.0', id: 1, method, params }
}

function refusal(run: () => unknown): RpcRefusal {
  try {
    run()
  } catch (error) {
    if (error instanceof RpcRefusal) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('a modern request on its way out', () => {
  it('carries version, capabilities and name, also without params [META-06, META-07, VERS-04]', () => {
    expect(sent({ method: 'tools/list' })).toEqual({
      _meta: {
        [VERSION]: '2026-07-28',
        [CAPABILITIES]: { sampling: {} },
        [INFO]: { name: 'c', version: '1' },
      },
    })
  })

  it('carries the progress token and the log level of the call [PROG-01, LOG-05]', () => {
    const params = sent({
      method: 'tools/call',
      params: { name: 'a' },
      progressToken: 'x"y',
      logLevel: 'error',
    })
    expect(params).toMatchObject({ name: 'a', _meta: { progressToken: 'x"y', [LEVEL]: 'error' } })
  })

  it('keeps the metadata of the caller, but not where a key is ours [META-06]', () => {
    const _meta = {
      traceparent: '00-1',
      [VERSION]: 'mine',
      [CAPABILITIES]: 1,
      [INFO]: 2,
      [LEVEL]: 'debug',
      progressToken: 9,
    }
    const params = sent({ method: 'tools/call', params: { name: 'a', _meta } })
    expect(params).toEqual({
      name: 'a',
      _meta: {
        traceparent: '00-1',
        [VERSION]: '2026-07-28',
        [CAPABILITIES]: { sampling: {} },
        [INFO]: { name: 'c', version: '1' },
      },
    })
  })

  it('says no key twice', () => {
    const _meta = { [VERSION]: 'mine', progressToken: 9 }
    const { params } = modern.encodeRequest(
      { method: 'ping', params: { _meta }, progressToken: 1 },
      self,
    )
    const text = params instanceof JsonText ? params.text : ''
    expect(text.split(VERSION)).toHaveLength(2)
    expect(text.split('progressToken')).toHaveLength(2)
  })

  it('repeats the capabilities of each identity and mixes none [META-09]', () => {
    const other: ClientIdentity = { ...self, capabilities: {} }
    const { params } = modern.encodeRequest({ method: 'tools/list' }, other)
    expect(params instanceof JsonText ? params.text : '').toContain(`"${CAPABILITIES}":{}`)
    expect(sent({ method: 'tools/list' })).toMatchObject({
      _meta: { [CAPABILITIES]: { sampling: {} } },
    })
  })

  it('leaves the objects of the caller alone', () => {
    const params = { name: 'a', _meta: { x: 1, progressToken: 3 } }
    modern.encodeRequest({ method: 'tools/call', params, progressToken: 1 }, self)
    expect(params).toEqual({ name: 'a', _meta: { x: 1, progressToken: 3 } })
  })
})

describe('a legacy request on its way out', () => {
  it('is what the caller gave, untouched, when there is nothing to add', () => {
    const params = { name: 'a' }
    expect(legacy.encodeRequest({ method: 'tools/call', params }, self).params).toBe(params)
    expect(legacy.encodeRequest({ method: 'tools/list' }, self).params).toBeUndefined()
  })

  it('carries the progress token beside the metadata of the caller [PROG-01]', () => {
    const call = {
      method: 'tools/call',
      params: { name: 'a', _meta: { x: 1, progressToken: 2 } },
      progressToken: 7,
    }
    expect(sent(call, legacy)).toEqual({ name: 'a', _meta: { progressToken: 7, x: 1 } })
  })

  it('does not send a token that the caller smuggled in [PROG-01]', () => {
    expect(
      sent({ method: 'tools/call', params: { name: 'a', _meta: { progressToken: 2 } } }, legacy),
    ).toEqual({ name: 'a', _meta: {} })
  })
})

describe('a modern request on its way in', () => {
  it('gives its sender, its token and its level, and params without them [META-09, LOG-05]', () => {
    const _meta = {
      ...envelope,
      [CAPABILITIES]: { elicitation: {} },
      [INFO]: { name: 'c', version: '1' },
      [LEVEL]: 'notice',
      progressToken: 3,
      traceparent: 't',
    }
    const { method, params, client, progressToken, logLevel, inputResponses, requestState } =
      modern.decodeRequest(request({ name: 'a', _meta }))
    expect({
      method,
      params,
      client,
      progressToken,
      logLevel,
      inputResponses,
      requestState,
    }).toEqual({
      method: 'tools/call',
      params: { name: 'a', _meta: { traceparent: 't' } },
      client: {
        revision: '2026-07-28',
        era: 'modern',
        info: { name: 'c', version: '1' },
        capabilities: { elicitation: {} },
      },
      progressToken: 3,
      logLevel: 'notice',
      inputResponses: undefined,
      requestState: undefined,
    })
  })

  it.each([
    ['no params', undefined],
    ['no _meta', {}],
    ['a _meta that is no object', { _meta: 'x' }],
    ['no version', { _meta: { [CAPABILITIES]: {} } }],
    ['a version that is no text', { _meta: { ...envelope, [VERSION]: 20260728 } }],
    ['no capabilities', { _meta: { [VERSION]: '2026-07-28' } }],
    ['capabilities that are no object', { _meta: { ...envelope, [CAPABILITIES]: [] } }],
  ] as [string, JsonObject | undefined][])(
    'is refused with -32602 and 400 for %s [ERR-15]',
    (_, params) => {
      const thrown = refusal(() => modern.decodeRequest(request(params, 'tools/list')))
      expect(modern.encodeError(thrown)).toMatchObject({ error: { code: -32602 }, status: 400 })
    },
  )

  it('is served without a name of the client, or with one that cannot be read [META-08]', () => {
    expect(modern.decodeRequest(request({ _meta: envelope })).client?.info).toBeUndefined()
    expect(
      modern.decodeRequest(request({ _meta: { ...envelope, [INFO]: 'me' } })).client?.info,
    ).toBeUndefined()
  })

  it.each(['verbose', 3, {}, 'constructor'])(
    'is refused for the log level %s [LOG-07]',
    (level) => {
      const thrown = refusal(() =>
        modern.decodeRequest(request({ _meta: { ...envelope, [LEVEL]: level } })),
      )
      expect(thrown.rpcCode).toBe(-32602)
    },
  )

  it('is refused in another revision with what is served [ERR-08]', () => {
    const thrown = refusal(() =>
      modern.decodeRequest(request({ _meta: { ...envelope, [VERSION]: '2099-01-01' } })),
    )
    expect(thrown).toMatchObject({
      rpcCode: -32022,
      data: { supported: ['2026-07-28'], requested: '2099-01-01' },
    })
  })

  it('gives the members of a retry apart from the params [MRTR-06, MRTR-09]', () => {
    const inbound = modern.decodeRequest(
      request({ name: 'a', inputResponses: { k: {} }, requestState: 's', _meta: envelope }),
    )
    expect(inbound).toMatchObject({
      params: { name: 'a' },
      inputResponses: { k: {} },
      requestState: 's',
    })
    expect(inbound.params).toEqual({ name: 'a' })
  })

  it('leaves members of the same name alone in methods that cannot ask', () => {
    const inbound = modern.decodeRequest(
      request({ inputResponses: { k: {} }, _meta: envelope }, 'tasks/update'),
    )
    expect(inbound).toMatchObject({
      params: { inputResponses: { k: {} } },
      inputResponses: undefined,
    })
  })

  it.each([{ inputResponses: [] }, { requestState: 1 }])(
    'is refused for the malformed retry %j [MRTR-13]',
    (members) => {
      const thrown = refusal(() => modern.decodeRequest(request({ ...members, _meta: envelope })))
      expect(thrown.rpcCode).toBe(-32602)
    },
  )

  it('keeps a member called __proto__ a member', () => {
    const params: JsonObject = JSON.parse(
      `{"__proto__":{"polluted":true},"_meta":{"${VERSION}":"2026-07-28","${CAPABILITIES}":{},"__proto__":{"polluted":true}}}`,
    )
    const inbound = modern.decodeRequest(request(params))
    expect(Reflect.get(inbound.params, 'polluted')).toBeUndefined()
    expect(Object.keys(inbound.params)).toEqual(['__proto__', '_meta'])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it('does not change the message, which others still look at', () => {
    const message = request({ name: 'a', requestState: 's', _meta: { ...envelope, x: 1 } })
    const before = JSON.stringify(message)
    modern.decodeRequest(message)
    expect(JSON.stringify(message)).toBe(before)
  })
})

describe('a legacy request on its way in', () => {
  it('gives its token, and params without it [PROG-01]', () => {
    const inbound = legacy.decodeRequest(
      request({ name: 'a', _meta: { progressToken: 'p', x: 1 } }),
    )
    expect(inbound).toMatchObject({
      params: { name: 'a', _meta: { x: 1 } },
      progressToken: 'p',
      client: undefined,
    })
  })

  it('gives empty params when there are none, and the given ones uncopied when nothing is in them', () => {
    const params = { name: 'a' }
    expect(legacy.decodeRequest(request(undefined)).params).toEqual({})
    expect(legacy.decodeRequest(request(params)).params).toBe(params)
  })

  it.each([1.5, true, {}, null])('takes the token %j for none [PROG-01]', (progressToken) => {
    expect(
      legacy.decodeRequest(request({ _meta: { progressToken } })).progressToken,
    ).toBeUndefined()
  })
})

describe('the revision that a request names', () => {
  it('is read from its envelope alone [VERS-08]', () => {
    expect(envelopeRevision(request({ _meta: { [VERSION]: 'x' } }))).toBe('x')
    expect(envelopeRevision(request({ _meta: { [VERSION]: 1 } }))).toBeUndefined()
    expect(envelopeRevision(request({ protocolVersion: 'x' }, 'initialize'))).toBeUndefined()
    expect(envelopeRevision(request(undefined))).toBeUndefined()
  })
})
