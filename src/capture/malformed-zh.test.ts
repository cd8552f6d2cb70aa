import { describe, expect, it } from 'vitest'
import { readText as readLive } from '../jsonrpc/channel.ts'
import { malformedZh } from './malformed-zh.ts'
import { readText as readRecorded } from './record-event.ts'

const TEXTS = [
  'not JSON',
  '{',
  '['.repeat(200),
  '1',
  '{"x":1}',
  '{"jsonrpc":"2.0"}',
  '{"jsonrpc":"2.0","method":1}',
  '{"jsonrpc":"2.0","method":"x","params":1}',
  '{"jsonrpc":"2.0","method":"x","id":{}}',
  '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}',
  '{"jsonrpc":"2.0","id":1,"error":{}}',
  '{"jsonrpc":"2.0","id":{},"error":{"code":1,"message":""}}',
  '{"jsonrpc":"2.0","result":{}}',
  '{"jsonrpc":"2.0","id":1,"result":1}',
  '{"jsonrpc":"2.0","method":"x","method":"y"}',
  '{"jsonrpc":"2.0","method":"x","params":{"a":1,"a":2}}',
]

/** Every reason that a reader gives for one of the texts. */
const reasons = [readLive, readRecorded].flatMap((read) =>
  TEXTS.flatMap((text) => {
    const reading = read(text)
    return reading !== undefined && 'reason' in reading ? [reading.reason] : []
  }),
)

describe('why a text is no message, in Chinese', () => {
  it.each([...new Set([...reasons, 'not UTF-8', 'the agreed revision has no batches'])])(
    'is told of: %s',
    (reason) => {
      const told = malformedZh(reason)
      expect(told).toMatch(/\p{Script=Han}/u)
      expect(told.replaceAll(/["“][^"”]*["”]|params/g, '')).not.toMatch(/原文|[a-z]{2}/)
    },
  )

  it('quotes what it has no words for', () => {
    expect(malformedZh('toString')).toBe('原文：toString')
  })
})
