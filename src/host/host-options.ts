/** What a host can be told when it opens, with its defaults. Types only. */

import type { Clock, Random } from '../base/clock.ts'
import type { Logger } from '../base/log.ts'
import type { CallOptions } from '../client/options.ts'
import type { PinningMode } from '../config/config.ts'
import type { ServerEntry } from '../config/entry.ts'
import type { Transport } from '../jsonrpc/link.ts'
import type { WireSink } from '../jsonrpc/wire.ts'
import type { Policy } from '../policy/policy.ts'
import type { AuditSink } from './audit.ts'
import type { Consent } from './consent.ts'
import type { LockFile } from './lock-file.ts'
import type { HostAnswers } from './questions.ts'
import type { ServerStatus } from './state.ts'

export interface HostOptions {
  /** Default: that of the configuration, made stricter by that of the project. */
  readonly policy?: Policy
  /** Who is asked. Default `denyAll()`. */
  readonly consent?: Consent
  /** How long an answer of `consent` is waited for, in ms. Default 300,000. */
  readonly askTimeoutMs?: number
  /**
   * Offer the native tool `read_resource`, once a server with resources is there. Each read is judged as an act of that server, which
   * rules call `resources/read`. Default false.
   */
  readonly readResource?: boolean
  /** Who answers the servers. Default: nobody, and nothing is declared. */
  readonly answers?: HostAnswers
  /** Hears every message of every server, and the decisions of the host. */
  readonly wire?: WireSink
  readonly logger?: Logger
  /** Folder of what is kept between sessions. Default: none, and then grants and job records are not kept. */
  readonly home?: string
  /**
   * What definitions are held to. Default: a file in the folder of the configuration, and for servers of the user's own file one in
   * `home`; without both nothing that lasts.
   */
  readonly lock?: LockFile | false
  /** Default: that of the configuration, else `first-use`. */
  readonly pinning?: PinningMode
  /** Default: `audit.jsonl` in `home`, else none. */
  readonly audit?: AuditSink
  /** Days until a yes to `always` expires. Default 30. */
  readonly grantDays?: number
  /** Names the session in captures and in the audit log. Default: a random name. */
  readonly run?: string
  /** Keep records of the processes that were started, and end those of a host that was killed. Default true where there is a `home`. */
  readonly jobs?: boolean
  /** Hears each change of a server's state. Must not throw. */
  readonly onStatus?: (status: ServerStatus) => void
  /** Servers that are reached in a way of their own, as those in memory. Default: all as their entries say. */
  readonly transport?: (entry: ServerEntry) => Transport | undefined
  readonly clock?: Clock
  readonly random?: Random
}

/** Those of a call of a client that a host passes on, and where the call came from. */
export interface HostCallOptions extends Pick<
  CallOptions,
  | 'signal'
  | 'timeoutMs'
  | 'totalTimeoutMs'
  | 'resetOnProgress'
  | 'onProgress'
  | 'logLevel'
  | 'task'
  | 'onTask'
> {
  /** Names the turn of the conversation, in captures. */
  readonly turn?: string
  /** The caller's own name for the call, in captures and in the audit log. Default: one that counts up. */
  readonly call?: string
  /**
   * Hears that the call may be made: the decision is written down, whoever was asked has said yes, and nothing was sent yet. What it
   * throws is logged, and the call is made all the same.
   */
  readonly onAllowed?: () => void
  /** Hears each time that the call leaves for its server, or that a tool of the program begins. Called after `onAllowed`, under the same rules. */
  readonly onSent?: () => void
}
