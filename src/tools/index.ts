/** Tools as plain values, and their results as text. */

export { blockToText, humanBytes, resultToText } from './content.ts'
export { elicit, listRoots, sample, urlElicitationRequired } from './context.ts'
export type {
  AnswerTo,
  CacheHint,
  Completer,
  CompletionContext,
  Completions,
  ElicitQuestion,
  FeatureOptions,
  Question,
  RequestContext,
  RequestFacts,
  RootsQuestion,
  SampleQuestion,
  ToolContext,
  TraceContext,
  UrlVisit,
} from './context.ts'
export { defineTool, Reply, reply, ToolError } from './define.ts'
export type { TaskSupport, ToolDefinition, ToolOptions, ToolReply } from './define.ts'
export { displayName, hintsOf } from './display.ts'
export type { ToolHints } from './display.ts'
export { definePrompt } from './prompt.ts'
export type {
  PromptArgumentOptions,
  PromptDefinition,
  PromptMessageReply,
  PromptOptions,
  PromptReply,
  PromptValues,
} from './prompt.ts'
export { defineResource } from './resource.ts'
export type {
  ResourceContents,
  ResourceDefinition,
  ResourceOptions,
  ResourcePart,
  ResourceReply,
} from './resource.ts'
export { defineTemplate } from './template.ts'
export type { TemplateDefinition, TemplateOptions, TemplateVariables } from './template.ts'
export { resourceNotFound } from '../protocol/errors.ts'
export { hasTraversal } from '../formats/uri-template.ts'
