import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../base/errors.ts'
import { dice } from '../../test/support/seeded.ts'
import { findSharedNames } from '../../test/support/name-pairs.ts'
import { AliasMap, MAX_ALIAS, MAX_LOOK_ALIKES, aliasOf, readsAsAlias } from './names.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const name = (server: string, tool: string): string => aliasOf(server, tool, sha256)
const PATTERN = /^[A-Za-z0-9_-]{1,64}$/
const HASHED = /_[0-9a-f]{12}$/

describe('the name of a tool for models', () => {
  it('is server, two underscores, tool', () => {
    expect(name('wiki', 'find-page')).toBe('wiki__find-page')
  })

  it('is a stem and 12 digits of SHA-256 over key, NUL and tool where characters had to be replaced', () => {
    const digits = sha256('notes\u0000page/open').slice(0, 12)
    expect(name('notes', 'page/open')).toBe(`notes__page_open_${digits}`)
  })

  it.each([
    ['a dot', 'notes', 'page.open'],
    ['a blank', 'my notes', 'open'],
    ['other scripts', '書庫', '検索'],
    ['an accent', 'notes', 'créer'],
    ['nothing', 'notes', ''],
    ['no server', '', 'open'],
    ['a separator in the server', 'a__b', 'c'],
    ['a separator in the tool', 'a', 'b__c'],
    ['an underscore at the end of the server', 'a_', 'b'],
    ['an underscore at the start of the tool', 'a', '_b'],
    ['the end of a hash', 'a', 'b_0123456789ab'],
    ['a tool that is all hash', 'a_', '0123456789ab'],
    ['65 characters', 'a'.repeat(31), 'b'.repeat(32)],
    ['a megabyte', 'a', 'b'.repeat(1_000_000)],
  ])('has a hash for %s, and fits the pattern', (_, server, tool) => {
    expect(name(server, tool)).toMatch(PATTERN)
    expect(name(server, tool)).toMatch(HASHED)
    expect(name(server, tool)).not.toBe(`${server}__${tool}`)
  })

  it('cannot be taken by a tool that is called as it ends', () => {
    const alias = name('a', 'b.c')
    expect(name('a', alias.slice('a__'.length))).not.toBe(alias)
  })

  it('has no hash with exactly 64 characters', () => {
    expect(name('a'.repeat(31), 'b'.repeat(31))).toBe(`${'a'.repeat(31)}__${'b'.repeat(31)}`)
  })

  it('keeps both names readable when it is cut', () => {
    const cut = name('customer-records-of-the-whole-company', `list_${'x'.repeat(60)}`)
    expect(cut).toHaveLength(MAX_ALIAS)
    expect(cut).toMatch(/^customer-records-of-.*__list_x+_[0-9a-f]{12}$/)
  })

  it('tells names apart that are the same to a hash over UTF-8 or over parts with NUL', () => {
    expect(name('a', '\ud800')).not.toBe(name('a', '\udbff'))
    expect(name('a', '\ud800')).not.toBe(name('a', '\ufffd'))
    expect(name('a\u0000b', 'c')).not.toBe(name('a', 'b\u0000c'))
    expect(name('["a', 'b"]')).not.toBe(name('["a,b"]', ''))
  })

  it('is one name for one pair over 200,000 random pairs, most of them hostile (seed 7)', () => {
    const { pairs, faults, hashed } = findSharedNames(200_000, 7, sha256)
    expect(faults).toEqual([])
    expect(pairs).toBe(200_000)
    expect(hashed).toBeGreaterThan(100_000)
  })
})

/** Cases of our own, then those of a file where there is one. Pairs in neither list may be either. */
interface NamingCase {
  readonly id: string
  readonly servers: readonly { readonly name: string; readonly tools: readonly string[] }[]
  readonly expect: {
    readonly count: number
    readonly plain?: readonly (readonly [string, string])[]
    readonly hashed?: readonly (readonly [string, string])[]
  }
}

