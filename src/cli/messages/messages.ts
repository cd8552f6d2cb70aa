/**
 * Everything the command line says by itself, as one type that each language fills in completely.
 *
 * What servers say and the sentences of errors from lower layers are not here: they are shown as they come, behind
 * the leading words of the language.
 */

import type { ErrorFamily } from '../../base/errors.ts'

export type Language = 'en' | 'zh'

export interface Messages {
  readonly language: Language
  readonly help: HelpWords
  readonly commands: CommandWords
  readonly options: OptionWords
  readonly faults: FaultWords
  readonly notes: NoteWords
  readonly demo: DemoWords
  /** Leading words of an error, by where it comes from. */
  readonly families: Readonly<Record<ErrorFamily, string>>
}

/** The frame of a help text. */
export interface HelpWords {
  readonly usage: string
  readonly arguments: string
  readonly options: string
  readonly commonOptions: string
  readonly commands: string
  readonly examples: string
  readonly help: string
  readonly helpCommand: string
  readonly version: string
}

/** One line a command and an argument. */
export interface CommandWords {
  readonly program: string
  readonly demo: string
  readonly tools: string
  readonly call: string
  readonly callMore: string
  readonly serve: string
  readonly captures: string
  readonly capturesShow: string
  readonly argumentTool: string
  readonly argumentPairs: string
  readonly argumentServer: string
  readonly argumentFile: string
}

/** One line an option. */
export interface OptionWords {
  readonly lang: string
  readonly logLevel: string
  readonly logJson: string
  readonly json: string
  readonly args: string
  readonly check: string
  readonly trace: string
  readonly capture: string
  readonly existing: string
  readonly era: string
  readonly revision: string
  readonly timeout: string
  readonly totalTimeout: string
  readonly startTimeout: string
  readonly env: string
  readonly cwd: string
  readonly offline: string
}

/** What can be wrong with what was typed. Each says what, where, and what to do. */
export interface FaultWords {
  readonly unknownOption: (option: string, similar: string | undefined) => string
  /** Follows on `unknownOption` where no `--` was typed: the option may be one of the server's. */
  readonly serverOption: (example: string) => string
  readonly unknownCommand: (command: string, similar: string | undefined) => string
  readonly missingArgument: (name: string) => string
  readonly missingValue: (option: string) => string
  readonly badChoice: (option: string, value: string, choices: readonly string[]) => string
  readonly excessArguments: (words: string) => string
  readonly noSeparator: (command: string, word: string | undefined) => string
  readonly noServerCommand: (command: string) => string
  readonly strayServerCommand: (command: string) => string
  readonly badMilliseconds: (option: string, value: string) => string
  readonly badVariable: (value: string) => string
  readonly unsetVariable: (name: string) => string
  readonly badLogLevel: (value: string, place: string) => string
  readonly badLanguage: (value: string) => string
  readonly badPair: (word: string) => string
  readonly emptyName: (word: string) => string
  readonly givenTwice: (name: string) => string
  readonly wrongType: (name: string, value: string, types: string) => string
  readonly or: string
  readonly badJson: (place: string, problem: string) => string
  readonly notObject: (place: string, kind: string) => string
  readonly tooLarge: (place: string, megabytes: number) => string
  readonly tooDeep: (place: string, depth: number) => string
  readonly notUtf8: (place: string) => string
  readonly noFile: (path: string) => string
  readonly unreadableFile: (path: string, reason: string) => string
  readonly noFileName: string
  readonly standardInput: string
  readonly unknownTool: (name: string, near: readonly string[], all: readonly string[]) => string
  /** Words for what `jsonFault` finds. */
  readonly json: JsonFaultWords
}

export interface JsonFaultWords {
  readonly at: (line: number, column: number) => string
  readonly empty: string
  readonly end: string
  readonly unexpected: (found: string, expected: string) => string
  readonly value: string
  readonly name: string
  readonly colon: string
  readonly commaOrBrace: string
  readonly commaOrBracket: string
  readonly nothingMore: string
  readonly control: string
  readonly escape: string
}

/** Remarks on stderr. */
export interface NoteWords {
  readonly noTools: string
  readonly toolFailed: string
  readonly cancelled: string
  readonly cancelling: string
  readonly stderrTail: string
  readonly bug: string
  readonly captureLost: (path: string, count: number, reason: string) => string
  readonly moreDamage: (count: number) => string
  readonly gap: (count: number, reason: string) => string
}

export interface DemoWords {
  readonly intro: string
  readonly rootFolder: (path: string) => string
  readonly absent: string
  readonly filesystem: string
  readonly calculator: string
  readonly weather: string
  readonly calculatorModern: string
  readonly handshake: (server: string) => string
  readonly discovered: (server: string) => string
  readonly unnamed: string
  readonly revision: (revision: string, era: string) => string
  readonly tools: (count: number) => string
  readonly toolNames: (names: readonly string[]) => string
  readonly noFileHere: string
  readonly reading: (name: string) => string
  readonly first100: (text: string) => string
  readonly outside: (path: string) => string
  readonly toolError: (text: string) => string
  readonly noOutside: string
  readonly result: (call: string, text: string) => string
  readonly failed: (part: string) => string
  readonly outro: (parts: number, messages: number) => string
}
