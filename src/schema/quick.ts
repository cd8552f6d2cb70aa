/**
 * A look at a value that answers "surely fits" or nothing.
 *
 * Most schemas are objects of typed members, and most values fit. For those this tells so in a microsecond; for
 * every other answer, and for every keyword that is not here, the library is asked. No part of a value is looked at twice, so
 * that it needs no meter.
 */

import type { GuardedSchema } from './guard.ts'
import { ANY } from './leaf-node.ts'
import type { Node } from './meter.ts'

/** True only when the value surely fits. */
export type QuickCheck = (value: unknown) => boolean

/** Makes the quick check of a schema. */
export function quickCheck(schema: GuardedSchema): QuickCheck {
  const made = new Map<Node, { run: QuickCheck }>()

  /** References may lead in circles: a check that is still being made is called through its box. */
  function checkOf(node: Node): QuickCheck {
    const known = made.get(node)
    if (known !== undefined) return (value) => known.run(value)
    const box = { run: never }
    made.set(node, box)
    box.run = build(node, checkOf, schema)
    return box.run
  }

  return checkOf(schema.root)
}

const never: QuickCheck = () => false
const isData: QuickCheck = (value) =>
  value !== undefined &&
  typeof value !== 'function' &&
  typeof value !== 'bigint' &&
  typeof value !== 'symbol'

/** Other objects may write themselves to JSON in their own way. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

type Make = (node: Node) => QuickCheck

function build(node: Node, make: Make, schema: GuardedSchema): QuickCheck {
  if (node === ANY) return isData
  const keywords = Object.keys(node)
  const ref = node['$ref']
  if (typeof ref === 'string') {
    const target = schema.targets[ref]
    return keywords.length === 1 && target !== undefined ? make(target) : never
  }
  const checks: QuickCheck[] = [isData]
  if (keywords.some((keyword) => OBJECT_WORDS.has(keyword))) checks.push(objectCheck(node, make))
  if (keywords.some((keyword) => ARRAY_WORDS.has(keyword))) checks.push(arrayCheck(node, make))
  for (const keyword of keywords) {
    if (OBJECT_WORDS.has(keyword) || ARRAY_WORDS.has(keyword)) continue
    const check =
      keyword === 'anyOf' ? alternatives(node[keyword]) : leafCheck(keyword, node[keyword])
    if (check === undefined) return never
    checks.push(check)
  }
  return all(checks)
}

const OBJECT_WORDS: ReadonlySet<string> = new Set([
  'properties',
  'required',
  'additionalProperties',
])
const ARRAY_WORDS: ReadonlySet<string> = new Set(['items', 'prefixItems', 'minItems', 'maxItems'])

function all(checks: readonly QuickCheck[]): QuickCheck {
  const [first = never, second, ...rest] = checks
  if (second === undefined) return first
  if (rest.length === 0) return (value) => first(value) && second(value)
  return (value) => checks.every((check) => check(value))
}

function objectCheck(node: Node, make: Make): QuickCheck {
  const members = new Map(
    Object.entries((node['properties'] ?? {}) as Record<string, Node>).map(
      ([name, schema]) => [name, make(schema)], // both as the guard wrote them
    ),
  )
  const required = (node['required'] ?? []) as readonly string[] // likewise
  const rest = node['additionalProperties']
  const others = rest === undefined ? isData : make(rest as Node) // likewise
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return true
    if (!isPlain(value)) return false
    for (const name of required) if (!Object.hasOwn(value, name)) return false
    for (const name of Object.keys(value)) {
      const check = members.get(name) ?? others
      if (!check((value as Record<string, unknown>)[name])) return false // a name of its own
    }
    return true
  }
}

function arrayCheck(node: Node, make: Make): QuickCheck {
  const first = ((node['prefixItems'] ?? []) as readonly Node[]).map(make) // as the guard wrote it
  const items = node['items']
  const others = items === undefined ? isData : make(items as Node) // likewise
  const least = typeof node['minItems'] === 'number' ? node['minItems'] : 0
  const most = typeof node['maxItems'] === 'number' ? node['maxItems'] : Number.POSITIVE_INFINITY
  return (value) => {
    if (!Array.isArray(value)) return true
    if (value.length < least || value.length > most) return false
    for (let index = 0; index < value.length; index += 1) {
      if (!(first[index] ?? others)(value[index])) return false
    }
    return true
  }
}

/** A few alternatives that look at one value only: "a string or null". */
function alternatives(branches: unknown): QuickCheck | undefined {
  if (!Array.isArray(branches) || branches.length > 8) return undefined
  const checks: QuickCheck[] = []
  for (const branch of branches as readonly Node[]) {
    // written by the guard
    const leaves = Object.keys(branch).map((keyword) => leafCheck(keyword, branch[keyword]))
    if (!leaves.includes(undefined))
      checks.push(all([isData, ...leaves.filter((leaf) => leaf !== undefined)]))
  }
  return (value) => checks.some((check) => check(value))
}

/** The check of a keyword that looks at one value without its parts. */
function leafCheck(keyword: string, expected: unknown): QuickCheck | undefined {
  if (keyword === 'type') return typeCheck(expected)
  if (keyword === 'enum') return Array.isArray(expected) ? oneOfPrimitives(expected) : undefined
  if (keyword === 'const') return oneOfPrimitives([expected])
  if (keyword === 'format') return (value) => typeof value !== 'string'
  if (typeof expected !== 'number') return undefined
  const limit = expected
  switch (keyword) {
    case 'minimum':
      return (value) => typeof value !== 'number' || value >= limit
    case 'maximum':
      return (value) => typeof value !== 'number' || value <= limit
    case 'exclusiveMinimum':
      return (value) => typeof value !== 'number' || value > limit
    case 'exclusiveMaximum':
      return (value) => typeof value !== 'number' || value < limit
    case 'minLength':
      // A character takes one unit or two.
      return (value) =>
        typeof value !== 'string' || value.length >= limit * 2 || isLongEnough(value, limit)
    case 'maxLength':
      return (value) => typeof value !== 'string' || value.length <= limit
    default:
      return undefined
  }
}

function isLongEnough(text: string, least: number): boolean {
  return text.length >= least && !/[\ud800-\udfff]/.test(text)
}

function oneOfPrimitives(values: readonly unknown[]): QuickCheck {
  const set = new Set(values.filter((value) => typeof value !== 'object' || value === null))
  return (value) => set.has(value)
}

function typeCheck(types: unknown): QuickCheck | undefined {
  if (typeof types === 'string') return TYPE_CHECKS.get(types)
  if (!Array.isArray(types)) return undefined
  const checks = types.map((type) => TYPE_CHECKS.get(String(type)) ?? never)
  return (value) => checks.some((check) => check(value))
}

const TYPE_CHECKS: ReadonlyMap<string, QuickCheck> = new Map<string, QuickCheck>([
  ['string', (value) => typeof value === 'string'],
  ['boolean', (value) => typeof value === 'boolean'],
  ['null', (value) => value === null],
  ['number', (value) => typeof value === 'number' && Number.isFinite(value)],
  ['integer', (value) => Number.isInteger(value)],
  ['array', (value) => Array.isArray(value)],
  [
    'object',
    (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && isPlain(value),
  ],
])
