/** Reads one condition of a rule. What is wrong with it is reported, and the condition is then undecided for every value. */

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { CONDITION_FAULTS, type ConditionFault } from './condition-faults.ts'
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
  if (depth > MAX_CONDITION_DEPTH) return refuse(context, 'too-deep')
  if (!isJsonObject(value)) return refuse(context, 'no-object')
  const unknown = Object.keys(value).find((key) => !KNOWN.includes(key))
  if (unknown !== undefined) return refuse(context, 'unknown-test', unknown)
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

/** What keeps it from being a condition. */
function faultOf(value: JsonObject): ConditionFault | undefined {
  if (!TESTS.some((test) => value[test] !== undefined)) return 'no-test'
  const { pointer, is, oneOf, glob, under, host, absent } = value
  if (!isPointer(pointer) && !(pointer === undefined && value['not'] !== undefined))
    return 'bad-pointer'
  if (is !== undefined && nestsTooDeep(is)) return 'is-too-deep'
  if (oneOf !== undefined && !isChoice(oneOf)) return 'bad-one-of'
  if (glob !== undefined && !isPattern(glob)) return 'bad-glob'
  if (under !== undefined && !(isPattern(under) && isFolder(under))) return 'bad-under'
  if (host !== undefined && !(isPattern(host) && isHostPattern(host))) return 'bad-host'
  if (absent !== undefined && absent !== true) return 'bad-absent'
  return undefined
}

/** `fault` and its facts are for other languages than that of the reason. */
function refuse(
  { pointer, report, effect }: ConditionContext,
  fault: ConditionFault,
  unknown: string = '',
): Condition {
  const known = (fault === 'unknown-test' ? KNOWN : TESTS).join(', ')
  const facts = { key: unknown.slice(0, 40), known }
  const reason = CONDITION_FAULTS[fault](facts)
  report.add({ kind: 'bad-condition', pointer, values: { reason, fault, ...facts, effect } })
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
