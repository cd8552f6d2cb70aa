import { describe, expect, it } from 'vitest'
import { objectIn, saidIn, usageOf } from './chat-words.ts'

describe('usage', () => {
  const both = { prompt_tokens: 10, completion_tokens: 4 }

  it.each([
    [
      'DeepSeek',
      { ...both, prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 4 },
      { cachedInput: 6 },
    ],
    ['OpenAI', { ...both, prompt_tokens_details: { cached_tokens: 6 } }, { cachedInput: 6 }],
    ['others', { ...both, cached_tokens: 6 }, { cachedInput: 6 }],
    ['a router', { ...both, prompt_tokens_details: { cache_write_tokens: 3 } }, { cacheWrite: 3 }],
    [
      'reasoning',
      { ...both, completion_tokens_details: { reasoning_tokens: 2 } },
      { reasoning: 2 },
    ],
    ['nobody', both, {}],
  ])('is counted as by %s', (_, told, more) => {
    expect(usageOf(told)).toEqual({ input: 10, output: 4, ...more })
  })

  it.each([
    null,
    'x',
    {},
    { prompt_tokens: 10 },
    { ...both, prompt_tokens: -1 },
    { ...both, completion_tokens: 1.5 },
    { ...both, prompt_tokens: '10' },
    { ...both, prompt_tokens: 2 ** 60 },
  ])('is unknown when it is %j', (told) => {
    expect(usageOf(told)).toBeUndefined()
  })

  it('leaves out details that are more than the whole', () => {
    const told = {
      ...both,
      prompt_cache_hit_tokens: 11,
      completion_tokens_details: { reasoning_tokens: 5 },
    }
    expect(usageOf(told)).toEqual({ input: 10, output: 4 })
  })
})

describe('what a message says', () => {
  it('is read once when a server gives reasoning under both names', () => {
    expect(saidIn({ reasoning_content: 'R', reasoning: 'R', content: 'T' })).toEqual([
      { kind: 'reasoning', text: 'R' },
      { kind: 'text', text: 'T' },
    ])
  })

  it('has reasoning under the newer name alone', () => {
    expect(saidIn({ reasoning: 'R', content: null })).toEqual([{ kind: 'reasoning', text: 'R' }])
  })

  it('takes reasoning that is no text for none', () => {
    expect(saidIn({ reasoning: { effort: 'high' }, content: 7 })).toEqual([])
  })
})

describe('an object in a text', () => {
  it.each([
    '',
    'x',
    '[]',
    '7',
    'null',
    '"a"',
    '{"a":1',
    `{"a":${'['.repeat(200)}${']'.repeat(200)}}`,
  ])('is not in %j', (text) => {
    expect(objectIn(text)).toBeUndefined()
  })

  it('keeps a member named like a prototype a member', () => {
    const value = objectIn('{"__proto__":{"a":1}}')
    expect(Object.keys(value ?? {})).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>)['a']).toBeUndefined()
  })
})
