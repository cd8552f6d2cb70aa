/** Two callers that a server knows by their tokens, and what every client of HTTP says of its messages. */
import { bearerTokens } from '../../src/server/bearer-tokens.ts'
import type { Authenticate } from '../../src/transport/http/endpoint-options.ts'

export const ALICE = { authorization: 'Bearer token-of-alice-0123456789' }
export const BOB = { authorization: 'Bearer token-of-bob-0123456789ab' }
/** Who is who by these two. */
export const TWO: Authenticate = bearerTokens({
  'token-of-alice-0123456789': { principal: 'alice', scopes: ['secrets'] },
  'token-of-bob-0123456789ab': { principal: 'bob', scopes: [] },
})
export const JSON_BOTH: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}
