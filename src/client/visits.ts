/**
 * After a refusal because a person has to visit URLs first: they are asked, the ends of their visits are waited for, and the
 * call is made again. 2025-11-25 alone has this. Nothing is ever fetched here. // ELIC-18, ELIC-20
 */

import { ProtocolError, RpcError } from '../base/errors.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import { URL_ELICITATION_REQUIRED } from '../protocol/errors.ts'
import type { ElicitUrlParams } from '../protocol/types/elicitation.ts'
import type { FailedCall } from './request.ts'
import { inTime } from './second-try.ts'
import type { Standing } from './standing.ts'

/** Most visits that one refusal may ask for. */
const MAX_VISITS = 64

type Visit = ElicitUrlParams & { readonly elicitationId: string }

/** Gives what the call gives in the end. The server may want further visits each time, within the rounds of a call. */
export async function afterVisits(
  failed: FailedCall,
  standing: Standing,
  repeat: () => Promise<JsonObject>,
): Promise<JsonObject> {
  const { maxRounds } = standing.settings
  const { method } = failed.calling
  let refusal: unknown = failed.error
  for (let round = 1; round <= maxRounds; round += 1) {
    const visits = visitsIn(refusal)
    if (visits === undefined) throw refusal
    const over = new AbortController()
    try {
      const visiting = visitAll(visits, standing, { failed, over: over.signal })
      await inTime(visiting, failed, 'a person to visit a URL')
    } finally {
      over.abort()
    }
    try {
      return await repeat()
    } catch (error) {
      refusal = error
    }
  }
  throw new ProtocolError(
    'DP_PROTOCOL_ROUNDS',
    `${method} was refused until a person visits a URL more than ${maxRounds} times. The server may be asking in circles.`,
    {
      requirement: 'MRTR-14',
      method,
      cause: refusal,
      detail: { kind: 'too-many-questions', most: maxRounds },
    },
  )
}

/** The visits that a refusal asks for; undefined when it is no such refusal, or names none that can be made. // ERR-05 */
function visitsIn(refusal: unknown): readonly Visit[] | undefined {
  if (!(refusal instanceof RpcError) || refusal.rpcCode !== URL_ELICITATION_REQUIRED)
    return undefined
  const { data } = refusal
  const listed = isJsonObject(data) ? data['elicitations'] : undefined
  if (!Array.isArray(listed) || listed.length === 0 || listed.length > MAX_VISITS) return undefined
  const visits = listed.flatMap((one): Visit[] => (isVisit(one) ? [one] : []))
  return visits.length === listed.length ? visits : undefined
}

function isVisit(value: unknown): value is Visit {
  return (
    isJsonObject(value) &&
    value['mode'] === 'url' &&
    typeof value['url'] === 'string' &&
    typeof value['message'] === 'string' &&
    typeof value['elicitationId'] === 'string' // ELIC-14
  )
}

interface Visiting {
  readonly failed: FailedCall
  /** Aborts when nobody waits any more. */
  readonly over: AbortSignal
}

/** Asks a person for one visit after the other, and waits until the last has ended. */
async function visitAll(
  visits: readonly Visit[],
  standing: Standing,
  visiting: Visiting,
): Promise<void> {
  const ends: Promise<void>[] = []
  for (const visit of visits) {
    const { promise, agreed } = endOf(visit, standing, visiting)
    promise.catch(() => undefined) // it is waited for below
    ends.push(promise)
    await agree(visit, standing, visiting)
    agreed()
  }
  await Promise.all(ends)
}

/** Where the person does not go the refusal stands. `accept` means that they agreed to, not that anything is done. // ELIC-19 */
async function agree(visit: Visit, standing: Standing, visiting: Visiting): Promise<void> {
  const { failed, over } = visiting
  const context = { signal: over, server: failed.caller.channel.transport }
  const answer = await standing.settings.answers.elicitationUrl?.(visit, context)
  if (answer?.action !== 'accept') throw failed.error
}

/** The end of one visit: told by the server, or by the person once they went. Listened for before they are asked. // ELIC-16, ELIC-17 */
function endOf(
  visit: Visit,
  { visits, settings }: Standing,
  { failed, over }: Visiting,
): { readonly promise: Promise<void>; readonly agreed: () => void } {
  const told = new AbortController()
  const waiting = visits.get(visit.elicitationId) ?? new Set()
  let agreed = (): void => undefined
  const promise = new Promise<void>((resolve, reject) => {
    const done = (): void => {
      waiting.delete(done)
      if (waiting.size === 0) visits.delete(visit.elicitationId)
      told.abort()
      resolve()
    }
    waiting.add(done)
    visits.set(visit.elicitationId, waiting)
    over.addEventListener('abort', done, { once: true })
    agreed = () => {
      const context = { signal: told.signal, server: failed.caller.channel.transport }
      settings.answers.elicitationDone?.(visit, context).then(done, reject)
    }
  })
  return { promise, agreed }
}
