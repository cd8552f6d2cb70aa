/**
 * A server of the tools that a recorded run of an agent was given. Definitions are read from the recording; the tools of the run of five
 * turns do their work themselves, those of other runs give again what their calls gave then.
 */
import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../src/base/json.ts'
import { Server } from '../../src/server/server.ts'
import { defineTool, ToolError, type ToolDefinition } from '../../src/tools/define.ts'
import { functionOf } from './deepseek-rules.ts'
import { itemsOf, textOf } from './deepseek-turn.ts'
import type { RecordedExchange } from './recorded-exchanges.ts'

/** What the four tools do; all of it shows in what they give. */
const WORK: Readonly<Record<string, (args: JsonObject) => string>> = {
  ping_empty: (args) => (Object.keys(args).length === 0 ? 'EMPTY-OK' : 'NOT EMPTY'),
  inspect_manifest: ({ project, flags, steps }) => {
    const retries = isJsonObject(flags) ? flags['retries'] : undefined
    return `MANIFEST-OK project=${textOf(project)} steps=${itemsOf(steps).length} retries=${Number(retries)}`
  },
  join_labels: ({ labels, separator }) =>
    `LABELS-OK ${Array.isArray(labels) ? labels.map((label) => textOf(label)).join(textOf(separator)) : ''}`,
  escape_echo: ({ text }) => `ESCAPE-OK ${textOf(text)}`,
}

export function recordedToolServer(exchanges: readonly RecordedExchange[]): Server {
  const results = recordedResults(exchanges)
  return new Server({
    name: 'recorded-tools',
    version: '1.0.0',
    tools: toolsOf(exchanges).map((tool) => definition(tool, results)),
  })
}

/** The functions that the first request of a recording offers. */
export function toolsOf(exchanges: readonly RecordedExchange[]): readonly JsonObject[] {
  return itemsOf(requestOf(exchanges[0])['tools']).map((tool) => functionOf(tool))
}

function definition(tool: JsonObject, results: ReadonlyMap<string, string>): ToolDefinition {
  const name = textOf(tool['name'])
  return defineTool({
    name,
    description: textOf(tool['description']),
    input: isJsonObject(tool['parameters']) ? tool['parameters'] : { type: 'object' },
    annotations: { readOnlyHint: true },
    run(args) {
      const work = WORK[name]
      const result = work === undefined ? results.get(callKey(name, args)) : work(args)
      if (result === undefined) throw new ToolError(`No such call of ${name} was recorded.`)
      return result
    },
  })
}

/** What each call of a recording gave, by its name and arguments. */
function recordedResults(exchanges: readonly RecordedExchange[]): ReadonlyMap<string, string> {
  const results = new Map<string, string>()
  for (const exchange of exchanges) {
    const messages = itemsOf(requestOf(exchange)['messages'])
    const calls = messages.flatMap((message) => itemsOf(message['tool_calls']))
    for (const message of messages) {
      const call = calls.find(({ id }) => id === message['tool_call_id'])
      if (message['role'] !== 'tool' || call === undefined) continue
      const { name, arguments: args } = functionOf(call)
      const given: JsonValue = JSON.parse(textOf(args) || '{}')
      results.set(callKey(textOf(name), given), textOf(message['content']))
    }
  }
  return results
}

function callKey(name: string, args: JsonValue): string {
  return `${name} ${canonicalJson(args)}`
}

/** The request of an exchange, whose body is a JSON object in every recorded run. */
export function requestOf(exchange: RecordedExchange | undefined): JsonObject {
  const value: JsonValue = JSON.parse(exchange?.body ?? '{}')
  return isJsonObject(value) ? value : {}
}
