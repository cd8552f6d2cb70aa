/**
 * Clients of one server whose carrier has made sure who they are: what a server over HTTP knows of its callers, in memory.
 */

import { afterEach } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import type { LinkPort, Transport } from '../../src/jsonrpc/link.ts'
import type { AuthFacts, Facts } from '../../src/jsonrpc/wire.ts'
import type { Revision } from '../../src/protocol/revision.ts'
import type { Server } from '../../src/server/server.ts'
import { memoryPair } from '../../src/transport/memory.ts'

const open: Client[] = []

afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

/** A client of this server, known there as `auth`. Closed by itself after the test. */
export function connectAs(
  server: Server,
  auth: AuthFacts,
  options: ClientOptions & { readonly revision: Revision },
): Promise<Client> {
  return connectWith(server, () => ({ auth }), options)
}

/** A client of this server whose messages come there with the facts that a carrier could have of them. */
export async function connectWith(
  server: Server,
  factsOf: (text: string) => Facts,
  { revision, ...options }: ClientOptions & { readonly revision: Revision },
): Promise<Client> {
  const [near, far] = memoryPair()
  void server.accept(known(far, factsOf))
  const client = await connect(near, { revisions: [revision], ...options })
  open.push(client)
  return client
}

/** A transport whose messages come with these facts. */
function known(transport: Transport, factsOf: (text: string) => Facts): Transport {
  return {
    name: transport.name,
    open: (port, signal) => transport.open(knowing(port, factsOf), signal),
  }
}

function knowing(port: LinkPort, factsOf: (text: string) => Facts): LinkPort {
  return {
    maxMessageBytes: port.maxMessageBytes,
    text: (text, facts, reading) => port.text(text, { ...facts, ...factsOf(text) }, reading),
    unreadable: (piece) => port.unreadable(piece),
    failed: (id, reason) => port.failed(id, reason),
    note: (note) => port.note(note),
    closed: (reason) => port.closed(reason),
  }
}
