/** What the tests of parity with the first text share: two ways to a server, and views of its wire. */
import type { JsonObject } from '../../src/base/json.ts'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import type { Transport } from '../../src/jsonrpc/link.ts'
import { readingsOf, type WireEvent } from '../../src/jsonrpc/wire.ts'
import { memoryPair } from '../../src/transport/memory.ts'
import { stdio } from '../../src/transport/node/stdio-client.ts'
import { shellServer } from './cli.ts'
import { farSide, type FarSide } from './scripted-far-side.ts'

const [command, file] = shellServer
/** The server for the tests of the command line, as a transport. */
export const shell = (...flags: readonly string[]): Transport =>
  stdio({ command, args: [file, ...flags] })

/** Connects to the shell server, uses it, and ends it. */
export async function withShell<Value>(
  flags: readonly string[],
  use: (client: Client, events: readonly WireEvent[]) => Promise<Value>,
  options: ClientOptions = {},
): Promise<Value> {
  const events: WireEvent[] = []
  const wire = (event: WireEvent): void => void events.push(event)
  await using client = await connect(shell(...flags), { era: 'legacy', wire, ...options })
  return await use(client, events)
}

/** Connects to a function. */
export async function scripted(hear: FarSide, options: ClientOptions = {}): Promise<Client> {
  const [near, far] = memoryPair()
  void farSide(far, hear)
  return connect(near, { era: 'legacy', ...options })
}

/** Every message of one direction. */
export const messages: (
  events: readonly WireEvent[],
  direction: 'in' | 'out',
) => readonly JsonObject[] = (
  events: readonly WireEvent[],
  direction: 'in' | 'out',
): readonly JsonObject[] =>
  events
    .filter((event) => event.type === 'message')
    .filter((event) => event.direction === direction)
    .flatMap(readingsOf)
    .flatMap((reading) =>
      reading.kind === 'malformed' ? [] : [{ ...reading.message } as JsonObject],
    ) // it was JSON
/** Kinds of the notes. */
export const kinds: (events: readonly WireEvent[]) => readonly string[] = (
  events: readonly WireEvent[],
): readonly string[] => events.flatMap((event) => (event.type === 'note' ? [event.note.kind] : []))
