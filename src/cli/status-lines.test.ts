import { expect, it } from 'vitest'
import { displayWidth } from '../base/terminal-text.ts'
import type { ServerStatus } from '../host/state.ts'
import { hostEn } from './messages/host-en.ts'
import { SecretMask } from './secrets.ts'
import { statusLines } from './status-lines.ts'

const status: ServerStatus = {
  key: 'docs',
  state: 'failed',
  why: 'There is no command "no-such-command". Install it, or give its full path in the entry.',
  whyKind: 'cannot-start',
  since: 0,
  crashes: 0,
  waiting: 0,
  running: 0,
}
const off: ServerStatus = { ...status, key: 'off', state: 'disabled', whyKind: 'switched-off' }

it('says all of why a server is away, below where it begins, and what to do at the end', () => {
  const lines = statusLines([status, off], hostEn, { columns: 60, mask: new SecretMask() })
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(60)
  expect(lines.slice(0, 3)).toEqual([
    'docs  failed        There is no command "no-such-command".',
    '                    Install it, or give its full path in the',
    '                    entry.',
  ])
})

it('breaks no secret before it is masked', () => {
  const mask = new SecretMask()
  mask.know(['no-such-command". Install it'])
  const lines = statusLines([status], hostEn, { columns: 40, mask })
  expect(lines.join(' ')).not.toMatch(/no-such-command|Install it/)
})
