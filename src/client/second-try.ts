/** What is left for a second try: time, and the caller's will. */

import { CancelledError, TimeoutError } from '../base/errors.ts'
import { watchAbort } from '../jsonrpc/abort-watch.ts'
import type { TimerSetting } from '../jsonrpc/exchange.ts'
import type { FailedCall } from './request.ts'
import { requestOptions } from './options.ts'

/** The limit of the whole call, less what has passed of it. */
export function timeLeft({ caller: { settings }, calling, startedAt }: FailedCall): TimerSetting {
  const total = requestOptions(settings, calling.options).total ?? settings.total
  return { ...total, ms: Math.max(0, total.ms - (settings.clock.now() - startedAt)) }
}

/** What the promise gives, unless the caller gives up or the time of the call is over before. `what` is waited for. */
export async function inTime<Value>(
  promise: Promise<Value>,
  failed: FailedCall,
  what: string,
): Promise<Value> {
  const { calling, error, caller } = failed
  const { method, options } = calling
  const { signal } = options ?? {}
  const { ms, setBy } = timeLeft(failed)
  let end = (_error: Error): void => undefined
  const ended = new Promise<never>((_, reject) => (end = reject))
  const giveUp = (): void => {
    const reason: unknown = signal?.reason
    const message = `${method} was cancelled while it waited for ${what}.`
    end(new CancelledError(message, { method, reason, cause: error }))
  }
  const expire = (): void => {
    const message = `${method} waited for ${what} until its total timer ran out, set by ${setBy}.`
    end(new TimeoutError(message, { timer: 'total', ms, setBy, method, sent: 'no', cause: error }))
  }
  const timer = Number.isFinite(ms) ? caller.settings.clock.after(ms, expire) : undefined
  const unwatch = signal?.aborted === false ? watchAbort(signal, giveUp) : undefined
  if (signal?.aborted === true) giveUp()
  try {
    return await Promise.race([promise, ended])
  } finally {
    timer?.cancel()
    unwatch?.()
  }
}
