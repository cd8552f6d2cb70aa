/**
 * Which calls become tasks, and who may ask about them: what a server declares of tasks, in both shapes that they have.
 *
 * Whether a call becomes a task is decided by its tool, by what its client can follow, and in 2025-11-25 by whether the
 * client asked for it. How the work then goes on is the business of the context it runs in.
 */

import type { Clock, Random } from '../base/clock.ts'
import { RpcRefusal, UsageError } from '../base/errors.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import { INTERNAL_ERROR, METHOD_NOT_FOUND } from '../jsonrpc/message.ts'
import { invalidParams, missingClientCapability } from '../protocol/errors.ts'
import { declaresExtension, extensionCapability } from '../protocol/extension.ts'
import { TASKS_EXTENSION, TASKS_EXTENSION_ID } from '../protocol/extensions/tasks.ts'
import { SUBSCRIPTION_ID_KEY } from '../protocol/meta.ts'
import type { TaskSupport } from '../tools/define.ts'
import { TaskStore, type StoredTask, type TaskWork } from '../tools/task-store.ts'
import { clientOf } from './sender.ts'
import type { Dispatched, TaskKeeper } from './served.ts'
import type { TaskOptions } from './task-options.ts'
import { TaskDesk, taskState } from '../tools/task-desk.ts'

/** The tasks of a server, or nothing when it was not told to have some. */
export function serverTasksOf(
  options: boolean | TaskOptions | undefined,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): TaskKeeper | undefined {
  if (options === undefined || options === false) return undefined
  const given = options === true ? {} : options
  return new ServerTasks(new TaskStore({ ...given, clock, random }), given.list === true)
}

/** Most tasks that one listen stream is told of. */
const MAX_WATCHED = 100

class ServerTasks implements TaskKeeper {
  readonly #store: TaskStore
  readonly #desk: TaskDesk
  readonly #lists: boolean

  /** `lists` says whether a caller may have a list of its tasks. */
  constructor(store: TaskStore, lists: boolean) {
    this.#store = store
    this.#lists = lists
    this.#desk = new TaskDesk(store)
  }

  /** Answers a request about tasks; undefined when the method is none, in this revision. */
  answer(call: Dispatched): JsonObject | Promise<JsonObject> | undefined {
    const { dialect, inbound, request, link } = call
    const { method, params } = inbound
    const core = dialect.methods.has(method)
    const flat =
      dialect.traits.tasks === 'extension' &&
      TASKS_EXTENSION.methods.get(method)?.kind === 'request'
    if (!method.startsWith('tasks/') || !(core || flat)) return undefined
    // Without principals everybody would see what is everybody's, and an id is all that protects a task. // TASK-14
    if (method === 'tasks/list' && !this.#lists) return undefined
    if (flat) this.#checkDeclared(call)
    return this.#desk.answer({ dialect, method, params, request, peer: link.peer })
  }

  /**
   * The work on a call that becomes a task now; undefined when the call is to be answered when it is done. `late` says that
   * the tool runs already and asks for it. Throws `RpcRefusal` for a call that cannot be made so.
   */
  begin(call: Dispatched, support: TaskSupport | undefined, late: boolean): TaskWork | undefined {
    const { dialect, inbound } = call
    if (dialect.traits.tasks === 'core') return this.#beginCore(call, support, late)
    if (dialect.traits.tasks === 'none' || support === undefined) return undefined
    if (!declaresExtension(clientOf(call.sender).capabilities, TASKS_EXTENSION_ID)) {
      if (support.support !== 'required') return undefined
      throw missingClientCapability(extensionCapability(TASKS_EXTENSION_ID)) // TASKX-02
    }
    if (support.starts === 'later' && !late) return undefined // TASKX-17
    return this.#start(call, inbound.method, support)
  }

  /** In 2025-11-25 the client asks, and a tool may insist or refuse. // TASK-03, TASK-04 */
  #beginCore(
    call: Dispatched,
    support: TaskSupport | undefined,
    late: boolean,
  ): TaskWork | undefined {
    if (late) return undefined // the answer is on its way already, or the client did not ask
    const { task } = call.inbound.given
    const asked = isJsonObject(task)
    if (support === undefined)
      return asked ? refuseTask('This tool cannot be called as a task') : undefined
    if (!asked)
      return support.support === 'required'
        ? refuseTask('This tool can only be called as a task')
        : undefined
    const { ttl } = task
    const wished = typeof ttl === 'number' && ttl > 0 ? { ttlMs: ttl } : {}
    return this.#start(call, call.inbound.method, { ...support, ...wished })
  }

  #start(
    { request }: Dispatched,
    method: string,
    { ttlMs, pollIntervalMs }: Pick<TaskSupport, 'ttlMs' | 'pollIntervalMs'>,
  ): TaskWork {
    const principal = request.facts?.auth?.principal
    try {
      return this.#store.start({ principal, method, ttlMs, pollIntervalMs })
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      throw new RpcRefusal(INTERNAL_ERROR, `Busy: ${error.message}`)
    }
  }

  /** Tasks of the caller among those that a listen stream names. // TASKX-14, TASKX-15 */
  grant(call: Dispatched): readonly StoredTask[] {
    const wish = call.inbound.params['notifications']
    const ids = isJsonObject(wish) ? wish['taskIds'] : undefined
    if (ids === undefined) return []
    this.#checkDeclared(call)
    if (!Array.isArray(ids)) throw invalidParams('"taskIds" must be a list')
    const principal = call.request.facts?.auth?.principal
    const found = ids.slice(0, MAX_WATCHED).map((id) => this.#store.get(id, principal))
    return found.filter((task) => task !== undefined)
  }

  /** Tells a listen stream how these tasks go, until the stream ends. // TASKX-15 */
  tell({ dialect, request }: Dispatched, tasks: readonly StoredTask[]): void {
    if (tasks.length === 0) return
    const watched = new Set(tasks)
    const stop = this.#store.onChange((task) => {
      if (!watched.has(task)) return
      request.notify('notifications/tasks', {
        ...(taskState(task, dialect) as unknown as JsonObject), // JSON by its types
        _meta: { [SUBSCRIPTION_ID_KEY]: request.id }, // SUB-06
      })
    })
    request.whenEnded(stop)
    request.signal.addEventListener('abort', stop, { once: true })
  }

  /** Stops every task. */
  close(): void {
    this.#store.close()
  }

  /** // TASKX-02, TASKX-14 */
  #checkDeclared({ sender }: Dispatched): void {
    if (!declaresExtension(clientOf(sender).capabilities, TASKS_EXTENSION_ID))
      throw missingClientCapability(extensionCapability(TASKS_EXTENSION_ID))
  }
}

function refuseTask(why: string): never {
  throw new RpcRefusal(METHOD_NOT_FOUND, why)
}
