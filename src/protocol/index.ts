/** The door of the protocol layer: the neutral model, the dialects, and the first words. */

export {
  capabilityAt,
  declares,
  elicitationModes,
  missingCapability,
  missingForInput,
} from './capability.ts'
export type { Declared } from './capability.ts'
export {
  MAX_CAPABILITIES,
  MAX_DESCRIPTION,
  MAX_ICON_SOURCE,
  MAX_ICONS,
  MAX_INSTRUCTIONS,
  MAX_NAME,
  readClientCapabilities,
  readImplementation,
  readServerCapabilities,
  readServerFacts,
} from './decode.ts'
export type {
  Call,
  ClientFacts,
  ClientIdentity,
  Dialect,
  Inbound,
  InputRequest,
  MethodRule,
  MethodTable,
  Opening,
  OpenOptions,
  Outcome,
  ServerFacts,
  ServerIdentity,
  Traits,
} from './dialect.ts'
export { dialectFor, DIALECTS, NEWEST_LEGACY, NEWEST_MODERN } from './dialects/index.ts'
export { envelopeRevision } from './envelope.ts'
export {
  HEADER_MISMATCH,
  invalidParams,
  isResourceNotFound,
  MAX_VERSIONS,
  methodNotFound,
  MISSING_CLIENT_CAPABILITY,
  missingClientCapability,
  MODERN_CODES,
  RESOURCE_NOT_FOUND,
  resourceNotFound,
  supportedIn,
  UNSUPPORTED_VERSION,
  unsupportedVersion,
  URL_ELICITATION_REQUIRED,
} from './errors.ts'
export {
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  LOG_LEVEL_KEY,
  metaOf,
  PROGRESS_TOKEN_KEY,
  PROTOCOL_VERSION_KEY,
  SERVER_INFO_KEY,
  SUBSCRIPTION_ID_KEY,
} from './meta.ts'
export { ASKING_METHODS, CACHEABLE_METHODS, INPUT_METHODS, LIST_MEMBERS } from './methods.ts'
export { MAX_INPUT_REQUESTS } from './modern-result.ts'
export { negotiate } from './negotiate.ts'
export type { Agreement, EraWish } from './negotiate.ts'
export { readProbe } from './probe.ts'
export type { Conclusion, ProbeOutcome, ProbeWish } from './probe.ts'
export {
  eraOf,
  isRevision,
  LEGACY_REVISIONS,
  MODERN_REVISIONS,
  newestCommon,
  REVISIONS,
} from './revision.ts'
export type { Era, Revision } from './revision.ts'
export { isLoggingLevel, LOGGING_LEVELS, severityOf } from './types/common.ts'
export type {
  Annotations,
  CacheScope,
  ClientCapabilities,
  ClientTasksCapability,
  Cursor,
  ElicitationCapability,
  Icon,
  Implementation,
  ListChangedCapability,
  LoggingLevel,
  Open,
  PageResult,
  Progress,
  ProgressToken,
  ResourcesCapability,
  Role,
  RootsCapability,
  SamplingCapability,
  ServerCapabilities,
  ServerTasksCapability,
} from './types/common.ts'
export { MAX_COMPLETION_VALUES } from './types/completion.ts'
export type { CompleteParams, CompleteResult, CompletionReference } from './types/completion.ts'
export type {
  BooleanSchema,
  ElicitFormParams,
  ElicitParams,
  ElicitResult,
  ElicitSchema,
  ElicitUrlParams,
  ElicitValue,
  MultiSelectSchema,
  NumberSchema,
  PrimitiveSchema,
  StringSchema,
  TitledValue,
} from './types/elicitation.ts'
export type { LoggingMessage } from './types/logging.ts'
export type {
  GetPromptParams,
  GetPromptResult,
  ListPromptsResult,
  Prompt,
  PromptArgument,
  PromptMessage,
} from './types/prompts.ts'
export type {
  BlobResourceContents,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  TextResourceContents,
} from './types/resources.ts'
export type { ListRootsResult, Root } from './types/roots.ts'
export type {
  CreateMessageParams,
  CreateMessageResult,
  ModelPreferences,
  SamplingBlock,
  SamplingMessage,
  ToolChoice,
  ToolResultContent,
  ToolUseContent,
} from './types/sampling.ts'
export type { SubscriptionFilter, SubscriptionsAcknowledged } from './types/subscriptions.ts'
export type {
  CreateTaskResult,
  ListTasksResult,
  Task,
  TaskMetadata,
  TaskStatus,
} from './types/tasks.ts'
export type {
  AudioContent,
  CallToolParams,
  CallToolResult,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ListToolsResult,
  ResourceLink,
  TextContent,
  Tool,
  ToolAnnotations,
  ToolExecution,
} from './types/tools.ts'
