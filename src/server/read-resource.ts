/**
 * `resources/read`: which resource or template a URI leads to, and what reading it gives.
 */

import type { JsonObject, JsonText } from '../base/json.ts'
import { isUri, MAX_URI } from '../formats/uri.ts'
import { invalidParams, resourceNotFound } from '../protocol/errors.ts'
import type { CacheHint, RequestContext } from '../tools/context.ts'
import { toReadResult, type ResourceReply } from '../tools/resource.ts'
import { CallContext, NO_ANSWERS } from './context.ts'
import { answerFeature } from './feature-call.ts'
import type { FoundResource } from './offers.ts'
import type { Dispatched, Served } from './served.ts'

/** The URI of a request, checked. Throws `RpcRefusal` for what is none. // RES-08 */
export function uriOf({ inbound }: Dispatched): string {
  const { uri } = inbound.given
  if (typeof uri !== 'string') throw invalidParams(`${inbound.method} needs a "uri"`)
  if (isUri(uri)) return uri
  if (uri.length > MAX_URI) throw invalidParams(`The "uri" is longer than ${MAX_URI} characters`)
  throw invalidParams('The "uri" is no absolute URI', { uri })
}

/** Answers `resources/read`. Throws or rejects with `RpcRefusal`. */
export function readResource(server: Served, call: Dispatched): Promise<JsonObject | JsonText> {
  const uri = uriOf(call)
  const found = server.offers.find(uri, new CallContext(server, call, NO_ANSWERS))
  if (found === undefined) throw resourceNotFound(uri) // ERR-02, ERR-03
  const { mimeType, cache } = wordsOf(found)
  return answerFeature<ResourceReply>(server, call, {
    kind: 'resource',
    name: uri,
    run: (context) => read(found, uri, context),
    conclude(reply) {
      const result = toReadResult(reply, { uri, mimeType, cache })
      if (result.contents.length === 0) throw resourceNotFound(uri) // ERR-03
      return result as unknown as JsonObject // contents hold JSON values only
    },
  })
}

function read(
  found: FoundResource,
  uri: string,
  context: RequestContext,
): ResourceReply | Promise<ResourceReply> {
  return found.kind === 'resource'
    ? found.definition.read(uri, context)
    : found.definition.read(uri, found.variables, context)
}

function wordsOf(found: FoundResource): { mimeType: string | undefined; cache: CacheHint } {
  const { definition } = found
  const told = 'resource' in definition ? definition.resource : definition.template
  return { mimeType: told.mimeType, cache: definition.cache }
}
