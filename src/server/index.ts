/** The server layer: offer tools, answer in every revision, ask the client. */

export type { MethodContext, MethodFunction } from './dispatch.ts'
export { Features } from './features.ts'
export type { ServerOptions } from './options.ts'
export { Server } from './server.ts'
