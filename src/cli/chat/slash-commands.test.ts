import { describe, expect, it } from 'vitest'
import { completeSlash, slashWish } from './slash-commands.ts'

describe('what begins with a slash', () => {
  it('is a command with its argument', () => {
    expect(slashWish('/why t1c1')).toEqual({ kind: 'command', command: 'why', argument: 't1c1' })
    expect(slashWish('  /COST ')).toEqual({ kind: 'command', command: 'cost', argument: '' })
    expect(slashWish('/quit')).toEqual({ kind: 'command', command: 'exit', argument: '' })
    expect(slashWish('/?')).toEqual({ kind: 'command', command: 'help', argument: '' })
  })

  it('is told of when there is no such command, with those that are near', () => {
    expect(slashWish('/toosl')).toEqual({ kind: 'unknown', word: 'toosl', near: ['tools'] })
    expect(slashWish('/天气')).toEqual({ kind: 'unknown', word: '天气', near: [] })
  })

  it.each([
    ['/usr/bin/env is a path', '/usr/bin/env is a path'],
    ['//tools is said', '/tools is said'],
    ['/help\nme', '/help\nme'],
    ['what is /tools?', 'what is /tools?'],
    [' / ', '/'],
  ])('is a message where it is no word: %j', (text, message) => {
    expect(slashWish(text)).toEqual({ kind: 'message', text: message })
  })

  it('is completed', () => {
    expect(completeSlash('/co')).toEqual(['/cost', '/compact'])
    expect(completeSlash('/')).toContain('/help')
    expect(completeSlash('/why t')).toEqual([])
    expect(completeSlash('co')).toEqual([])
  })
})
