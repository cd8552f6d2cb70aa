/**
 * A client and a server joined in memory, with the official schemas listening on the wire: whatever test uses a pair
 * also proves that no message broke the schema of its revision.
 */

import { afterEach, expect } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import { joinSinks, type WireEvent } from '../../src/jsonrpc/wire.ts'
import { REVISIONS, type Revision } from '../../src/protocol/revision.ts'
import type { ServerOptions } from '../../src/server/options.ts'
import { Server } from '../../src/server/server.ts'
import { memoryPair } from '../../src/transport/memory.ts'
import { oracleSink } from './schema-oracle.ts'

export interface Pair {
  readonly client: Client
  readonly server: Server
  /** Every message that crossed, parsed, with its direction as the client sees it. */
  readonly crossed: readonly { readonly direction: 'in' | 'out'; readonly message: Crossed }[]
  /** Kinds of the notes on the client's wire. */
  readonly notes: readonly string[]
  /** For a test that breaks the rules on purpose. */
  unjudged(): void
}

export interface Crossed {
  readonly id?: string | number
  readonly method?: string
  readonly params?: { readonly [name: string]: unknown }
  readonly result?: { readonly [name: string]: unknown }
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export const LEGACY: readonly Revision[] = REVISIONS.slice(0, -1)
export const MODERN: readonly Revision[] = REVISIONS.slice(-1)

const open: { client: Client; server: Server; violations: () => readonly string[] }[] = []

afterEach(async () => {
  for (const { client, server, violations } of open.splice(0)) {
    await client.close()
    await server.close()
    expect(violations(), 'messages that break the schema of their revision').toEqual([])
  }
})

/** Joins both in one revision. Closed by itself after the test. */
export async function pairUp(
  revision: Revision,
  serverOptions: Partial<ServerOptions> = {},
  clientOptions: ClientOptions = {},
): Promise<Pair> {
  const crossed: { direction: 'in' | 'out'; message: Crossed }[] = []
  const notes: string[] = []
  const oracle = oracleSink()
  const listen = (event: WireEvent): void => {
    if (event.type === 'message') {
      const message: Crossed = JSON.parse(event.text)
      crossed.push({ direction: event.direction, message })
    } else if (event.type === 'note') notes.push(event.note.kind)
  }
  const wire = joinSinks(oracle.sink, listen)
  const server = new Server({ name: 'pair', version: '1.0.0', ...serverOptions })
  const [near, far] = memoryPair()
  void server.accept(far)
  const client = await connect(near, {
    revisions: [revision],
    ...(wire === undefined ? {} : { wire }),
    ...clientOptions,
  })
  let judged = true
  open.push({ client, server, violations: () => (judged ? oracle.violations : []) })
  return { client, server, crossed, notes, unjudged: () => void (judged = false) }
}

/** The messages that carried a method, in order. */
export function ofMethod({ crossed }: Pair, method: string): readonly Crossed[] {
  return crossed.map(({ message }) => message).filter((message) => message.method === method)
}

/** The answer to the last request of a method. */
export function answerTo(pair: Pair, method: string): Crossed | undefined {
  const asked = ofMethod(pair, method).at(-1)
  return pair.crossed
    .map(({ message }) => message)
    .findLast((message) => message.method === undefined && message.id === asked?.id)
}
