/** Reads one condition of a rule. What is wrong with it is reported, and the condition is then undecided for every value. */

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { isFolder } from './folder.ts'
import {
  MAX_CONDITION_DEPTH,
  MAX_ONE_OF,
  MAX_PATTERN,
  MAX_POINTER,
  type Condition,
} from './policy.ts'
import type { PolicyReport } from './problem.ts'
import { MAX_VALUE_DEPTH } from './same-value.ts'
import { isHostPattern } from './url-host.ts'

/** A condition that nothing can be said about. */
export const UNREADABLE: Condition = { pointer: '', unreadable: true }

export interface ConditionContext {
  /** JSON Pointer from the policy on. */
  readonly pointer: string
  readonly report: PolicyReport
  /** What the rule does when a condition of it is undecided, for sentences. */
  readonly effect: string
  readonly isAllow: boolean
}

const TESTS = ['is', 'oneOf', 'glob', 'under', 'host', 'not', 'absent'] as const
const KNOWN: readonly string[] = ['pointer', ...TESTS]

export function readCondition(value: unknown, context: ConditionContext): Condition {
  return readAt(value, context, 0)
}

function readAt(value: unknown, context: ConditionContext, depth: number): Condition {
  if (depth > MAX_CONDITION_DEPTH)
    return refuse(context, `"not" nests at most ${MAX_CONDITION_DEPTH} deep`)
  if (!isJsonObject(value))
    return refuse(context, 'a condition is an object with "pointer" and a test')
  const fault = faultOf(value)
  if (fault !== undefined) return refuse(context, fault)
  const { is, oneOf, glob, under, host, not, absent } = value
  const inner = { ...context, pointer: `${context.pointer}/not` }
  const condition: Condition = {
    pointer: textOf(value['pointer']) ?? '',
    ...(is !== undefined && { is }),
    ...(Array.isArray(oneOf) && { oneOf }),
    ...ifText('glob', glob),
    ...ifText('under', under),
    ...ifText('host', host),
    ...(absent === true && { absent }),
    ...(not !== undefined && { not: readAt(not, inner, depth + 1) }),
  }
  warnOfPaths(condition, context)
  return condition
}

/** What keeps it from being a condition, as the beginning of a sentence. */
function faultOf(value: JsonObject): string | undefined {
  const unknown = Object.keys(value).find((key) => !KNOWN.includes(key))
  if (unknown !== undefined)
    return `"${unknown.slice(0, 40)}" means nothing in a condition, which knows ${KNOWN.join(', ')}`
  if (!TESTS.some((test) => value[test] !== undefined))
    return `a condition has one of ${TESTS.join(', ')}`
  const { pointer, is, oneOf, glob, under, host, absent } = value
  if (!isPointer(pointer) && !(pointer === undefined && value['not'] !== undefined))
    return '"pointer" is a JSON Pointer into the arguments, such as "/path"'
  if (is !== undefined && nestsTooDeep(is)) return `"is" nests at most ${MAX_VALUE_DEPTH} deep`
  if (oneOf !== undefined && !isChoice(oneOf))
    return `"oneOf" is a list of 1 to ${MAX_ONE_OF} values that nest at most ${MAX_VALUE_DEPTH} deep`
  if (glob !== undefined && !isPattern(glob))
    return `"glob" is a text of 1 to ${MAX_PATTERN} characters`
  if (under !== undefined && !(isPattern(under) && isFolder(under)))
    return '"under" is a folder written out, such as "/home/me/notes" or "C:\\notes", without "~" and variables'
  if (host !== undefined && !(isPattern(host) && isHostPattern(host)))
    return '"host" is the name of a host, such as "example.org", "example.org:8443" or "*.example.org"'
  if (absent !== undefined && absent !== true) return '"absent" is true or left out'
  return undefined
}

function refuse({ pointer, report, effect }: ConditionContext, reason: string): Condition {
  report.add({ kind: 'bad-condition', pointer, values: { reason, effect } })
  return UNREADABLE
}

function warnOfPaths({ glob }: Condition, { report, pointer, isAllow }: ConditionContext): void {
  if (!isAllow || glob === undefined || !/^(?:\.{0,2}\/|[A-Za-z]:[\\/]).*[*]/.test(glob)) return
  report.add({ kind: 'path-by-glob', pointer, values: { glob }, severity: 'warning' })
}

function isPointer(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length <= MAX_POINTER &&
    (value === '' || value.startsWith('/')) &&
    !/~(?![01])/.test(value)
  )
}

function isPattern(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_PATTERN
}

function isChoice(value: JsonValue): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_ONE_OF &&
    !value.some((item) => nestsTooDeep(item))
  )
}

function nestsTooDeep(value: JsonValue | undefined, left: number = MAX_VALUE_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  return left === 0 || Object.values(value).some((inner) => nestsTooDeep(inner, left - 1))
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function ifText<Key extends string>(key: Key, value: unknown): { readonly [Name in Key]?: string } {
  return typeof value === 'string' ? ({ [key]: value } as { [Name in Key]: string }) : {} // the key is Key
}
