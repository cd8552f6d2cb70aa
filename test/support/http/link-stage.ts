/** A link over a scripted exchange, with a clock that stands still and chance that is always the same. */
import type { Link, LinkTraits } from '../../../src/jsonrpc/link.ts'
import { httpTransport, type HttpOptions } from '../../../src/transport/http/client.ts'
import { fakeClock, type FakeClock } from '../fake-clock.ts'
import { HttpPort } from './http-port.ts'
import { ScriptedExchange } from './scripted-exchange.ts'

export const URL_OF_ENDPOINT = 'https://example.test/mcp'

export const LEGACY: LinkTraits = {
  batches: false,
  sessions: true,
  standaloneStream: true,
  resumable: true,
  primesStreams: true,
  closingCancels: false,
  versionHeader: '2025-11-25',
}

export const MODERN: LinkTraits = {
  batches: false,
  sessions: false,
  standaloneStream: false,
  resumable: false,
  primesStreams: false,
  closingCancels: true,
  versionHeader: '2026-07-28',
}

export interface LinkStage {
  readonly link: Link
  readonly port: HttpPort
  readonly clock: FakeClock
  readonly http: ScriptedExchange
  /** Writes a request with this id. */
  ask(id: number | string, method?: string): ReturnType<Link['write']>
  /** Writes a notification. */
  tell(method: string): ReturnType<Link['write']>
}

export interface StageOptions extends HttpOptions {
  readonly maxMessageBytes?: number
  readonly url?: string
}

export async function linkStage(options: StageOptions = {}): Promise<LinkStage> {
  const { maxMessageBytes, url = URL_OF_ENDPOINT, ...rest } = options
  const http = new ScriptedExchange()
  const clock = fakeClock()
  const port = new HttpPort(maxMessageBytes)
  // Half of everything: waits of a backoff are in the middle of their range.
  const random = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(0x80, 0, 1)
  const transport = httpTransport(url, { clock, random, ...rest }, () => http.exchange)
  const link = await transport.open(port)
  return {
    link,
    port,
    clock,
    http,
    ask: (id, method = 'tools/list') =>
      link.write({ kind: 'request', id, text: JSON.stringify({ jsonrpc: '2.0', id, method }) }),
    tell: (method) =>
      link.write({ kind: 'notification', text: JSON.stringify({ jsonrpc: '2.0', method }) }),
  }
}

/** Lets everything run that waits for nothing but its turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
