/**
 * Judges what a step of a case brought against what the case expects: results, errors, texts and numbers. Knows the
 * words of the case list and nothing of how a step was done.
 */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  AuthError,
  HttpError,
  PilotError,
  ProtocolError,
  RpcError,
  TransportError,
} from '../../src/base/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts'
import type { CallToolResult } from '../../src/protocol/types/tools.ts'

/** What a step brought. */
export type StepOutcome =
  | { readonly kind: 'error'; readonly error: unknown }
  | {
      readonly kind: 'ok'
      readonly result?: CallToolResult
      readonly tools?: readonly string[]
      readonly revision?: string
      readonly json?: JsonObject
    }

/** Nothing when the outcome is what was expected, else what is wrong with it. */
export function misfit(outcome: StepOutcome, expected: JsonObject): string | undefined {
  const anyOf = expected['anyOf']
  if (Array.isArray(anyOf)) {
    const misfits = anyOf.map((one) => (isJsonObject(one) ? misfit(outcome, one) : 'no object'))
    return misfits.includes(undefined) ? undefined : misfits.join(' | ')
  }
  const error = expected['error']
  if (isJsonObject(error)) {
    return outcome.kind === 'error'
      ? misfitOfError(outcome.error, error)
      : `succeeded, expected ${JSON.stringify(error)}`
  }
  if (outcome.kind === 'error')
    return `failed with ${kindOf(outcome.error)}: ${String(outcome.error)}`
  for (const [name, want] of Object.entries(expected)) {
    if (name === 'ok' || want === undefined) continue
    const problem = misfitOf(name, want, outcome)
    if (problem !== undefined) return `${name}: ${problem}`
  }
  return undefined
}

/** Our families and codes in the words of the case list. */
function kindOf(error: unknown): string {
  if (!(error instanceof PilotError)) return 'untyped'
  switch (error.code) {
    case 'DP_TRANSPORT_EXIT':
      return 'exit'
    case 'DP_TRANSPORT_SPAWN':
    case 'DP_TRANSPORT_CONNECT':
      return 'connect'
    case 'DP_TRANSPORT_HTTP':
    case 'DP_TRANSPORT_SESSION':
      return 'http'
    case 'DP_TRANSPORT_ORIGIN':
      return 'security'
    case 'DP_TRANSPORT_TOO_LARGE':
      return 'too-large'
    case 'DP_PROTOCOL_VERSION':
      return 'version'
    case 'DP_PROTOCOL_PAGES':
      return 'pagination'
    case 'DP_PROTOCOL_ROUNDS':
      return 'input-required'
    default:
      return KINDS[error.family] ?? error.family
  }
}

const KINDS: Readonly<Record<string, string>> = {
  rpc: 'protocol',
  protocol: 'invalid',
  schema: 'invalid',
  transport: 'closed',
  policy: 'security',
}

function misfitOfError(error: unknown, expected: JsonObject): string | undefined {
  const facts: Readonly<Record<string, unknown>> = {
    kind: kindOf(error),
    code: error instanceof RpcError ? error.rpcCode : undefined,
    exitCode: error instanceof TransportError ? error.exitCode : undefined,
    status: error instanceof HttpError || error instanceof AuthError ? error.status : undefined,
  }
  for (const [name, want] of Object.entries(expected)) {
    if (name === 'stderr_includes') {
      const stderr = error instanceof TransportError ? (error.stderr ?? '') : ''
      if (!stderr.includes(wordOf(want))) return `stderr is ${JSON.stringify(stderr)}`
    } else if (name === 'message_max') {
      if (String(error).length > Number(want))
        return `the message has ${String(error).length} characters`
    } else {
      const fits = Array.isArray(want)
        ? want.includes(facts[name] as JsonValue)
        : want === facts[name]
      if (!fits) return `${name} is ${String(facts[name])}: ${String(error)} ${ruleOf(error)}`
    }
  }
  return undefined
}

function ruleOf(error: unknown): string {
  return error instanceof ProtocolError ? (error.requirement ?? '') : ''
}

function misfitOf(
  name: string,
  want: JsonValue,
  outcome: Extract<StepOutcome, { kind: 'ok' }>,
): string | undefined {
  const { result, tools = [], revision, json } = outcome
  const text = result === undefined ? '' : textOf(result)
  switch (name) {
    case 'tools':
      return same(tools, want)
    case 'tools_include':
      return Array.isArray(want) && want.every((tool) => tools.some((name) => name === tool))
        ? undefined
        : `only ${tools.join(', ')}`
    case 'text':
      return same(text, want)
    case 'text_match':
      return new RegExp(wordOf(want)).test(text) ? undefined : `got ${short(text)}`
    case 'text_length':
      return same(text.length, want)
    case 'text_sha256':
      return same(createHash('sha256').update(text).digest('hex'), want)
    case 'text_json':
      return fits(parse(text), want) ? undefined : `got ${short(text)}`
    case 'json':
      return fits(json, want) ? undefined : `got ${short(json)}`
    case 'structured':
      return fits(result?.structuredContent, want) ? undefined : `got ${short(result)}`
    case 'isError':
      return same(result?.isError === true, want)
    case 'types':
      return same(
        result?.content.map(({ type }) => type),
        want,
      )
    case 'protocolVersion':
      return fits(revision, want) ? undefined : `got ${String(revision)}`
    default:
      return 'this expectation is not known'
  }
}

/** All text blocks joined. */
export function textOf(result: CallToolResult): string {
  return result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
}

/** Whether a value has everything that is wanted of it; members beside that are fine. */
export function fits(value: unknown, want: JsonValue | undefined): boolean {
  if (!isJsonObject(want)) return isDeepStrictEqual(value, want)
  const keys = Object.keys(want)
  if (keys.length === 1 && keys[0]?.startsWith('$') === true)
    return judge(value, keys[0], want[keys[0]])
  if (typeof value !== 'object' || value === null) return false
  return keys.every((key) => fits(Reflect.get(value, key), want[key]))
}

function judge(value: unknown, word: string, want: JsonValue | undefined): boolean {
  const comparable =
    typeof value === typeof want && (typeof value === 'number' || typeof value === 'string')
  switch (word) {
    case '$lte':
      return comparable && String(value).localeCompare(wordOf(want), 'en', { numeric: true }) <= 0
    case '$gte':
      return comparable && String(value).localeCompare(wordOf(want), 'en', { numeric: true }) >= 0
    case '$in':
      return Array.isArray(want) && want.some((one) => isDeepStrictEqual(one, value))
    case '$includes':
      return Array.isArray(value)
        ? value.some((one) => isDeepStrictEqual(one, want))
        : typeof value === 'string' && value.includes(wordOf(want))
    case '$type':
      return typeof value === want
    case '$list':
      return Array.isArray(value)
    default:
      return false
  }
}

function same(got: unknown, want: JsonValue): string | undefined {
  return isDeepStrictEqual(got, want) ? undefined : `got ${short(got)}, expected ${short(want)}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the comparison says what the text was
  }
}

function wordOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

function short(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 300)
}
