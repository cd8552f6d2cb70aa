/**
 * Results of the modern era: complete or asking, told apart by `resultType` alone.
 *
 * They are written as text, because what the revision demands of every result is the same text each time.
 */

import { BugError } from '../base/errors.ts'
import { isJsonObject, type JsonObject, type JsonText, type JsonValue } from '../base/json.ts'
import type { InputRequest, Outcome, ServerIdentity } from './dialect.ts'
import { inner, join, putInFront } from './envelope.ts'
import { metaOf, omit, SERVER_INFO_KEY, withoutKeys } from './meta.ts'
import { ASKING_METHODS, INPUT_METHODS } from './methods.ts'
import { projectQuestion } from './questions.ts'
import { readResult, unusable } from './results.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Most questions that are read from one result. */
export const MAX_INPUT_REQUESTS = 64

/** How long the result may be kept, unless it says so itself. // CACHE-01 */
export function cacheText(result: JsonObject, self: ServerIdentity | undefined): string {
  const { ttlMs, cacheScope } = result
  const own = typeof ttlMs === 'number' && Number.isSafeInteger(ttlMs) && ttlMs >= 0
  const ttl = own ? ttlMs : (self?.ttlMs ?? 0)
  const scope =
    cacheScope === 'public' || cacheScope === 'private'
      ? cacheScope
      : (self?.cacheScope ?? 'private')
  return `"ttlMs":${ttl},"cacheScope":"${scope}"`
}

export interface ResultHead {
  readonly resultType: 'complete' | 'input_required' | 'task'
  /** The member of `_meta` that names the server, as text; may be empty. */
  readonly head: string
  /** Members about caching, as text; may be empty. */
  readonly cache: string
}

/** The result with its demanded members in front, as text. */
export function writeResultText(
  result: JsonObject,
  { resultType, head, cache }: ResultHead,
): JsonText {
  const type = `{"resultType":"${resultType}"`
  const own = metaOf(result)
  const meta = own === undefined ? head : join(head, inner(withoutKeys(own, OWN_KEYS)))
  const front = meta === '' ? type : `${type},"_meta":{${meta}}`
  return putInFront(cache === '' ? front : `${front},${cache}`, withoutHead(result, cache !== ''))
}

const OWN_KEYS: ReadonlySet<string> = new Set([SERVER_INFO_KEY])

/** Members that the dialect writes itself are taken out first; most results have none of them. */
function withoutHead(result: JsonObject, cacheable: boolean): JsonObject {
  let rest = result
  if (rest['_meta'] !== undefined || rest['resultType'] !== undefined)
    rest = omit(rest, '_meta', 'resultType')
  if (!cacheable) return rest
  if (rest['ttlMs'] !== undefined || rest['cacheScope'] !== undefined)
    rest = omit(rest, 'ttlMs', 'cacheScope')
  return rest
}

export interface Asked extends Pick<ResultHead, 'head'> {
  readonly method: string
  readonly outcome: Extract<Outcome, { kind: 'input-required' }>
}

export function encodeQuestions(words: Vocabulary, { method, outcome, head }: Asked): JsonText {
  const { inputRequests, requestState } = outcome
  if (!ASKING_METHODS.has(method))
    throw new BugError(`A result of ${method} cannot ask`, { method }) // MRTR-01
  if (inputRequests.size === 0 && requestState === undefined) {
    throw new BugError('A result that asks needs a question or a state', { method }) // MRTR-02
  }
  const asked = [...inputRequests].map(([key, ask]): [string, JsonObject] => {
    const params = projectQuestion(ask.method, ask.params, words)
    return [key, { method: ask.method, ...(params === undefined ? {} : { params }) }]
  })
  const result: JsonObject = {
    ...(asked.length === 0 ? {} : { inputRequests: Object.fromEntries(asked) }),
    ...(requestState === undefined ? {} : { requestState }),
  }
  return writeResultText(result, { resultType: 'input_required', head, cache: '' })
}

/** Only `resultType` decides what a result is. // RPC-19, RPC-20 */
export function decodeResult(method: string, raw: JsonObject): Outcome {
  const resultType = raw['resultType'] ?? 'complete'
  if (resultType === 'input_required') return decodeQuestions(method, raw)
  if (resultType !== 'complete') {
    const named = typeof resultType === 'string' ? `"${resultType.slice(0, 64)}"` : 'no text'
    throw unusable(method, `has a resultType that is not known: ${named}`, 'RPC-20') // RPC-20
  }
  const meta = metaOf(raw)
  const own = meta === undefined ? undefined : withoutKeys(meta, OWN_KEYS)
  const result = omit(raw, 'resultType', '_meta')
  if (own !== undefined) result['_meta'] = own
  return { kind: 'complete', result: readResult(method, result, 'any') }
}

function decodeQuestions(method: string, raw: JsonObject): Outcome {
  if (!ASKING_METHODS.has(method))
    throw unusable(method, 'asks for input, which it may not', 'MRTR-01')
  const asked = raw['inputRequests'] ?? undefined
  const state = raw['requestState'] ?? undefined
  if (asked === undefined && state === undefined)
    throw unusable(method, 'asks for nothing', 'MRTR-02') // MRTR-02
  if (asked !== undefined && !isJsonObject(asked))
    throw unusable(method, 'has "inputRequests" that are no object', 'MRTR-03')
  if (state !== undefined && typeof state !== 'string')
    throw unusable(method, 'has a "requestState" that is no string', 'MRTR-07')
  const entries = Object.entries(asked ?? {})
  if (entries.length > MAX_INPUT_REQUESTS)
    throw unusable(method, `asks more than ${MAX_INPUT_REQUESTS} questions`, 'MRTR-03')
  const inputRequests = new Map(entries.map(([key, ask]) => [key, readQuestion(method, ask)]))
  return { kind: 'input-required', inputRequests, requestState: state }
}

function readQuestion(method: string, raw: JsonValue | undefined): InputRequest {
  const asks = isJsonObject(raw) ? raw['method'] : undefined
  if (!isJsonObject(raw) || typeof asks !== 'string' || !INPUT_METHODS.has(asks)) {
    throw unusable(method, 'asks a question of an unknown kind', 'MRTR-03') // MRTR-03
  }
  const params = raw['params'] ?? undefined
  if (params === undefined) return { method: asks }
  if (isJsonObject(params)) return { method: asks, params }
  throw unusable(method, 'asks a question whose "params" are no object', 'MRTR-03')
}
