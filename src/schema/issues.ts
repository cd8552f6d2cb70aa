/**
 * Tells what does not fit, for the model or the person who has to mend the value.
 *
 * The library's findings repeat each fault on every level above it and list every alternative; here each fault is told once,
 * where it is, with what would fit. Numbers and lengths of what is told are bounded.
 */

import type { IssueFacts, SchemaIssue } from '../base/errors.ts'
import type { Finding } from './engine.ts'
import type { GuardedSchema } from './guard.ts'
import { MAX_ISSUE_TEXT, MAX_ISSUES } from './issue-limits.ts'
import { tellingsOf } from './issue-text.ts'
import type { Fault } from './issue-text.ts'
import { NONE } from './leaf-node.ts'
import type { Node } from './meter.ts'

const MAX_FINDINGS = 2_000

export interface Found {
  readonly guarded: GuardedSchema
  readonly value: unknown
  readonly findings: readonly Finding[]
}

/** Keywords under which one node stands; under the others they stand by index or name. */
const SINGLE: ReadonlySet<string> = words(
  'additionalProperties unevaluatedProperties propertyNames items unevaluatedItems contains not if then else',
)
/** Keywords that apply what stands under them to a part of the value. */
const DESCENDING: ReadonlySet<string> = words(
  'properties patternProperties additionalProperties unevaluatedProperties propertyNames' +
    ' items prefixItems unevaluatedItems contains',
)
/** Findings that only say that something below them does not fit. */
const WRAPPERS: ReadonlySet<string> = words(
  '$ref properties patternProperties additionalProperties unevaluatedProperties propertyNames' +
    ' items prefixItems unevaluatedItems allOf if dependentSchemas',
)

/** A fault and where it belongs. */
interface Placed {
  readonly fault: Fault
  readonly location: string
  /** The outermost choice (`anyOf`, `oneOf`) that it is inside of, and which branch of it. */
  readonly choice: { readonly location: string; readonly branch: string } | undefined
}

/** The issues of a value, at most 20. */
export function explain(found: Found): readonly SchemaIssue[] {
  const placed = found.findings
    .slice(0, MAX_FINDINGS)
    .map((finding) => locate(finding, found))
    .filter((one) => one !== undefined)
  const branches = firstOfEachBranch(placed)
  const issues = new Map<string, SchemaIssue>()
  for (const { fault, location, choice } of placed) {
    if (choice !== undefined) continue
    for (const issue of issuesOf(fault, branches.get(location) ?? []))
      issues.set(`${location} ${issue.message}`, issue)
    if (issues.size >= MAX_ISSUES) break
  }
  const told = [...issues.values()].slice(0, MAX_ISSUES)
  return told.length > 0
    ? told
    : [{ pointer: '', keyword: 'schema', message: 'does not fit the schema' }]
}

/** For each choice the first fault of each of its branches. */
function firstOfEachBranch(placed: readonly Placed[]): ReadonlyMap<string, readonly Fault[]> {
  const choices = new Map<string, Map<string, Fault>>()
  for (const { fault, choice } of placed) {
    if (choice === undefined) continue
    const branches = choices.get(choice.location) ?? new Map<string, Fault>()
    choices.set(choice.location, branches)
    if (!branches.has(choice.branch)) branches.set(choice.branch, fault)
  }
  return new Map([...choices].map(([location, branches]) => [location, [...branches.values()]]))
}

function issuesOf(fault: Fault, alternatives: readonly Fault[]): SchemaIssue[] {
  const pointer = cut(pointerOf(fault.at))
  const keyword = fault.keyword === 'format' ? 'pattern' : fault.keyword
  const reasons = [...new Set(alternatives.map((branch) => reasonOf(branch, fault)))].slice(0, 5)
  return tellingsOf(fault).map(({ message, facts }) => ({
    pointer,
    keyword,
    message: cut(reasons.length === 0 ? message : `${message}: it ${reasons.join(', or it ')}`),
    ...(facts !== undefined && { facts: cutFacts(facts) }),
  }))
}

/** Why one branch of a choice does not fit, told from where the choice stands. */
function reasonOf(branch: Fault, choice: Fault): string {
  const below = pointerOf(branch.at.slice(choice.at.length))
  const message = tellingsOf(branch)[0]?.message ?? 'does not fit'
  return below === '' ? message : `has "${below}", which ${message}`
}

/** Walks the copy along the location of a finding; `undefined` when there is nothing of its own to tell. */
function locate(finding: Finding, found: Found): Placed | undefined {
  const path = finding.keywordLocation.split('/')
  const instance = finding.instanceLocation.split('/')
  let { keyword } = finding
  if (WRAPPERS.has(keyword)) return undefined
  let node: Node | undefined = found.guarded.root
  let parent = node
  let via = ''
  let depth = 1
  let ofName = false
  let choice: Placed['choice']
  for (let index = 1; index < path.length - 1 && node !== undefined; index += 1) {
    via = decoded(path[index])
    parent = node
    if (via === 'contains') return undefined
    if (via === 'propertyNames') ofName = true
    if (DESCENDING.has(via)) depth += 1
    if (via === '$ref') node = found.guarded.targets[String(parent['$ref'])]
    else if (SINGLE.has(via)) node = parent[via] as Node | undefined // one node stands under these
    else {
      if (via === 'anyOf' || via === 'oneOf') {
        const at = [...instance.slice(0, depth), ...path.slice(0, index + 1)].join('/')
        choice ??= { location: at, branch: path[index + 1] ?? '' }
      }
      index += 1
      node = (parent[via] as Record<string, Node> | undefined)?.[decoded(path[index])] // and several under the others
    }
  }
  if (node === undefined) return undefined
  if (node === NONE && via !== '') keyword = via
  const at = instance.slice(1).map(decoded)
  const value = ofName ? at.at(-1) : valueAt(found.value, at)
  const fault: Fault = { keyword, at, value, node, parent, words: finding.error, ofName }
  return { fault, location: [...instance, ...path].join('/'), choice }
}

function valueAt(value: unknown, at: readonly string[]): unknown {
  let part = value
  for (const segment of at) {
    if (typeof part !== 'object' || part === null) return undefined
    part = (part as Record<string, unknown>)[segment] // the library went this way itself
  }
  return part
}

/** A segment of the library's locations: a pointer's segment, URI-encoded. */
function decoded(segment: string | undefined): string {
  if (segment === undefined) return ''
  return decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')
}

function pointerOf(at: readonly string[]): string {
  return at.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function cutFacts({ name, expected, found, ofName }: IssueFacts): IssueFacts {
  return {
    ...(name !== undefined && { name: cut(name) }),
    ...(expected !== undefined && { expected: cut(expected) }),
    ...(found !== undefined && { found }),
    ...(ofName !== undefined && { ofName }),
  }
}

function cut(text: string): string {
  return text.length > MAX_ISSUE_TEXT ? `${text.slice(0, MAX_ISSUE_TEXT - 1)}…` : text
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}
