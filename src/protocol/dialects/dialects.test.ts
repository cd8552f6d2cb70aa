import { describe, expect, it } from 'vitest'
import type { Notification } from '../../jsonrpc/message.ts'
import { REVISIONS } from '../revision.ts'
import { dialectFor, DIALECTS, NEWEST_LEGACY, NEWEST_MODERN } from './index.ts'

const having = (method: string): string[] =>
  DIALECTS.filter(({ methods }) => methods.has(method)).map(({ revision }) => revision)
const legacy = REVISIONS.slice(0, 4)

describe('the five revisions', () => {
  it('have a dialect each, oldest first [VERS-25]', () => {
    expect(DIALECTS.map(({ revision }) => revision)).toEqual(REVISIONS)
    expect([NEWEST_LEGACY.revision, NEWEST_MODERN.revision]).toEqual(['2025-11-25', '2026-07-28'])
    expect(DIALECTS.map(({ era }) => era)).toEqual([
      'legacy',
      'legacy',
      'legacy',
      'legacy',
      'modern',
    ])
  })

  it.each([
    'initialize',
    'notifications/initialized',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'notifications/roots/list_changed',
  ])('have %s only where there is a handshake [LIFE-12, PING-04]', (method) => {
    expect(having(method)).toEqual(legacy)
  })

  it.each(['server/discover', 'subscriptions/listen', 'notifications/subscriptions/acknowledged'])(
    'have %s only where there is none [LIFE-13, SUB-01]',
    (method) => {
      expect(having(method)).toEqual(['2026-07-28'])
    },
  )

  it('let a server ask by requests until the last handshake [RPC-16, MRTR-17]', () => {
    expect(having('roots/list')).toEqual(legacy)
    expect(having('sampling/createMessage')).toEqual(legacy)
    expect(having('elicitation/create')).toEqual(['2025-06-18', '2025-11-25'])
    const fromServer = [...NEWEST_MODERN.methods.values()].filter(
      ({ kind, sender }) => kind === 'request' && sender !== 'client',
    )
    expect(fromServer).toEqual([])
  })

  it('have tasks in one core [TASK-05]', () => {
    expect(having('tasks/get')).toEqual(['2025-11-25'])
  })

  it('have batches in one revision [RPC-11, RPC-14]', () => {
    expect(DIALECTS.filter(({ link }) => link.batches).map(({ revision }) => revision)).toEqual([
      '2025-03-26',
    ])
  })

  it('tell wrong arguments in a result from 2025-11-25 on [TOOL-16]', () => {
    expect(DIALECTS.map(({ traits }) => traits.argumentErrors)).toEqual([
      'error',
      'error',
      'error',
      'result',
      'result',
    ])
  })

  it('write an unread id as null until 2025-06-18 [RPC-08]', () => {
    expect(DIALECTS.map(({ traits }) => traits.unreadId)).toEqual([
      'null',
      'null',
      'null',
      'none',
      'none',
    ])
  })

  it('let only a modern server send progress [PROG-08]', () => {
    expect(DIALECTS.map(({ methods }) => methods.get('notifications/progress')?.sender)).toEqual([
      'both',
      'both',
      'both',
      'both',
      'server',
    ])
  })
})

describe('a notification', () => {
  const note = (method: string, params?: Notification['params']): Notification =>
    params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params }

  it('of progress belongs to the request of its token, with its type [PROG-01, RPC-06]', () => {
    for (const dialect of DIALECTS) {
      expect(dialect.exchangeOf(note('notifications/progress', { progressToken: '1' }))).toBe('1')
      expect(dialect.exchangeOf(note('notifications/progress', { progressToken: 1 }))).toBe(1)
      expect(
        dialect.exchangeOf(note('notifications/progress', { progressToken: 1.5 })),
      ).toBeUndefined()
      expect(dialect.exchangeOf(note('notifications/progress'))).toBeUndefined()
      expect(
        dialect.exchangeOf(note('notifications/message', { progressToken: 1 })),
      ).toBeUndefined()
    }
  })

  it('with the tag of a subscription belongs to it, in the modern era only [SUB-06]', () => {
    const tag = NEWEST_MODERN.subscriptionMeta('s')
    expect(tag).toEqual({ 'io.modelcontextprotocol/subscriptionId': 's' })
    const change = note('notifications/tools/list_changed', tag === undefined ? {} : { _meta: tag })
    expect(NEWEST_MODERN.exchangeOf(change)).toBe('s')
    expect(NEWEST_LEGACY.exchangeOf(change)).toBeUndefined()
    expect(NEWEST_LEGACY.subscriptionMeta('s')).toBeUndefined()
  })

  it('that ends a subscription belongs to the request that it names [SUB-10]', () => {
    const end = note('notifications/cancelled', { requestId: 4 })
    expect(NEWEST_MODERN.exchangeOf(end)).toBe(4)
    expect(NEWEST_LEGACY.exchangeOf(end)).toBeUndefined()
  })
})

describe('a lookup', () => {
  it('gives the same dialect each time', () => {
    expect(dialectFor('2025-06-18')).toBe(DIALECTS[2])
  })
})
