/**
 * The first words between a client and a server of unknown age: which revision is spoken, and by which dialect.
 *
 * Only asks, tells and waits through its `Opening`. New servers are found by asking what they are; the handshake is what
 * is left when that brought nothing. // VERS-09, VERS-10, VERS-13
 */

import { HttpError, ProtocolError, RpcError, UsageError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { INVALID_PARAMS } from '../jsonrpc/message.ts'
import { readServerFacts } from './decode.ts'
import type { ClientIdentity, Dialect, Opening, ServerFacts } from './dialect.ts'
import { dialectFor, NEWEST_LEGACY, NEWEST_MODERN } from './dialects/index.ts'
import { supportedIn } from './errors.ts'
import { readProbe, type Conclusion, type ProbeOutcome, type ProbeWish } from './probe.ts'
import { LEGACY_REVISIONS, MODERN_REVISIONS, newestCommon, type Revision } from './revision.ts'

export interface EraWish {
  /** `auto` asks first and then falls back; `modern` asks and never falls back; `legacy` does not ask. */
  readonly era: 'auto' | 'legacy' | 'modern'
  /** The revisions to offer and accept; one alone pins it. Default: all, the newest of each era first. */
  readonly revisions?: readonly Revision[]
  /** How long `auto` waits for an answer before it tries the handshake, in ms. A silent old server costs this much. // VERS-26 */
  readonly probeMs: number
}

/** What was agreed. */
export interface Agreement {
  readonly dialect: Dialect
  readonly server: ServerFacts
}

interface Talk {
  readonly opening: Opening
  readonly self: ClientIdentity
  readonly wish: ProbeWish
  readonly probeMs: number
}

/**
 * Finds the revision and opens with it. Rejects with a `ProtocolError` (`DP_PROTOCOL_VERSION`) when there is none in
 * common, with the peer's own `RpcError` when it refuses the handshake, and with whatever ended the link.
 */
export async function negotiate(
  opening: Opening,
  self: ClientIdentity,
  wish: EraWish,
): Promise<Agreement> {
  const talk: Talk = { opening, self, wish: revisionsOf(wish), probeMs: wish.probeMs }
  if (talk.wish.modern.length === 0) return shakeHands(talk, {})
  const probe = ask(talk)
  if (talk.wish.legacy.length === 0)
    return follow(talk, readProbe(await probe, talk.wish), undefined)
  const silence = opening.wait(talk.probeMs).then((): ProbeOutcome => ({ kind: 'silence' }))
  // The race keeps hold of the probe, so that a failure after it lost is heard by somebody. // VERS-26
  const outcome = await Promise.race([probe, silence])
  opening.note('probe', {
    outcome: outcome.kind,
    ...(outcome.kind === 'error' ? { code: outcome.code } : {}),
    ...(outcome.kind === 'refused' ? { status: outcome.status } : {}),
  })
  return follow(talk, readProbe(outcome, talk.wish), outcome.kind === 'silence' ? probe : undefined)
}

function revisionsOf({ era, revisions }: EraWish): ProbeWish {
  const chosen = (all: readonly Revision[]): readonly Revision[] =>
    all.filter((one) => revisions?.includes(one) ?? true)
  const modern = era === 'legacy' ? [] : chosen(MODERN_REVISIONS)
  const legacy = era === 'modern' ? [] : chosen(LEGACY_REVISIONS)
  if (modern.length + legacy.length === 0) {
    throw new UsageError(
      `None of the revisions ${(revisions ?? []).join(', ')} is of the ${era} era; leave one of the two out`,
      { detail: { kind: 'era-without-revision', era, revisions: revisions ?? [] } },
    )
  }
  return { asked: modern.at(-1) ?? NEWEST_MODERN.revision, modern, legacy }
}

/** Asks the server what it is. Rejects only when the link is gone or a timer of the caller ran out. */
async function ask({ opening, self, wish }: Talk): Promise<ProbeOutcome> {
  const dialect = dialectFor(wish.asked)
  const { params } = dialect.encodeRequest({ method: 'server/discover' }, self)
  const headers = dialect.requestHeaders('server/discover', undefined)
  try {
    return { kind: 'result', result: await opening.ask('server/discover', params, headers) }
  } catch (error) {
    const said = saidIn(error)
    if (said !== undefined) return { kind: 'error', code: said.rpcCode, data: said.data }
    if (error instanceof ProtocolError) return { kind: 'nonsense' }
    if (isRefusal(error)) return { kind: 'refused', status: error.status }
    throw error
  }
}

/** What the server said, also where it did not name the question that it refused. // VERS-15 */
function saidIn(error: unknown): RpcError | undefined {
  for (let reason = error; reason instanceof Error; reason = reason.cause) {
    if (reason instanceof RpcError) return reason
  }
  return undefined
}

/** A status that an old server gives to what it does not know. Others say that something is wrong, not that it is old. */
function isRefusal(error: unknown): error is HttpError {
  return error instanceof HttpError && error.status >= 400 && error.status < 500
}

/** Does what the conclusion says. `late` is the question that has no answer yet. */
async function follow(
  talk: Talk,
  conclusion: Conclusion,
  late: Promise<ProbeOutcome> | undefined,
): Promise<Agreement> {
  if (conclusion.kind === 'modern') {
    return openModern(talk, conclusion.revision, conclusion.answer)
  }
  if (conclusion.kind === 'none') throw nothingInCommon(talk.wish, conclusion)
  if (conclusion.kind === 'handshake') return shakeHands(talk, { offered: conclusion.revision })
  if (talk.wish.legacy.length === 0) throw noModern(talk.wish)
  return shakeHands(talk, { late })
}

async function openModern(
  talk: Talk,
  revision: Revision,
  answer: JsonObject | undefined,
): Promise<Agreement> {
  const dialect = dialectFor(revision)
  if (answer !== undefined) return { dialect, server: readServerFacts(answer, revision) }
  return { dialect, server: await dialect.open(talk.opening, talk.self) }
}

interface Handshake {
  /** Default: the newest that is wished for. */
  readonly offered?: Revision
  readonly late?: Promise<ProbeOutcome> | undefined
}

/** The handshake, and what may still be tried when it fails. */
async function shakeHands(talk: Talk, { offered, late }: Handshake): Promise<Agreement> {
  const { legacy } = talk.wish
  const first = offered ?? legacy.at(-1) ?? NEWEST_LEGACY.revision
  try {
    return await offer(talk, first)
  } catch (error) {
    if (!(error instanceof RpcError) && !(error instanceof ProtocolError)) throw error
    const conclusion = await lateConclusion(talk, late)
    if (conclusion?.kind === 'modern')
      return openModern(talk, conclusion.revision, conclusion.answer)
    const theirs = error instanceof RpcError ? supportedIn(error.data) : undefined
    if (theirs === undefined) throw error
    const common = newestCommon(
      legacy.filter((one) => one !== first),
      theirs,
    )
    if (common !== undefined && isVersionError(error)) return offer(talk, common) // ERR-16: once
    const modern = newestCommon(talk.wish.modern, theirs)
    if (modern !== undefined) return openModern(talk, modern, undefined) // VERS-19
    throw nothingInCommon(talk.wish, { theirs, code: undefined }, error)
  }
}

function isVersionError(error: unknown): boolean {
  return error instanceof RpcError && error.rpcCode === INVALID_PARAMS
}

async function offer({ opening, self, wish }: Talk, revision: Revision): Promise<Agreement> {
  const server = await dialectFor(revision).open(opening, self, { accepts: wish.legacy })
  return { dialect: dialectFor(server.revision), server }
}

/** What the unanswered question brought after all: a slow new server answers it before it refuses the handshake. */
async function lateConclusion(
  talk: Talk,
  late: Promise<ProbeOutcome> | undefined,
): Promise<Conclusion | undefined> {
  if (late === undefined) return undefined
  const silence = talk.opening.wait(talk.probeMs).then((): ProbeOutcome => ({ kind: 'silence' }))
  return readProbe(await Promise.race([late, silence]), talk.wish)
}

function noModern(wish: ProbeWish): ProtocolError {
  return new ProtocolError(
    'DP_PROTOCOL_VERSION',
    `The server does not know server/discover, so it speaks none of ${wish.modern.join(', ')}; allow the handshake (era "auto" or "legacy")`,
    {
      method: 'server/discover',
      requirement: 'VERS-10',
      detail: { kind: 'version', why: 'no-modern', ours: wish.modern },
    },
  )
}

function nothingInCommon(
  wish: ProbeWish,
  { theirs, code }: { readonly theirs: readonly string[]; readonly code: number | undefined },
  cause?: unknown,
): ProtocolError {
  const ours = [...wish.legacy, ...wish.modern].join(', ')
  const listed =
    theirs.length === 0
      ? 'names no version'
      : `speaks ${theirs.map((one) => one.slice(0, 64)).join(', ')}`
  const told = code === undefined ? '' : ` (it answered with ${code})`
  return new ProtocolError(
    'DP_PROTOCOL_VERSION',
    `No revision in common: this client speaks ${ours}; the server ${listed}${told}`,
    {
      requirement: 'VERS-06',
      ...(cause === undefined ? {} : { cause }),
      detail: {
        kind: 'version',
        why: 'none-in-common',
        ours: [...wish.legacy, ...wish.modern],
        theirs: theirs.map((one) => one.slice(0, 64)),
      },
    },
  )
}