const OWN: readonly NamingCase[] = [
  {
    id: 'two servers with a tool of one name',
    servers: [
      { name: 'calendar', tools: ['find', 'delete'] },
      { name: 'files', tools: ['find'] },
    ],
    expect: {
      count: 3,
      plain: [
        ['calendar', 'find'],
        ['calendar', 'delete'],
        ['files', 'find'],
      ],
    },
  },
  {
    id: 'tools that become alike when characters are replaced',
    servers: [{ name: 'db', tools: ['get:row', 'get;row', 'get row', 'get_row', 'get-row'] }],
    expect: {
      count: 5,
      plain: [
        ['db', 'get_row'],
        ['db', 'get-row'],
      ],
      hashed: [
        ['db', 'get:row'],
        ['db', 'get;row'],
        ['db', 'get row'],
      ],
    },
  },
  {
    id: 'pairs that join to the same text',
    servers: [
      { name: 'x', tools: ['y__z', '_y__z'] },
      { name: 'x__y', tools: ['z'] },
      { name: 'x_', tools: ['y__z', '_y__z'] },
    ],
    expect: {
      count: 5,
      hashed: [
        ['x', 'y__z'],
        ['x', '_y__z'],
        ['x__y', 'z'],
        ['x_', 'y__z'],
        ['x_', '_y__z'],
      ],
    },
  },
  {
    id: 'long tools that differ at their end only',
    servers: [{ name: 'inventory', tools: [`${'q'.repeat(80)}1`, `${'q'.repeat(80)}2`] }],
    expect: {
      count: 2,
      hashed: [
        ['inventory', `${'q'.repeat(80)}1`],
        ['inventory', `${'q'.repeat(80)}2`],
      ],
    },
  },
]

const file = new URL('../../../shared/cases/data/naming.json', import.meta.url)
const more = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly NamingCase[] }).cases // its format says so
  : []
if (more.length === 0)
  process.stdout.write('no further naming cases found, only our own are tested\n')

describe.each([...OWN, ...more])('names for $id', ({ servers, expect: wanted }) => {
  const pairs = servers.flatMap(({ name: server, tools }) =>
    tools.map((tool) => ({ server, tool })),
  )
  const named = (list: typeof pairs): ReadonlyMap<string, string | undefined> => {
    const map = new AliasMap(sha256)
    return new Map(
      list.map(({ server, tool }) => [JSON.stringify([server, tool]), map.add(server, tool)]),
    )
  }

  it('are as many as tools, fit the pattern and lead back', () => {
    const map = new AliasMap(sha256)
    const aliases = pairs.map(({ server, tool }) => map.add(server, tool) ?? 'collision')
    expect(new Set(aliases).size).toBe(wanted.count)
    for (const [index, alias] of aliases.entries()) {
      expect(alias).toMatch(PATTERN)
      expect(map.find(alias)).toEqual(pairs[index])
    }
  })

  it('are the same in any order and alone', () => {
    const all = named(pairs)
    expect(named(pairs.toReversed())).toEqual(new Map([...all].toReversed()))
    for (const { server, tool } of pairs)
      expect(name(server, tool)).toBe(all.get(JSON.stringify([server, tool])))
  })

  it('are plain or hashed as they have to be', () => {
    for (const [server, tool] of wanted.plain ?? [])
      expect(name(server, tool)).toBe(`${server}__${tool}`)
    for (const [server, tool] of wanted.hashed ?? []) expect(name(server, tool)).toMatch(HASHED)
  })
})

