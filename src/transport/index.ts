/** The door of the transports that run anywhere. Those that need Node are behind `transport/node`. */

export { http, sse } from './http/fetch-client.ts'
export type { HttpOptions } from './http/way.ts'
export type { Authenticate } from './http/endpoint-options.ts'
export type { EventStore, StoredEvent } from './http/event-store.ts'
export type {
  HeaderLookup,
  HttpExchange,
  HttpFlight,
  HttpRequest,
  HttpSink,
} from './http/exchange.ts'
export type { HeaderSource, HttpHeaders } from './http/header-source.ts'
export type {
  HeaderFields,
  ReplyStream,
  RequestBody,
  ServerReply,
  ServerRequest,
} from './http/server-request.ts'
export type { SsePaths } from './http/sse-endpoint.ts'
export { memoryPair, memoryWire } from './memory.ts'
export type { MemoryMove, MemoryOptions, MemoryWire } from './memory.ts'
