/**
 * The file that stands for the source of the tool: what its author edits. A program reads it when it starts, as it does with its code;
 * a server of its own may be told to look again.
 */

import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { isJsonObject } from '../../base/json.ts'

export interface EditableTool {
  readonly description: string
  /** Calls begin and do not end. */
  readonly stalls?: boolean
}

/** Names the file in the environment of a server. */
export const TOOL_FILE = 'DEEP_PILOT_COMPARED_TOOL'

/** What stands there now; nothing while it is being written. */
export function readTool(file: string): Partial<EditableTool> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!isJsonObject(value) || typeof value['description'] !== 'string') return {}
    return { description: value['description'], stalls: value['stalls'] === true }
  } catch {
    return {} // half written: the next look finds it whole
  }
}

export function writeTool(file: string, tool: EditableTool): Promise<void> {
  return writeFile(file, JSON.stringify(tool))
}
