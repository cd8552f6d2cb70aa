/** A sound server and a forgetful one over `playedServer`, and clients of them that are closed after the test. */
import { afterEach } from 'vitest'
// What a client loads when it needs it first is here already: no test has to wait for a disk.
import '../../src/client/header-refresh.ts'
import '../../src/client/recovery.ts'
import '../../src/client/rescue.ts'
import '../../src/client/rounds.ts'
import '../../src/client/visits.ts'
import { TransportError } from '../../src/base/errors.ts'
import type { JsonObject } from '../../src/base/json.ts'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import {
  playedServer,
  sessionLost,
  type Asked,
  type PlayedOptions,
  type PlayedServer,
} from './played-server.ts'

export const turn = (): Promise<void> => new Promise(setImmediate)
/** Lets everything happen that waits for no clock. */
export async function settle(): Promise<void> {
  for (let at = 0; at < 30; at += 1) await turn()
}
export const TOOLS: JsonObject = {
  tools: [
    { name: 'act', inputSchema: { type: 'object' } },
    { name: 'look', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
    { name: 'set', inputSchema: { type: 'object' }, annotations: { idempotentHint: true } },
  ],
}
export const DONE: JsonObject = { content: [{ type: 'text', text: 'done' }] }
export const cut = (sent: 'no' | 'maybe' | 'yes'): TransportError =>
  new TransportError('DP_TRANSPORT_CONNECT', 'No way.', { sent })

const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

/** Answers as a sound server would. */
export function soundly(asked: Asked): unknown {
  if (asked.method === 'tools/list') return asked.result(TOOLS)
  if (asked.method === 'tools/call') return asked.result(DONE)
  if (asked.method.startsWith('resources/') && asked.method.endsWith('subscribe'))
    return asked.result({})
  return false
}

export async function meet(
  server: PlayedServer,
  options: ClientOptions = {},
  era: 'legacy' | 'modern' = 'legacy',
): Promise<Client> {
  const client = await connect(server.transport, { era, ...options })
  clients.push(client)
  return client
}

/** A server that knows only the newest of its links. */
export function forgetful(options: PlayedOptions = {}): PlayedServer & { forget(): void } {
  let from = 0
  const server = playedServer((asked) => {
    if (asked.link <= from) return asked.fail(sessionLost())
    return soundly(asked)
  }, options)
  return Object.assign(server, { forget: () => void (from = server.opens) })
}
