/**
 * Tasks under way and tasks that have ended, until nobody may ask for them any more. One store serves both shapes that
 * tasks have on the wire, and both sides that may own some; it knows no message.
 *
 * A task belongs to the principal that it was made for: for everyone else it is as if it did not exist. // TASK-14, TASKX-18
 */

import { systemClock, systemRandom, type Clock, type Random, type Timer } from '../base/clock.ts'
import { asError, CancelledError, UsageError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import type { InputRequest } from '../protocol/dialect.ts'
import type { TaskStatus } from '../protocol/types/tasks.ts'

/** How a task ended: with what its call would have given, or with what it threw. */
export type TaskEnd =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: Error }

/** A question of a task that waits for its answer. */
export interface OpenQuestion {
  readonly key: string
  readonly request: InputRequest
}

/** One task, as whoever answers for it sees it. */
export interface StoredTask {
  readonly id: string
  readonly principal: string | undefined
  readonly method: string
  readonly status: TaskStatus
  readonly statusMessage: string | undefined
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly ttlMs: number
  readonly pollIntervalMs: number
  /** Questions without an answer, oldest first. */
  readonly questions: readonly OpenQuestion[]
  readonly end: TaskEnd | undefined
  /** Settles when it has ended; never rejects. */
  readonly ended: Promise<void>
}

/** The hand of the code that works on a task. */
export interface TaskWork {
  readonly task: StoredTask
  /** Aborts when the task is cancelled, or its time is over. */
  readonly signal: AbortSignal
  /** Asks whoever looks after the task. Keys are used once within a task. // TASKX-10 */
  ask(key: string, request: InputRequest): Promise<JsonObject>
  /** A word for people on how it goes. */
  say(message: string): void
  /** Ends the task; what comes after the first end, or after a cancellation, counts for nothing. // TASK-07 */
  finish(end: TaskEnd): void
}

export interface TaskStoreOptions {
  /** How long a task is kept from its making, in ms, when nobody says otherwise. Default 10 min. */
  readonly ttlMs?: number
  /** The longest that a caller may wish for, in ms. Default 24 h. // TASK-15 */
  readonly maxTtlMs?: number
  /** What is suggested between two looks, in ms. Default 1,000. */
  readonly pollIntervalMs?: number
  /** Tasks that are kept in all, and for one principal. Defaults 10,000 and 1,000. Ended ones make room first. */
  readonly maxTasks?: number
  readonly maxTasksEach?: number
  readonly clock?: Clock
  readonly random?: Random
}

export interface NewTask {
  readonly principal: string | undefined
  readonly method: string
  readonly ttlMs?: number | undefined
  readonly pollIntervalMs?: number | undefined
}

const ID_BYTES = 16
const MAX_QUESTIONS = 100
const MAX_MESSAGE_CHARACTERS = 1000
/** Timers of platforms turn over a little above this. */
const MAX_TIMER_MS = 2_000_000_000

export class TaskStore {
  readonly #tasks = new Map<string, KeptTask>()
  readonly #clock: Clock
  readonly #random: Random
  readonly #ttlMs: number
  readonly #maxTtlMs: number
  readonly #pollIntervalMs: number
  readonly #maxTasks: number
  readonly #maxTasksEach: number
  readonly #listeners = new Set<(task: StoredTask) => void>()
  #sweep: Timer | undefined

  constructor(options: TaskStoreOptions = {}) {
    this.#clock = options.clock ?? systemClock
    this.#random = options.random ?? systemRandom
    this.#ttlMs = options.ttlMs ?? 600_000
    this.#maxTtlMs = options.maxTtlMs ?? 86_400_000
    this.#pollIntervalMs = options.pollIntervalMs ?? 1000
    this.#maxTasks = options.maxTasks ?? 10_000
    this.#maxTasksEach = options.maxTasksEach ?? 1000
  }

  get size(): number {
    return this.#tasks.size
  }

