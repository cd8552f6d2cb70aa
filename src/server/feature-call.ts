/**
 * A request that an author's code of a prompt or a resource answers: with the answers that a retry brings, to a result,
 * a question, or a refusal.
 */

import type { JsonObject, JsonText } from '../base/json.ts'
import type { Outcome } from '../protocol/dialect.ts'
import { earlierAnswers } from './ask.ts'
import { CallContext, NO_ANSWERS } from './context.ts'
import type { Dispatched, Served } from './served.ts'
import { refuseAfterThrow } from './throws.ts'

export interface FeatureCall<Returned> {
  readonly kind: 'prompt' | 'resource'
  readonly name: string
  run(context: CallContext): Returned | Promise<Returned>
  /** The result for the wire. May throw, as the code itself. */
  conclude(returned: Returned): JsonObject
}

/** Runs it once. Rejects with `RpcRefusal` for whatever is an error by the protocol. // MRTR-01 */
export async function answerFeature<Returned>(
  server: Served,
  call: Dispatched,
  feature: FeatureCall<Returned>,
): Promise<JsonObject | JsonText> {
  // Reading has no effects, so a state may come again, as after a lost connection.
  const earlier = (await earlierAnswers(server, call, false)) ?? NO_ANSWERS
  const context = new CallContext(server, call, earlier)
  const outcome = await outcomeOf(server, { feature, context })
  return call.dialect.encodeResult(call.inbound.method, outcome, server.identity())
}

interface Running<Returned> {
  readonly feature: FeatureCall<Returned>
  readonly context: CallContext
}

function outcomeOf<Returned>(server: Served, running: Running<Returned>): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    running.context.whenAnswered(resolve)
    runToEnd(server, running).then(resolve, reject)
  })
}

async function runToEnd<Returned>(
  { settings, newId }: Served,
  { feature, context }: Running<Returned>,
): Promise<Outcome> {
  try {
    const result = feature.conclude(await feature.run(context))
    if (context.suspended !== undefined) return await context.suspended
    context.finish()
    return { kind: 'complete', result }
  } catch (error) {
    if (context.suspended !== undefined) return await context.suspended
    context.finish()
    return await refuseAfterThrow(error, {
      kind: feature.kind,
      name: feature.name,
      context,
      logger: settings.logger,
      newId,
    })
  }
}
