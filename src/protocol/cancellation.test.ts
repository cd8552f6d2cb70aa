import { expect, it } from 'vitest'
import { cancellationOf } from './cancellation.ts'

const cancelled = (params?: object): ReturnType<typeof cancellationOf> =>
  cancellationOf({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    ...(params === undefined ? {} : { params: { ...params } }),
  })

it.each([0, -1, '', '0', 'x'])(
  'names the request %j, with its type [CANC-01, RPC-06]',
  (requestId) => {
    expect(cancelled({ requestId })).toEqual({ id: requestId })
    expect(cancelled({ requestId, reason: 'enough' })).toEqual({ id: requestId, reason: 'enough' })
  },
)

it.each([undefined, {}, { requestId: null }, { requestId: {} }, { requestId: 1.5 }])(
  'cancels nothing with the params %j [CANC-03, CANC-08]',
  (params) => {
    expect(cancelled(params)).toBeUndefined()
  },
)

it('takes no other notification for one', () => {
  const params = { requestId: 1 }
  expect(
    cancellationOf({ jsonrpc: '2.0', method: 'notifications/progress', params }),
  ).toBeUndefined()
})
