/** What `chat` and `run` say, as one type that each language fills in. */

import type { AgentEnd, AgentWarningKind } from '../../agent/events.ts'
import type { TableFault } from '../../agent/read-table.ts'
import type { SlashCommand } from '../chat/slash-commands.ts'
import type { OutcomeWords } from './outcome-words.ts'

export interface AgentWords {
  readonly commands: AgentCommandWords
  readonly options: AgentOptionWords
  readonly faults: AgentFaultWords
  readonly view: AgentViewWords
  readonly chat: ChatWords
  /** One line of help for each. */
  readonly slash: Readonly<Record<SlashCommand, string>>
}

/** One line a command and an argument. */
export interface AgentCommandWords {
  readonly chat: string
  readonly chatMore: string
  readonly run: string
  readonly runMore: string
  readonly argumentTask: string
}

/** One line an option. */
export interface AgentOptionWords {
  /** `providers` are the names that stand before a colon. */
  readonly model: (providers: readonly string[]) => string
  readonly baseUrl: string
  readonly insecureHttp: string
  readonly context: string
  readonly system: string
  readonly effort: string
  readonly maxOutput: string
  readonly noStream: string
  readonly budgetTurns: string
  readonly budgetCalls: string
  readonly budgetTokens: string
  readonly budgetUsd: string
  readonly budgetTime: string
  readonly discovery: string
  readonly strict: string
  readonly markResults: string
  readonly noSave: string
  readonly yes: string
  readonly resume: string
  readonly list: string
  readonly reasoning: string
  readonly json: string
  readonly deltas: string
}

export interface SessionFaultWords {
  readonly noSession: (wish: string, newest: readonly string[]) => string
  readonly noSessionYet: (folder: string) => string
  /** There are only sessions of `run`; their ids. */
  readonly noChatYet: (runs: readonly string[]) => string
  readonly severalSessions: (wish: string, ids: readonly string[]) => string
  readonly sessionOpen: (id: string, pid: number) => string
  readonly sessionsUnreadable: (folder: string, error: unknown) => string
  readonly sessionsUnwritable: (folder: string, error: unknown) => string
}

export interface AgentFaultWords extends SessionFaultWords {
  readonly noKey: (provider: string, variables: readonly string[]) => string
  /** The key in this variable is too short to be masked. */
  readonly shortKey: (variable: string) => string
  /** What of a user's own prices does not count; `problem` is the English sentence. */
  readonly price: (file: string, fault: TableFault, problem: string) => string
  /** The same for what a user knows of models. */
  readonly modelFact: (file: string, fault: TableFault, problem: string) => string
  /** In place of the name of its family, before the words that it was not reached. */
  readonly modelAwayTitle: string
  /** `why` is the English sentence, its address first and without a full stop. */
  readonly modelAway: (why: string) => string
  readonly badNumber: (option: string, value: string) => string
  readonly badWhole: (option: string, value: string) => string
  /** There is a limit in dollars for a model of unknown price; `file` is where prices are written down. */
  readonly noPrice: (
    model: { readonly provider: string; readonly name: string },
    file: string,
  ) => string
  readonly noTask: string
  readonly onlyJson: (option: string) => string
  readonly jsonAtTerminal: string
  /** Why was told with the call; what to do about it stands behind. */
  readonly deniedAtEnd: (tool: string) => string
}

