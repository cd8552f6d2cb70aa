/**
 * Whether a call of a tool asks to become a task, as 2025-11-25 has it. Elsewhere nobody asks: there the server decides.
 */

import type { JsonObject } from '../base/json.ts'
import { declares } from '../protocol/capability.ts'
import type { Tool } from '../protocol/types/tools.ts'
import type { CallOptions } from './options.ts'
import type { Caller } from './request.ts'

/**
 * The value of `params.task`, or nothing. A tool that demands tasks is always called as one; one that is known to have none
 * never is, whatever the caller wishes. // TASK-02, TASK-03
 */
export function taskWish(
  { dialect, server }: Caller,
  tool: Tool | undefined,
  options: CallOptions | undefined,
): JsonObject | undefined {
  const wish = options?.task
  const support = tool?.execution?.taskSupport
  if (wish === undefined && support !== 'required') return undefined
  if (dialect.traits.tasks !== 'core') return undefined
  if (!declares(server.capabilities, 'tasks.requests.tools.call')) return undefined
  if (tool !== undefined && support !== 'optional' && support !== 'required') return undefined
  return wish?.ttlMs === undefined ? {} : { ttl: wish.ttlMs }
}
