/**
 * The calls of one reply: each is made or refused, and each gets its one message, in the order of the calls, whatever happens. They run
 * together when all of them surely only read, else one after the other.
 *
 * Whether a call may be made is decided by the host alone.
 */

import type { Clock } from '../base/clock.ts'
import {
  asError,
  CancelledError,
  PolicyError,
  TimeoutError,
  TransportError,
  UsageError,
} from '../base/errors.ts'
import type { HostTool } from '../host/host-tool.ts'
import { READ_RESOURCE } from '../host/resource-reading.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import type { AgentWire } from './agent-wire.ts'
import type { Spending } from './budget.ts'
import { failureText, giverOf } from './call-failure.ts'
import { cutText, planCall, type CallPlan } from './call-plan.ts'
import type { ImagePart, ModelCall } from './conversation.ts'
import type { EventFeed } from './event-feed.ts'
import type { AgentWarningKind, CallOutcome } from './events.ts'
import type { Interruption } from './interruption.ts'
import { ENDS_AT, TOLD_AT, type LoopGuard } from './loop-guard.ts'
import { readsLinks } from './linked-resources.ts'
import type { AgentOptions } from './loop-options.ts'
import { shownResult } from './results.ts'
import type { TurnTools } from './turn-tools.ts'

/** Calls of one reply that are looked at. */
const MAX_CALLS = 128
const DEFAULT_CONCURRENCY = 8

export interface CallRunParts {
  readonly options: AgentOptions
  readonly turn: string
  readonly tools: TurnTools
  readonly feed: EventFeed
  readonly wire: AgentWire
  readonly guard: LoopGuard
  readonly spending: Spending
  readonly interruption: Interruption
  readonly clock: Clock
  readonly warn: (kind: AgentWarningKind, message: string) => void
  /** The images of a result, where the model takes any; told before the outcome is. */
  readonly taken: (call: ModelCall, told: Told) => void
}

/** What the model is told of a call. */
export interface Told {
  readonly text: string
  readonly images: readonly ImagePart[]
  readonly failed: boolean
}

/** Result of a call before it is told. */
interface Came extends Told {
  readonly raw: CallToolResult | undefined
  readonly bytes: number
  readonly shownBytes: number
  readonly artifact?: string
  readonly frameMark?: string | undefined
  readonly error?: Error
  readonly called: boolean
  /** When it was decided that the call may be made. */
  readonly allowedAt?: number | undefined
  /** It is no outcome of the call, and is the same for any. */
  readonly skipped?: boolean
}

/**
 * Makes the calls. `why` is there when none of them is to be made, and is what the model is told. True when the same call was made
 * so often that the run is to end.
 */
export async function runCalls(
  calls: readonly ModelCall[],
  parts: CallRunParts,
  why?: string,
): Promise<boolean> {
  const run = new CallRun(calls, parts, why)
  await run.go()
  return run.loops
}

class CallRun {
  readonly #parts: CallRunParts
  readonly #calls: readonly ModelCall[]
  readonly #why: string | undefined
  /** By place; what has come before all those ahead of it waits here. */
  readonly #told: (Told | undefined)[]
  #next = 0
  loops = false

  constructor(calls: readonly ModelCall[], parts: CallRunParts, why: string | undefined) {
    this.#calls = calls
    this.#parts = parts
    this.#why = why
    this.#told = calls.map(() => undefined)
  }

  async go(): Promise<void> {
    const { turn, tools, options } = this.#parts
    const plans: CallPlan[] = []
    for (const [at, call] of this.#calls.entries()) {
      const plan = planCall(call, { id: `${turn}c${at + 1}`, turn, tools })
      plans.push(plan instanceof Promise ? await plan : plan)
    }
    const runs = plans.filter((plan) => plan.kind === 'run')
    const together = runs.length > 1 && runs.every(({ tool }) => onlyReads(tool))
    const lanes = together ? Math.max(1, options.concurrency ?? DEFAULT_CONCURRENCY) : 1
    const waiting = plans.entries()
    const lane = async (): Promise<void> => {
      for (const [at, plan] of waiting) await this.#one(plan, at)
    }
    await Promise.all(Array.from({ length: Math.min(lanes, plans.length) }, lane))
  }

