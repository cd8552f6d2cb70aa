/** The door of the host: many servers and native tools behind one list, one policy and one gate. For Node. */

export { configOf } from '../config/config.ts'
export type { Config, ConfigFile, HostSettings, PinningMode } from '../config/config.ts'
export type {
  EntryTimers,
  FlowLabel,
  ServerEntry,
  StartMode,
  StdioEntry,
  UrlEntry,
} from '../config/entry.ts'
export { loadConfig } from '../config/node/load.ts'
export type { Problem } from '../config/problem.ts'
export { decide } from '../policy/decide.ts'
export type { Act, Decision, PinState, ReasonKind } from '../policy/act.ts'
export { DEFAULT_POLICY } from '../policy/policy.ts'
export type { Condition, Policy, Rule, Verdict } from '../policy/policy.ts'
export { readPolicy } from '../policy/read.ts'
export type { ReadPolicy } from '../policy/read.ts'
export { markForModel } from '../policy/shown.ts'
export { aliasOf } from '../tools/names.ts'
export type { AuditRecord, AuditSink, DecidedBy, DecisionRecord, OutcomeRecord } from './audit.ts'
export { openAuditFile } from './audit-file.ts'
export type { AuditFileOptions } from './audit-file.ts'
export { lockPathOf, policyOf } from './config-policy.ts'
export { allowAll, denyAll } from './consent.ts'
export type {
  CallQuestion,
  Consent,
  ConsentAnswer,
  ConsentKind,
  ConsentRequest,
  SamplingQuestion,
  SamplingResultQuestion,
} from './consent.ts'
export { watchConfig } from './config-watch.ts'
export type { ConfigWatch, ConfigWatchOptions } from './config-watch.ts'
export { Host } from './host.ts'
export type { HostCallOptions, HostOptions } from './host-options.ts'
export type {
  HeldTool,
  HostTool,
  ServerInstructions,
  ToolChanges,
  ToolIdentity,
} from './host-tool.ts'
export { endOrphans, listJobs } from './jobs.ts'
export type { Job } from './jobs.ts'
export { LockFile, LOCK_FILE_NAME } from './lock-file.ts'
export type { Concern } from './question-warnings.ts'
export type { FormQuestion, HostAnswers, VisitQuestion } from './questions.ts'
export type { ReloadReport } from './registry.ts'
export type { Asker, SamplingGrant } from './sampling.ts'
export type { ServerState, ServerStatus, WhyKind } from './state.ts'
