/** Tools as plain values, and their results as text. */

export { blockToText, humanBytes, resultToText } from './content.ts'
export { elicit, listRoots, sample } from './context.ts'
export type {
  AnswerTo,
  ElicitQuestion,
  Question,
  RootsQuestion,
  SampleQuestion,
  ToolContext,
} from './context.ts'
export { defineTool, Reply, reply, ToolError } from './define.ts'
export type { ToolDefinition, ToolOptions, ToolReply } from './define.ts'
export { displayName, hintsOf } from './display.ts'
export type { ToolHints } from './display.ts'
