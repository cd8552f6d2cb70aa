/**
 * What a chat reply said, read in the plainest way there is: a stream's pieces are put together, nothing is judged.
 * Shares no code with the product, so that the two can be held against each other.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts'

export interface SaidTurn {
  readonly content: string
  readonly reasoning: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: string }[]
  readonly finish: string
}

/** The objects of a chat stream in their order; comments, blank lines and the end mark are left out. */
export function streamObjects(text: string): readonly JsonObject[] {
  return text.split('\n').flatMap((line) => {
    const data = /^data: ?(.*?)\r?$/.exec(line)?.[1]
    if (data === undefined || data === '[DONE]') return []
    const value: JsonValue = JSON.parse(data)
    return isJsonObject(value) ? [value] : []
  })
}

/** Reads a whole reply, be it a stream or one object. */
export function saidTurn(reply: string): SaidTurn {
  const isStream = !reply.trimStart().startsWith('{')
  const messages = (isStream ? streamObjects(reply) : [objectOf(reply)]).map((one) => {
    const choice = itemsOf(one['choices'])[0] ?? {}
    return { part: isStream ? choice['delta'] : choice['message'], finish: choice['finish_reason'] }
  })
  const said = { content: '', reasoning: '', finish: '' }
  const calls: { id: string; name: string; args: string }[] = []
  for (const { part, finish } of messages) {
    said.finish = textOf(finish) || said.finish
    if (!isJsonObject(part)) continue
    said.content += textOf(part['content'])
    said.reasoning += textOf(part['reasoning_content'])
    for (const [place, call] of itemsOf(part['tool_calls']).entries()) {
      const at = typeof call['index'] === 'number' ? call['index'] : place
      const { name, arguments: args } = isJsonObject(call['function']) ? call['function'] : {}
      const entry = (calls[at] ??= { id: '', name: '', args: '' })
      entry.id += textOf(call['id'])
      entry.name += textOf(name)
      entry.args += textOf(args)
    }
  }
  return { ...said, calls }
}

function objectOf(text: string): JsonObject {
  const value: JsonValue = JSON.parse(text)
  return isJsonObject(value) ? value : {}
}

/** The objects among the items of an array; none of what is no array. */
export function itemsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : []
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
