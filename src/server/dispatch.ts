/**
 * One request to the code that answers it, and its outcome back into the words of its revision.
 */

import type { JsonObject, JsonText } from '../base/json.ts'
import type { InboundRequest } from '../jsonrpc/inbound-request.ts'
import type { Peer } from '../jsonrpc/peer.ts'
import type { ClientFacts, Dialect, Inbound, ServerIdentity } from '../protocol/dialect.ts'
import { invalidParams, methodNotFound } from '../protocol/errors.ts'
import { isLoggingLevel, type LoggingLevel } from '../protocol/types/common.ts'
import type { ToolDefinition } from '../tools/define.ts'
import { earlierAnswers } from './ask.ts'
import { callTool } from './call-tool.ts'
import { CallContext } from './context.ts'
import type { Features } from './features.ts'
import type { PagedList } from './list.ts'
import type { ServerSettings } from './options.ts'
import type { Sealer } from './request-state.ts'
import { clientOf, type Sender } from './sender.ts'
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
  /** Whether a client's request of this method is answered at all, in this revision. */
  serves(dialect: Dialect, method: string): boolean
  readonly newId: () => string
}

/** What one link remembers between requests. */
export interface LinkState {
  readonly peer: Peer
  readonly subscriptions: Subscriptions
  /** Set by a legacy client for its session. // LOG-03 */
  logLevel: LoggingLevel | undefined
  /** Whether the client of a legacy session said that it is ready to be asked. // LIFE-06 */
  readonly initialized: () => boolean
}

/** One request with everything known about it. */
export interface Dispatched {
  readonly dialect: Dialect
  readonly sender: Sender
  readonly inbound: Inbound
  readonly request: InboundRequest
  readonly link: LinkState
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
  if (!server.serves(dialect, method)) throw methodNotFound(method) // ERR-14
  switch (method) {
    case 'tools/call':
      return answerCall(server, call)
    case 'tools/list':
      return server.toolList.page(dialect, inbound.given['cursor'])
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
  const { request, sender, inbound, dialect } = call
  const context: MethodContext = {
    get signal() {
      return request.signal
    },
    client: clientOf(sender),
    notify: (method, params) => request.notify(method, params),
  }
  const result = await own(inbound.params, context)
  return dialect.encodeResult(inbound.method, { kind: 'complete', result }, server.identity())
}

function answerCall(
  server: Served,
  call: Dispatched,
): JsonObject | JsonText | Promise<JsonObject | JsonText> {
  const { name } = call.inbound.given
  if (typeof name !== 'string') throw invalidParams('tools/call needs a "name"')
  const tool = server.tools.get(name)
  if (tool === undefined) throw invalidParams(`Unknown tool: ${name.slice(0, 128)}`) // TOOL-15, ERR-20
  const earlier = earlierAnswers(call.inbound, server.sealer)
  return earlier === undefined
    ? runTool(server, call, { tool, earlier: {} })
    : earlier.then((answers) => runTool(server, call, { tool, earlier: answers }))
}

function runTool(
  server: Served,
  { dialect, sender, inbound, request, link }: Dispatched,
  { tool, earlier }: { readonly tool: ToolDefinition; readonly earlier: JsonObject },
): JsonObject | JsonText | Promise<JsonObject | JsonText> {
  const outcome = callTool({
    tool,
    args: inbound.given['arguments'],
    context: new CallContext({
      dialect,
      sender,
      inbound,
      request,
      peer: link.peer,
      sealer: server.sealer,
      initialized: link.initialized,
      earlier,
      logLevel: server.settings.logging ? wantedLevel(dialect, inbound, link) : undefined,
    }),
    logger: server.settings.logger,
    newId: server.newId,
  })
  return outcome instanceof Promise
    ? outcome.then((told) => dialect.encodeResult('tools/call', told, server.identity()))
    : dialect.encodeResult('tools/call', outcome, server.identity())
}

/** The least level of log messages that the client wants: of this request, or of its session. // LOG-05, LOG-06 */
function wantedLevel(
  dialect: Dialect,
  inbound: Inbound,
  link: LinkState,
): LoggingLevel | undefined {
  return dialect.traits.logLevel === 'request' ? inbound.logLevel : (link.logLevel ?? 'info')
}

async function answerListen(server: Served, call: Dispatched): Promise<JsonObject | JsonText> {
  const { dialect, inbound, request } = call
  const { capabilities } = server.identity()
  const result = await call.link.subscriptions.open(request, inbound.params, {
    dialect,
    capabilities,
  })
  return dialect.encodeResult(inbound.method, { kind: 'complete', result }, server.identity())
}

function setLevel(server: Served, { inbound, link, dialect }: Dispatched): JsonObject | JsonText {
  const { level } = inbound.params
  if (!isLoggingLevel(level)) throw invalidParams('Unknown log level') // ERR-20
  link.logLevel = level
  return dialect.encodeResult(inbound.method, { kind: 'complete', result: {} }, server.identity())
}
