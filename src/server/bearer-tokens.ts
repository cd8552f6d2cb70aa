/** Callers known by a token that they carry. For a few fixed tokens; where there is an authorization server, it checks them. */

import { UsageError } from '../base/errors.ts'
import type { AuthFacts } from '../jsonrpc/wire.ts'
import type { Authenticate } from '../transport/http/endpoint-options.ts'

/** Shorter ones can be guessed. */
const LEAST_CHARACTERS = 16

/**
 * Lets in whoever sends `Authorization: Bearer` with one of these tokens, and says who that is: a name, or all that is
 * known. Takes the same time whichever token comes close. Throws `UsageError` for a token of fewer than 16 characters.
 */
export function bearerTokens(
  principals: Readonly<Record<string, string | AuthFacts>>,
): Authenticate {
  const known = Object.entries(principals).map(([token, who]) => {
    if (token.length < LEAST_CHARACTERS)
      throw new UsageError(
        `A token has ${token.length} characters, which can be guessed. Use at least ${LEAST_CHARACTERS}, made by chance.`,
        {
          detail: { kind: 'short-token', characters: token.length, least: LEAST_CHARACTERS },
        },
      )
    return { token, facts: typeof who === 'string' ? { principal: who } : who }
  })
  return (request) => {
    const [, given] = /^bearer +([^\s]+)$/i.exec(request.header('authorization') ?? '') ?? []
    let found: AuthFacts | undefined
    // Every token is compared to its end, so that time tells nothing about any of them.
    for (const { token, facts } of known) if (isSame(token, given ?? '')) found = facts
    return found
  }
}

function isSame(token: string, given: string): boolean {
  let difference = token.length ^ given.length
  for (let at = 0; at < token.length; at += 1)
    difference |= token.charCodeAt(at) ^ (given.charCodeAt(at) || 0)
  return difference === 0
}
