/** What `compare` says, as one type that each language fills in. No other command loads it. */

import type { ChainLink, ChangeSeen, Killed, Migration, Way } from '../compare/measured.ts'
import type { Step } from '../compare/comparison.ts'

/** The rows of the table, in order. */
export const COMPARE_ROWS = [
  'definition',
  'change',
  'process',
  'language',
  'killed',
  'migration',
  'hosts',
  'latency',
  'wire',
  'tokens',
] as const
export type CompareRow = (typeof COMPARE_ROWS)[number]

export interface CompareWords {
  readonly command: string
  readonly more: string
  readonly optionTool: string
  readonly optionCalls: string
  readonly badCalls: (value: string) => string
  readonly intro: (program: string) => string
  readonly subject: (call: string, hostPid: number) => string
  readonly scripted: string
  readonly ways: Readonly<Record<Way, string>>
  readonly columns: Readonly<Record<Way, string>>
  readonly steps: Readonly<Record<Step, string>>
  readonly bytes: (to: 'model' | 'server', direction: 'in' | 'out', size: string) => string
  readonly ranHere: (call: string, text: string, pid: number) => string
  readonly langChain: string
  readonly aiSdk: string
  readonly sameBytes: string
  readonly measured: string
  readonly chain: string
  readonly outro: string
  readonly rows: (row: CompareRow, calls: number) => string
  readonly cells: {
    readonly definition: (way: Way, size: string) => string
    readonly change: (seen: ChangeSeen, time: string) => string
    readonly process: (pid: number, isHost: boolean) => string
    readonly noLanguage: string
    readonly noPython: string
    readonly python: (text: string, version: string, pid: number | undefined) => string
    readonly killed: (killed: Killed, time: string) => string
    readonly migration: (migration: Migration) => string
    readonly hosts: (count: number, pid: number | undefined) => string
    readonly tokens: (count: number) => string
  }
  readonly link: (
    link: ChainLink,
    facts: { readonly size: string; readonly time: string },
  ) => string
}
