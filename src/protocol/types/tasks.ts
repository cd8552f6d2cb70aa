/**
 * Tasks: as 2025-11-25 has them in its core (TASK-05), and as the later extension has them (TASKX-05), which has other
 * shapes under the same name.
 */

import type { JsonObject } from '../../base/json.ts'
import type { ErrorObject } from '../../jsonrpc/message.ts'
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

/** A task as this extension tells it: flat, with its end inside. // TASKX-05, TASKX-07 */
export interface TaskState extends Open {
  readonly taskId: string
  readonly status: TaskStatus
  readonly statusMessage?: string
  /** ISO 8601. */
  readonly createdAt: string
  /** ISO 8601. */
  readonly lastUpdatedAt: string
  /** Milliseconds from its creation for which it can be asked for; null means no end. */
  readonly ttlMs: number | null
  /** Milliseconds to leave between two looks. */
  readonly pollIntervalMs?: number | undefined
  /** While `input_required`: what waits for an answer, by key. */
  readonly inputRequests?: {
    readonly [key: string]: { readonly method: string; readonly params?: JsonObject }
  }
  /** When `completed`: what the call would have given. */
  readonly result?: JsonObject
  /** When `failed`. // TASKX-13 */
  readonly error?: ErrorObject
}
