/**
 * Tasks on the wire: one store, told in the two shapes that the protocol has for it. In the second both sides may own some.
 *
 * In 2025-11-25 a task is asked for, waited for by `tasks/result`, and asks its questions there; in the extension the
 * server decides, everything is polled, and questions stand in the task. What is worked on is the store's business.
 */

import { isJsonObject, type JsonObject } from '../base/json.ts'
import { RpcRefusal } from '../base/errors.ts'
import type { InboundRequest } from '../jsonrpc/inbound-request.ts'
import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../jsonrpc/message.ts'
import type { Peer } from '../jsonrpc/peer.ts'
import type { Dialect, Outcome } from '../protocol/dialect.ts'
import { invalidParams } from '../protocol/errors.ts'
import { RELATED_TASK_KEY } from '../protocol/meta.ts'
import type { Task, TaskState } from '../protocol/types/tasks.ts'
import type { StoredTask, TaskStore, TaskWork } from './task-store.ts'

/** A request about tasks, with what is needed to answer it. */
export interface TaskRequest {
  readonly dialect: Dialect
  readonly method: string
  readonly params: JsonObject
  readonly request: InboundRequest
  readonly peer: Peer
}

/** Tasks kept longest are told first; a page of `tasks/list` has as many. */
const PAGE_SIZE = 100

/** Answers `tasks/*`. Throws `RpcRefusal` for what is no task of the caller. */
export class TaskDesk {
  readonly #store: TaskStore
  /** Questions that were put to somebody already, by task. */
  readonly #put = new WeakMap<StoredTask, Set<string>>()

  constructor(store: TaskStore) {
    this.#store = store
  }

  answer(asked: TaskRequest): JsonObject | Promise<JsonObject> {
    const flat = asked.dialect.traits.tasks === 'extension'
    switch (asked.method) {
      case 'tasks/get': {
        const task = this.#find(asked)
        return flat ? asObject(taskState(task, asked.dialect)) : asObject(coreTask(task))
      }
      case 'tasks/cancel':
        return flat ? this.#cancelSoon(asked) : this.#cancelNow(asked)
      case 'tasks/update':
        return this.#update(asked)
      case 'tasks/list':
        return this.#list(asked)
      case 'tasks/result':
        return this.#result(asked)
      default:
        throw new RpcRefusal(METHOD_NOT_FOUND, `Method not found: ${asked.method.slice(0, 128)}`)
    }
  }

  /** A task of somebody else is told as one that does not exist. // TASK-12, TASK-14, TASKX-14 */
  #find({ params, request }: TaskRequest): StoredTask {
    const task = this.#store.get(params['taskId'], request.facts?.auth?.principal)
    if (task === undefined) throw invalidParams('There is no such task')
    return task
  }

  /** // TASKX-11: an acknowledgement, also for a task that has ended */
  #cancelSoon(asked: TaskRequest): JsonObject {
    this.#store.cancel(this.#find(asked), 'the client cancelled it')
    return {}
  }

  /** // TASK-11 */
  #cancelNow(asked: TaskRequest): JsonObject {
    const task = this.#find(asked)
    if (!this.#store.cancel(task, 'the client cancelled it'))
      throw invalidParams(`The task has ended already: it is ${coreStatus(task)}`)
    return asObject(coreTask(task))
  }

  /** Answers to open questions; others are ignored. // TASKX-09, TASKX-10 */
  #update(asked: TaskRequest): JsonObject {
    const task = this.#find(asked)
    const { inputResponses } = asked.params
    if (!isJsonObject(inputResponses)) throw invalidParams('"inputResponses" must be an object')
    for (const [key, response] of Object.entries(inputResponses)) {
      if (isJsonObject(response)) this.#store.answer(task, key, response)
      else if (task.questions.some((open) => open.key === key))
        throw invalidParams(`The answer ${JSON.stringify(key.slice(0, 64))} is no object`)
    }
    return {} // TASKX-11
  }

  #list({ params, request }: TaskRequest): JsonObject {
    const tasks = this.#store.list(request.facts?.auth?.principal)
    const { cursor } = params
    const after = tasks.findIndex(({ id }) => id === cursor)
    if (cursor !== undefined && after < 0) throw invalidParams('The cursor is not one of this list') // TASK-12
    const page = tasks.slice(after + 1, after + 1 + PAGE_SIZE)
    const last = page.at(-1)
    const more = last !== undefined && after + 1 + page.length < tasks.length
    return {
      tasks: page.map((task) => asObject(coreTask(task))),
      ...(more ? { nextCursor: last.id } : {}),
    }
  }

  /** Waits for the end and gives what the call would have given; what is asked meanwhile is asked here. // TASK-09, TASK-10 */
  async #result(asked: TaskRequest): Promise<JsonObject> {
    const task = this.#find(asked)
    const ask = (): void => this.#putQuestions(task, asked)
    const stop = this.#store.onChange((changed) => {
      if (changed === task) ask()
    })
    try {
      ask()
      await endOrAbort(task, asked.request)
    } finally {
      stop()
    }
    const { end } = task
    if (end === undefined) throw new RpcRefusal(INVALID_PARAMS, 'The task was cancelled')
    if (end.kind === 'error') throw end.error
    const meta = isJsonObject(end.result['_meta']) ? end.result['_meta'] : {}
    return { ...end.result, _meta: { ...meta, ...relatedTask(task) } }
  }

  /** Each question goes out once, whoever waits for the result. */
  #putQuestions(task: StoredTask, { dialect, peer, request }: TaskRequest): void {
    let put = this.#put.get(task)
    if (put === undefined) this.#put.set(task, (put = new Set()))
    for (const { key, request: question } of task.questions) {
      if (put.has(key)) continue
      put.add(key)
      const params = { ...question.params, _meta: relatedTask(task) }
      const encoded = dialect.encodeRequest({ method: question.method, params })
      const patient = { ms: Number.POSITIVE_INFINITY, setBy: 'ask' }
      const options = { idle: patient, signal: request.signal, facts: request.facts }
      peer.request(question.method, encoded.params, options).result.then(
        (response) => this.#store.answer(task, key, response),
        (error: Error) => this.#unanswered(task, key, { error, request }),
      )
    }
  }

  /** Who waited has gone: the next one who waits is asked. A refusal is an answer. */
  #unanswered(
    task: StoredTask,
    key: string,
    { error, request }: { readonly error: Error; readonly request: InboundRequest },
  ): void {
    if (request.cancelled) this.#put.get(task)?.delete(key)
    else this.#store.refuse(task, key, error)
  }
}

