/** What a server is told of tasks, and what it therefore declares. */

import { TASKS_EXTENSION_ID } from '../protocol/extensions/tasks.ts'
import type { ServerCapabilities } from '../protocol/types/common.ts'
import type { TaskStoreOptions } from '../tools/task-store.ts'

/** How tasks are kept. */
export interface TaskOptions extends Omit<TaskStoreOptions, 'clock' | 'random'> {
  /**
   * Whether `tasks/list` of 2025-11-25 is served: only where every caller is known, since without principals everybody would
   * see everything. Default false. // TASK-14
   */
  readonly list?: boolean
}

/** The capabilities with what tasks make a server declare. // TASK-01, TASKX-01 */
export function withTasks(
  capabilities: ServerCapabilities,
  options: boolean | TaskOptions | undefined,
): ServerCapabilities {
  if (options === undefined || options === false) return capabilities
  const lists = options !== true && options.list === true
  return {
    ...capabilities,
    // Each revision is told what it has a word for. // TASKX-19, TASKX-20
    tasks: {
      requests: { tools: { call: {} } },
      cancel: {},
      ...(lists ? { list: {} } : {}), // TASK-14
    },
    extensions: { ...capabilities.extensions, [TASKS_EXTENSION_ID]: {} },
  }
}
