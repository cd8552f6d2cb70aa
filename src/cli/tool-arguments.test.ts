import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../base/json.ts'
import { en } from './messages/en.ts'
import { buildArguments, readPair } from './tool-arguments.ts'

const words = en.faults
const schema: JsonObject = {
  type: 'object',
  $defs: { count: { type: 'integer' }, loop: { $ref: '#/$defs/loop' } },
  properties: {
    text: { type: 'string' },
    count: { $ref: '#/$defs/count' },
    ratio: { type: 'number' },
    flag: { type: 'boolean' },
    maybe: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    either: { type: ['string', 'number'] },
    paths: { type: 'array', items: { type: 'string' } },
    numbers: { type: 'array', items: { $ref: '#/$defs/count' } },
    some: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] },
    filter: { type: 'object' },
    level: { enum: [1, 2, 3] },
    both: { allOf: [{ type: ['integer', 'string'] }, { type: 'integer' }] },
    loop: { $ref: '#/$defs/loop' },
    anything: {},
    'a.b': { type: 'number' },
  },
}

function build(...pairs: readonly string[]): JsonObject {
  return buildArguments(
    { base: {}, pairs: pairs.map((pair) => readPair(pair, words)), schema },
    words,
  )
}

describe('a word of the command line', () => {
  it('is taken apart at its first equals sign', () => {
    expect(readPair('query=a=b', words)).toEqual({ name: 'query', text: 'a=b' })
  })

  it('keeps a Windows path whole', () => {
    expect(readPair('path=C:\\Users\\me', words)).toEqual({ name: 'path', text: 'C:\\Users\\me' })
    expect(build('text=C:\\x')).toEqual({ text: 'C:\\x' })
  })

  it('is JSON only with a colon right before the first equals sign', () => {
    expect(readPair('a:=[1]', words)).toEqual({ name: 'a', text: '[1]', json: [1] })
    expect(readPair('a=b:=c', words)).toEqual({ name: 'a', text: 'b:=c' })
  })

  it('is refused without an equals sign or without a name', () => {
    expect(() => readPair('hello', words)).toThrow('"hello" is no argument of a tool')
    expect(() => readPair('=x', words)).toThrow('has no name')
    expect(() => readPair(':=1', words)).toThrow('has no name')
  })

  it('is refused with line and column when its JSON is wrong', () => {
    expect(() => readPair('a:={"x":\n nope}', words)).toThrow(
      'a:= is no valid JSON: line 2, column 2: "nope" stands where a value should be.',
    )
  })

  it('cannot put escape sequences into an error', () => {
    expect(() => readPair('\u001b[2J', words)).toThrow('"\\u001b[2J" is no argument')
  })
})

describe('arguments', () => {
  it('stay text where the schema wants text, whatever they look like', () => {
    expect(build('text=42', 'either=42', 'anything=42')).toEqual({
      text: '42',
      either: '42',
      anything: '42',
    })
  })

  it('become numbers, booleans and null where the schema wants those', () => {
    expect(
      build('count=42', 'ratio=-1.5e3', 'flag=true', 'maybe=null', 'level=2', 'both=7'),
    ).toEqual({ count: 42, ratio: -1500, flag: true, maybe: null, level: 2, both: 7 })
  })

  it.each([
    ['count=1.5', '"count" cannot be "1.5": the tool wants integer.'],
    ['count=', '"count" cannot be "": the tool wants integer.'],
    ['count=0x10', 'the tool wants integer'],
    ['count=9007199254740993', 'the tool wants integer'],
    ['ratio=1e999', 'the tool wants number'],
    [
      'flag=yes',
      '"flag" cannot be "yes": the tool wants boolean. Correct it, or write flag:=JSON.',
    ],
    ['maybe=x', 'the tool wants number or null'],
    ['filter=x', 'the tool wants object'],
  ])('are refused with what the tool wants: %s', (pair, message) => {
    expect(() => build(pair)).toThrow(message)
  })

  it('become objects and lists from JSON', () => {
    expect(build('filter={"a":1}', 'paths=["a","b"]')).toEqual({
      filter: { a: 1 },
      paths: ['a', 'b'],
    })
    expect(() => build('filter={a}')).toThrow('filter= is no valid JSON: line 1, column 2')
  })

  it('become a list when given one by one', () => {
    expect(build('paths=a', 'paths=b')).toEqual({ paths: ['a', 'b'] })
    expect(build('paths=a')).toEqual({ paths: ['a'] })
    expect(build('numbers=1', 'numbers=2')).toEqual({ numbers: [1, 2] })
    expect(build('some=a')).toEqual({ some: 'a' })
    expect(build('some=a', 'some=b')).toEqual({ some: ['a', 'b'] })
  })

  it('are refused when given twice for one value', () => {
    expect(() => build('count=1', 'count=2')).toThrow('"count" is given twice')
  })

  it('have names that mean nothing but themselves', () => {
    expect(build('a.b=1', 'x.y=z')).toEqual({ 'a.b': 1, 'x.y': 'z' })
    const args = build('__proto__=1', 'constructor=2')
    expect(Object.keys(args)).toEqual(['__proto__', 'constructor'])
    expect(JSON.stringify(args)).toBe('{"__proto__":"1","constructor":"2"}')
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype)
  })

  it('win over those of --args', () => {
    const pairs = [readPair('count=2', words)]
    expect(buildArguments({ base: { count: 1, text: 'a' }, pairs, schema }, words)).toEqual({
      count: 2,
      text: 'a',
    })
  })

  it('stay text when the schema is not known or leads in circles', () => {
    const pairs = [readPair('count=2', words)]
    expect(buildArguments({ base: {}, pairs, schema: undefined }, words)).toEqual({ count: '2' })
    expect(build('loop=1')).toEqual({ loop: '1' })
  })

  it('meet a schema that branches without end in bounded time', () => {
    const branch: JsonObject = {}
    branch['anyOf'] = [branch, branch, { type: 'number' }]
    const pairs = [readPair('x=1', words)]
    const endless = { type: 'object', properties: { x: branch } }
    expect(buildArguments({ base: {}, pairs, schema: endless }, words)).toEqual({ x: '1' })
  })
})
