/** Hosts on servers that are scripts, under a clock that stands still, with everything written down that they say and do. */
import { afterEach } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { configOf, type Config } from '../../src/config/config.ts'
import type { StdioEntry } from '../../src/config/entry.ts'
import type { AuditRecord } from '../../src/host/audit.ts'
import type { ConsentAnswer, ConsentRequest } from '../../src/host/consent.ts'
import { Host } from '../../src/host/host.ts'
import type { HostOptions } from '../../src/host/host-options.ts'
import type { Transport } from '../../src/jsonrpc/link.ts'
import type { WireEvent } from '../../src/jsonrpc/wire.ts'
import type { CallToolResult, Tool } from '../../src/protocol/types/tools.ts'
import { scriptedServer, type ScriptedServer } from '../../src/testing/scripted-server.ts'
import { fakeClock, type FakeClock } from './fake-clock.ts'
import { entryOf } from './runtime.ts'

/** A server whose tools do nothing but remember that they were called. */
export interface ToolServer {
  readonly transport: ScriptedServer
  /** What `tools/list` gives from now on, as it goes on the wire. */
  tools: readonly JsonObject[]
  instructions: string | undefined
  /** `tools/call` requests that came, as they came. */
  readonly calls: { readonly name: string; readonly arguments: JsonObject }[]
  /** Gives the result of a call. Default: a text. */
  answer: (name: string, args: JsonObject) => CallToolResult | Promise<CallToolResult>
  /** Changes the list and says so. */
  change(tools: readonly JsonObject[]): void
}

export function tool(name: string, rest: Partial<Tool> = {}): JsonObject {
  return { name, inputSchema: { type: 'object' }, ...rest } as unknown as JsonObject // a Tool is JSON
}

const REVISION = '2025-11-25'

export function toolServer(...tools: readonly JsonObject[]): ToolServer {
  const transport = scriptedServer(
    {
      initialize: () => ({
        result: {
          protocolVersion: REVISION,
          // Nothing reads them; one that did would not be told that there are none.
          capabilities: { tools: { listChanged: true }, resources: {} },
          serverInfo: { name: 'scripted', version: '1' },
          ...(server.instructions !== undefined && { instructions: server.instructions }),
        },
      }),
      'notifications/initialized': 'silence',
      'tools/list': () => ({ result: { tools: [...server.tools] } }),
      'tools/call': async ({ params }) => {
        const call = params as unknown as ToolServer['calls'][number] // sent by our own client
        server.calls.push({ name: call.name, arguments: call.arguments })
        return { result: (await server.answer(call.name, call.arguments)) as unknown as JsonObject }
      },
    },
    { revision: REVISION },
  )
  const server: ToolServer = {
    transport,
    tools,
    instructions: undefined,
    calls: [],
    answer: () => ({ content: [{ type: 'text', text: 'done' }] }),
    change: (changed) => {
      server.tools = changed
      transport.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
    },
  }
  return server
}

export interface HostRoom {
  readonly host: Host
  readonly clock: FakeClock
  readonly audit: AuditRecord[]
  readonly asked: ConsentRequest[]
  readonly events: WireEvent[]
  /** Lets everything happen that is due within some seconds. */
  later(): Promise<void>
}

export interface RoomOptions extends HostOptions {
  /** By key: what an entry has beside what every one has. */
  readonly entries?: Readonly<Record<string, Partial<StdioEntry>>>
  readonly config?: Partial<Config>
  /** Answers to the questions, in order; the last one goes on. Default: no. */
  readonly replies?: readonly ConsentAnswer[]
}

const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
})

/** Opens a host and waits until all its servers have come to something; the first turn is taken. */
export async function hostRoom(
  servers: Readonly<Record<string, ToolServer | Transport>>,
  options: RoomOptions = {},
): Promise<HostRoom> {
  const clock = fakeClock()
  const audit: AuditRecord[] = []
  const asked: ConsentRequest[] = []
  const events: WireEvent[] = []
  const { entries = {}, config = {}, replies = [{ kind: 'deny' }], ...rest } = options
  const made = Object.keys(servers).map((key) => entryOf(key, entries[key]))
  const host = await Host.open(
    { ...configOf(made), ...config },
    {
      clock,
      transport: ({ key }) => transportOf(servers[key]),
      consent: {
        ask: (request) => {
          asked.push(request)
          const reply = replies[Math.min(asked.length, replies.length) - 1]
          return Promise.resolve(reply ?? { kind: 'deny' })
        },
      },
      audit: { record: (record) => void audit.push(record) },
      wire: (event) => void events.push(event),
      ...rest,
    },
  )
  hosts.push(host)
  await host.settled()
  host.turn()
  const later = async (): Promise<void> => {
    for (let step = 0; step < 6; step += 1) await clock.advance(500)
  }
  return { host, clock, audit, asked, events, later }
}

function transportOf(server: ToolServer | Transport | undefined): Transport | undefined {
  return server !== undefined && 'transport' in server ? server.transport : server
}

/** Every `tools/call` that left, as exact text, with the ids of its chain. */
export function sentCalls(events: readonly WireEvent[]): { text: string; call: string }[] {
  return events.flatMap((event) =>
    event.type === 'message' &&
    event.direction === 'out' &&
    event.text.includes('"method":"tools/call"')
      ? [{ text: event.text, call: event.chain?.call ?? '' }]
      : [],
  )
}
