/**
 * The extension `io.modelcontextprotocol/tasks`: a call that goes on after its answer, and is looked after by polling.
 *
 * Not the tasks of 2025-11-25, which have other shapes and are part of that revision. // TASKX-20
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type { Extension } from '../extension.ts'
import { unusable } from '../results.ts'
import type { TaskState, TaskStatus } from '../types/tasks.ts'

export const TASKS_EXTENSION_ID = 'io.modelcontextprotocol/tasks'

/** Statuses after which a task never changes. // TASK-07 */
export const ENDED_STATUSES: ReadonlySet<TaskStatus> = new Set(['completed', 'failed', 'cancelled'])

const STATUSES: ReadonlySet<unknown> = new Set([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
])

/** The extension, for clients and servers that ask for it. */
export const TASKS_EXTENSION: Extension = {
  id: TASKS_EXTENSION_ID,
  eras: ['modern'],
  methods: new Map([
    ['tasks/get', { kind: 'request', sender: 'client' }],
    ['tasks/update', { kind: 'request', sender: 'client' }],
    ['tasks/cancel', { kind: 'request', sender: 'client' }],
    ['notifications/tasks', { kind: 'notification', sender: 'server' }],
  ]),
  resultTypes: new Map([
    [
      'task',
      (method, raw) => {
        if (method !== 'tools/call')
          throw unusable(method, 'is a task, which only tools/call may give', 'TASKX-04')
        return { kind: 'task', task: readTaskState(method, raw) }
      },
    ],
  ]),
}

/** A task as a peer told it. Throws `ProtocolError` for what cannot be followed; unknown members pass. */
export function readTaskState(method: string, raw: JsonObject): TaskState {
  const { taskId, status } = raw
  if (typeof taskId !== 'string' || taskId === '')
    throw unusable(method, 'is a task without a "taskId"', 'TASKX-05')
  if (!STATUSES.has(status))
    throw unusable(method, 'is a task whose "status" is not known', 'TASKX-05')
  if (status === 'completed' && raw['result'] !== undefined && !isJsonObject(raw['result']))
    throw unusable(method, 'is a task whose "result" is no object', 'TASKX-07')
  const { resultType: _, ...rest } = raw
  return {
    ...rest,
    ttlMs: readMs(raw['ttlMs']) ?? null,
    pollIntervalMs: readMs(raw['pollIntervalMs']),
  } as unknown as TaskState // the members that are read were checked, the others are display data
}

function readMs(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined
}
