/** The tool's description is edited while a host runs: who hears of it? */

import type { ChangeSeen } from './measured.ts'
import type { McpWay } from './mcp-way.ts'

/** The host over the protocol, between two of its turns. */
export async function changeOverMcp(way: McpWay, signal: AbortSignal): Promise<ChangeSeen> {
  const description = `${way.subject.definition.tool.description ?? ''} (edited)`.trim()
  const { messages } = way
  const started = performance.now()
  await way.edit({ description })
  await way.until(() => way.tool?.description === description, signal)
  return { seen: true, ms: performance.now() - started, messages: way.messages - messages }
}

/** A program that holds the definition itself: what it would send to the model now, against what it sent before. */
export function changeInProcess(before: string, now: string): ChangeSeen {
  return before === now ? { seen: false } : { seen: true, ms: 0, messages: 0 }
}
