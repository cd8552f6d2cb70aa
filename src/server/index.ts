/** The server layer: offer tools, resources and prompts, answer in every revision, ask the client. */

export type { ServerExtension } from './extension.ts'
export { Features } from './features.ts'
export type { ServerOptions } from './options.ts'
export { Server } from './server.ts'
export type { NotificationListener } from './server.ts'
export type { MethodContext, MethodFunction, Speaker } from './served.ts'
export type { SkillContent, SkillOptions } from './skill-files.ts'
export { skillsExtension } from './skills.ts'
export type { SkillsOptions } from './skills.ts'
export { usedStatesInMemory } from './used-states.ts'
export type { UsedStates } from './used-states.ts'
