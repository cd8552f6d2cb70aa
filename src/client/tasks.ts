/**
 * Calls that became tasks, followed to their end: looked at in the interval that the server asks for, questions answered
 * on the way, given up by the request that tasks have for it.
 *
 * Both shapes are here: those of the extension, which a server may give for any call of a client that declared it, and
 * those of 2025-11-25, which the caller asks for. // TASKX-04, TASK-02
 */

import type { Clock } from '../base/clock.ts'
import { CancelledError, ProtocolError, RpcError, TimeoutError } from '../base/errors.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import { ENDED_STATUSES, readTaskState } from '../protocol/extensions/tasks.ts'
import type { TimerSetting } from '../jsonrpc/exchange.ts'
import type { InputRequest } from '../protocol/dialect.ts'
import { readResult } from '../protocol/results.ts'
import type { TaskState } from '../protocol/types/tasks.ts'
import type { CallOptions } from './options.ts'

/** The call that became a task, and what following it needs; `call.ts` gives it, so that neither file needs the other. */
export interface TaskedCall {
  readonly method: string
  readonly options: CallOptions | undefined
  readonly clock: Clock
  /** The limit of the whole call. */
  readonly total: TimerSetting
  readonly ask: (method: string, params: JsonObject) => Promise<JsonObject>
  readonly answer: (questions: ReadonlyMap<string, InputRequest>) => Promise<JsonObject>
}

/** Least and longest pause between two looks, in ms, whatever the server says. */
const MIN_PAUSE_MS = 50
const MAX_PAUSE_MS = 60_000
const DEFAULT_PAUSE_MS = 1000
/** Most questions of one task that are answered. */
const MAX_ANSWERS = 100

/** Follows a task of the extension and gives what the call would have given. // TASKX-08 */
export async function followTask(call: TaskedCall, first: TaskState): Promise<JsonObject> {
  const watch = new Watch(call, first.taskId)
  const answered = new Set<string>()
  let task = first
  for (;;) {
    call.options?.onTask?.(task)
    if (ENDED_STATUSES.has(task.status)) return endOf(call.method, task)
    try {
      await answerOpen(call, task, answered)
      await watch.pause(task.pollIntervalMs)
      task = readTaskState('tasks/get', await call.ask('tasks/get', { taskId: task.taskId }))
    } catch (error) {
      if (watch.isOver) await cancel(call, task.taskId) // TASKX-12
      throw error
    }
  }
}

/** Each key is answered once, however often it is told. // TASKX-09 */
async function answerOpen(
  { ask, answer, method }: TaskedCall,
  { taskId, inputRequests }: TaskState,
  answered: Set<string>,
): Promise<void> {
  const open = Object.entries(inputRequests ?? {}).filter(([key]) => !answered.has(key))
  if (open.length === 0) return
  if (answered.size + open.length > MAX_ANSWERS)
    throw new ProtocolError(
      'DP_PROTOCOL_ROUNDS',
      `A task of ${method} asked more than ${MAX_ANSWERS} questions. The server may be asking in circles.`,
      {
        requirement: 'TASKX-10',
        method,
        detail: { kind: 'too-many-questions', most: MAX_ANSWERS },
      },
    )
  for (const [key] of open) answered.add(key)
  await ask('tasks/update', { taskId, inputResponses: await answer(new Map(open)) })
}

/** Nobody waits for the outcome: that it cannot be cancelled changes nothing. */
async function cancel({ ask }: TaskedCall, taskId: string): Promise<void> {
  await ask('tasks/cancel', { taskId }).catch(() => undefined)
}

function endOf(method: string, task: TaskState): JsonObject {
  if (task.status === 'completed') return readResult(method, { ...task.result }, 'any')
  if (task.status === 'cancelled')
    throw new CancelledError(`The task of ${method} was cancelled by the server.`, { method })
  const { error } = task
  if (!isJsonObject(error) || !Number.isInteger(error.code) || typeof error.message !== 'string')
    throw new ProtocolError(
      'DP_PROTOCOL_RESULT',
      `A task of ${method} failed and does not say how`,
      {
        requirement: 'TASKX-07',
        method,
      },
    )
  throw new RpcError(error.code, error.message, {
    method,
    ...(error.data === undefined ? {} : { data: error.data }),
  })
}

/** Follows a task of 2025-11-25: looks until it ends or asks, then waits for its result. // TASK-08, TASK-09, TASK-10 */
export async function followCoreTask(call: TaskedCall, first: JsonObject): Promise<JsonObject> {
  let task = readCoreTask(first)
  const { taskId } = task
  const watch = new Watch(call, taskId)
  try {
    for (;;) {
      call.options?.onTask?.(task)
      // What is asked comes on the stream of tasks/result. // TASK-10
      if (ENDED_STATUSES.has(task.status) || task.status === 'input_required') break
      await watch.pause(task.pollIntervalMs)
      task = readCoreTask(await call.ask('tasks/get', { taskId }))
    }
    const result = await call.ask('tasks/result', { taskId })
    return readResult(call.method, result, 'object')
  } catch (error) {
    if (watch.isOver) await cancel(call, taskId) // CANC-05
    throw error
  }
}

/** The core's shape in the words of the extension, so that callers see one. */
function readCoreTask(raw: JsonObject): TaskState {
  const { ttl, pollInterval, ...rest } = raw
  return readTaskState('tasks/get', {
    ...rest,
    ...(ttl === undefined ? {} : { ttlMs: ttl }),
    ...(pollInterval === undefined ? {} : { pollIntervalMs: pollInterval }),
  })
}

/** Whether a result is the promise of one. // TASK-05 */
export function taskOf(result: JsonObject): JsonObject | undefined {
  const { task } = result
  return isJsonObject(task) ? task : undefined
}

/** The limits of a whole call, over all looks at its task. */
class Watch {
  readonly #call: TaskedCall
  readonly #taskId: string
  readonly #dueAt: number
  #late = false

  constructor(call: TaskedCall, taskId: string) {
    this.#call = call
    this.#taskId = taskId
    this.#dueAt = call.clock.now() + call.total.ms
  }

  /** The caller gave the call up, or its time is over: the task is not wanted any more. */
  get isOver(): boolean {
    return this.#late || this.#call.options?.signal?.aborted === true
  }

  /** Waits for the next look. Rejects when the signal aborts, or no time is left. */
  pause(wished: number | undefined): Promise<void> {
    const { clock, options } = this.#call
    const ms = Math.min(Math.max(wished ?? DEFAULT_PAUSE_MS, MIN_PAUSE_MS), MAX_PAUSE_MS)
    if (this.#dueAt - clock.now() <= ms) {
      this.#late = true
      return Promise.reject(this.#timeout())
    }
    const signal = options?.signal
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        timer.cancel()
        reject(this.#cancelled(signal?.reason))
      }
      const timer = clock.after(ms, () => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      })
      if (signal?.aborted === true) giveUp()
      else signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  #cancelled(reason: unknown): CancelledError {
    const { method } = this.#call
    return new CancelledError(`${method} was cancelled, and so was its task.`, {
      method,
      reason,
      cause: reason,
    })
  }

  #timeout(): TimeoutError {
    const { method, total } = this.#call
    const { ms, setBy } = total
    const id = JSON.stringify(this.#taskId.slice(0, 64))
    return new TimeoutError(
      `The task ${id} of ${method} did not end within ${ms} ms (total, set by ${setBy}). It was cancelled.`,
      {
        timer: 'total',
        ms,
        setBy,
        sent: 'yes',
        method,
        detail: { kind: 'task-took-long', task: id },
      },
    )
  }
}
