/** Which tools a conversation of before had results of, so that a host that did not see it knows what was read. Pure. */

import { isJsonObject } from '../base/json.ts'
import type { Message, ModelCall } from './conversation.ts'
import { CALL_TOOL, GET_TOOL, SEARCH_TOOLS } from './find-tools-offer.ts'

/**
 * Their aliases, each once. `known` are the tools that there are now: an error of another one may be that of a tool that never
 * was, and is not counted. What is left out of the conversation by now is not looked at.
 */
export function readBefore(
  messages: readonly Message[],
  known: ReadonlySet<string>,
): readonly string[] {
  const calls = new Map<string, ModelCall>()
  const aliases = new Set<string>()
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.calls) calls.set(call.id, call)
    if (message.role !== 'tool') continue
    const alias = aliasOf(calls.get(message.callId), message.name)
    // What these tell is the host's own list.
    if (alias === SEARCH_TOOLS || alias === GET_TOOL) continue
    if (!message.failed || known.has(alias)) aliases.add(alias)
  }
  return [...aliases]
}

/** A call through another tool is one of the tool that is meant. */
function aliasOf(call: ModelCall | undefined, name: string): string {
  if (name !== CALL_TOOL || call === undefined) return name
  try {
    const args: unknown = JSON.parse(call.argumentsText)
    const inner = isJsonObject(args) ? args['name'] : undefined
    return typeof inner === 'string' ? inner : name
  } catch {
    return name // it called nothing
  }
}
