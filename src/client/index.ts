/** The client layer: connect, call, list, listen, and answer what the server asks. */

export { answerQuestion } from './answers.ts'
export type { Change, ChangeFilter } from './change-queue.ts'
export { Client } from './client.ts'
export { connect } from './connect.ts'
export type {
  AnswerContext,
  Answers,
  CallOptions,
  ClientOptions,
  ClientTimeouts,
} from './options.ts'
export type { ListOptions } from './pages.ts'
