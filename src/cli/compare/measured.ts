/** What a comparison found: facts and numbers without words. Types only. */

import type { Round } from './round.ts'
import type { SubjectName } from './subject.ts'

/** By the way: the tool as a function of the program, behind a server, and as an object of a framework. */
export interface ByWay<T> {
  readonly functionCalling: T
  readonly mcp: T
  readonly framework: T
}

export type Way = keyof ByWay<unknown>

export const WAYS: readonly Way[] = ['functionCalling', 'mcp', 'framework']

/** One message of the wire. */
export interface Frame {
  readonly direction: 'in' | 'out'
  readonly bytes: number
  readonly text: string
}

/** An edit of the tool's description, looked for by a host that goes on running. */
export type ChangeSeen =
  | { readonly seen: false }
  | { readonly seen: true; readonly ms: number; readonly messages: number }

/** What `kill -9` of the process that ran the tool came to. */
export type Killed =
  /** It was the host's own. */
  | { readonly host: 'gone'; readonly signal: string }
  /** One call failed, and a later one went well after so many ms. */
  | { readonly host: 'alive'; readonly code: string; readonly backMs: number }

/** What a second program needs to have the tool too. */
export interface Migration {
  /** Lines to be written. */
  readonly lines: readonly string[]
  /** Whether any of them is code of that program. */
  readonly code: boolean
}

export interface Compared {
  readonly tool: SubjectName
  readonly args: Readonly<Record<string, string>>
  /** Calls that the latency is the middle of. */
  readonly calls: number
  readonly rounds: ByWay<Round>
  /** Of the wire: what came before the call that is shown, and the call. */
  readonly frames: { readonly before: readonly Frame[]; readonly call: readonly Frame[] }
  /** Bytes of the definition where it is kept. */
  readonly definition: ByWay<number>
  /** The process that ran the body. */
  readonly pid: ByWay<number>
  readonly hostPid: number
  readonly change: ByWay<ChangeSeen>
  readonly killed: ByWay<Killed>
  /** The same call answered in Python; undefined where there is no Python. */
  readonly python:
    | { readonly version: string; readonly pid: number | undefined; readonly text: string }
    | undefined
  readonly migration: ByWay<Migration>
  /** Hosts that used one running tool at the same time, and the process of that tool. */
  readonly hosts: ByWay<number>
  readonly sharedPid: number
  /** Median of one call, in ms. */
  readonly latencyMs: ByWay<number>
  /** Of one call, between the host and what runs the tool. */
  readonly wireBytes: ByWay<number>
  /** Of the definition in the request to the model, about. */
  readonly tokens: ByWay<number>
  readonly chain: readonly ChainLink[]
}

/** One step of a call from the model to the server and back, by the ids that the next one has too. */
export type ChainLink =
  | { readonly step: 'listed'; readonly tool: string; readonly bytes: number }
  | { readonly step: 'registered'; readonly tool: string; readonly alias: string }
  | { readonly step: 'offered'; readonly alias: string; readonly bytes: number }
  | {
      readonly step: 'decided-by-model'
      readonly modelCall: string
      readonly alias: string
      readonly argumentsText: string
    }
  | {
      readonly step: 'permitted'
      readonly modelCall: string
      readonly call: string
      readonly verdict: string
      readonly rule: string
    }
  | {
      readonly step: 'sent'
      readonly call: string
      readonly id: string | number
      readonly bytes: number
    }
  | {
      readonly step: 'answered'
      readonly id: string | number
      readonly bytes: number
      readonly ms: number
      readonly text: string
    }
  | { readonly step: 'told'; readonly modelCall: string; readonly text: string }
  | { readonly step: 'said'; readonly text: string }
