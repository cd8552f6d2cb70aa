import { describe, expect, it } from 'vitest'
import { BugError, RpcError, RpcRefusal } from '../base/errors.ts'
import { dialectFor, DIALECTS } from './dialects/index.ts'
import {
  isResourceNotFound,
  methodNotFound,
  missingClientCapability,
  resourceNotFound,
  unsupportedVersion,
} from './errors.ts'

const legacy = dialectFor('2025-11-25')
const modern = dialectFor('2026-07-28')

describe('an error on its way out', () => {
  it('says a missing resource in the code of the revision [ERR-02, ERR-03, ERR-09]', () => {
    const codes = DIALECTS.map(
      (dialect) => dialect.encodeError(resourceNotFound('file:///a')).error.code,
    )
    expect(codes).toEqual([-32002, -32002, -32002, -32002, -32602])
    expect(modern.encodeError(resourceNotFound('file:///a')).error.data).toEqual({
      uri: 'file:///a',
    })
  })

  it.each([
    new Error('secret'),
    new BugError('secret'),
    new RpcError(-32000, 'secret'),
    'secret',
    undefined,
    { message: 'secret' },
  ])('tells nothing of what was not meant for the peer: %s [ERR-20]', (thrown) => {
    for (const dialect of DIALECTS) {
      expect(dialect.encodeError(thrown).error).toEqual({ code: -32603, message: 'Internal error' })
    }
  })

  it('is a refusal as it was made, with its data [RPC-09]', () => {
    const refusal = new RpcRefusal(1234, 'no', { data: [1] })
    for (const dialect of DIALECTS) {
      expect(dialect.encodeError(refusal).error).toEqual({ code: 1234, message: 'no', data: [1] })
    }
  })

  it('never has a code that is no integer [RPC-09]', () => {
    expect(legacy.encodeError(new RpcRefusal(Number.NaN, 'x')).error.code).toBe(-32603)
  })

  it.each([-32042, -32000, -32001, -32019, -32023, -32099])(
    'has no reserved code %i in the modern era [ERR-09, ERR-10, ERR-11]',
    (code) => {
      expect(modern.encodeError(new RpcRefusal(code, 'x')).error.code).toBe(-32603)
      expect(legacy.encodeError(new RpcRefusal(code, 'x')).error.code).toBe(code)
    },
  )

  it('has the HTTP status that goes with it [ERR-07, ERR-08, ERR-14]', () => {
    expect(modern.encodeError(methodNotFound('x')).status).toBe(404)
    expect(modern.encodeError(unsupportedVersion('x', [])).status).toBe(400)
    expect(modern.encodeError(missingClientCapability({ sampling: {} }))).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: { sampling: {} } } },
    })
    expect(modern.encodeError(resourceNotFound('x'))).not.toHaveProperty('status')
    expect(legacy.encodeError(methodNotFound('x'))).not.toHaveProperty('status')
  })

  it('repeats no more of what the peer sent than a line', () => {
    const { error } = modern.encodeError(unsupportedVersion('9'.repeat(1_000_000), ['2026-07-28']))
    expect(JSON.stringify(error).length).toBeLessThan(600)
  })
})

describe('an error on its way in', () => {
  it('means a missing resource in the old code and in the new one [ERR-04]', () => {
    expect(isResourceNotFound(new RpcError(-32002, 'x'))).toBe(true)
    expect(isResourceNotFound(new RpcError(-32602, 'x', { data: { uri: 'u' } }))).toBe(true)
    expect(isResourceNotFound(new RpcError(-32602, 'x'))).toBe(false)
  })
})
