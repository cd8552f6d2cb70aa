/**
 * One call through the agreed dialect, questions and all: send, read the outcome, and what it leads to.
 *
 * Everything a client does after connecting goes through `callAs`, so that capabilities, timers and rounds are handled
 * once. What most calls never need is loaded when the first one does.
 */

import { asError } from '../base/errors.ts'
import type { JsonObject, JsonText } from '../base/json.ts'
import type { Requested } from '../jsonrpc/exchange.ts'
import type { RequestId } from '../jsonrpc/message.ts'
import type { Facts } from '../jsonrpc/wire.ts'
import type { CallOptions } from './options.ts'
import { checkAllowed, encode, factsOf, limitsOf, type Caller, type Calling } from './request.ts'

export { arrayMember, type Caller } from './request.ts'

/** Makes one call and gives its complete result. */
export function call(
  caller: Caller,
  method: string,
  params?: JsonObject,
  options?: CallOptions,
): Promise<JsonObject> {
  return callAs(caller, { method, params, options }, (result) => result)
}

/**
 * Makes of the complete result what the caller gets. `raw` is the answer as it came, and only there when it was the first one: no
 * question was answered before it. // MRTR-16
 */
export type Finish<Result> = (result: JsonObject, raw?: JsonObject) => Result | Promise<Result>

/**
 * The same, with `finish` applied to the complete result before anyone sees it. The one promise of the exchange is what
 * the caller waits for: a call costs no further ones.
 */
export function callAs<Result>(
  caller: Caller,
  calling: Calling,
  finish: Finish<Result>,
): Promise<Result> {
  try {
    checkAllowed(caller, calling.method)
  } catch (error) {
    return Promise.reject(asError(error))
  }
  const requested = new OneCall(caller, calling, finish)
  return caller.peer.ask(calling.method, requested, limitsOf(caller, calling)).result
}

/** A call as the peer sends it: written in the words of the dialect, and read to its complete result. */
class OneCall<Result> implements Requested<Result> {
  readonly #caller: Caller
  readonly #calling: Calling
  readonly #finish: Finish<Result>

  constructor(caller: Caller, calling: Calling, finish: Finish<Result>) {
    this.#caller = caller
    this.#calling = calling
    this.#finish = finish
  }

  encode(id: RequestId): JsonObject | JsonText | undefined {
    return encode(this.#caller, this.#calling, id)
  }

  facts(): Facts | undefined {
    return factsOf(this.#caller, this.#calling)
  }

  read(raw: JsonObject, startedAt: number): Result | Promise<Result> {
    const [caller, calling] = [this.#caller, this.#calling]
    const outcome = caller.dialect.decodeResult(calling.method, raw)
    if (outcome.kind === 'complete' && calling.params?.['task'] === undefined)
      return this.#finish(outcome.result, raw)
    return import('./rounds.ts')
      .then(({ endOf }) => endOf(outcome, { caller, calling, startedAt, call }))
      .then((result) => this.#finish(result))
  }

  rescue(error: Error, startedAt: number, text?: string): Promise<Result> | undefined {
    const [caller, calling] = [this.#caller, this.#calling]
    if (text !== undefined)
      return calling.salvage?.({ caller, error, text }).then((result) => this.#finish(result))
    if (calling.left !== undefined) return undefined
    return caller
      .rescue({ caller, calling, error, startedAt })
      ?.then((result) => this.#finish(result))
  }
}