/** Settles when the task has ended or nobody waits any more. */
function endOrAbort(task: StoredTask, request: InboundRequest): Promise<void> {
  const { signal } = request
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    void task.ended.then(resolve)
  })
}

/** What ties a message to a task of 2025-11-25. */
function relatedTask(task: StoredTask): JsonObject {
  return { [RELATED_TASK_KEY]: { taskId: task.id } }
}

/** A task in the words of the extension. // TASKX-05, TASKX-07 */
export function taskState(task: StoredTask, dialect: Dialect): TaskState {
  const { end, questions } = task
  const asks = questions.map(({ key, request }) => [key, request] as const)
  return {
    ...common(task),
    status: task.status,
    ttlMs: task.ttlMs,
    pollIntervalMs: task.pollIntervalMs,
    ...(asks.length === 0 ? {} : { inputRequests: Object.fromEntries(asks) }),
    ...(end?.kind === 'result' ? { result: end.result } : {}),
    ...(end?.kind === 'error' ? { error: dialect.encodeError(end.error).error } : {}), // TASKX-13
  }
}

/** A task in the words of 2025-11-25. // TASK-06 */
function coreTask(task: StoredTask): Task {
  return {
    ...common(task),
    status: coreStatus(task),
    ttl: task.ttlMs,
    pollInterval: task.pollIntervalMs,
  }
}

/** A failed tool is a failed task there. // TASK-13 */
function coreStatus({ status, end }: StoredTask): Task['status'] {
  return end?.kind === 'result' && end.result['isError'] === true ? 'failed' : status
}

function common(task: StoredTask): Pick<Task, 'taskId' | 'createdAt' | 'lastUpdatedAt'> & {
  readonly statusMessage?: string
} {
  return {
    taskId: task.id,
    createdAt: new Date(task.createdAt).toISOString(),
    lastUpdatedAt: new Date(task.updatedAt).toISOString(),
    ...(task.statusMessage === undefined ? {} : { statusMessage: task.statusMessage }),
  }
}

/** A task is JSON by its types. */
function asObject(task: Task | TaskState): JsonObject {
  return task as unknown as JsonObject
}

/** What the call is answered with when it has become a task. // TASK-05, TASKX-05 */
export function promiseOf({ task }: TaskWork, { dialect }: { readonly dialect: Dialect }): Outcome {
  if (dialect.traits.tasks === 'extension') return { kind: 'task', task: taskState(task, dialect) }
  const told = coreTask(task) as unknown as JsonObject // JSON by its types
  return { kind: 'complete', result: { task: told } }
}
