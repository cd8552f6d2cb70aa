/**
 * Results as peers really send them, made fit for the neutral model.
 *
 * A member that is null where it may be missing counts as missing, content that is missing counts as empty, and an
 * entry of a list that has no name is left out; what cannot be understood at all is a `ProtocolError`. A result is
 * changed in place, and only where its sender was wrong: the wire keeps the text as it came.
 */

import { ProtocolError } from '../base/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { LIST_MEMBERS } from './methods.ts'

/** Optional members of a result. Structured content is apart: null is a value of it where any JSON value is. // TOOL-10 */
const RESULT_MEMBERS = [
  '_meta',
  'nextCursor',
  'isError',
  'description',
  'ttlMs',
  'cacheScope',
  'instructions',
] as const
/** Optional members of a tool, prompt, resource, template, root, argument or block. */
const ENTRY_MEMBERS = [
  '_meta',
  'title',
  'description',
  'annotations',
  'icons',
  'mimeType',
  'size',
  'arguments',
  'outputSchema',
  'execution',
] as const
const ANNOTATION_MEMBERS = [
  'title',
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
  'audience',
  'priority',
  'lastModified',
] as const

/** The result of `method`, read leniently. `structured` says whether null is structured content. */
export function readResult(
  method: string,
  raw: JsonObject,
  structured: 'object' | 'any',
): JsonObject {
  dropNulls(raw, RESULT_MEMBERS)
  const member = LIST_MEMBERS.get(method)
  if (member !== undefined) return readList(method, raw, member)
  switch (method) {
    case 'tools/call':
      return readCall(raw, structured)
    case 'prompts/get':
      readEntries(method, raw, 'messages').forEach(readMessage)
      return raw
    case 'resources/read':
      readEntries(method, raw, 'contents').forEach((entry) => dropNulls(entry, ENTRY_MEMBERS))
      return raw
    case 'completion/complete':
      return readCompletion(raw)
    default:
      return raw
  }
}

function dropNulls(object: JsonObject, members: readonly string[]): void {
  // Looks at what is there: objects of peers have few members, and hardly ever a null.
  for (const member in object) {
    if (object[member] === null && members.includes(member)) delete object[member]
  }
}

function readCall(raw: JsonObject, structured: 'object' | 'any'): JsonObject {
  if (structured === 'object' && raw['structuredContent'] === null) delete raw['structuredContent'] // TOOL-09
  // A result that only promises a task has no content, and needs none.
  if (isJsonObject(raw['task']) && raw['content'] === undefined) return raw // TASK-05
  raw['content'] ??= [] // TOOL-12
  readEntries('tools/call', raw, 'content').forEach(readBlock)
  return raw
}

/** Unknown kinds pass: whoever shows them has a placeholder. */
function readBlock(block: JsonObject): void {
  dropNulls(block, ENTRY_MEMBERS)
  readAnnotations(block)
  if (isJsonObject(block['resource'])) dropNulls(block['resource'], ENTRY_MEMBERS)
}

function readMessage(message: JsonObject): void {
  if (isJsonObject(message['content'])) readBlock(message['content'])
}

function readAnnotations(entry: JsonObject): void {
  if (isJsonObject(entry['annotations'])) dropNulls(entry['annotations'], ANNOTATION_MEMBERS)
}

function readCompletion(raw: JsonObject): JsonObject {
  const completion = raw['completion']
  if (!isJsonObject(completion))
    throw unusable('completion/complete', 'has no "completion"', 'COMP-04')
  dropNulls(completion, ['total', 'hasMore'])
  const values = completion['values'] ?? []
  if (!Array.isArray(values))
    throw unusable('completion/complete', 'has no list "completion.values"', 'COMP-04')
  completion['values'] = values.filter((value) => typeof value === 'string')
  return raw
}

/**
 * The entries of a list that can be used: those with the member that names them. Tools are left for the client, which
 * mends them one by one and says so.
 */
function readList(method: string, raw: JsonObject, member: string): JsonObject {
  const key = NAMES.get(member) ?? 'name'
  const list = raw[member]
  if (!Array.isArray(list)) throw unusable(method, `has no list "${member}"`, 'PAGE-01')
  if (member !== 'tools' && !list.every((entry) => isNamed(entry, key)))
    raw[member] = list.filter((entry) => isNamed(entry, key))
  const cursor = raw['nextCursor']
  // Guessing here would cut the list short without a word.
  if (cursor !== undefined && typeof cursor !== 'string')
    throw unusable(method, 'has a "nextCursor" that is no string', 'PAGE-01')
  for (const entry of member === 'tools'
    ? list.filter(isJsonObject)
    : readEntries(method, raw, member)) {
    dropNulls(entry, ENTRY_MEMBERS)
    readAnnotations(entry)
  }
  return raw
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['roots', 'uri'],
  ['resources', 'uri'],
  ['resourceTemplates', 'uriTemplate'],
  ['tasks', 'taskId'],
])

function isNamed(entry: JsonValue, key: string): boolean {
  return isJsonObject(entry) && typeof entry[key] === 'string'
}

/** The objects of a list that the result must have. */
function readEntries(method: string, raw: JsonObject, member: string): JsonObject[] {
  const list = raw[member]
  if (!Array.isArray(list))
    throw unusable(method, `has no list "${member}"`, REQUIREMENTS.get(method))
  const objects = list.filter(isJsonObject)
  if (objects.length === list.length) return objects
  throw unusable(method, `has an entry in "${member}" that is no object`, REQUIREMENTS.get(method))
}

const REQUIREMENTS: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'TOOL-12'],
  ['prompts/get', 'PRMT-05'],
  ['resources/read', 'RES-03'],
])

/** An error for a result that cannot be read. */
export function unusable(
  method: string,
  what: string,
  requirement: string | undefined,
): ProtocolError {
  return new ProtocolError('DP_PROTOCOL_RESULT', `The result of ${method} ${what}`, {
    method,
    ...(requirement === undefined ? {} : { requirement }),
  })
}
