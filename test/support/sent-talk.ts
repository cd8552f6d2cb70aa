/**
 * What a request of any of four APIs says of calls, results and reasoning, read in the plainest way there is. Shares no code with the
 * product's codecs, so that the two can be held against each other.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts'

export interface SentTalk {
  readonly calls: readonly {
    readonly id: JsonValue
    readonly name: JsonValue
    readonly args: JsonValue
  }[]
  readonly results: readonly { readonly id: JsonValue; readonly text: string }[]
  /** As it stands there: text, or the items and blocks that hold it. */
  readonly reasoning: readonly JsonValue[]
}

const NOTHING: SentTalk = { calls: [], results: [], reasoning: [] }

/** In the order in which it stands in the request. Ids that an API does not have are null. */
export function sentTalk(body: JsonObject | undefined): SentTalk {
  const parts = [...objectsIn(body?.['input']), ...objectsIn(body?.['messages']).flatMap(partsOf)]
  const said = parts.map((part) => talkOf(part))
  return {
    calls: said.flatMap(({ calls }) => calls),
    results: said.flatMap(({ results }) => results),
    reasoning: said.flatMap(({ reasoning }) => reasoning),
  }
}

/** The names of the tools that are offered. */
export function sentTools(body: JsonObject | undefined): readonly JsonValue[] {
  return objectsIn(body?.['tools']).map((tool) => {
    const inner = isJsonObject(tool['function']) ? tool['function'] : tool
    return inner['name'] ?? null
  })
}

/** A message and the blocks in it. */
function partsOf(message: JsonObject): readonly JsonObject[] {
  return [message, ...objectsIn(message['content'])]
}

function talkOf(part: JsonObject): SentTalk {
  const { id = null, call_id: callId = null, name = null } = part
  switch (part['type']) {
    case 'function_call':
      return { ...NOTHING, calls: [{ id: callId, name, args: argumentsOf(part['arguments']) }] }
    case 'function_call_output':
      return { ...NOTHING, results: [{ id: callId, text: textOf(part['output']) }] }
    case 'tool_use':
      return { ...NOTHING, calls: [{ id, name, args: argumentsOf(part['input']) }] }
    case 'tool_result':
      return {
        ...NOTHING,
        results: [{ id: part['tool_use_id'] ?? null, text: textOf(part['content']) }],
      }
    case 'reasoning':
    case 'thinking':
    case 'redacted_thinking':
      return { ...NOTHING, reasoning: [part] }
    default:
      return messageOf(part)
  }
}

/** A message of Chat Completions or of Ollama. */
function messageOf(message: JsonObject): SentTalk {
  const { role, tool_call_id: id = null, content } = message
  const { thinking, reasoning, reasoning_content: other } = message
  if (role === 'tool') return { ...NOTHING, results: [{ id, text: textOf(content) }] }
  const calls = objectsIn(message['tool_calls']).map((call) => {
    const inner = isJsonObject(call['function']) ? call['function'] : {}
    return {
      id: call['id'] ?? null,
      name: inner['name'] ?? null,
      args: argumentsOf(inner['arguments']),
    }
  })
  return {
    ...NOTHING,
    calls,
    reasoning: [thinking, reasoning, other].filter((one) => one !== undefined),
  }
}

function argumentsOf(value: JsonValue | undefined): JsonValue {
  return typeof value === 'string' ? (JSON.parse(value) as JsonValue) : (value ?? null) // what JSON holds
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  return objectsIn(value)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('')
}

function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((one) => isJsonObject(one)) : []
}