describe('the two-way map', () => {
  it('keeps every name when tools are added, removed and added in another order (seed 3)', () => {
    const luck = dice(3)
    const pairs = Array.from({ length: 300 }, (_, index) => ({
      server: luck.pick(['a', 'a_', 'a__b', 'ü', 'b']),
      tool: `${luck.pick(['t', '_t', 't__', 't.'])}${index}`,
    }))
    const map = new AliasMap(sha256)
    const first = pairs.map(({ server, tool }) => map.add(server, tool))
    for (const { server, tool } of pairs.filter(() => luck.chance(0.5))) map.remove(server, tool)
    const again = pairs.toReversed().map(({ server, tool }) => map.add(server, tool))
    expect(again.toReversed()).toEqual(first)
    expect(map.size).toBe(300)
  })

  it('forgets a tool in both directions', () => {
    const map = new AliasMap(sha256)
    map.add('a', 'b')
    map.remove('a', 'b')
    expect(map.find('a__b')).toBeUndefined()
    expect(map.aliasOf('a', 'b')).toBeUndefined()
  })

  it('leaves a tool out whose name is taken, and the other as it was', () => {
    const map = new AliasMap(() => '0'.repeat(64))
    expect(map.add('a', 'x.y')).toBe('a__x_y_000000000000')
    expect(map.add('a', 'x/y')).toBeUndefined()
    expect(map.find('a__x_y_000000000000')).toEqual({ server: 'a', tool: 'x.y' })
    map.remove('a', 'x/y')
    expect(map.find('a__x_y_000000000000')).toEqual({ server: 'a', tool: 'x.y' })
  })

  it('gives no tool of a server the bare name of a native one', () => {
    const map = new AliasMap(sha256)
    map.addNative('read_file')
    expect(map.add('files', 'read_file')).toBe('files__read_file')
    expect(map.find('read_file')).toBeUndefined()
    expect(map.isNative('read_file')).toBe(true)
  })

  it('refuses native names that a tool of a server could have, whoever comes first (seed 5)', () => {
    const luck = dice(5)
    for (let round = 0; round < 2_000; round += 1) {
      const server = luck.pick(['a', 'a_', '', 'ß', 'x'.repeat(70)])
      const alias = name(server, luck.pick(['b', '_b', '', 'b__c', `${round}_0123456789ab`]))
      expect(readsAsAlias(alias)).toBe(true)
      expect(() => new AliasMap(sha256).addNative(alias)).toThrow(UsageError)
    }
  })

  it.each(['', 'a b', 'é', 'x'.repeat(65), 'a__b', 'a_0123456789ab'])(
    'refuses the native name %j',
    (bad) => {
      expect(() => new AliasMap(sha256).addNative(bad)).toThrow(UsageError)
    },
  )

  it('refuses a second native tool of one name, until the first is gone', () => {
    const map = new AliasMap(sha256)
    map.addNative('clock')
    expect(() => map.addNative('clock')).toThrow(/two native tools/)
    map.removeNative('clock')
    expect(() => map.addNative('clock')).not.toThrow()
  })

  it('takes names of prototypes for names', () => {
    const map = new AliasMap(sha256)
    expect(map.find('constructor')).toBeUndefined()
    expect(map.find(map.add('a', '__proto__') ?? '')).toEqual({ server: 'a', tool: '__proto__' })
  })
})

describe('look-alikes', () => {
  const alike = (...tools: readonly string[]): number => {
    const map = new AliasMap(sha256)
    for (const tool of tools) map.add('mail', tool)
    return map.lookAlikes().length
  }

  it.each([
    ['case', 'sendMail', 'sendmail'],
    ['a dash for an underscore', 'send-mail', 'send_mail'],
    ['a Cyrillic letter', 'send', 's\u0435nd'],
    ['a digit for a letter', 'pool', 'p001'],
    ['full width', 'send', '\uff53end'],
    ['what is not seen', 'send', 'se\u200bnd'],
  ])('are told of when only %s differs', (_, first, second) => {
    expect(alike(first, second)).toBe(1)
  })

  it('are not names that are merely similar, nor one name on two servers', () => {
    expect(alike('send', 'sent', 'send_all')).toBe(0)
    const map = new AliasMap(sha256)
    map.add('mail', 'search')
    map.add('wiki', 'search')
    expect(map.lookAlikes()).toEqual([])
  })

  it('are servers as well', () => {
    const map = new AliasMap(sha256)
    map.add('GitHub', 'search')
    map.add('github', 'search')
    expect(map.lookAlikes()).toEqual([
      { first: { server: 'GitHub', tool: 'search' }, second: { server: 'github', tool: 'search' } },
    ])
  })

  it('are gone when one of the two is', () => {
    const map = new AliasMap(sha256)
    map.add('mail', 'send')
    map.add('mail', 'SEND')
    map.remove('mail', 'SEND')
    expect(map.lookAlikes()).toEqual([])
  })

  it('are told of up to a bound', () => {
    const tools = Array.from({ length: 200 }, (_, index) => `t${'-'.repeat(index + 1)}x`)
    expect(alike(...tools)).toBe(MAX_LOOK_ALIKES)
  })
})
