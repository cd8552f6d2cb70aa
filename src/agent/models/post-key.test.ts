import { expect, it } from 'vitest'
import { unreadableReply } from './chat-draft.ts'
import { SecretKey } from './post-key.ts'

const KEY = 'sk-0123456789abcdef'

it('a key stands in no facts of an error that quotes the far side, and the others stay', () => {
  const facts = { why: 'no-json', contentType: `text/${KEY}` } as const
  const error = new SecretKey(KEY, 'plain').maskError(unreadableReply('plain', facts, KEY))
  expect(error).toMatchObject({ detail: { kind: 'model-no-reply', why: 'no-json' } })
  expect(JSON.stringify([error, String(error)])).not.toContain(KEY)
})
