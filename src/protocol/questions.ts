/**
 * Questions of a server in the words of a revision, in either form: the params of a legacy request, or an entry of
 * `inputRequests`. What can be said otherwise is; what cannot be said at all is refused before it is sent.
 */

import { CapabilityError } from '../base/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { projectBlock } from './project.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Params of a question, fit for the revision. Params of any other method are passed on untouched. */
export function projectQuestion(
  method: string,
  params: JsonObject | undefined,
  words: Vocabulary,
): JsonObject | undefined {
  if (params === undefined) return undefined
  if (method === 'sampling/createMessage') return projectSampling(params, words)
  return method === 'elicitation/create' ? projectElicitation(params, words) : params
}

function projectSampling(params: JsonObject, words: Vocabulary): JsonObject {
  const wantsTools = params['tools'] !== undefined || params['toolChoice'] !== undefined
  if (wantsTools && !words.traits.samplingTools)
    throw cannotSay('tools in sampling', words, 'sampling/createMessage') // SAMP-06
  const messages = params['messages']
  if (!Array.isArray(messages)) return params
  const told = messages.flatMap((message): JsonValue[] =>
    isJsonObject(message) ? projectMessage(message, words) : [message],
  )
  const same =
    told.length === messages.length && told.every((message, at) => message === messages[at])
  return same ? params : { ...params, messages: told }
}

/** One message a block where arrays are not known: a conversation reads the same. // SAMP-10 */
function projectMessage(message: JsonObject, words: Vocabulary): JsonObject[] {
  const content = message['content'] ?? null
  if (!Array.isArray(content)) {
    const block = projectBlock(content, words.samplingBlocks)
    return [block === content ? message : { ...message, content: block }]
  }
  const blocks = content.map((block) => projectBlock(block, words.samplingBlocks))
  if (!words.samplingArrays) return blocks.map((block) => ({ ...message, content: block }))
  return [
    blocks.every((block, at) => block === content[at]) ? message : { ...message, content: blocks },
  ]
}

function projectElicitation(params: JsonObject, words: Vocabulary): JsonObject {
  if (params['mode'] === 'url') return projectVisit(params, words)
  const schema = params['requestedSchema']
  if (words.choices === 'titled' || !isJsonObject(schema) || !isJsonObject(schema['properties']))
    return params
  const before = Object.entries(schema['properties'])
  const after = before.map(([name, field]): [string, JsonValue | undefined] => [
    name,
    isJsonObject(field) ? projectField(name, field, words) : field,
  ])
  if (after.every(([, field], at) => field === before[at]?.[1])) return params
  return { ...params, requestedSchema: { ...schema, properties: Object.fromEntries(after) } }
}

function projectVisit(params: JsonObject, words: Vocabulary): JsonObject {
  if (words.choices === 'enum-names') throw cannotSay('a question by URL', words)
  const { elicitationId, ...rest } = params
  if (!words.traits.elicitationIds) return elicitationId === undefined ? params : rest // ELIC-15
  if (typeof elicitationId === 'string') return params
  throw cannotSay('a question by URL without an elicitationId', words) // ELIC-14
}

/** Choices with titles, as two lists side by side; several choices at once have no older spelling. // ELIC-07 */
function projectField(name: string, field: JsonObject, words: Vocabulary): JsonObject {
  if (field['type'] === 'array') throw cannotSay(`several choices at once (field "${name}")`, words)
  const { oneOf: choices, ...rest } = field
  if (!Array.isArray(choices)) return field
  const titled = choices.filter(isJsonObject)
  const values = titled.map((choice) => choice['const'] ?? null)
  return {
    ...rest,
    enum: values,
    enumNames: titled.map((choice, at) => choice['title'] ?? values[at] ?? null),
  }
}

function cannotSay(
  what: string,
  words: Vocabulary,
  method: string = 'elicitation/create',
): CapabilityError {
  return new CapabilityError(
    'DP_CAPABILITY_METHOD',
    `The revision ${words.revision} has no words for ${what}; ask in another way or agree on a newer revision`,
    { method, revision: words.revision, missing: what },
  )
}
