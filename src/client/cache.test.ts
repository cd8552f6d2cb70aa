import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../test/support/fake-clock.ts'
import { ResponseCache, type CacheKey } from './cache.ts'

const DAY = 24 * 3600 * 1000
const ada: CacheKey = {
  server: 's',
  authorization: 'ada',
  revision: '2026-07-28',
  method: 'tools/list',
  params: undefined,
}
const bob: CacheKey = { ...ada, authorization: 'bob' }
const result = (ttlMs: unknown, cacheScope?: unknown, more: object = {}): never =>
  ({ tools: [], ttlMs, ...(cacheScope === undefined ? {} : { cacheScope }), ...more }) as never

describe('a cache of results', () => {
  it('counts freshness from when the result came, and takes no word of more than a day [CACHE-03]', async () => {
    const clock = fakeClock()
    const cache = new ResponseCache({ clock })
    cache.keep(ada, result(1000), 0)
    await clock.advance(999)
    expect(cache.find(ada)?.fresh).toBe(true)
    await clock.advance(1)
    expect(cache.find(ada)?.fresh).toBe(false)
    cache.keep(ada, result(1e300), 0)
    await clock.advance(DAY - 1)
    expect(cache.find(ada)?.fresh).toBe(true)
    await clock.advance(1)
    expect(cache.find(ada)?.fresh).toBe(false)
  })

  it.each([0, -5, undefined, null, '1000', Number.NaN, true])(
    'keeps nothing with a ttlMs of %j, and forgets what it had [CACHE-03]',
    (ttlMs) => {
      const cache = new ResponseCache()
      cache.keep(ada, result(1000), 0)
      cache.keep(ada, result(ttlMs), 0)
      expect(cache.find(ada)).toBeUndefined()
      expect([cache.size, cache.bytes]).toEqual([0, 0])
    },
  )

  it('gives nothing for another server, method, cursor or URI, whatever the order of members [CACHE-02]', () => {
    const cache = new ResponseCache()
    const key = { ...ada, params: { cursor: 'x', a: { b: 1, c: 2 } } }
    cache.keep(key, result(1000, 'public'), 0)
    expect(cache.find({ ...key, params: { a: { c: 2, b: 1 }, cursor: 'x' } })?.fresh).toBe(true)
    const others: CacheKey[] = [
      { ...key, server: 's2' },
      { ...key, revision: '2027-01-01' },
      { ...key, method: 'prompts/list' },
      { ...key, params: { ...key.params, cursor: '' } },
      { ...key, params: undefined },
      {
        ...key,
        params: {
          ...key.params,
          a: [
            ['b', 1],
            ['c', 2],
          ],
        },
      },
    ]
    for (const other of others) expect(cache.find(other)).toBeUndefined()
  })

  it.each(['private', undefined, 'Public', 7, ['public']])(
    'gives what has the scope %j to the same authorization alone [CACHE-04]',
    (scope) => {
      const cache = new ResponseCache()
      cache.keep(ada, result(1000, scope), 0)
      expect(cache.find(ada)?.fresh).toBe(true)
      expect(cache.find(bob)).toBeUndefined()
    },
  )

  it('gives what is public to everyone, until its server calls it private [CACHE-04]', () => {
    const cache = new ResponseCache()
    cache.keep(ada, result(1000, 'public'), 0)
    expect(cache.find(bob)?.fresh).toBe(true)
    cache.keep(bob, result(1000, 'private'), 0)
    expect(cache.find(bob)?.fresh).toBe(true)
    expect(cache.find(ada)).toBeUndefined()
  })

  it('takes no name of an authorization for another, whatever is in it [CACHE-04]', () => {
    const cache = new ResponseCache()
    for (const authorization of ['', '"', 'ada"]', '__proto__', 'constructor']) {
      cache.keep({ ...ada, authorization }, result(1000, 'private', { who: authorization }), 0)
    }
    expect(cache.size).toBe(5)
    expect(cache.find({ ...ada, authorization: '__proto__' })?.result['who']).toBe('__proto__')
    expect(cache.find(ada)).toBeUndefined()
  })

  it('gives each asker a copy of its own', () => {
    const cache = new ResponseCache()
    cache.keep(ada, result(1000, 'public', { list: [{ name: 'a' }] }), 0)
    const first = cache.find(ada)?.result['list']
    if (Array.isArray(first)) first.push('poison')
    expect(cache.find(bob)?.result['list']).toEqual([{ name: 'a' }])
  })

  it.each([
    [{ kind: 'tools' }, ['tools/list']],
    [{ kind: 'prompts' }, ['prompts/list']],
    [{ kind: 'resources' }, ['resources/list', 'resources/templates/list']],
    [{ kind: 'resource', uri: 'a:/x' }, ['resources/read']],
    [{ kind: 'resource', uri: 'a:/x/below' }, ['resources/read']],
    [{ kind: 'resource', uri: 'a:/xy' }, []],
    [
      undefined,
      [
        'tools/list',
        'prompts/list',
        'resources/list',
        'resources/templates/list',
        'resources/read',
      ],
    ],
  ] as const)(
    'counts as old what a change of %j touches, and nothing else [CACHE-06]',
    (change, touched) => {
      const cache = new ResponseCache()
      const methods = [
        'tools/list',
        'prompts/list',
        'resources/list',
        'resources/templates/list',
        'resources/read',
      ]
      const keys = methods.map((method) => ({ ...ada, method, params: { uri: 'a:/x' } }))
      for (const key of keys) cache.keep(key, result(1000, 'public'), 0)
      cache.changed('elsewhere', change)
      expect(keys.every((key) => cache.find(key)?.fresh)).toBe(true)
      cache.changed('s', change)
      const old = keys.filter((key) => cache.find(key)?.fresh === false)
      expect(old.map(({ method }) => method)).toEqual(touched)
    },
  )

  it('keeps nothing that was asked for before a change came [CACHE-06]', () => {
    const cache = new ResponseCache()
    const { changes } = cache
    cache.changed('s', { kind: 'tools' })
    cache.keep(ada, result(1000), changes)
    expect(cache.find(ada)).toBeUndefined()
    cache.keep(ada, result(1000), cache.changes)
    expect(cache.find(ada)?.fresh).toBe(true)
  })

  it('holds so many results and so many bytes, and lets go what was not used for longest', () => {
    const cache = new ResponseCache({ maxEntries: 3, maxBytes: 4000 })
    const key = (cursor: string): CacheKey => ({ ...ada, params: { cursor } })
    for (const cursor of ['a', 'b', 'c']) cache.keep(key(cursor), result(1000), 0)
    cache.find(key('a'))
    cache.keep(key('d'), result(1000), 0)
    expect(['a', 'b', 'c', 'd'].map((cursor) => cache.find(key(cursor)) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ])
    cache.keep(key('large'), result(1000, 'private', { text: 'x'.repeat(1500) }), 0)
    expect(cache.bytes).toBeLessThanOrEqual(4000)
    expect(cache.size).toBeLessThan(4)
    cache.keep(key('huge'), result(1000, 'private', { text: 'x'.repeat(4000) }), 0)
    expect(cache.find(key('huge'))).toBeUndefined()
    cache.clear()
    expect([cache.size, cache.bytes]).toEqual([0, 0])
  })

  it('stays within its bounds over 20,000 results', () => {
    const cache = new ResponseCache()
    for (let at = 0; at < 20_000; at += 1)
      cache.keep({ ...ada, params: { cursor: String(at) } }, result(1000), 0)
    expect(cache.size).toBe(1000)
    const total = Array.from({ length: 1000 }, (_, at) =>
      cache.find({ ...ada, params: { cursor: String(19_000 + at) } }),
    )
    expect(total.every((found) => found !== undefined)).toBe(true)
  })
})
