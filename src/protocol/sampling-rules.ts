/**
 * How the messages of a sampling request must follow one another when tools are used in it. Both sides check it: a server
 * before it asks, a client before it lets a model see it. // SAMP-07, SAMP-08
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'

/** What is wrong with a run of messages, in words; undefined when nothing is. Messages are peer values or an author's. */
export function samplingFault(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return '"messages" is no list'
  let open: ReadonlySet<unknown> = new Set()
  for (const [at, message] of messages.entries()) {
    const where = `message ${at + 1}`
    if (!isJsonObject(message)) return `${where} is no object`
    const { role } = message
    if (role !== 'user' && role !== 'assistant')
      return `${where} has a role that is neither user nor assistant`
    const blocks = blocksOf(message)
    const results = blocks.filter((block) => block['type'] === 'tool_result')
    if (results.length > 0 && results.length < blocks.length)
      return `${where} mixes tool results with other content` // SAMP-07
    if (results.length > 0 && role !== 'user') return `${where} has tool results and is no user's`
    const fault = answersFault(open, results, where)
    if (fault !== undefined) return fault
    const uses = blocks.filter((block) => block['type'] === 'tool_use')
    if (uses.length > 0 && role !== 'assistant') return `${where} uses tools and is no assistant's`
    open = new Set(uses.map((block) => block['id']))
    if (open.size < uses.length) return `${where} uses the id of a tool call twice`
  }
  return open.size === 0 ? undefined : 'the last message uses tools, and no results follow' // SAMP-08
}

/** Results must answer exactly what the message before them asked for. */
function answersFault(
  open: ReadonlySet<unknown>,
  results: readonly JsonObject[],
  where: string,
): string | undefined {
  const answered = new Set(results.map((block) => block['toolUseId']))
  if (answered.size < results.length) return `${where} answers a tool call twice`
  for (const id of answered)
    if (!open.has(id)) return `${where} has a result for a tool call that was not made just before`
  return answered.size < open.size
    ? `${where} does not answer every tool call of the message before`
    : undefined // SAMP-08
}

function blocksOf(message: JsonObject): readonly JsonObject[] {
  const content: JsonValue = message['content'] ?? null
  return (Array.isArray(content) ? content : [content]).filter(isJsonObject)
}
