/** The door of the transports that need Node: a server as a child process, and this process as a server. */

export { stdio } from './stdio-client.ts'
export type { StdioOptions } from './stdio-client.ts'
export { stdioServer } from './stdio-server.ts'
export type { StdioServerOptions } from './stdio-server.ts'
