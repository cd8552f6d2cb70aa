/**
 * A client whose server is a test: the opening is answered as it should be, everything else by the test. And what a
 * plain tool result and a plain answer look like.
 */
import { afterEach } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/base/json.ts'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import { rawEnd, type RawEnd } from './hostile.ts'

export type Era = 'legacy' | 'modern'
export const ERAS: readonly Era[] = ['legacy', 'modern']

export const INIT: JsonObject = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: { listChanged: true }, logging: {} },
  serverInfo: { name: 'n', version: '1', icons: [] },
  instructions: 'i',
}
export const DISCOVER: JsonObject = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: { listChanged: true } },
  instructions: 'i',
  ttlMs: 0,
  cacheScope: 'private',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'n', version: '1' } },
}
export const plain: JsonObject = { content: [{ type: 'text', text: 'plain' }] }

export function answered(id: JsonValue | undefined, result: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id: id ?? null, result }
}

const clients: Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

export interface Connected {
  readonly client: Client
  readonly end: RawEnd
  /** Kinds of the notes on the wire. */
  readonly notes: readonly string[]
}

/** A client whose server answers the opening as it should, and hands everything else to `react`. Closed by itself. */
export async function connected(
  era: Era,
  react: (message: JsonObject, end: RawEnd) => void,
  options: ClientOptions = {},
): Promise<Connected> {
  const notes: string[] = []
  const end = rawEnd((message, self) => {
    const { id, method } = message
    if (method === 'initialize') void self.say(answered(id, INIT))
    else if (method === 'server/discover') void self.say(answered(id, DISCOVER))
    else react(message, self)
  })
  const wire: ClientOptions['wire'] = (event) =>
    void (event.type === 'note' && notes.push(event.note.kind))
  const elicitation = () => Promise.resolve({ action: 'decline' as const })
  const client = await connect(end.transport, { era, wire, answers: { elicitation }, ...options })
  clients.push(client)
  return { client, end, notes }
}
