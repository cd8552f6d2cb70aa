/**
 * Variables in the texts of a configuration: `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${input:ID}`, names of folders,
 * and the spellings that only some hosts have. Pure: everything a text may refer to is handed in.
 *
 * What is filled in is never read again, so that the value of a variable cannot name another one.
 */

import type { OriginSource } from './entry.ts'
import type { ProblemKind, ProblemValues } from './problem-words.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** What texts may refer to. */
export interface Surroundings {
  readonly env: Environment
  /** Names of variables are the same in any case on `win32`. */
  readonly platform: string
  /** Values of inputs by their ID. */
  readonly inputs: ReadonlyMap<string, string>
  /** IDs that the file describes. */
  readonly describedInputs: ReadonlySet<string>
  /** Folders by the name that texts have for them, as `workspaceFolder`. */
  readonly folders: ReadonlyMap<string, string>
}

/** Spellings beside `${…}`. */
export interface VariableSyntax {
  /** `$NAME`, which stays as it is when the variable is not set. */
  readonly bare?: true
  /** `{env:NAME}`; `{file:PATH}` is refused. */
  readonly braces?: true
  /** `{{NAME}}`, which only that host can fill in; refused. */
  readonly placeholders?: true
}

/** A piece of a text and where it came from. */
export interface Part {
  readonly text: string
  readonly source: OriginSource
}

/** Why a text cannot be filled in. */
export interface ExpansionFault {
  readonly ok: false
  readonly kind: ProblemKind
  readonly values: ProblemValues
}

export type Expansion =
  | { readonly ok: true; readonly value: string; readonly parts: readonly Part[] }
  | ExpansionFault

/** Defaults within defaults. */
const MAX_NESTING = 8

/** Fills in a text. The first reference that cannot be filled in is what is told of. */
export function expand(
  raw: string,
  surroundings: Surroundings,
  syntax: VariableSyntax = {},
): Expansion {
  const filling: Filling = { surroundings, syntax, parts: [], fault: undefined }
  fill(filling, raw, 0)
  const { parts, fault } = filling
  return fault ?? { ok: true, value: parts.map(({ text }) => text).join(''), parts }
}

/** An expansion on its way; over when it has a fault. */
interface Filling {
  readonly surroundings: Surroundings
  readonly syntax: VariableSyntax
  readonly parts: Part[]
  fault: ExpansionFault | undefined
}

const LITERAL: OriginSource = { kind: 'literal' }
const NAME = /^[A-Za-z_]\w*$/
const BARE = /[A-Za-z_]\w*/y

function fill(filling: Filling, raw: string, depth: number): void {
  const ends = referenceEnds(raw)
  let [from, at] = [0, 0]
  while (at < raw.length && filling.fault === undefined) {
    const end = referenceEnd(raw, at, { filling, ends })
    if (end === undefined) {
      at += 1
      continue
    }
    if (at > from) filling.parts.push({ text: raw.slice(from, at), source: LITERAL })
    fillAt(filling, raw.slice(at, end), depth)
    at = end
    from = end
  }
  if (from < raw.length) filling.parts.push({ text: raw.slice(from), source: LITERAL })
}

