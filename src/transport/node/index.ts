/** The door of the transports that need Node: child processes, this process as a server, and HTTP by Node's client. */

export { http, sse } from './http-client.ts'
export type { NodeHttpOptions } from './http-client.ts'
export type { TlsOptions } from './http-targets.ts'
export { stdio } from './stdio-client.ts'
export type { StdioOptions } from './stdio-client.ts'
export { stdioServer } from './stdio-server.ts'
export type { StdioServerOptions } from './stdio-server.ts'