  async #one(plan: CallPlan, at: number): Promise<void> {
    const { feed, wire, clock } = this.#parts
    const { call } = plan
    feed.push({ type: 'call', call })
    wire.call(call)
    const startedAt = clock.now()
    const came = this.#guarded(plan, await this.#come(plan, at))
    const { raw, text: shown, bytes, shownBytes, artifact, failed, called, error } = came
    const outcome: CallOutcome = {
      call,
      raw,
      shown,
      bytes,
      shownBytes,
      ...(artifact !== undefined && { artifact }),
      failed,
      called,
      ...(error !== undefined && { error }),
      ms: clock.now() - (came.allowedAt ?? startedAt),
    }
    wire.result(outcome)
    this.#tell(at, came)
    feed.push({ type: 'result', ...outcome })
  }

  /** Into the conversation, as soon as all before it are there. */
  #tell(at: number, told: Told): void {
    this.#told[at] = told
    for (;;) {
      const [next, call] = [this.#told[this.#next], this.#calls[this.#next]]
      if (next === undefined || call === undefined) return
      this.#told[this.#next] = undefined
      this.#next += 1
      this.#parts.taken(call, next)
    }
  }

  async #come(plan: CallPlan, at: number): Promise<Came> {
    const { interruption, spending } = this.#parts
    if (this.#why !== undefined) return skipped(new UsageError(this.#why))
    if (at >= MAX_CALLS) return skipped(new UsageError(tooMany(this.#calls.length)))
    if (interruption.stopped) return skipped(new CancelledError(NOT_CALLED_STOPPED))
    if (interruption.timedOut) return skipped(new CancelledError(NOT_CALLED_TIME))
    if (this.loops) return skipped(new UsageError(NOT_CALLED_LOOP))
    if (plan.kind === 'refuse') return refusal(plan.error)
    if (plan.kind === 'answer') return this.#shown(plan, plan.result)
    return spending.takeCall() ? this.#made(plan) : skipped(new UsageError(NOT_CALLED_BUDGET))
  }

  async #made(plan: CallPlan & { readonly kind: 'run' }): Promise<Came> {
    const { options, turn, feed, interruption, clock } = this.#parts
    const { call, args, tool } = plan
    let allowedAt: number | undefined
    let isOut = false
    try {
      const raw = await interruption.during((signal) =>
        options.host.callTool(tool.alias, args, {
          turn,
          call: call.id,
          signal,
          onAllowed: () => (allowedAt = clock.now()),
          onSent: () => (isOut = true),
          onProgress: (progress) => feed.push({ type: 'progress', call, progress }),
        }),
      )
      // Without a decision it is the host's own word that there is nothing to call.
      return { allowedAt, ...(await this.#shown(plan, raw, allowedAt !== undefined)) }
    } catch (thrown) {
      const error = asError(thrown)
      // A host that told of the decision tells of the sending as well.
      const stayed = allowedAt !== undefined && !isOut
      const told = failureText(error, plan, {
        broken: brokenOffBy(interruption, stayed),
        provenance: options.provenance === true,
      })
      return { error, called: !stayed && mayBeCalled(error), ...told, allowedAt, ...NOTHING }
    }
  }

  async #shown(plan: CallPlan, raw: CallToolResult, called = true): Promise<Came> {
    const { call } = plan
    const { options, tools, warn } = this.#parts
    const shown = await shownResult(raw, {
      alias: call.alias,
      server: call.server,
      traits: options.model.traits,
      ...(options.results !== undefined && { limits: options.results }),
      artifacts: options.artifacts,
      ...(options.provenance === true && {
        provenance: called ? giverOf(plan) : call.alias,
      }),
      readsLinks: readsLinks(tools.offered.byName.get(READ_RESOURCE)?.tool, call, options.host),
    })
    const { text, images, bytes, shownBytes, artifact, frameMark, warning } = shown
    if (warning !== undefined) warn('result', warning)
    return {
      raw,
      text,
      images,
      bytes,
      shownBytes,
      ...(artifact !== undefined && { artifact }),
      frameMark,
      failed: raw.isError === true,
      called,
    }
  }

  /** With a word behind it when the same has come of the same call before. */
  #guarded({ call, kind }: CallPlan, came: Came): Came {
    const { guard, warn } = this.#parts
    const { text, artifact = '', frameMark = '', error } = came
    if (came.skipped === true || error instanceof CancelledError) return came
    // Each time a long result is kept it gets another id, and each frame has another mark.
    const outcome = [artifact, frameMark].reduce(without, text)
    const times = guard.count(call.alias, call.args ?? call.modelCall.argumentsText, outcome)
    if (times < TOLD_AT) return came
    if (times >= ENDS_AT) this.loops = true
    if (times === TOLD_AT)
      warn('repeated', `${call.alias} was called ${times} times in the same way.`)
    const what = kind === 'refuse' ? 'was refused' : 'had this same outcome'
    return {
      ...came,
      text: `${text}\n[This call ${what} ${times} times now. It will not be another one: do something else, or tell the user what is in the way.]`,
    }
  }
}

/**
 * Whether the order of calls to it cannot matter. A server that is not trusted could say so of a tool that writes, to have it run
 * beside a call to another server that was to come before. // TOOL-18
 */
function onlyReads({ hints, trusted }: HostTool): boolean {
  return trusted && hints.readOnly
}

const NOTHING = { raw: undefined, images: [], bytes: 0, shownBytes: 0, failed: true } as const

const NOT_CALLED_STOPPED = 'Not called: the user interrupted before.'
const NOT_CALLED_TIME = 'Not called: the time for this run was over before.'
const NOT_CALLED_LOOP = 'Not called: the run ends, since the same call was made over and over.'
const NOT_CALLED_BUDGET = 'Not called: no more calls are allowed in this run.'

function tooMany(count: number): string {
  return `Not called: the reply has ${count} calls, and at most ${MAX_CALLS} of a reply are made. Make the others in another reply.`
}

function refusal(error: Error): Came {
  return { ...NOTHING, error, called: false, text: cutText(error.message) }
}

function skipped(error: Error): Came {
  return { ...refusal(error), skipped: true }
}

function without(text: string, part: string): string {
  return part === '' ? text : text.replaceAll(part, '')
}

const STOPPED = 'Interrupted by the user. Whether the call took effect is not known.'
const TIMED_OUT =
  'Broken off: the time for this run is over. Whether the call took effect is not known.'

/** What the model is told of a call that was under way when the run was halted; `stayed` says that it had not left by then. */
function brokenOffBy({ stopped, timedOut }: Interruption, stayed: boolean): string | undefined {
  if (stopped) return stayed ? NOT_CALLED_STOPPED : STOPPED
  if (!timedOut) return undefined
  return stayed ? NOT_CALLED_TIME : TIMED_OUT
}

/** Whether a call that failed so may have come to its tool. */
function mayBeCalled(error: Error): boolean {
  if (error instanceof PolicyError || error instanceof UsageError) return false
  if (error instanceof TransportError || error instanceof TimeoutError) return error.sent !== 'no'
  return true
}