/** Index behind the reference that starts exactly here; nothing when none does. */
function referenceEnd(
  raw: string,
  at: number,
  { filling, ends }: { readonly filling: Filling; readonly ends: Ends },
): number | undefined {
  const { syntax, surroundings } = filling
  const code = raw[at]
  if (code !== '$' && code !== '{') return undefined
  if (raw.startsWith('$${', at)) return at + 3
  // Without an end it is text as any other.
  if (raw.startsWith('${', at)) return ends.dollars.get(at)
  if (syntax.bare && code === '$') {
    BARE.lastIndex = at + 1
    const name = BARE.exec(raw)?.[0]
    if (name === undefined || variable(name, surroundings) === undefined) return undefined
    return at + 1 + name.length
  }
  if (syntax.placeholders && raw.startsWith('{{', at) && at < ends.lastPair)
    return raw.indexOf('}}', at) + 2
  if (syntax.braces && at < ends.last && /^\{(?:env|file):/.test(raw.slice(at, at + 6)))
    return raw.indexOf('}', at) + 1
  return undefined
}

/** Where references of a text end, found in one pass: a text of nothing but openings must not cost the square of its length. */
interface Ends {
  /** Index behind each `${…}`, by that of its dollar sign. */
  readonly dollars: ReadonlyMap<number, number>
  readonly last: number
  readonly lastPair: number
}

function referenceEnds(raw: string): Ends {
  const dollars = new Map<number, number>()
  const open: number[] = []
  for (let at = raw.includes('${') ? 0 : raw.length; at < raw.length; at += 1) {
    if (raw.startsWith('$${', at)) at += 2
    else if (raw.startsWith('${', at)) {
      open.push(at)
      at += 1
    } else if (raw[at] === '}') {
      const start = open.pop()
      if (start !== undefined) dollars.set(start, at + 1)
    }
  }
  return { dollars, last: raw.lastIndexOf('}'), lastPair: raw.lastIndexOf('}}') }
}

/** Fills in one whole reference, its signs included. */
function fillAt(filling: Filling, reference: string, depth: number): void {
  if (reference === '$${') filling.parts.push({ text: '${', source: LITERAL })
  else if (reference.startsWith('${')) fillInside(filling, reference.slice(2, -1), depth)
  else if (reference.startsWith('{{')) fail(filling, 'placeholder', { reference })
  else if (reference.startsWith('{file:')) fail(filling, 'file-reference', {})
  else if (reference.startsWith('{')) fillInside(filling, reference.slice(1, -1), depth)
  else fillInside(filling, reference.slice(1), depth)
}

/** Fills in what stands between the braces. */
function fillInside(filling: Filling, inside: string, depth: number): void {
  const { surroundings, parts } = filling
  if (inside.startsWith('input:')) return fillInput(filling, inside.slice('input:'.length))
  const folder = surroundings.folders.get(inside)
  if (folder !== undefined && variable(inside, surroundings) === undefined) {
    parts.push({ text: folder, source: { kind: 'folder', name: inside } })
    return
  }
  const named = inside.startsWith('env:') ? inside.slice('env:'.length) : inside
  const split = named.indexOf(':-')
  const name = split < 0 ? named : named.slice(0, split)
  if (!NAME.test(name)) return fail(filling, 'bad-reference', { reference: `\${${inside}}` })
  const value = variable(name, surroundings)
  // As in a shell, `:-` also stands in for a value that is empty.
  if (value !== undefined && (split < 0 || value !== ''))
    parts.push({ text: value, source: { kind: 'variable', name } })
  else if (split < 0) fail(filling, 'unset-variable', { name })
  else fillDefault(filling, { name, raw: named.slice(split + 2) }, depth)
}

function fillInput(filling: Filling, id: string): void {
  const { inputs, describedInputs } = filling.surroundings
  const value = inputs.get(id)
  if (value === undefined)
    fail(filling, describedInputs.has(id) ? 'unset-input' : 'unknown-input', { id })
  else filling.parts.push({ text: value, source: { kind: 'input', id } })
}

function fillDefault(
  filling: Filling,
  { name, raw }: { readonly name: string; readonly raw: string },
  depth: number,
): void {
  if (depth >= MAX_NESTING) return fail(filling, 'bad-reference', { reference: `\${${name}:-…}` })
  const inner: Filling = { ...filling, parts: [] }
  fill(inner, raw, depth + 1)
  filling.fault = inner.fault
  if (inner.parts.length === 0) inner.parts.push({ text: '', source: LITERAL })
  for (const { text, source } of inner.parts)
    filling.parts.push({
      text,
      source: source.kind === 'literal' ? { kind: 'default', name } : source,
    })
}

function fail(filling: Filling, kind: ProblemKind, values: ProblemValues): void {
  filling.fault ??= { ok: false, kind, values }
}

/** The value of a variable that is set, perhaps to nothing. */
function variable(name: string, { env, platform }: Surroundings): string | undefined {
  if (Object.hasOwn(env, name)) return env[name]
  if (platform !== 'win32') return undefined
  const upper = name.toUpperCase()
  const found = Object.keys(env).find((key) => key.toUpperCase() === upper)
  return found === undefined ? undefined : env[found]
}
