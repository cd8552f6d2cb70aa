import { describe, expect, it } from 'vitest'
import { accepts, mediaTypeOf } from './media-type.ts'

describe('the type of a body', () => {
  it.each([
    ['application/json', 'application/json'],
    ['Application/JSON; charset=utf-8', 'application/json'],
    [' text/event-stream ;x="a;b"', 'text/event-stream'],
    ['application/json;', 'application/json'],
  ])('is read from %j whatever its case and parameters', (value, type) => {
    expect(mediaTypeOf(value)).toBe(type)
  })

  it.each([
    undefined,
    '',
    'json',
    '/json',
    'text/',
    'a/b/c',
    'application/json, text/plain',
    'a b/c',
  ])('cannot be read from %j', (value) => {
    expect(mediaTypeOf(value)).toBeUndefined()
  })

  it('is not that of a body behind another one', () => {
    expect(mediaTypeOf('text/plain; application/json')).toBe('text/plain')
  })
})

describe('Accept', () => {
  it.each([
    undefined,
    '*/*',
    'application/*',
    'application/json',
    'APPLICATION/JSON',
    'text/html, application/json;q=0.1',
    'text/event-stream;q=0.9 , application/json;q=1.0',
    '*/*;q=0, application/json',
    'application/*;q=0.0, application/json;q=0.5',
    'application/json;q=0, application/json',
  ])('allows JSON by %j', (accept) => {
    expect(accepts(accept, 'application/json')).toBe(true)
  })

  it.each([
    '',
    'text/html',
    'text/*',
    'application/json;q=0',
    'application/json;q=0.000, */*',
    'application/*;Q=0, */*',
    'json',
    'application/jsonx',
  ])('does not allow JSON by %j', (accept) => {
    expect(accepts(accept, 'application/json')).toBe(false)
  })
})
