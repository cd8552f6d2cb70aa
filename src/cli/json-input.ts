/** JSON that a person wrote, on the command line or in a file: read with limits, and its faults told with line and column. */

import { UsageError } from '../base/errors.ts'
import { exceedsDepth, isJsonObject, MAX_JSON_DEPTH } from '../base/json.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import { terminalText } from '../base/terminal-text.ts'
import { jsonFault, type JsonFault } from './json-fault.ts'
import type { FaultWords } from './messages/messages.ts'

/** Longest JSON that is read, in bytes: what one message may be. */
export const MAX_INPUT_BYTES: number = 32 * 1024 * 1024

/** The value of a text. `place` names it in errors, e.g. `--args` or a file. */
export function readJson(text: string, place: string, words: FaultWords): JsonValue {
  if (exceedsDepth(text, MAX_JSON_DEPTH)) {
    throw new UsageError(words.tooDeep(place, MAX_JSON_DEPTH))
  }
  try {
    return JSON.parse(text) as JsonValue // what JSON.parse gives
  } catch (error) {
    const fault = jsonFault(text)
    const problem = fault === undefined ? '' : faultInWords(fault, words)
    throw new UsageError(words.badJson(place, problem), { cause: error })
  }
}

/** The same for what must be an object. */
export function readJsonObject(text: string, place: string, words: FaultWords): JsonObject {
  const value = readJson(text, place, words)
  if (isJsonObject(value)) return value
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  throw new UsageError(words.notObject(place, kind))
}

function faultInWords(fault: JsonFault, words: FaultWords): string {
  const { json } = words
  const place = json.at(fault.line, fault.column)
  switch (fault.kind) {
    case 'empty':
      return `${json.empty}.`
    case 'end':
      return `${place}${json.end}.`
    case 'control':
      return `${place}${json.control}.`
    case 'escape':
      return `${place}${json.escape}.`
    default:
      return `${place}${json.unexpected(`"${terminalText(fault.found)}"`, json[fault.expected ?? 'value'])}.`
  }
}
