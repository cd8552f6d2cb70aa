/** What answers a method by hand, and what it is given. */

import type { JsonObject } from '../base/json.ts'
import type { AuthFacts } from '../jsonrpc/wire.ts'
import type { ClientFacts } from '../protocol/dialect.ts'

/** What a method added by `server.handle` is given. */
export interface MethodContext {
  readonly signal: AbortSignal
  readonly client: ClientFacts
  /** Who asks, as the carrier has made sure; undefined where nobody checked. */
  readonly auth: AuthFacts | undefined
  /** Sends a notification on the stream of this request. */
  notify(method: string, params: JsonObject): void
}

/** Answers one method by hand. Throw `RpcRefusal` to answer with a certain error. */
export type MethodFunction = (
  params: JsonObject,
  context: MethodContext,
) => Promise<JsonObject> | JsonObject