  /** Makes a task that can be found from this moment on. Throws `UsageError` when there is no room. // TASKX-06 */
  start({ principal, method, ttlMs, pollIntervalMs }: NewTask): TaskWork {
    this.#makeRoom(principal)
    const task = new KeptTask({
      id: hex(this.#random(ID_BYTES)),
      principal,
      method,
      ttlMs: Math.min(Math.max(ttlMs ?? this.#ttlMs, 1), this.#maxTtlMs),
      pollIntervalMs: pollIntervalMs ?? this.#pollIntervalMs,
      now: () => this.#clock.wall(),
      changed: () => {
        for (const listener of this.#listeners) listener(task)
      },
    })
    this.#tasks.set(task.id, task)
    this.#plan()
    return task
  }

  /** The task, if it is this principal's. */
  get(id: unknown, principal: string | undefined): StoredTask | undefined {
    const task = typeof id === 'string' ? this.#tasks.get(id) : undefined
    return task !== undefined && task.principal === principal ? task : undefined
  }

  /** All tasks of a principal, oldest first. */
  list(principal: string | undefined): readonly StoredTask[] {
    return [...this.#tasks.values()].filter((task) => task.principal === principal)
  }

  /** Cancels a task that has not ended; gives whether it had not. // TASK-11 */
  cancel(task: StoredTask, reason?: string): boolean {
    return this.#tasks.get(task.id)?.cancel(reason) ?? false
  }

  /** Answers an open question; what is not open is ignored. // TASKX-10 */
  answer(task: StoredTask, key: string, response: JsonObject): boolean {
    return this.#tasks.get(task.id)?.answer(key, response) ?? false
  }

  /** Tells a question's asker that there is no answer. */
  refuse(task: StoredTask, key: string, error: Error): void {
    this.#tasks.get(task.id)?.refuse(key, error)
  }

  /** Hears of every change of every task. Gives a function that stops it. */
  onChange(listener: (task: StoredTask) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Cancels everything and forgets it. */
  close(): void {
    this.#sweep?.cancel()
    this.#sweep = undefined
    for (const task of this.#tasks.values()) task.cancel('the server ends')
    this.#tasks.clear()
  }

  #makeRoom(principal: string | undefined): void {
    const own = this.list(principal)
    if (own.length >= this.#maxTasksEach) this.#dropEnded(own, this.#maxTasksEach)
    if (this.#tasks.size >= this.#maxTasks)
      this.#dropEnded([...this.#tasks.values()], this.#maxTasks)
  }

  #dropEnded(tasks: readonly StoredTask[], limit: number): void {
    const ended = tasks.find(({ end, status }) => end !== undefined || status === 'cancelled')
    if (ended === undefined)
      throw new UsageError(`No more tasks can be taken: ${limit} are under way.`)
    this.#tasks.delete(ended.id)
  }

  /** One timer, for the task whose time is over first. // TASK-15 */
  #plan(): void {
    if (this.#sweep !== undefined || this.#tasks.size === 0) return
    const now = this.#clock.wall()
    const next = Math.min(...[...this.#tasks.values()].map((task) => task.createdAt + task.ttlMs))
    this.#sweep = this.#clock.after(Math.min(Math.max(next - now, 1), MAX_TIMER_MS), () => {
      this.#sweep = undefined
      this.#forgetOld()
      this.#plan()
    })
  }

  #forgetOld(): void {
    const now = this.#clock.wall()
    for (const task of this.#tasks.values()) {
      if (task.createdAt + task.ttlMs > now) continue
      task.cancel('its time is over')
      this.#tasks.delete(task.id)
    }
  }
}

interface KeptTaskOptions extends Required<Pick<NewTask, 'method'>> {
  readonly id: string
  readonly principal: string | undefined
  readonly ttlMs: number
  readonly pollIntervalMs: number
  readonly now: () => number
  readonly changed: () => void
}

interface Asked extends OpenQuestion {
  readonly resolve: (response: JsonObject) => void
  readonly reject: (error: Error) => void
}

class KeptTask implements StoredTask, TaskWork {
  readonly id: string
  readonly principal: string | undefined
  readonly method: string
  readonly createdAt: number
  readonly ttlMs: number
  readonly pollIntervalMs: number
  readonly ended: Promise<void>
  status: TaskStatus = 'working'
  statusMessage: string | undefined
  updatedAt: number
  end: TaskEnd | undefined
  readonly #asked = new Map<string, Asked>()
  readonly #used = new Set<string>()
  readonly #controller = new AbortController()
  readonly #now: () => number
  readonly #changed: () => void
  #settle: () => void = ignore

  constructor(options: KeptTaskOptions) {
    this.id = options.id
    this.principal = options.principal
    this.method = options.method
    this.ttlMs = options.ttlMs
    this.pollIntervalMs = options.pollIntervalMs
    this.#now = options.now
    this.#changed = options.changed
    this.createdAt = options.now()
    this.updatedAt = this.createdAt
    this.ended = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  get task(): StoredTask {
    return this
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get questions(): readonly OpenQuestion[] {
    return [...this.#asked.values()]
  }

  ask(key: string, request: InputRequest): Promise<JsonObject> {
    if (this.#hasEnded) return Promise.reject(this.#gone())
    if (this.#used.has(key))
      return Promise.reject(
        new UsageError(`A task asks under each key once, and ${JSON.stringify(key)} was used.`),
      )
    if (this.#used.size >= MAX_QUESTIONS)
      return Promise.reject(new UsageError(`A task may ask at most ${MAX_QUESTIONS} questions.`))
    this.#used.add(key)
    const answer = new Promise<JsonObject>((resolve, reject) => {
      this.#asked.set(key, { key, request, resolve, reject })
    })
    this.#become('input_required')
    return answer
  }

  say(message: string): void {
    if (this.#hasEnded) return
    this.statusMessage = message.slice(0, MAX_MESSAGE_CHARACTERS)
    this.#become(this.status)
  }

  finish(end: TaskEnd): void {
    if (this.#hasEnded) return
    this.end = end
    this.#conclude(end.kind === 'result' ? 'completed' : 'failed')
  }

  cancel(reason?: string): boolean {
    if (this.#hasEnded) return false
    if (reason !== undefined) this.statusMessage = reason.slice(0, MAX_MESSAGE_CHARACTERS)
    this.#conclude('cancelled')
    this.#controller.abort(this.#gone())
    return true
  }

  answer(key: string, response: JsonObject): boolean {
    const asked = this.#take(key)
    asked?.resolve(response)
    return asked !== undefined
  }

  refuse(key: string, error: Error): void {
    this.#take(key)?.reject(asError(error))
  }

  #take(key: string): Asked | undefined {
    const asked = this.#asked.get(key)
    if (asked === undefined) return undefined
    this.#asked.delete(key)
    if (this.#asked.size === 0) this.#become('working')
    else this.#become('input_required')
    return asked
  }

  get #hasEnded(): boolean {
    return this.end !== undefined || this.status === 'cancelled'
  }

  #conclude(status: TaskStatus): void {
    const waiting = [...this.#asked.values()]
    this.#asked.clear()
    this.#become(status)
    for (const { reject } of waiting) reject(this.#gone())
    this.#settle()
  }

  #become(status: TaskStatus): void {
    this.status = status
    this.updatedAt = this.#now()
    this.#changed()
  }

  #gone(): CancelledError {
    return new CancelledError(`The task of ${this.method} has ended.`, {
      method: this.method,
      reason: this.statusMessage,
    })
  }
}

function ignore(): void {}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
