/** The door of the transports that need Node: child processes, this process as a server, HTTP by Node's client, sockets and WebSockets. */

export { http, sse } from './http-client.ts'
export type { NodeHttpOptions } from './http-client.ts'
export { nodeListener } from './http-listener.ts'
export type { TlsOptions } from './http-targets.ts'
export { stdio } from './stdio-client.ts'
export type { StdioOptions } from './stdio-options.ts'
export { stdioServer } from './stdio-server.ts'
export type { StdioServerOptions } from './stdio-server.ts'
export { unixSocket } from './socket.ts'
export { serveUnixSocket } from './socket-server.ts'
export type {
  UnixSocketOptions,
  UnixSocketServer,
  UnixSocketServerOptions,
} from './socket-options.ts'
export { webSocket } from './websocket.ts'
export type {
  WebSocketOptions,
  WebSocketServer,
  WebSocketServerOptions,
} from './websocket-options.ts'
export { serveWebSocket } from './websocket-server.ts'
