/** Resources, templates and prompts as they are defined: what is refused, and in which words. */

import { describe, expect, it } from 'vitest'
import { UsageError } from '../base/errors.ts'
import { reply, toResult } from './define.ts'
import { definePrompt, toPromptResult } from './prompt.ts'
import { defineResource, toReadResult } from './resource.ts'
import { defineTemplate } from './template.ts'

const read = (): string => 'x'
const base = { uri: 'x://a', name: 'a', read }

/** Wrong on purpose: types would refuse most of these. */
const wrong = (more: object): never => ({ ...base, ...more }) as never

describe('a resource', () => {
  it.each<[string, object, RegExp]>([
    ['a URI without a scheme', { uri: 'a/b' }, /cannot have the URI "a\/b"/],
    ['a URI with blanks', { uri: 'file:///a b' }, /RFC 3986/],
    ['no name', { name: '' }, /needs a name/],
    ['half a character for a name', { name: '\ud800' }, /whole characters/],
    ['a size that is none', { size: -1 }, /whole number of bytes/],
    ['a type that is none', { mimeType: 'text' }, /text\/plain/],
    ['an audience that is none', { annotations: { audience: ['all'] } }, /audience/],
    ['a priority beyond 1', { annotations: { priority: 2 } }, /between 0 and 1/],
    ['a time that is none', { annotations: { lastModified: 'yesterday' } }, /2026-07-28T12/],
    ['an icon that no client loads', { icons: [{ src: 'http://a/b.png' }] }, /https: and data:/],
    ['an icon of script', { icons: [{ src: 'javascript:alert(1)' }] }, /https: and data:/],
    ['an icon of no theme', { icons: [{ src: 'https://a/b', theme: 'pink' }] }, /theme/],
    ['half a millisecond', { ttlMs: 0.5 }, /whole number of milliseconds/],
    ['another scope', { cacheScope: 'shared' }, /"public" or "private"/],
  ])('is refused with %s [RES-11, RES-12, ICON-01, CACHE-01]', (_what, more, words) => {
    const define = (): unknown => defineResource(wrong(more))
    expect(define).toThrow(UsageError)
    expect(define).toThrow(words)
  })

  it('gives each kind of reply its URI and type, and refuses what is neither text nor bytes [RES-03, RES-08]', () => {
    const facts = { uri: 'x://a', mimeType: undefined, cache: { ttlMs: 5 } }
    expect(toReadResult('a', facts)).toEqual({
      contents: [{ uri: 'x://a', mimeType: 'text/plain', text: 'a' }],
      ttlMs: 5,
    })
    expect(toReadResult(new Uint8Array([1]), facts).contents[0]).toMatchObject({
      mimeType: 'application/octet-stream',
      blob: 'AQ==',
    })
    expect(toReadResult(undefined, facts).contents).toEqual([])
    for (const part of [{}, { text: 'a', blob: 'AQ==' }, { blob: 'no base64' }, { blob: 'AQ=' }])
      expect(() => toReadResult(part, facts)).toThrow(UsageError)
  })
})

describe('a template', () => {
  const define = (uriTemplate: string, more: object = {}): unknown =>
    defineTemplate({ uriTemplate, name: 't', read, ...more })

  it('is refused when it is none, or completes what it has not [RES-04]', () => {
    expect(() => define('x://{a')).toThrow(/no URI template/)
    expect(() => define('x://{a}', { complete: { b: () => [] } })).toThrow(/no variable "b"/)
    expect(() => define('x://{a}', { complete: { a: () => [] } })).not.toThrow()
    expect(() => define('x://{a}', { mimeType: 'x' })).toThrow(UsageError)
  })

  it('gives the decoded values of a URI that fits, and nothing for one that does not', () => {
    const template = defineTemplate({ uriTemplate: 'x://{a}/{+rest}', name: 't', read })
    expect(template.variables).toEqual(['a', 'rest'])
    expect({ ...template.match('x://1%202/b/c') }).toEqual({ a: '1 2', rest: 'b/c' })
    expect(template.match('y://1/b')).toBeUndefined()
  })
})

describe('a prompt', () => {
  it('is refused when its arguments have no names, or one twice', () => {
    const define = (...names: string[]): unknown =>
      definePrompt({ name: 'p', arguments: names.map((name) => ({ name })), get: () => 'x' })
    expect(() => define('a', 'a')).toThrow(/each once/)
    expect(() => define('')).toThrow(UsageError)
    expect(() => definePrompt({ name: '', get: () => 'x' })).toThrow(/needs a name/)
  })

  it('makes messages of text, of a list, and of a whole result', () => {
    const message = { role: 'user', content: { type: 'text', text: 'a' } } as const
    expect(toPromptResult('a')).toEqual({ messages: [message] })
    expect(toPromptResult([{ role: 'user', content: 'a' }])).toEqual({ messages: [message] })
    expect(toPromptResult({ description: 'd', messages: [message] })).toEqual({
      description: 'd',
      messages: [message],
    })
  })
})

describe('the result of a tool', () => {
  it('tells structured content in text as well, unless its author says something there [TOOL-11, TOOL-10]', () => {
    for (const structuredContent of [{ a: 1 }, [1], 0, false, null, '']) {
      const text = JSON.stringify(structuredContent)
      expect(toResult(reply({ structuredContent }), true)).toEqual({
        content: [{ type: 'text', text }],
        structuredContent,
      })
      expect(toResult(structuredContent, true)).toMatchObject({ content: [{ text }] })
    }
    const said = reply({ content: [{ type: 'text', text: 'one' }], structuredContent: { a: 1 } })
    expect(toResult(said, true).content).toEqual([{ type: 'text', text: 'one' }])
    expect(toResult(reply({}), false)).toEqual({ content: [] })
  })
})
