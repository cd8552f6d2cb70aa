import { describe, expect, it } from 'vitest'
import { traceOf } from './trace.ts'

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

describe('a trace', () => {
  it('is taken when each part has the form of its standard [META-13]', () => {
    const trace = { traceparent: PARENT, tracestate: 'a=1,b=2', baggage: 'user=7' }
    expect(traceOf({ ...trace, other: 1 })).toEqual(trace)
    expect(traceOf({ traceparent: `cc-${PARENT.slice(3)}-more` })).toEqual({
      traceparent: `cc-${PARENT.slice(3)}-more`,
    })
  })

  it.each([
    ['an id of zeros', PARENT.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32))],
    ['a parent of zeros', PARENT.replace('b7ad6b7169203331', '0'.repeat(16))],
    ['a version that is none', `ff${PARENT.slice(2)}`],
    ['large letters', PARENT.toUpperCase()],
    ['more than its version has', `${PARENT}-00`],
    ['a line end', `${PARENT}\n`],
    ['a number', 7],
    ['nothing', ''],
  ])('is left out with a parent that has %s, and its state with it [META-13]', (_, traceparent) => {
    expect(traceOf({ traceparent, tracestate: 'a=1' })).toBeUndefined()
    expect(traceOf({ traceparent, tracestate: 'a=1', baggage: 'b=2' })).toEqual({ baggage: 'b=2' })
  })

  it.each(['no pairs', 'a=1\r\nx: y', `a=${'b'.repeat(9000)}`, 'a=é', 5, null])(
    'is left without a baggage or state of another form: %j [META-13]',
    (value) => {
      expect(traceOf({ traceparent: PARENT, tracestate: value, baggage: value })).toEqual({
        traceparent: PARENT,
      })
    },
  )
})
