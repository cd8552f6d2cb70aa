/**
 * Calls that failed, and what may still be done about them: a second try, never a third, and only where the first one
 * surely did nothing or may be repeated. Loaded with the first such call.
 */

import { AuthError, CancelledError, RpcError, TimeoutError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import {
  HEADER_MISMATCH,
  UNSUPPORTED_VERSION,
  URL_ELICITATION_REQUIRED,
} from '../protocol/errors.ts'
import { hintsOf } from '../tools/display.ts'
import { pause, pauseMs } from './backoff.ts'
import { callAs } from './call.ts'
import type { Caller, Calling, FailedCall } from './request.ts'
import { isPassing, isSessionLost, saysNotInitialized, waitAsked } from './loss.ts'
import { inTime, timeLeft } from './second-try.ts'
import type { Standing } from './standing.ts'

/** What saving a call needs of the connection that it failed on. */
export interface Rescuer {
  readonly standing: Standing
  readonly caller: Caller
  /** Whether the link of this caller is over. */
  isLost(caller: Caller): boolean
  replacementOf(lost: Caller): Promise<Caller>
  proven(): void
}

/** Gives the result of a second try, or rejects with the error that the call failed with. */
export async function rescue(rescuer: Rescuer, failed: FailedCall): Promise<JsonObject> {
  const { error } = failed
  if (!(error instanceof RpcError)) return afterLoss(rescuer, failed)
  if (error.rpcCode === HEADER_MISMATCH) {
    const { afterMismatch } = await import('./header-refresh.ts')
    return again(rescuer, failed, await afterMismatch(failed, rescuer.standing))
  }
  if (error.rpcCode === URL_ELICITATION_REQUIRED) {
    const { afterVisits } = await import('./visits.ts')
    return afterVisits(failed, rescuer.standing, () => again(rescuer, failed, failed.calling))
  }
  return afterRefusal(rescuer, failed)
}

/** The way to the server failed, or the server has lost the session. */
async function afterLoss(rescuer: Rescuer, failed: FailedCall): Promise<JsonObject> {
  const { error, caller, calling } = failed
  const { settings } = rescuer.standing
  const lost = isSessionLost(error) || rescuer.isLost(caller)
  if (!lost && !isPassing(error)) throw error
  const replaced = lost ? rescuer.replacementOf(caller) : undefined
  replaced?.catch(() => undefined) // whoever waits for it hears of it
  if (!mayRepeat(failed, rescuer.standing)) throw error
  if (replaced !== undefined) return repeatOn(rescuer, failed, replaced)
  const signal = calling.options?.signal ?? NEVER
  await pause(settings.clock, waitAsked(error, pauseMs(1, settings.random)), signal)
  return again(rescuer, failed, calling)
}

/**
 * The server does not speak the revision any more, or says that no handshake came first. About what is free to ask the latter
 * is believed; a tool could mean something of its own by it, so that another question must be refused in the same way.
 */
async function afterRefusal(rescuer: Rescuer, failed: FailedCall): Promise<JsonObject> {
  const { error, caller, calling } = failed
  const believed = isOtherVersion(error) || FREE.has(calling.method)
  if (!believed && !(await isForgotten(caller, failed))) throw error
  const replaced = rescuer.replacementOf(caller)
  replaced.catch(() => undefined) // whoever waits for it hears of it
  if (!mayRepeat(failed, rescuer.standing)) throw error
  return repeatOn(rescuer, failed, replaced)
}

/** The server is another one by now, which looked at the version and at nothing else. // ERR-08 */
function isOtherVersion(error: Error): boolean {
  return error instanceof RpcError && error.rpcCode === UNSUPPORTED_VERSION
}

async function isForgotten(caller: Caller, failed: FailedCall): Promise<boolean> {
  try {
    const left = timeLeft(failed)
    await callAs(caller, { method: 'ping', params: undefined, options: undefined, left }, () => 0)
    return false
  } catch (error) {
    return error instanceof RpcError && saysNotInitialized(error)
  }
}

/** Repeats a call once there is a new link. What stood in the way of that is told only where it asks for action. */
async function repeatOn(
  rescuer: Rescuer,
  failed: FailedCall,
  replaced: Promise<Caller>,
): Promise<JsonObject> {
  try {
    await inTime(replaced, failed, 'the server to be back')
  } catch (error) {
    const telling = [AuthError, CancelledError, TimeoutError].some((kind) => error instanceof kind)
    throw telling ? error : failed.error
  }
  // A cursor ends with its session: the list has to be begun anew. // PAGE-05
  const { params } = failed.calling
  if (params?.['cursor'] !== undefined && rescuer.caller.dialect.link.sessions) throw failed.error
  return again(rescuer, failed, failed.calling)
}

/** The second try, in what is left of the time. */
async function again(rescuer: Rescuer, failed: FailedCall, calling: Calling): Promise<JsonObject> {
  const left = timeLeft(failed)
  if (left.ms <= 0) throw failed.error
  const result = await callAs(rescuer.caller, { ...calling, left }, (complete) => complete)
  rescuer.proven()
  return result
}

/** Requests that change nothing at the server, or nothing that asking twice would change again. */
const FREE: ReadonlySet<string> = new Set([
  'ping',
  'server/discover',
  'tools/list',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
  'logging/setLevel',
  'tasks/get',
  'tasks/list',
  'tasks/result',
])

/** Whether a call may be made a second time: the first one was surely not carried out, or twice is as good as once. */
function mayRepeat({ error, calling }: FailedCall, { settings, checks }: Standing): boolean {
  if (isSessionLost(error) || isOtherVersion(error)) return true
  if (isPassing(error) && error.sent === 'no') return true
  if (FREE.has(calling.method)) return true
  const name = calling.params?.['name']
  if (calling.method !== 'tools/call' || !settings.trusted || typeof name !== 'string') return false
  const tool = checks.tool(name)
  return tool !== undefined && hintsOf(tool).idempotent // TOOL-18
}

const NEVER: AbortSignal = new AbortController().signal
