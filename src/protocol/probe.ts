/**
 * Reading what came of the first question to a server of unknown age. Pure: an outcome in, a conclusion out.
 *
 * No error code means that a server is old; only three mean that it is new, and everything else is silence in other
 * words. // VERS-10, VERS-11
 */

import { isJsonObject, type JsonObject } from '../base/json.ts'
import { MAX_VERSIONS, MODERN_CODES, supportedIn, UNSUPPORTED_VERSION } from './errors.ts'
import { newestCommon, type Revision } from './revision.ts'

/** What came of `server/discover`. */
export type ProbeOutcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly code: number; readonly data: unknown }
  /** An answer that is no JSON-RPC answer. */
  | { readonly kind: 'nonsense' }
  /** A refusal of the carrier itself, without any JSON-RPC in it. // VERS-15 */
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'silence' }

export interface ProbeWish {
  /** The revision that was named in the question. */
  readonly asked: Revision
  /** Revisions to choose from, oldest first. */
  readonly modern: readonly Revision[]
  /** Empty when there is to be no handshake. */
  readonly legacy: readonly Revision[]
}

export type Conclusion =
  /** It is new, and told about itself in the same breath when it was asked in the revision chosen. */
  | {
      readonly kind: 'modern'
      readonly revision: Revision
      readonly answer: JsonObject | undefined
    }
  /** It is new and speaks a revision with a handshake as well, but no other that we do. // VERS-22 */
  | { readonly kind: 'handshake'; readonly revision: Revision }
  /** It is old, or says nothing: a handshake will tell. */
  | { readonly kind: 'legacy' }
  /** It is new, and there is nothing in common. */
  | { readonly kind: 'none'; readonly theirs: readonly string[]; readonly code: number | undefined }

/** What follows from the outcome. */
export function readProbe(outcome: ProbeOutcome, wish: ProbeWish): Conclusion {
  if (outcome.kind === 'result') return readDiscovery(outcome.result, wish)
  if (outcome.kind !== 'error' || !MODERN_CODES.has(outcome.code)) return { kind: 'legacy' } // VERS-10, VERS-24
  const theirs = supportedIn(outcome.data) ?? []
  const left = wish.modern.filter((one) => one !== wish.asked)
  const revision = newestCommon(left, theirs) // VERS-06
  if (revision !== undefined) return { kind: 'modern', revision, answer: undefined }
  const old = newestCommon(wish.legacy, theirs)
  if (old !== undefined) return { kind: 'handshake', revision: old } // VERS-22
  // It lists what it refuses: a server that changes as we speak. It is asked a second time, and no third. // VERS-06
  if (outcome.code === UNSUPPORTED_VERSION && theirs.includes(wish.asked))
    return { kind: 'modern', revision: wish.asked, answer: undefined }
  return { kind: 'none', theirs, code: outcome.code } // VERS-12
}

function readDiscovery(result: JsonObject, wish: ProbeWish): Conclusion {
  const listed = result['supportedVersions']
  // Some old servers answer anything with an empty result: that tells nothing.
  if (!Array.isArray(listed) || !isJsonObject(result['capabilities'])) return { kind: 'legacy' }
  const theirs = listed.slice(0, MAX_VERSIONS).filter((version) => typeof version === 'string')
  const revision = newestCommon(wish.modern, theirs)
  if (revision !== undefined) {
    return { kind: 'modern', revision, answer: revision === wish.asked ? result : undefined }
  }
  const old = newestCommon(wish.legacy, theirs)
  return old === undefined
    ? { kind: 'none', theirs, code: undefined }
    : { kind: 'handshake', revision: old } // VERS-22
}
