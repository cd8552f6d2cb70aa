/**
 * What a run of the agent tells while it goes on, in order, and how it ends. Types only.
 *
 * Texts of models, tools and servers in here are their own words: escape them before a terminal sees them.
 */

import type { JsonObject } from '../base/json.ts'
import type { ToolChanges } from '../host/host-tool.ts'
import type { Progress } from '../protocol/types/common.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import type { Budget } from './budget.ts'
import type { ModelCall } from './conversation.ts'
import type { ModelDelta, ModelReply, ModelWarning, Usage } from './model.ts'

/** One call of a reply, as it was understood. */
export interface AgentCall {
  /** As `t1c1`: the turn, and the place in its reply from 1. The same in captures and in the audit log. */
  readonly id: string
  readonly turn: string
  /** As the model wrote it. */
  readonly modelCall: ModelCall
  /** The name of the tool that is meant, which is another than that of `modelCall` when it was called through a tool for that. */
  readonly alias: string
  /** Config key; undefined for a native tool and where there is no such tool. */
  readonly server: string | undefined
  /** What its server calls it; undefined where there is no such tool. */
  readonly tool: string | undefined
  /** What the tool is given; undefined where the arguments could not be read. */
  readonly args: JsonObject | undefined
}

/** What became of a call. */
export interface CallOutcome {
  readonly call: AgentCall
  /** What the tool gave, or the host in its place where there is none. Undefined when it was refused or did not come to an end. */
  readonly raw: CallToolResult | undefined
  /** What the model is told. */
  readonly shown: string
  /** Size of what the tool gave, and of what the model is told of it. */
  readonly bytes: number
  readonly shownBytes: number
  /** Where the whole result is kept, if the model was not shown all of it. */
  readonly artifact?: string
  /** The tool failed, or was not called. */
  readonly failed: boolean
  /** Whether the tool was given the call, or may have been: false when it was refused, or ended before anything was sent. */
  readonly called: boolean
  /** Why there is no result. */
  readonly error?: Error
  /** From the decision that it may be made to its end, so that no question to a person is in it; of others from their own event on. */
  readonly ms: number
}

/**
 * `left-out` a tool is not offered to the model, and why; `not-strict` the provider does not hold the model to the schemas, though it
 * was to, because of one tool; `empty-reply` the model said nothing; `truncated` a reply was cut, and
 * its calls were not made; `repeated` the model makes the same call again and again; `asked-again` it wrote a call as text, and is
 * asked once more; `transcript` the conversation could not be written down; `result` something about a result was not kept.
 */
export type AgentWarningKind =
  | ModelWarning['kind']
  | 'left-out'
  | 'not-strict'
  | 'empty-reply'
  | 'truncated'
  | 'repeated'
  | 'asked-again'
  | 'transcript'
  | 'result'

/** `turn` names the request to the model that an event belongs to, as `t1`. */
export type AgentEvent =
  | { readonly type: 'turn'; readonly turn: string }
  /** The list of tools is another one from this turn on. */
  | { readonly type: 'tools'; readonly turn: string; readonly changes: ToolChanges }
  /** Old parts of the conversation are not sent any more: so many messages, and so many replies among them. */
  | {
      readonly type: 'compacted'
      readonly turn: string
      readonly turns: number
      readonly messages: number
    }
  | { readonly type: 'delta'; readonly turn: string; readonly delta: ModelDelta }
  /** The request is sent again after `delayMs`. What was told of the reply so far is void when a `restart` delta says so. */
  | {
      readonly type: 'retry'
      readonly turn: string
      /** That failed, from 1. */
      readonly attempt: number
      readonly delayMs: number
      readonly why: string
      /** What `why` is the message of. */
      readonly error?: Error
      /** What the provider counts of it all the same, estimated where it broke off without telling; absent where it refused. */
      readonly usage?: Usage
      /** In US dollars; absent when it is not known. */
      readonly usd?: number
    }
  | {
      readonly type: 'reply'
      readonly turn: string
      readonly reply: ModelReply
      /** In US dollars; undefined when it is not known. */
      readonly usd: number | undefined
    }
  | { readonly type: 'call'; readonly call: AgentCall }
  | { readonly type: 'progress'; readonly call: AgentCall; readonly progress: Progress }
  | ({ readonly type: 'result' } & CallOutcome)
  | {
      readonly type: 'warning'
      readonly turn: string
      readonly kind: AgentWarningKind
      /** An English sentence. It may hold peer text. */
      readonly message: string
    }
  /** The last event. */
  | { readonly type: 'end'; readonly end: AgentEnd }

/**
 * Why a run ended. `done`: the model answered and called nothing. `length`: its answer was cut. `filtered`: the provider kept it
 * back. `budget`: a limit was reached, `which`. `loop`: it made the same call over and over. `cancelled`: by the signal.
 * `model-error`: no reply or none that is one, `error` says why. After each of them the conversation can go on.
 */
export interface AgentEnd {
  readonly reason: 'done' | 'length' | 'filtered' | 'budget' | 'loop' | 'cancelled' | 'model-error'
  /** What the model said last; empty where it said nothing. */
  readonly text: string
  readonly error?: Error
  readonly which?: keyof Budget
  /** Requests to the model; of those that were sent again only such as it had begun to answer. */
  readonly turns: number
  /** Of all replies together, those that broke off included; estimated where the provider did not tell. */
  readonly usage: Usage
  /** There when a part of `usage`, and so of `usd`, is an estimate. */
  readonly estimated?: true
  /**
   * Requests that broke off before anything of a reply came: whether the provider counts them is not known, and they are no part of
   * `usage`. Absent where there is none.
   */
  readonly uncounted?: number
  /** US dollars; undefined when the cost of a reply is not known. */
  readonly usd: number | undefined
}
