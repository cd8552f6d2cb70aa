/**
 * The main door, safe in a browser: connect as a client, offer tools as a server, and the words both use.
 * Transports that need Node are behind `deep-pilot/node`.
 */

export {
  AuthError,
  BugError,
  CancelledError,
  CapabilityError,
  describeError,
  HttpError,
  PilotError,
  ProtocolError,
  RpcError,
  RpcRefusal,
  SchemaError,
  TimeoutError,
  TransportError,
  UsageError,
} from './base/errors.ts'
export type {
  ErrorCode,
  ErrorFamily,
  IssueFacts,
  SchemaIssue,
  Sent,
  TimerName,
} from './base/errors.ts'
export type { DetailOf, ErrorDetail, ErrorDetailKind, ErrorDetails } from './base/error-detail.ts'
export type { JsonObject, JsonValue } from './base/json.ts'
export { createLogger } from './base/log.ts'
export type { Logger, LoggerOptions, LogLevel, LogRecord } from './base/log.ts'
export {
  applyDefaults,
  Client,
  connect,
  getSkill,
  isResourceNotFound,
  listSkills,
  readDirectory,
  readSkill,
  readSkillFile,
  refuse,
  resolveInSkill,
  ResponseCache,
  safeIcons,
} from './client/index.ts'
export type {
  AnswerContext,
  Answers,
  CachedCallOptions,
  CallOptions,
  Change,
  ChangeFilter,
  ClientOptions,
  ClientTimeouts,
  LinkChange,
  Completion,
  Discovery,
  FormContent,
  ListEntries,
  ListMethod,
  ListOptions,
  Pages,
  ReadSkill,
  ReadSkillFile,
  ResponseCacheOptions,
  SkillLimits,
  SkillList,
  SkillReadOptions,
} from './client/index.ts'
export { joinSinks, readingsOf } from './jsonrpc/wire.ts'
export type { AuthFacts, WireEvent, WireNote, WireSink } from './jsonrpc/wire.ts'
export type { Link, LinkPort, Transport } from './jsonrpc/link.ts'
export type { ClientFacts, ServerFacts } from './protocol/dialect.ts'
export type { Extension } from './protocol/extension.ts'
export { SKILLS_EXTENSION } from './protocol/extensions/skills.ts'
export type { SkillEntry, SkillFile } from './protocol/extensions/skills.ts'
export { TASKS_EXTENSION } from './protocol/extensions/tasks.ts'
export { REVISIONS } from './protocol/revision.ts'
export type { Era, Revision } from './protocol/revision.ts'
export type { TaskState, TaskStatus } from './protocol/types/tasks.ts'
export type { CallToolResult, ContentBlock, Tool } from './protocol/types/tools.ts'
export type { Schema } from './schema/index.ts'
export {
  bearerTokens,
  httpHandler,
  Server,
  skillsExtension,
  usedStatesInMemory,
} from './server/index.ts'
export type {
  AcceptOptions,
  HttpHandler,
  HttpServerOptions,
  MethodContext,
  MethodFunction,
  NotificationListener,
  ServerExtension,
  ServerOptions,
  SkillContent,
  SkillOptions,
  SkillsOptions,
  Speaker,
  TaskOptions,
  UsedStates,
} from './server/index.ts'
export {
  definePrompt,
  defineResource,
  defineTemplate,
  defineTool,
  displayName,
  elicit,
  hasTraversal,
  hintsOf,
  listRoots,
  reply,
  resourceNotFound,
  resultToText,
  sample,
  ToolError,
  urlElicitationRequired,
} from './tools/index.ts'
export type {
  CacheHint,
  Completer,
  CompletionContext,
  Completions,
  PromptArgumentOptions,
  PromptDefinition,
  PromptMessageReply,
  PromptOptions,
  PromptReply,
  RequestContext,
  RequestFacts,
  ResourceContents,
  ResourceDefinition,
  ResourceOptions,
  ResourcePart,
  ResourceReply,
  TaskSupport,
  TemplateDefinition,
  TemplateOptions,
  TemplateVariables,
  ToolContext,
  ToolDefinition,
  ToolHints,
  ToolOptions,
  ToolReply,
} from './tools/index.ts'
export { http, memoryPair, sse } from './transport/index.ts'
export type {
  Authenticate,
  EventStore,
  HeaderFields,
  HeaderSource,
  HttpExchange,
  HttpFlight,
  HttpHeaders,
  HttpOptions,
  HttpRequest,
  HttpSink,
  ReplyStream,
  RequestBody,
  ServerReply,
  ServerRequest,
  SsePaths,
  StoredEvent,
} from './transport/index.ts'
