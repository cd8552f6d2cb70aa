/**
 * The clients of both official SDKs behind one face, so that a test is written once. They start our server as their
 * own transport does it, or reach it over HTTP; nothing of ours is between them and it.
 */
import {
  Client as Client2,
  SSEClientTransport as Sse2,
  StreamableHTTPClientTransport as Http2,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as Transport2 } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport as Sse1 } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { CallToolResult, Tool } from '../../src/protocol/types/tools.ts'

export interface StrangerCall {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: unknown) => void
}

/** A client of a stranger, connected. */
export interface Stranger {
  listTools(): Promise<readonly Tool[]>
  callTool(
    name: string,
    args?: Record<string, unknown>,
    call?: StrangerCall,
  ): Promise<CallToolResult>
  /** Settles at the next change of the list; opens a listen stream first where the era has them. */
  nextChange(): Promise<void>
  /** How a listen stream of this client ended. */
  readonly streamEnded: Promise<string> | undefined
  /** The process of the server, where the client has started it. */
  readonly pid: number | null
  close(): Promise<void>
}

export interface StrangerOptions {
  /** Where the server is: arguments for Node, its module first; or an address, of the old transport if it ends so. */
  readonly at: readonly string[] | URL
  /** For version 2 of the SDK: revisions of the handshake to offer. */
  readonly offers?: readonly string[]
  readonly mode?: 'legacy' | 'auto' | { readonly pin: string }
}

const identity = { name: 'stranger', version: '1.0.0' }
const capabilities = { elicitation: {}, roots: {}, sampling: {} }
const person = { action: 'accept' as const, content: { name: '王', age: 36 } }
const model = {
  role: 'assistant' as const,
  content: { type: 'text' as const, text: 'so be it' },
  model: 'm',
}
const places = { roots: [{ uri: 'file:///data', name: 'Data' }] }

/** A client of version 1 of the SDK. */
export async function strangerOfSdk1({ at }: StrangerOptions): Promise<Stranger> {
  const client = new Client1(identity, { capabilities })
  client.setRequestHandler(ElicitRequestSchema, () => person)
  client.setRequestHandler(CreateMessageRequestSchema, () => model)
  client.setRequestHandler(ListRootsRequestSchema, () => places)
  const changes = waiting()
  client.setNotificationHandler(ToolListChangedNotificationSchema, changes.happened)
  const started =
    at instanceof URL
      ? undefined
      : new Transport1({ command: process.execPath, args: [...at], stderr: 'ignore' })
  // oxlint-disable-next-line typescript/no-deprecated -- the old transport is what some clients have
  await client.connect(started ?? remote(at, Sse1, Http1))
  return {
    listTools: async () => (await client.listTools()).tools as unknown as readonly Tool[], // the same by the specification
    callTool: async (name, values = {}, call = {}) =>
      (await client.callTool(
        { name, arguments: values },
        undefined,
        optionsOf(call),
      )) as CallToolResult,
    nextChange: () => Promise.resolve(changes.next()),
    streamEnded: undefined,
    pid: started?.pid ?? null,
    close: () => client.close(),
  }
}

/** A client of version 2 of the SDK, in the era that `mode` says. Default: by handshake. */
export async function strangerOfSdk2(options: StrangerOptions): Promise<Stranger> {
  const { at, offers, mode = 'legacy' } = options
  const client = new Client2(identity, {
    capabilities,
    versionNegotiation: { mode },
    ...(offers === undefined ? {} : { supportedProtocolVersions: [...offers] }),
  })
  client.setRequestHandler('elicitation/create', () => person)
  client.setRequestHandler('sampling/createMessage', () => model)
  client.setRequestHandler('roots/list', () => places)
  const changes = waiting()
  client.setNotificationHandler('notifications/tools/list_changed', changes.happened)
  const started =
    at instanceof URL
      ? undefined
      : new Transport2({ command: process.execPath, args: [...at], stderr: 'ignore' })
  // oxlint-disable-next-line typescript/no-deprecated -- as above
  await client.connect(started ?? remote(at, Sse2, Http2))
  const modern = client.getProtocolEra() === 'modern'
  const stream = modern ? await client.listen({ toolsListChanged: true }) : undefined
  return {
    listTools: async () => (await client.listTools()).tools as unknown as readonly Tool[], // the same by the specification
    callTool: async (name, values = {}, call = {}) =>
      (await client.callTool({ name, arguments: values }, optionsOf(call))) as CallToolResult,
    nextChange: () => Promise.resolve(changes.next()),
    streamEnded: stream?.closed,
    pid: started?.pid ?? null,
    close: () => client.close(),
  }
}

function remote<Sse, Http>(
  at: readonly string[] | URL,
  Old: new (url: URL) => Sse,
  New: new (url: URL) => Http,
): Sse | Http {
  const url = new URL(String(at))
  return url.pathname.endsWith('/sse') ? new Old(url) : new New(url)
}

function optionsOf({ signal, onProgress }: StrangerCall): {
  signal?: AbortSignal
  onprogress?: (progress: unknown) => void
} {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onprogress: onProgress }),
  }
}

/** Something that happens again and again, and can be waited for. */
function waiting(): { readonly next: () => Promise<void>; readonly happened: () => void } {
  let waiters: (() => void)[] = []
  return {
    next: () => new Promise((resolve) => void waiters.push(resolve)),
    happened: () => {
      for (const waiter of waiters) waiter()
      waiters = []
    },
  }
}
