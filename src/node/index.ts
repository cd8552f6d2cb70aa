/** What needs Node: servers as child processes, this process as a server, sockets and WebSockets, and files of captures. */

export {
  http,
  nodeListener,
  serveUnixSocket,
  serveWebSocket,
  sse,
  stdio,
  stdioServer,
  unixSocket,
  webSocket,
} from '../transport/node/index.ts'
export type {
  NodeHttpOptions,
  StdioOptions,
  StdioServerOptions,
  TlsOptions,
  UnixSocketOptions,
  UnixSocketServer,
  UnixSocketServerOptions,
  WebSocketOptions,
  WebSocketServer,
  WebSocketServerOptions,
} from '../transport/node/index.ts'
export { serveHttp } from '../server/node/serve-http.ts'
export type { ServedHttp, ServeHttpOptions } from '../server/node/served-http.ts'
export { openCapture, readCaptureFile } from '../capture/node/open.ts'
export type { CaptureFile, OpenCaptureOptions } from '../capture/node/file.ts'
