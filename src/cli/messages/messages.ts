/**
 * Everything the command line says by itself, as one type that each language fills in completely.
 *
 * What servers say is not here: it is shown as it comes, behind the leading words of the language. Errors of lower layers have an
 * English message; `told` makes the sentence of another language from the facts that they carry.
 */

import type { ErrorFamily, PilotError } from '../../base/errors.ts'
import type { Damage } from '../../capture/reader.ts'
import type { AgentWords } from './agent-words.ts'
import type { ConfigWords } from './config-words.ts'
import type { RecordedError, TellOptions } from './failure-words.ts'
import type { HostWords } from './host-words.ts'
import type { QuestionWords } from './question-words.ts'

export type Language = 'en' | 'zh'

export interface Messages {
  readonly language: Language
  readonly help: HelpWords
  readonly commands: CommandWords
  readonly options: OptionWords
  readonly faults: FaultWords
  readonly notes: NoteWords
  readonly discover: DiscoverWords
  readonly changes: ChangeWords
  readonly demo: DemoWords
  /** Those of `config`, which no other command loads. */
  readonly config: () => Promise<ConfigWords>
  /** Those of the commands over all servers of a configuration. */
  readonly host: () => Promise<HostWords>
  /** Those of the commands in which a model calls tools. */
  readonly agent: () => Promise<AgentWords>
  /** Those around what servers ask of a person. */
  readonly questions: () => Promise<QuestionWords>
  /** Leading words of an error, by where it comes from. */
  /** Between the name of a family and what was wrong. */
  readonly colon: string
  readonly families: Readonly<Record<ErrorFamily, string>>
  /** The number of an error behind its family. */
  readonly numbered: (code: number) => string
  /** An error in a sentence or two: what failed, where, what to do. What of it is peer text is not escaped. */
  readonly told: (error: PilotError, options?: TellOptions) => string
  /** An error of an earlier run, of which the message and mostly the code were written down. */
  readonly toldAgain: (error: RecordedError) => string
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
  readonly helpArgument: string
  readonly version: string
}

/** One line a command and an argument. */
export interface CommandWords {
  readonly program: string
  readonly demo: string
  readonly tools: string
  readonly call: string
  readonly callMore: string
  readonly resources: string
  readonly read: string
  readonly readMore: string
  readonly prompts: string
  readonly promptsMore: string
  readonly prompt: string
  readonly complete: string
  readonly discover: string
  readonly ping: string
  readonly pingMore: string
  readonly listen: string
  readonly listenMore: string
  readonly raw: string
  readonly rawMore: string
  readonly serve: string
  readonly serveMore: string
  readonly captures: string
  readonly capturesShow: string
  readonly argumentTool: string
  readonly argumentPairs: string
  readonly argumentUri: string
  readonly argumentPrompt: string
  readonly argumentTexts: string
  readonly argumentCompleted: string
  readonly argumentBeginning: string
  readonly argumentMethod: string
  readonly argumentParams: string
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
  readonly url: string
  readonly header: string
  readonly transport: string
  readonly templates: string
  readonly output: string
  readonly completePrompt: string
  readonly completeResource: string
  readonly context: string
  readonly listenTools: string
  readonly listenPrompts: string
  readonly listenResources: string
  readonly listenUri: string
  readonly offline: string
  readonly http: string
  readonly port: string
  readonly host: string
  readonly path: string
  readonly allowHost: string
  readonly tokenEnv: string
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
  /** The same where it is not known which of them are too many. */
  readonly tooManyArguments: (command: string) => string
  readonly noSeparator: (command: string, word: string | undefined) => string
  readonly noServerCommand: (command: string) => string
  readonly strayServerCommand: (command: string) => string
  readonly twoServers: string
  readonly badUrl: string
  readonly brokenUrl: string
  readonly unfitTransport: (transport: string, choices: readonly string[]) => string
  /** An option that this kind of server has no use for. */
  readonly unfitOption: (option: '-H' | '--env' | '--cwd') => string
  readonly badHeader: string
  readonly unsetHeaderVariable: (header: string, variable: string) => string
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
  readonly unreadableFile: (path: string, error: unknown) => string
  readonly noFileName: (place: string) => string
  readonly standardInput: string
  readonly unknownTool: (name: string, near: readonly string[], all: readonly string[]) => string
  readonly unknownPrompt: (name: string, near: readonly string[], all: readonly string[]) => string
  readonly badTextPair: (word: string) => string
  readonly namedTwice: (name: string) => string
  readonly onePromptOrResource: string
  /** A server to be listened to that declares no list of which it tells changes. */
  readonly tellsNoChanges: string
  /** The content of a resource. */
  readonly notBase64: string
  readonly binaryToTerminal: (what: string) => string
  readonly mixedContents: (count: number) => string
  readonly severalContents: (count: number) => string
  readonly fileExists: (path: string) => string
  readonly unwritableFile: (path: string, error: unknown) => string
  readonly badPort: (value: string) => string
  readonly onlyOverHttp: (option: string) => string
  /** The file of `--capture`. */
  readonly captureThere: (path: string) => string
  readonly onlyWithCapture: (option: string) => string
  /** Listening for other machines, without these options. */
  readonly openToOthers: (host: string, missing: readonly string[]) => string
  readonly unsetToken: (name: string) => string
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
  readonly noResources: string
  readonly noTemplates: string
  readonly noPrompts: string
  readonly noContents: string
  readonly content: (at: number, count: number, uri: string) => string
  readonly cut: (shown: number, all: number) => string
  readonly saved: (path: string, what: string) => string
  readonly noSuggestions: string
  readonly moreSuggestions: (shown: number, total: number | undefined) => string
  readonly pong: (name: string, ms: number, method: string) => string
  readonly listening: (what: string) => string
  readonly listenedToEnd: string
  readonly serving: (name: string, url: string) => string
  /** Said to whoever starts one on standard input and output by hand. */
  readonly waiting: (name: string) => string
  readonly toolFailed: string
  readonly cancelled: string
  readonly cancelling: string
  readonly stderrTail: string
  readonly bug: string
  readonly captureLost: (path: string, count: number, reason: string) => string
  /** What of a recording cannot be read. */
  readonly damage: (damage: Damage) => string
  readonly moreDamage: (count: number) => string
  readonly gap: (count: number, reason: string) => string
}

/** Names of what a server says of itself. */
export interface DiscoverWords {
  readonly server: string
  readonly website: string
  readonly about: string
  readonly revision: string
  readonly revisions: string
  readonly capabilities: string
  readonly extensions: string
  readonly instructions: string
  readonly none: string
  readonly more: (characters: number) => string
}

/** What can change on a server. */
export interface ChangeWords {
  readonly tools: string
  readonly prompts: string
  readonly resources: string
  /** Between the members of a list. */
  readonly comma: string
  readonly listChanged: (list: string) => string
  readonly oneChanged: (uri: string) => string
}

export interface DemoWords {
  readonly intro: (program: string) => string
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
