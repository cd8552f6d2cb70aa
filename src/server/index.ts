/** The server layer: offer tools, resources and prompts, answer in every revision, ask the client. */

export { Features } from './features.ts'
export type { ServerOptions } from './options.ts'
export { Server } from './server.ts'
export type { NotificationListener } from './server.ts'
export type { MethodContext, MethodFunction, Speaker } from './served.ts'
export { usedStatesInMemory } from './used-states.ts'
export type { UsedStates } from './used-states.ts'
