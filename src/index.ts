/**
 * The main door, safe in a browser: connect as a client, offer tools as a server, and the words both use.
 * Transports that need Node are behind `deep-pilot/node`.
 */

export {
  AuthError,
  BugError,
  CancelledError,
  CapabilityError,
  describeError,
  HttpError,
  PilotError,
  ProtocolError,
  RpcError,
  RpcRefusal,
  SchemaError,
  TimeoutError,
  TransportError,
  UsageError,
} from './base/errors.ts'
export type { ErrorCode, ErrorFamily, SchemaIssue, Sent, TimerName } from './base/errors.ts'
export type { JsonObject, JsonValue } from './base/json.ts'
export { createLogger } from './base/log.ts'
export type { Logger, LoggerOptions, LogLevel, LogRecord } from './base/log.ts'
export { Client, connect } from './client/index.ts'
export type {
  AnswerContext,
  Answers,
  CallOptions,
  Change,
  ChangeFilter,
  ClientOptions,
  ClientTimeouts,
  ListOptions,
} from './client/index.ts'
export { joinSinks, readingsOf } from './jsonrpc/wire.ts'
export type { WireEvent, WireNote, WireSink } from './jsonrpc/wire.ts'
export type { Link, LinkPort, Transport } from './jsonrpc/link.ts'
export type { ClientFacts, ServerFacts } from './protocol/dialect.ts'
export { REVISIONS } from './protocol/revision.ts'
export type { Era, Revision } from './protocol/revision.ts'
export type { CallToolResult, ContentBlock, Tool } from './protocol/types/tools.ts'
export type { Schema } from './schema/index.ts'
export { Server } from './server/index.ts'
export type { MethodContext, MethodFunction, ServerOptions } from './server/index.ts'
export {
  defineTool,
  displayName,
  elicit,
  hintsOf,
  listRoots,
  reply,
  resultToText,
  sample,
  ToolError,
} from './tools/index.ts'
export type {
  ToolContext,
  ToolDefinition,
  ToolHints,
  ToolOptions,
  ToolReply,
} from './tools/index.ts'
export { http, memoryPair, sse } from './transport/index.ts'
export type {
  HeaderSource,
  HttpExchange,
  HttpFlight,
  HttpHeaders,
  HttpOptions,
  HttpRequest,
  HttpSink,
} from './transport/index.ts'
