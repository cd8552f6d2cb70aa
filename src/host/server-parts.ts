/** What the servers of one host share: time, limits, and who hears of what happens. Types and defaults only. */

import type { Clock, Random } from '../base/clock.ts'
import type { Logger } from '../base/log.ts'
import type { Answers } from '../client/options.ts'
import type { ServerEntry } from '../config/entry.ts'
import type { Transport } from '../jsonrpc/link.ts'
import type { WireSink } from '../jsonrpc/wire.ts'
import type { Implementation } from '../protocol/types/common.ts'
import type { Revision } from '../protocol/revision.ts'
import type { Tool } from '../protocol/types/tools.ts'
import type { LookAtProcess } from './group-sight.ts'
import type { JobPort } from './jobs.ts'
import type { Pool } from './lane.ts'
import type { ServerStatus } from './state.ts'

/** What a server offers, as of the last time that its list was read. */
export interface Offer {
  /** In the server's order; empty when it declares none. */
  readonly tools: readonly Tool[]
  readonly instructions: string | undefined
  /** Whether it declares resources. // RES-01 */
  readonly resources: boolean
  readonly info: Implementation | undefined
  readonly revision: Revision
  /** How often the list was read since the server was attached. */
  readonly count: number
}

export interface RuntimeLimits {
  /** Calls at once to a server that is a process, where its entry says nothing. Default 8. */
  readonly stdioConcurrency: number
  /** The same for a server with an address. Default 32. */
  readonly urlConcurrency: number
  /** Calls that may wait for one server, where its entry says nothing. Default 256. */
  readonly queue: number
  /** Calls at once over all servers. One call of each server may always run. Default 1,024. */
  readonly totalConcurrency: number
  /** Silence after which a process is asked for a sign of life, in ms; 0 never asks. Default 30,000. */
  readonly stdioPingMs: number
  /** The same for a server with an address. Default 60,000. */
  readonly urlPingMs: number
  /** How long that sign may take, in ms. Default 10,000. */
  readonly pingLimitMs: number
  /** How long the list of tools may take, all its pages together, in ms. Default 30,000. */
  readonly listMs: number
}

export const RUNTIME_LIMITS: RuntimeLimits = Object.freeze({
  stdioConcurrency: 8,
  urlConcurrency: 32,
  queue: 256,
  totalConcurrency: 1024,
  stdioPingMs: 30_000,
  urlPingMs: 60_000,
  pingLimitMs: 10_000,
  listMs: 30_000,
})

export interface ServerParts {
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** Hears every message of every server. */
  readonly wire: WireSink | undefined
  /** Who answers a server; nobody, and nothing is declared, where it gives nothing. */
  readonly answers: (entry: ServerEntry) => Answers | undefined
  /** Servers that are reached in a way of their own; `undefined` is the way that the entry says. Asked for each connection. */
  readonly transport: (entry: ServerEntry) => Transport | undefined
  /** The last hand on a transport before it is opened. */
  readonly seal: (key: string, transport: Transport) => Transport
  readonly jobs: JobPort | undefined
  readonly look: LookAtProcess
  readonly pool: Pool
  readonly limits: RuntimeLimits
  readonly onStatus: (status: ServerStatus) => void
  readonly onOffer: (key: string, offer: Offer | undefined) => void
}
