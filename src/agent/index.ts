/** The door of the agent: models behind one port, and a loop in which they call the tools of a host. */

export type {
  AssistantMessage,
  ImagePart,
  KeptItems,
  Message,
  ModelCall,
  Part,
  SystemMessage,
  TextPart,
  ToolMessage,
  UserMessage,
} from './conversation.ts'
export type {
  Effort,
  FinishReason,
  Model,
  ModelDelta,
  ModelLeg,
  ModelReply,
  ModelRequest,
  ModelTool,
  ModelTraits,
  ModelWarning,
  ReplyOptions,
  ToolChoice,
  Usage,
} from './model.ts'
export type {
  Codec,
  EncodedRequest,
  ErrorAnswer,
  ReadOptions,
  ReplyReader,
} from './models/codec.ts'
export { memoryArtifacts } from './artifacts.ts'
export type { ArtifactFacts, ArtifactLimits, ArtifactPart, ArtifactStore } from './artifacts.ts'
export { DEFAULT_RESULT_LIMITS, shownResult } from './results.ts'
export type { ResultLimits, ShownResult, ShownResultOptions } from './results.ts'
export { readArtifactTool } from './artifact-tool.ts'
export { ToolDiscovery } from './find-tools.ts'
export type { Discovered, DiscoveryOptions, ResolvedCall } from './find-tools.ts'
export type { Budget } from './budget.ts'
export type {
  AgentCall,
  AgentEnd,
  AgentEvent,
  AgentWarningKind,
  CallOutcome,
} from './events.ts'
export { runAgent } from './loop.ts'
export type { AgentOptions } from './loop-options.ts'
export { scriptedModel } from './models/scripted.ts'
export type {
  ReplyScript,
  ScriptedCall,
  ScriptedModel,
  ScriptedModelOptions,
  ScriptedReply,
} from './models/scripted.ts'
export { SYSTEM_TEXT } from './system-text.ts'
export { Transcript } from './transcript.ts'
export type { TranscriptOptions, TranscriptProblem } from './transcript.ts'
export { aiSdkTools } from './adapters/ai-sdk.ts'
export type { AiSdkModelOutput, AiSdkParts, AiSdkTool } from './adapters/ai-sdk.ts'
export { FailedToolError } from './adapters/foreign-call.ts'
export type { AdapterOptions, ForeignAnswer, ToolHost } from './adapters/foreign-call.ts'
export { langChainTools } from './adapters/langchain.ts'
export type {
  LangChainMessageFields,
  LangChainParts,
  LangChainToolFields,
} from './adapters/langchain.ts'
