/** Tasks as 2025-11-25 has them in its core. The later extension of the same name has other shapes. // TASK-05 */

import type { JsonObject } from '../../base/json.ts'
import type { Cursor, Open } from './common.ts'

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

export interface Task extends Open {
  readonly taskId: string
  readonly status: TaskStatus
  readonly statusMessage?: string
  /** ISO 8601. */
  readonly createdAt: string
  /** ISO 8601. */
  readonly lastUpdatedAt: string
  /** Milliseconds from creation; null means no end. */
  readonly ttl: number | null
  /** Milliseconds to leave between two looks. */
  readonly pollInterval?: number
}

/** Put into `params.task`, it asks that the request become a task. */
export interface TaskMetadata extends Open {
  /** Milliseconds. */
  readonly ttl?: number
}

export interface CreateTaskResult extends Open {
  readonly task: Task
  readonly _meta?: JsonObject
}

export interface ListTasksResult extends Open {
  readonly tasks: readonly Task[]
  readonly nextCursor?: Cursor
  readonly _meta?: JsonObject
}