/** What happens in a run, one line each. */
export interface AgentViewWords {
  readonly waiting: string
  readonly queued: string
  readonly thinking: (characters: number) => string
  /** `how` is what a person types to see it. */
  readonly thought: (characters: number, seconds: string, how: string) => string
  readonly writingCall: (name: string, characters: number) => string
  readonly again: string
  readonly retry: (
    seconds: string,
    failed: { readonly why: string; readonly error?: Error },
  ) => string
  readonly compacted: (messages: number) => string
  readonly toolsAdded: (names: readonly string[]) => string
  readonly toolsRemoved: (names: readonly string[]) => string
  readonly toolsChanged: (names: readonly string[]) => string
  readonly outcomes: OutcomeWords
  readonly badArguments: string
  /** `how` is what a person types to see them, if anything shows them. */
  readonly moreCharacters: (count: number, how?: string) => string
  readonly moreLines: (count: number, how?: string) => string
  readonly shownPart: (shown: string, all: string) => string
  /** Where all of a result is that was cut. */
  readonly wholeAt: (path: string) => string
  readonly forYou: string
  /** What a run warns of. `message` is the English sentence, which may hold peer text. */
  readonly warning: (warning: {
    readonly kind: AgentWarningKind
    readonly message: string
  }) => string
  readonly empty: string
  /** Behind the text of a reply that was interrupted. */
  readonly unfinished: string
  /** Why a run ended otherwise than with an answer. */
  readonly ends: Readonly<
    Record<Exclude<AgentEnd['reason'], 'done' | 'budget' | 'model-error'>, string>
  >
  readonly budgets: Readonly<Record<'turns' | 'tokens' | 'usd' | 'ms' | 'calls', string>>
  readonly spent: (facts: SpentFacts) => string
}

export interface SpentFacts {
  /** A part of the tokens, and so of the cost, is an estimate. */
  readonly estimated: boolean
  /** Requests that broke off before anything came: what they count is not known, and no part of the rest. */
  readonly uncounted: number
  readonly turns: number
  readonly input: number
  readonly cached: number | undefined
  readonly output: number
  /** Undefined where the price is not known. */
  readonly usd: string | undefined
  readonly seconds: string | undefined
}

/** The tools that a model is offered. */
export interface OfferedCount {
  readonly all: number
  /** Of them so many are of the program itself. */
  readonly builtIn: number
}

export interface ChatWords {
  readonly greeting: (model: string, tools: OfferedCount) => string
  readonly hint: string
  readonly noServers: string
  readonly unsaid: string
  /** `word` is empty where none was given. */
  readonly restartWhich: (word: string, servers: readonly string[]) => string
  readonly restarting: (server: string) => string
  readonly session: (id: string) => string
  readonly notSaved: string
  readonly resumed: (id: string, messages: number) => string
  /** Options of the model that nobody gave now, as they are typed. */
  readonly asBefore: (options: readonly string[]) => string
  /** Options of the model that are not what they were; undefined where one was not, or is not, given. */
  readonly notAsBefore: (
    changes: readonly {
      readonly option: string
      readonly was: string | undefined
      readonly now: string | undefined
    }[],
  ) => string
  readonly leftOutLines: (count: number) => string
  readonly earlier: string
  readonly earlierMore: (messages: number) => string
  readonly you: string
  readonly againToEnd: string
  readonly tooLong: string
  readonly interrupting: string
  readonly interrupted: string
  readonly bye: (id: string | undefined) => string
  readonly noModelList: string
  readonly unknownCommand: (word: string, near: readonly string[]) => string
  readonly helpKeys: string
  readonly noTools: string
  readonly noMatch: (filter: string) => string
  readonly toolTokens: (tools: OfferedCount, leftOut: number, tokens: number) => string
  readonly deferred: string
  readonly cost: (facts: SpentFacts) => string
  readonly window: (tokens: number, window: number) => string
  /** `word` is the path for a shell. */
  readonly captureAt: (path: string, word: string) => string
  readonly noCapture: string
  readonly model: (model: string) => string
  readonly modelNow: (model: string) => string
  readonly reasoningOn: string
  readonly reasoningOff: string
  readonly noReasoning: string
  readonly badReasoning: (word: string) => string
  readonly compacted: (messages: number) => string
  readonly nothingToCompact: string
  readonly cleared: string
  readonly noCalls: string
  /** `calls` are those that there are; at least one. */
  readonly noSuchCall: (call: string, calls: readonly string[]) => string
  readonly spentAll: (option: string) => string
  readonly noSessions: string
  readonly head: readonly [id: string, used: string, model: string, said: string, title: string]
}
