/**
 * One request to the code that answers it, and its outcome back into the words of its revision.
 */

import type { JsonObject, JsonText } from '../base/json.ts'
import type { InboundRequest } from '../jsonrpc/inbound-request.ts'
import type { Peer } from '../jsonrpc/peer.ts'
import { missingCapability } from '../protocol/capability.ts'
import type { ClientFacts, Dialect, Inbound, ServerIdentity } from '../protocol/dialect.ts'
import { invalidParams, methodNotFound } from '../protocol/errors.ts'
import { isLoggingLevel, type LoggingLevel } from '../protocol/types/common.ts'
import type { ToolDefinition } from '../tools/define.ts'
import { askerFor, waitingAsker, type Asker } from './ask.ts'
import { callTool } from './call-tool.ts'
import { CallContext } from './context.ts'
import type { Features } from './features.ts'
import type { PagedList } from './list.ts'
import type { ServerSettings } from './options.ts'
import type { Sealer } from './request-state.ts'
import type { Subscriptions } from './subscriptions.ts'

/** What a method added by `server.handle` is given. */
export interface MethodContext {
  readonly signal: AbortSignal
  readonly client: ClientFacts
  /** Sends a notification on the stream of this request. */
  notify(method: string, params: JsonObject): void
}

/** Answers one method by hand. Throw `RpcRefusal` to answer with a certain error. */
export type MethodFunction = (
  params: JsonObject,
  context: MethodContext,
) => Promise<JsonObject> | JsonObject

/** The server, as its links see it. */
export interface Served {
  readonly settings: ServerSettings
  readonly tools: Features<ToolDefinition>
  readonly toolList: PagedList<ToolDefinition>
  readonly sealer: Sealer
  readonly methods: ReadonlyMap<string, MethodFunction>
  identity(): ServerIdentity
  heard(method: string, params: JsonObject | undefined): void
  newId(): string
}

/** One request with everything known about it. */
export interface Dispatched {
  readonly dialect: Dialect
  readonly client: ClientFacts
  readonly inbound: Inbound
  readonly request: InboundRequest
  readonly peer: Peer
  readonly subscriptions: Subscriptions
  readonly logLevel: LoggingLevel | undefined
  readonly setLogLevel: (level: LoggingLevel) => void
  /** Whether the client of a legacy session said that it is ready to be asked. // LIFE-06 */
  readonly initialized: () => boolean
}

/** Answers one request. Throws `RpcRefusal` for everything that is an error by the protocol. */
export function dispatch(
  server: Served,
  call: Dispatched,
): JsonObject | JsonText | Promise<JsonObject | JsonText> {
  const { dialect, inbound } = call
  const { method } = inbound
  const own = server.methods.get(method)
  if (own !== undefined) return answerByHand(server, call, own)
  const rule = dialect.methods.get(method)
  if (rule === undefined || rule.sender === 'server' || rule.kind !== 'request')
    throw methodNotFound(method) // ERR-14
  const declared = {
    client: call.client.capabilities,
    server: server.identity().capabilities,
    sender: 'client',
  } as const
  if (missingCapability(rule, declared) !== undefined) throw methodNotFound(method) // ERR-14
  switch (method) {
    case 'tools/call':
      return answerCall(server, call)
    case 'tools/list':
      return server.toolList.page(dialect, inbound.params['cursor'])
    case 'ping':
      return {} // PING-01
    case 'server/discover':
      return dialect.welcome(server.identity()) // LIFE-13
    case 'subscriptions/listen':
      return answerListen(server, call)
    case 'logging/setLevel':
      return setLevel(server, call)
    default:
      throw methodNotFound(method)
  }
}

async function answerByHand(
  server: Served,
  call: Dispatched,
  own: MethodFunction,
): Promise<JsonObject | JsonText> {
  const { request, client, inbound, dialect } = call
  const context: MethodContext = {
    get signal() {
      return request.signal
    },
    client,
    notify: (method, params) => request.notify(method, params),
  }
  const result = await own(inbound.params, context)
  return dialect.encodeResult(inbound.method, { kind: 'complete', result }, server.identity())
}

async function answerCall(server: Served, call: Dispatched): Promise<JsonObject | JsonText> {
  const { dialect, client, inbound, request, peer, initialized } = call
  const { name } = inbound.params
  if (typeof name !== 'string') throw invalidParams('tools/call needs a "name"')
  const tool = server.tools.get(name)
  if (tool === undefined) throw invalidParams(`Unknown tool: ${name.slice(0, 128)}`) // TOOL-15, ERR-20
  const asked = {
    dialect,
    client,
    inbound,
    signal: () => request.signal,
    peer,
    sealer: server.sealer,
    initialized,
  }
  const asker: Asker = waitingAsker(asked) ?? (await askerFor(asked))
  const logLevel = server.settings.logging ? call.logLevel : undefined
  const outcome = await callTool({
    tool,
    args: inbound.params['arguments'],
    context: new CallContext({ dialect, client, inbound, request, asker, logLevel }),
    asker,
    logger: server.settings.logger,
    newId: () => server.newId(),
  })
  return dialect.encodeResult('tools/call', outcome, server.identity())
}

async function answerListen(server: Served, call: Dispatched): Promise<JsonObject | JsonText> {
  const { dialect, inbound, request } = call
  const { capabilities } = server.identity()
  const result = await call.subscriptions.open(request, inbound.params, { dialect, capabilities })
  return dialect.encodeResult(inbound.method, { kind: 'complete', result }, server.identity())
}

function setLevel(
  server: Served,
  { inbound, setLogLevel, dialect }: Dispatched,
): JsonObject | JsonText {
  const { level } = inbound.params
  if (!isLoggingLevel(level)) throw invalidParams('Unknown log level') // ERR-20
  setLogLevel(level)
  return dialect.encodeResult(inbound.method, { kind: 'complete', result: {} }, server.identity())
}
