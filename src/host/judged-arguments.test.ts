import { expect, it } from 'vitest'
import { UsageError } from '../base/errors.ts'
import { isUnaltered, judgeArguments, MAX_ARGUMENTS, sha256 } from './judged-arguments.ts'

it('copies what it judges, so that a later change of the caller has no effect', () => {
  const args = { path: '/tmp/a', list: [{ n: 1 }] }
  const judged = judgeArguments(args, 'fs__read')
  args.path = '/etc/passwd'
  args.list.push({ n: 2 })
  expect(judged.args).toEqual({ path: '/tmp/a', list: [{ n: 1 }] })
})

it('freezes the copy to its last member', () => {
  const { args } = judgeArguments({ a: { b: [{ c: 1 }] } }, 'fs__read')
  const inner = args as { a: { b: { c: number }[] } }
  expect(() => (inner.a.b[0] = { c: 2 })).toThrow(TypeError)
  expect(() => inner.a.b.push({ c: 2 })).toThrow(TypeError)
  expect(() => Object.assign(inner.a, { d: 1 })).toThrow(TypeError)
})

it('hashes the very text that is sent', () => {
  const judged = judgeArguments({ b: 1, a: '\u00e9\ud83d\ude00', 2: [-0, 1e21] }, 'fs__read')
  expect(judged.text).toBe(JSON.stringify(judged.args))
  expect(judged.hash).toBe(sha256(judged.text))
})

it('reads getters, proxies and toJSON once and never again', () => {
  let reads = 0
  const args = {
    get path() {
      reads += 1
      return reads === 1 ? '/tmp/a' : '/etc/passwd'
    },
  }
  const judged = judgeArguments(args, 'fs__read')
  expect(isUnaltered(judged)).toBe(true)
  expect(judged.text).toBe('{"path":"/tmp/a"}')
  expect(reads).toBe(1)
})

it('keeps a member named __proto__ as a member', () => {
  const judged = judgeArguments(JSON.parse('{"__proto__":{"x":1}}'), 'fs__read')
  expect(judged.text).toBe('{"__proto__":{"x":1}}')
})

it('sees that something has changed how values are written since', () => {
  const judged = judgeArguments({ path: ['/tmp/a'] }, 'fs__read')
  Reflect.defineProperty(Array.prototype, 'toJSON', {
    configurable: true,
    value: () => ['/etc/passwd'],
  })
  try {
    expect(isUnaltered(judged)).toBe(false)
  } finally {
    Reflect.deleteProperty(Array.prototype, 'toJSON')
  }
})

it.each([
  ['a list', []],
  ['null', null],
  ['a text', 'x'],
  ['nothing', undefined],
  ['a big integer', { n: 1n }],
  ['a cycle', cycle()],
  ['more levels than JSON may have', nested(200)],
  ['more levels than a stack has', nested(100_000)],
  ['more text than is sent', { text: 'x'.repeat(MAX_ARGUMENTS) }],
])('refuses %s', (_, args) => {
  expect(() => judgeArguments(args, 'fs__read')).toThrow(UsageError)
})

function cycle(): unknown {
  const value: { self?: unknown } = {}
  value.self = value
  return value
}

function nested(depth: number): unknown {
  let value: unknown = {}
  for (let level = 0; level < depth; level += 1) value = { value }
  return value
}
