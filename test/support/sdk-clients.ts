/**
 * The clients of both official SDKs behind one face, so that a test is written once. They start our server as their
 * own transport does it; nothing of ours is between them and its process.
 */
import { Client as Client2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as Transport2 } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/stdio.js'
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
  /** The process of the server. */
  readonly pid: number | null
  close(): Promise<void>
}

export interface StrangerOptions {
  /** Arguments for Node, the server's module first. */
  readonly args: readonly string[]
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
export async function strangerOfSdk1({ args }: StrangerOptions): Promise<Stranger> {
  const client = new Client1(identity, { capabilities })
  client.setRequestHandler(ElicitRequestSchema, () => person)
  client.setRequestHandler(CreateMessageRequestSchema, () => model)
  client.setRequestHandler(ListRootsRequestSchema, () => places)
  const changes = waiting()
  client.setNotificationHandler(ToolListChangedNotificationSchema, changes.happened)
  const transport = new Transport1({ command: process.execPath, args: [...args], stderr: 'ignore' })
  await client.connect(transport)
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
    pid: transport.pid,
    close: () => client.close(),
  }
}

/** A client of version 2 of the SDK, in the era that `mode` says. Default: by handshake. */
export async function strangerOfSdk2(options: StrangerOptions): Promise<Stranger> {
  const { args, offers, mode = 'legacy' } = options
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
  const transport = new Transport2({ command: process.execPath, args: [...args], stderr: 'ignore' })
  await client.connect(transport)
  const modern = client.getProtocolEra() === 'modern'
  const stream = modern ? await client.listen({ toolsListChanged: true }) : undefined
  return {
    listTools: async () => (await client.listTools()).tools as unknown as readonly Tool[], // the same by the specification
    callTool: async (name, values = {}, call = {}) =>
      (await client.callTool({ name, arguments: values }, optionsOf(call))) as CallToolResult,
    nextChange: () => Promise.resolve(changes.next()),
    streamEnded: stream?.closed,
    pid: transport.pid,
    close: () => client.close(),
  }
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
