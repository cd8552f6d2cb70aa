/**
 * What the parts of a server know of one another: the server as its links see it, one link, one request.
 */

import type { JsonObject } from '../base/json.ts'
import type { InboundRequest } from '../jsonrpc/inbound-request.ts'
import type { Peer } from '../jsonrpc/peer.ts'
import type { AuthFacts } from '../jsonrpc/wire.ts'
import type { ClientFacts, Dialect, Inbound, ServerIdentity } from '../protocol/dialect.ts'
import type { LoggingLevel } from '../protocol/types/common.ts'
import type { TaskSupport } from '../tools/define.ts'
import type { StoredTask, TaskWork } from '../tools/task-store.ts'
import type { ElicitationIds } from './elicitation-ids.ts'
import type { MethodFunction } from './method.ts'
import type { Offers } from './offers.ts'
import type { ServerSettings } from './options.ts'
import type { Rates } from './rates.ts'
import type { Sealer } from './request-state.ts'
import type { Sender } from './sender.ts'
import type { Subscriptions } from './subscriptions.ts'
import type { UsedStates } from './used-states.ts'

/** Who sent a notification. */
export interface Speaker {
  /** By its own account; undefined before a handshake, and where requests speak for themselves. */
  readonly client: ClientFacts | undefined
  /** As the carrier has made sure; undefined where nobody checked. */
  readonly auth: AuthFacts | undefined
}

/** The server, as its links see it. */
export interface Served {
  readonly settings: ServerSettings
  readonly offers: Offers
  readonly sealer: Sealer
  /** States that were redeemed, or nothing when they may be again. */
  readonly usedStates: UsedStates | undefined
  /** How many completions a caller may ask for. // COMP-05 */
  readonly completions: Rates
  readonly methods: ReadonlyMap<string, MethodFunction>
  /** Nothing when the server keeps no tasks. */
  readonly tasks: TaskKeeper | undefined
  identity(): ServerIdentity
  heard(method: string, params: JsonObject | undefined, from: Speaker): void
  /** Whether a client's request of this method is answered at all, in this revision. */
  serves(dialect: Dialect, method: string): boolean
  /** Random, in hexadecimal; 6 bytes unless more are wanted. */
  readonly newId: (bytes?: number) => string
}

/** What one link remembers between requests. */
export interface LinkState {
  readonly peer: Peer
  readonly subscriptions: Subscriptions
  /** Visits that this client was asked for and may be told the end of. */
  readonly elicitations: ElicitationIds
  /** Set by a legacy client for its session. // LOG-03 */
  logLevel: LoggingLevel | undefined
  /** Whether the client of a legacy session said that it is ready to be asked. // LIFE-06 */
  readonly initialized: () => boolean
}

/** What a server does about tasks. */
export interface TaskKeeper {
  /** Answers a request about tasks; undefined when the method is none, in this revision. */
  answer(call: Dispatched): JsonObject | Promise<JsonObject> | undefined
  /**
   * The work on a call that becomes a task now; undefined when the call is to be answered when it is done. `late` says that
   * the tool runs already and asks for it. Throws `RpcRefusal` for a call that cannot be made so.
   */
  begin(call: Dispatched, support: TaskSupport | undefined, late: boolean): TaskWork | undefined
  /** Tasks of the caller among those that a listen stream names. */
  grant(call: Dispatched): readonly StoredTask[]
  /** Tells a listen stream how these tasks go, until the stream ends. */
  tell(call: Dispatched, tasks: readonly StoredTask[]): void
  /** Stops every task. */
  close(): void
}

/** One request with everything known about it. */
export interface Dispatched {
  readonly dialect: Dialect
  readonly sender: Sender
  readonly inbound: Inbound
  readonly request: InboundRequest
  readonly link: LinkState
}
