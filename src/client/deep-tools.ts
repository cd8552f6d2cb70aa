/**
 * A list of tools out of an answer that nests too deep as a whole: the tools that do are marked to be left out, the others
 * stay. Loaded with the first answer to `tools/list` that is no valid message.
 *
 * Nothing deeper than a message may be is ever parsed, and nothing is let through that is too deep elsewhere.
 */

import { cutDeep } from '../base/cut-deep.ts'
import { PilotError } from '../base/errors.ts'
import { exceedsDepth, MAX_JSON_DEPTH, type JsonObject } from '../base/json.ts'
import { isBatch, readText } from '../jsonrpc/channel.ts'
import type { ResultResponse } from '../jsonrpc/message.ts'
import { LEFT_OUT } from './entries.ts'
import { arrayMember, type Unread } from './request.ts'

/** Of a message its tools are the fourth level: message, result, list, tool. */
const TOOL_LEVEL = 4
const TOO_DEEP = `its definition nests deeper than ${MAX_JSON_DEPTH - TOOL_LEVEL + 1} levels`

/** Gives the complete result, or throws the error when something else is wrong with the answer. */
export function withoutDeepTools({ caller, error, text }: Unread): JsonObject {
  if (!exceedsDepth(text)) throw error
  // What reads otherwise with another mark was cut: so a peer can write nothing that is taken for a mark.
  const [one, other] = [resultIn(text, '0'), resultIn(text, '1')]
  if (one === undefined || other === undefined || one.id !== idOf(error)) throw error
  const tools = arrayMember(one.result, 'tools')
  const twins = arrayMember(other.result, 'tools')
  const deep = tools.filter((tool, at) => JSON.stringify(tool) !== JSON.stringify(twins[at]))
  if (deep.length === 0 || withoutTools(one) !== withoutTools(other)) throw error
  LEFT_OUT.set(tools, new Map(deep.map((tool) => [tool, TOO_DEEP])))
  const outcome = caller.dialect.decodeResult('tools/list', one.result)
  if (outcome.kind !== 'complete') throw error
  return outcome.result
}

/** The answer with the mark in place of each member of a tool that nests too deep: its name can still be read. */
function resultIn(text: string, mark: string): ResultResponse | undefined {
  const reading = readText(cutDeep(text, { level: TOOL_LEVEL + 1, mark }))
  return !isBatch(reading) && reading.kind === 'result' ? reading.message : undefined
}

function withoutTools(message: ResultResponse): string {
  return JSON.stringify({ ...message, result: { ...message.result, tools: 0 } })
}

function idOf(error: Error): unknown {
  return error instanceof PilotError ? error.id : undefined
}
