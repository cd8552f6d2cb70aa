import { describe, expect, it } from 'vitest'
import { checkedHeaders } from './header-source.ts'

describe('headers of a user', () => {
  it('get names in lower case', () => {
    expect(checkedHeaders({ Authorization: 'Bearer t', 'X-Tenant': 'a b\tc' })).toEqual({
      authorization: 'Bearer t',
      'x-tenant': 'a b\tc',
    })
  })

  it.each(['Content-Length', 'host', 'Mcp-Session-Id', 'MCP-Protocol-Version', 'last-event-id'])(
    'are refused when the transport itself sets them: %s',
    (name) => {
      expect(() => checkedHeaders({ [name]: '1' })).toThrow(
        expect.objectContaining({
          code: 'DP_USAGE',
          message: expect.stringContaining(JSON.stringify(name)),
        }),
      )
    },
  )

  it.each(['x y', 'x:y', '', 'ü', 'x\r\ny'])('cannot be named %j', (name) => {
    expect(() => checkedHeaders({ [name]: '1' })).toThrow(
      expect.objectContaining({ code: 'DP_USAGE' }),
    )
  })

  it.each(['s3cret\r\nx: y', 's3cret\0', 's3crét', 's3cret\u007f'])(
    'cannot have the value %j, and the error does not repeat it',
    (value) => {
      const message = expect.not.stringContaining('s3cr')
      expect(() => checkedHeaders({ a: value })).toThrow(
        expect.objectContaining({ code: 'DP_USAGE', message }),
      )
    },
  )

  it('never become properties of a prototype', () => {
    const headers = checkedHeaders(JSON.parse('{"__proto__": "x"}'))
    expect(Object.keys(headers)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype)
  })
})
