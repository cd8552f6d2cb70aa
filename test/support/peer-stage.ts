/** A peer on a scripted link with a clock that stands still: the stage of the tests of `Peer`. */

import { afterEach } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { Channel } from '../../src/jsonrpc/channel.ts'
import type { Link } from '../../src/jsonrpc/link.ts'
import { Peer, type PeerOptions } from '../../src/jsonrpc/peer.ts'
import type { WireEvent } from '../../src/jsonrpc/wire.ts'
import { fakeClock } from './fake-clock.ts'
import { scriptedLink, type ScriptedLink } from './scripted-link.ts'

export interface Stage {
  readonly link: ScriptedLink
  readonly peer: Peer
  readonly channel: Channel
  readonly notes: string[]
  readonly clock: ReturnType<typeof fakeClock>
}

const open: Peer[] = []
afterEach(async () => {
  for (const peer of open.splice(0)) await peer.close()
})

export const turn = (): Promise<void> => new Promise(setImmediate)

/** `carrier` are members of the link that not every link has. */
export async function stage(
  options: Partial<PeerOptions> = {},
  carrier: Partial<Link> = {},
): Promise<Stage> {
  const link = scriptedLink(carrier)
  const notes: string[] = []
  const clock = fakeClock()
  const wire = (event: WireEvent): void =>
    void (event.type === 'note' && notes.push(event.note.kind))
  const channel = await Channel.open(link.transport, { wire, clock })
  const peer: Peer = new Peer(channel, {
    clock,
    onRequest: () => ({}),
    cancel: (id, reason) => peer.notify('cancelled', { id, reason }),
    cancels: ({ method, params }) =>
      method === 'cancelled' ? { id: params?.['id'] as number } : undefined,
    belongsTo: ({ method, params }) =>
      method === 'progress' ? (params?.['token'] as number) : undefined,
    ...options,
  })
  open.push(peer)
  return { link, peer, channel, notes, clock }
}

export const result: (id: unknown, value?: JsonObject) => JsonObject = (
  id: unknown,
  value: JsonObject = {},
): JsonObject => ({
  jsonrpc: '2.0',
  id: id as number,
  result: value,
})
export const ask: (id: unknown, method?: string) => JsonObject = (
  id: unknown,
  method = 'm',
): JsonObject => ({
  jsonrpc: '2.0',
  id: id as number,
  method,
})
