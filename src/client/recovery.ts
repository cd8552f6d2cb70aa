/**
 * Opening a server again whose link was lost, or that has forgotten the session: a few tries, each later than the one
 * before. Loaded when that happens first.
 */

import {
  AuthError,
  describeError,
  ProtocolError,
  RpcError,
  TransportError,
} from '../base/errors.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import { MAX_TRIES, pause, pauseMs } from './backoff.ts'
import { isPassing, waitAsked } from './loss.ts'
import type { Settings } from './options.ts'
import type { Opened } from './standing.ts'

export interface Reopening {
  readonly reopen: (signal: AbortSignal) => Promise<Opened>
  readonly settings: Settings
  /** Gives up, at once. */
  readonly signal: AbortSignal
  /** Tries that were made since the link last proved to be good; the pauses grow with it. */
  readonly tries: number
  /** The link that is to be replaced, for remarks. */
  readonly lost: Channel
}

/** A new link and how many tries it took in all. Rejects after the fifth that failed, and at once when no other can help. */
export async function reopen(wish: Reopening): Promise<{ opened: Opened; tries: number }> {
  const { settings, signal, lost } = wish
  let last: unknown = lost.reason
  for (let tries = wish.tries; tries < MAX_TRIES; tries += 1) {
    const ms = waitAsked(last, pauseMs(tries, settings.random))
    settings.logger.info('opening the connection again', { server: lost.transport, tries, ms })
    lost.note({ kind: 'reopen', data: { tries, ms } })
    await pause(settings.clock, ms, signal)
    if (signal.aborted) throw givenUp(lost.transport)
    try {
      const opened = await wish.reopen(signal)
      if (!signal.aborted) return { opened, tries: tries + 1 }
      await opened.caller.peer.close()
      throw givenUp(lost.transport)
    } catch (error) {
      if (signal.aborted || isFinal(error)) throw error
      last = error
    }
  }
  throw tooOften(lost.transport, last)
}

/** The server answered, and said no: the next try would be told the same. */
function isFinal(error: unknown): boolean {
  if (error instanceof AuthError || error instanceof ProtocolError || error instanceof RpcError)
    return true
  return error instanceof TransportError && !isPassing(error)
}

function givenUp(server: string): TransportError {
  return new TransportError('DP_TRANSPORT_CLOSED', `The connection to ${server} was closed.`, {
    server,
    sent: 'no',
    detail: { kind: 'closed' },
  })
}

function tooOften(server: string, cause: unknown): TransportError {
  const why = cause === undefined ? '' : `: ${describeError(cause)}`
  return new TransportError(
    'DP_TRANSPORT_CLOSED',
    `The connection to ${server} was lost ${MAX_TRIES} times in a row${why}. Look into why the server goes away, then connect again.`,
    { server, sent: 'no', cause, detail: { kind: 'lost-often', tries: MAX_TRIES } },
  )
}
