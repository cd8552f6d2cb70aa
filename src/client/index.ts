/** The client layer: connect, call, list, listen, and answer what the server asks. */

export { ResponseCache } from './cache.ts'
export type { ResponseCacheOptions } from './cache.ts'
export type { CachedCallOptions } from './cached-call.ts'
export type { Change, ChangeFilter } from './change-queue.ts'
export { Client } from './client.ts'
export { connect } from './connect.ts'
export type { ListEntries, ListMethod } from './entries.ts'
export { applyDefaults } from './form-defaults.ts'
export type { FormContent } from './form-defaults.ts'
export { safeIcons } from './icons.ts'
export type {
  AnswerContext,
  Answers,
  CallOptions,
  ClientOptions,
  ClientTimeouts,
  LinkChange,
} from './options.ts'
export type { ListOptions, Pages } from './pages.ts'
export { isResourceNotFound } from './reads.ts'
export type { Completion } from './reads.ts'
export { refuse } from './refuse.ts'
export type { Discovery } from './session.ts'
export type { SkillLimits } from './skill-check.ts'
export {
  getSkill,
  listSkills,
  readDirectory,
  readSkill,
  readSkillFile,
  resolveInSkill,
} from './skills.ts'
export type { ReadSkill, ReadSkillFile, SkillList, SkillReadOptions } from './skills.ts'
