/** A connection through a proxy to a server of TLS: the proxy is asked to pass bytes on, and TLS is spoken behind it. */

import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import type { Clock } from '../../base/clock.ts'
import type { DetailOf } from '../../base/error-detail.ts'
import { describeError, TransportError } from '../../base/errors.ts'
import type { Proxy } from './proxy.ts'

export interface TunnelOptions {
  readonly proxy: Proxy
  readonly host: string
  readonly port: number
  readonly tls: ConnectionOptions
  readonly clock: Clock
  /** Longest wait for the proxy and the server together, in ms. */
  readonly timeoutMs: number
}

type Known = Partial<Pick<DetailOf<'not-reached'>, 'reason' | 'ms' | 'proxyStatus'>>

/** Rejects with a `TransportError` (`DP_TRANSPORT_CONNECT`) and then leaves nothing open. // RFC 9110 §9.3.6 */
export function openTunnel(options: TunnelOptions): Promise<TLSSocket> {
  const { proxy, clock, timeoutMs } = options
  const authority = `${options.host.includes(':') ? `[${options.host}]` : options.host}:${options.port}`
  const { authorization } = proxy
  const request = (proxy.secure ? https : http).request({
    host: proxy.host,
    port: proxy.port,
    method: 'CONNECT',
    path: authority,
    agent: false,
    headers: {
      host: authority,
      ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
    },
  })
  return new Promise((resolve, reject) => {
    let secure: TLSSocket | undefined
    const fail = (why: string, cause?: unknown, known: Known = { reason: why }): void => {
      timer.cancel()
      request.destroy()
      secure?.destroy()
      const message = `${authority} was not reached through the proxy ${proxy.name}: ${why}`
      const detail = {
        kind: 'not-reached',
        address: authority,
        proxy: proxy.name,
        ...known,
      } as const
      reject(new TransportError('DP_TRANSPORT_CONNECT', message, { sent: 'no', cause, detail }))
    }
    const timer = clock.after(timeoutMs, () =>
      fail(`there was no connection within ${timeoutMs} ms.`, undefined, { ms: timeoutMs }),
    )
    request.on('error', (error) => fail(describeError(error), error))
    request.on('connect', ({ statusCode }, socket: Socket, head) => {
      if (statusCode !== 200) {
        socket.destroy()
        return fail(`it answered ${statusCode}.`, undefined, { proxyStatus: statusCode })
      }
      if (head.length > 0) socket.unshift(head)
      secure = connect({ ...options.tls, socket })
      secure.on('error', (error) => fail(describeError(error), error))
      const established = secure
      secure.once('secureConnect', () => {
        timer.cancel()
        resolve(established)
      })
    })
    request.end()
  })
}
