import { describe, expect, it } from 'vitest'
import { MAX_PATTERN, type Rule } from './policy.ts'
import { isAbout, MAX_NAME, type NamedTool } from './tool-pattern.ts'

const HASH = '0123456789ab'
const tool = (server: string | undefined, name: string, alias?: string): NamedTool => ({
  server,
  tool: name,
  alias: alias ?? (server === undefined ? name : `${server}__${name}`),
})
const fits = (effect: Rule['effect'], tools: string, named: NamedTool): boolean =>
  isAbout({ effect, tools }, named)

describe.each(['deny', 'ask'] as const)('a rule to %s', (effect) => {
  it.each([
    ['a whole server', 'github', tool('github', 'search')],
    ['a tool', 'github__search', tool('github', 'search')],
    ['the long form', 'mcp__github__search', tool('github', 'search')],
    ['the long form of a server', 'mcp__github', tool('github', 'search')],
    ['all of them', 'mcp__*', tool('github', 'search')],
    ['everything', '*', tool('github', 'search')],
    ['tools of every server', '*__delete_*', tool('disk', 'delete_all')],
    ['a glob over servers', 'git*', tool('github', 'search')],
    ['an alias with a hash', `a__b_c_${HASH}`, tool('a', 'b.c', `a__b_c_${HASH}`)],
    ['a name as the server writes it', 'a__b.c', tool('a', 'b.c', `a__b_c_${HASH}`)],
    ['one reading of two', 'a__b__c', tool('a', 'b__c', 'x')],
    ['the other reading', 'a__b__c', tool('a__b', 'c', 'x')],
    ['a server that is called mcp', 'mcp__x', tool('mcp', 'x')],
    ['a native tool', 'read_file', tool(undefined, 'read_file')],
    ['native tools by a glob', '*', tool(undefined, 'read_file')],
    ['a pattern that is too long', 'x'.repeat(MAX_PATTERN + 1), tool('a', 'b')],
    ['a name that is too long', 'nothing', tool('a', 'x'.repeat(MAX_NAME + 1), 'a')],
  ])('is about %s', (_, pattern, named) => {
    expect(fits(effect, pattern, named)).toBe(true)
  })

  it.each([
    ['another server', 'github', tool('gitlab', 'search')],
    ['another tool', 'github__search', tool('github', 'search2')],
    ['a tool of the server’s name', 'search', tool('github', 'search')],
    ['another case', 'GitHub', tool('github', 'search')],
    ['a native tool of another name', 'read', tool(undefined, 'read_file')],
  ])('is not about %s', (_, pattern, named) => {
    expect(fits(effect, pattern, named)).toBe(false)
  })
})

describe('a rule to allow', () => {
  it.each([
    ['a whole server', 'github', tool('github', 'search')],
    ['the long form of a server', 'mcp__github', tool('github', 'x')],
    ['a tool', 'github__search', tool('github', 'search')],
    ['the long form', 'mcp__github__search', tool('github', 'search')],
    ['tools of a literal server', 'github__get_*', tool('github', 'get_issue')],
    ['a name as the server writes it', 'a__b.c', tool('a', 'b.c', `a__b_c_${HASH}`)],
    ['the alias of an ambiguous pair', `a__b__c_${HASH}`, tool('a', 'b__c', `a__b__c_${HASH}`)],
    ['a native tool', 'read_file', tool(undefined, 'read_file')],
  ])('is about %s', (_, pattern, named) => {
    expect(fits('allow', pattern, named)).toBe(true)
  })

  it.each([
    ['everything', '*', tool('github', 'search')],
    ['everything by the long form', 'mcp__*', tool('github', 'search')],
    ['servers by a glob', 'git*', tool('github', 'search')],
    ['tools of servers by a glob', '*__search', tool('github', 'search')],
    ['servers by one character', 'githu?__search', tool('github', 'search')],
    ['one reading of two', 'a__b__c', tool('a', 'b__c', 'x')],
    ['the other reading of two', 'a__b__c', tool('a__b', 'c', 'y')],
    ['three underscores', 'a___c', tool('a', '_c', 'x')],
    ['a server whose key is a tool’s name', 'a__b', tool('a__b', 'c', 'x')],
    ['a server called mcp by what means another', 'mcp__x', tool('mcp', 'x')],
    ['an alias with a glob in it', `a__b__*_${HASH}`, tool('a', 'b__c', `a__b__c_${HASH}`)],
    ['nothing behind the separator', 'github__', tool('github', '')],
    ['a native tool by a glob', 'read_*', tool(undefined, 'read_file')],
    ['a pattern that is too long', `a__${'*'.repeat(MAX_PATTERN)}`, tool('a', 'b')],
    ['a name that is too long', 'a', tool('a', 'x'.repeat(MAX_NAME + 1), 'a')],
  ])('is not about %s', (_, pattern, named) => {
    expect(fits('allow', pattern, named)).toBe(false)
  })
})

describe('a rule with a server of its own', () => {
  it.each(['allow', 'ask', 'deny'] as const)('to %s takes the key literally', (effect) => {
    const rule = { effect, server: 'a__b*', tools: 'c*' }
    expect(isAbout(rule, tool('a__b*', 'c__d', 'x'))).toBe(true)
    expect(isAbout(rule, tool('a__bc', 'c', 'x'))).toBe(false)
    expect(isAbout(rule, tool('a__b*', 'd', 'x'))).toBe(false)
    expect(isAbout(rule, tool(undefined, 'c'))).toBe(false)
  })
})
