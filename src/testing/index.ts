/** The door for other people's tests: of servers, of clients, of tools, of transports. For any test runner. */

export { linkContract } from './link-contract.ts'
export type { ContractCheck, ContractOptions, TransportPair } from './link-contract.ts'
export { pair } from './pair.ts'
export type { Pair } from './pair.ts'
export { runTwice } from './run-twice.ts'
export type { RanTwice, RunTwiceOptions, TestAnswers } from './run-twice.ts'
export { scriptedServer } from './scripted-server.ts'
export type {
  Script,
  ScriptedAnswer,
  ScriptedServer,
  ScriptedServerOptions,
  ScriptedStep,
} from './scripted-server.ts'
