/**
 * Questions of a server that are answered as tasks, as 2025-11-25 lets it ask: the client says at once that it will, and the
 * server comes back for the answer. Loaded by clients that declared it. // TASK-01, TASK-05
 */

import type { Clock, Random } from '../base/clock.ts'
import { asError } from '../base/errors.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import type { InboundRequest } from '../jsonrpc/inbound-request.ts'
import type { Request } from '../jsonrpc/message.ts'
import type { Peer } from '../jsonrpc/peer.ts'
import type { Dialect } from '../protocol/dialect.ts'
import { promiseOf, TaskDesk } from '../tools/task-desk.ts'
import { TaskStore } from '../tools/task-store.ts'

/** Requests that may ask for a task. // TASK-01 */
const QUESTIONS: ReadonlySet<string> = new Set(['sampling/createMessage', 'elicitation/create'])

/** One request of the server, and how it would be answered without tasks. */
export interface AskedOfClient {
  readonly request: Request
  readonly inbound: InboundRequest
  readonly dialect: Dialect
  readonly peer: Peer
  readonly answer: (context: { readonly signal: AbortSignal }) => Promise<JsonObject>
}

/** The tasks of one connection: they end with it. */
export class AnswerTasks {
  readonly #store: TaskStore
  readonly #desk: TaskDesk

  constructor(options: { readonly clock: Clock; readonly random?: Random }) {
    this.#store = new TaskStore({ ...options, maxTasks: 1000 })
    this.#desk = new TaskDesk(this.#store)
  }

  /** The result to send: of a request about tasks, the promise of one, or the plain answer. */
  answer(asked: AskedOfClient): JsonObject | Promise<JsonObject> {
    const { request, inbound, dialect, peer, answer } = asked
    const { method, params = {} } = request
    if (method.startsWith('tasks/'))
      return this.#desk.answer({ dialect, method, params, request: inbound, peer })
    const { task } = params
    if (!isJsonObject(task) || !QUESTIONS.has(method)) return answer(inbound) // TASK-02
    const { ttl } = task
    const wished = typeof ttl === 'number' && ttl > 0 ? ttl : undefined
    const work = this.#store.start({ principal: undefined, method, ttlMs: wished })
    answer({ signal: work.signal }).then(
      (result) => work.finish({ kind: 'result', result }),
      (error: unknown) => work.finish({ kind: 'error', error: asError(error) }),
    )
    const promised = promiseOf(work, { dialect })
    return promised.kind === 'complete' ? promised.result : {}
  }

  close(): void {
    this.#store.close()
  }
}
