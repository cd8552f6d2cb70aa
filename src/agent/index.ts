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
export type { AgentCall, AgentEnd, AgentEvent, AgentWarningKind, CallOutcome } from './events.ts'
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
export { PROVENANCE_TEXT } from './results-frame.ts'
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
export { ToolOffer } from './offered-tools.ts'
export type { LeftOutTool, OfferedTool, OfferedTools, ToolOfferOptions } from './offered-tools.ts'
export { projectSchema, withoutSyntheticNulls } from '../schema/project/project.ts'
export type { Loss, Projected, Projection, ProjectOptions } from '../schema/project/project.ts'
export type { SchemaDialect } from '../schema/project/dialect.ts'
export { anthropicCodec, anthropicTraits } from './models/anthropic-codec.ts'
export { chatCodec } from './models/chat-codec.ts'
export type { ChatFlavour } from './models/chat-flavour.ts'
export { DEEPSEEK, deepseekCodec, deepseekTraits } from './models/deepseek.ts'
export { isTooLong, modelFailure, saidFailure } from './models/model-failure.ts'
export type { FailedAnswer, SaidFailure } from './models/model-failure.ts'
export { ollamaCodec } from './models/ollama-codec.ts'
export type { OllamaOptions } from './models/ollama-codec.ts'
export { COMPATIBLE, LLAMACPP, OPENAI_CHAT, OPENROUTER, VLLM } from './models/openai-chat.ts'
export { MODEL_LIMITS, modelAt } from './models/post.ts'
export type { Endpoint, ModelFacts, ModelLimits } from './models/post.ts'
export type { KeyHeader } from './models/post-key.ts'
export { responsesCodec } from './models/responses-codec.ts'
export { MODEL_FACTS } from './model-data.ts'
export { knownOf, usualModelOf, withFacts } from './model-facts.ts'
export type { KnownModel, ModelFact, ModelFactTable } from './model-facts.ts'
export { modelFactsOf, nodeModelOf, pricesOf } from './node/models.ts'
export type { FoundModelFacts, FoundPrices } from './node/models.ts'
export { PRICES } from './price-data.ts'
export { costOf, priceOf, withPrices } from './prices.ts'
export type { CostOptions, ModelPrice, PeakHours, PricedModel, PriceTable } from './prices.ts'
export { modelOf, placeOf } from './providers.ts'
export type { FoundModel, ModelOptions, ModelPlace } from './providers.ts'
export { readModelFacts } from './read-model-facts.ts'
export type { ReadModelFacts } from './read-model-facts.ts'
export { readPrices } from './read-prices.ts'
export type { ReadPrices } from './read-prices.ts'
export type { TableFault } from './read-table.ts'
