/** What a run of the agent is told, with its defaults. Types only. */

import type { Clock } from '../base/clock.ts'
import type { Host } from '../host/host.ts'
import type { WireSink } from '../jsonrpc/wire.ts'
import type { ArtifactStore } from './artifacts.ts'
import type { Budget } from './budget.ts'
import type { Model, ModelRequest, Usage } from './model.ts'
import type { ResultLimits } from './results.ts'
import type { Transcript } from './transcript.ts'

export interface AgentOptions {
  readonly model: Model
  /** Every call goes through it. It is asked for news before each turn, and never within one. */
  readonly host: Pick<Host, 'tools' | 'turn' | 'callTool' | 'instructions'> &
    Partial<Pick<Host, 'readable'>>
  /** What was said so far; its last message is the user's, or results of calls that wait for an answer. One run at a time. */
  readonly transcript: Transcript
  /** What the model is told before all else, instead of our own words. Empty for nothing. */
  readonly system?: string
  readonly budget?: Budget
  /** What a reply cost, in US dollars; undefined where that is not known. Default: not known. */
  readonly costOf?: (
    usage: Usage,
    model: { readonly provider: string; readonly name: string },
  ) => number | undefined
  /** Ends the run: what runs is told to stop, and each call is answered. */
  readonly signal?: AbortSignal
  /** How much of a result the model is shown. */
  readonly results?: ResultLimits
  /**
   * Puts a line before and behind what a tool gave, with the name of its server and a mark that no result can know, and tells the
   * model of it in the system text: it then sees what is whose. No defence by itself; that is the policy. Default false.
   */
  readonly provenance?: boolean
  /** Where the rest of long results goes. Default: nowhere. */
  readonly artifacts?: ArtifactStore
  /**
   * Whether tools are looked up by the model instead of being sent all: `auto` when they are many. The first run of a
   * transcript decides. Default `auto`.
   */
  readonly discovery?: 'auto' | 'on' | 'off'
  /**
   * Whether the provider is to hold the model to the schemas of the tools: `auto` where that loses nothing of any of them. The
   * first run with a model decides. Default `off`.
   */
  readonly strict?: 'off' | 'auto'
  /** A choice that forces a call holds for the first turn alone. */
  readonly request?: Pick<
    ModelRequest,
    'effort' | 'temperature' | 'maxOutputTokens' | 'choice' | 'parallel' | 'stream'
  >
  /** Hears what the model was sent and said, and what calls came to, as notes. */
  readonly wire?: WireSink
  /** Names the session in captures: that of the host. Default `agent`. */
  readonly run?: string
  readonly clock?: Clock
  /**
   * Calls that run at once, where all of a reply are of tools that only read by their own word, which is believed of native tools
   * and of servers that are trusted. Default 8; 1 is one after the other, always.
   */
  readonly concurrency?: number
}
