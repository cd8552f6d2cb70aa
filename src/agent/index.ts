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
