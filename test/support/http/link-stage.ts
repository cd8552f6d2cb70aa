/** A link over a scripted exchange, with a clock that stands still and chance that is always the same. */
import type { Link, LinkTraits, Receipt } from '../../../src/jsonrpc/link.ts'
import { httpTransport } from '../../../src/transport/http/client.ts'
import type { HttpOptions } from '../../../src/transport/http/way.ts'
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
  readonly ask: (id: number | string, method?: string) => Receipt
  /** Writes a notification. */
  readonly tell: (method: string) => Receipt
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

export const SESSION = { 'mcp-session-id': 'session-1' }

/** A link on which the handshake is done: `initialize`, its answer with a session, the first words, the agreement. */
export async function agreed(
  options: StageOptions = {},
  traits: LinkTraits = LEGACY,
): Promise<LinkStage> {
  const stage = await linkStage({ listens: false, ...options })
  stage.ask(1, 'initialize')
  stage.http.calls[0]?.result({}, SESSION)
  stage.tell('notifications/initialized')
  stage.link.settle?.(traits)
  return stage
}

/** The same, with the first words accepted. */
export async function ready(options?: StageOptions, traits?: LinkTraits): Promise<LinkStage> {
  const stage = await agreed(options, traits)
  stage.http.calls[1]?.empty(202)
  await turn()
  return stage
}

/** Lets everything run that waits for nothing but its turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
