/**
 * A server and a client that are connected inside one process: no pipe, no process, no port, the whole protocol.
 */

// For programs that read the declarations with no library of disposables of their own.
/// <reference lib="esnext.disposable" preserve="true" />

import type { Client } from '../client/client.ts'
import { connect } from '../client/connect.ts'
import type { ClientOptions } from '../client/options.ts'
import { asError } from '../base/errors.ts'
import type { Server } from '../server/server.ts'
import { memoryWire } from '../transport/memory.ts'

export interface Pair extends AsyncDisposable {
  readonly client: Client
  readonly server: Server
  /** Ends the connection at both ends; the server serves others as before. May be called more than once. */
  close(): Promise<void>
}

/**
 * Connects a client of these options to the server. Both speak the newest revision they share: name `revisions` for an
 * older one. Rejects as `connect` does, and then leaves nothing behind. Call it again for a second client.
 */
export async function pair(server: Server, options: ClientOptions = {}): Promise<Pair> {
  const { first, second, cut } = memoryWire()
  const served = server.accept(second)
  let client: Client
  try {
    client = await connect(first, options)
  } catch (error) {
    cut(asError(error))
    await served
    throw error
  }
  const close = async (): Promise<void> => {
    await client.close()
    await served
  }
  return { client, server, close, [Symbol.asyncDispose]: close }
}
