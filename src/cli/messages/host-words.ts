/** What the commands over all servers of a configuration say, as one type that each language fills in. */

import type { ConsentKind } from '../../host/consent.ts'
import type { HeldTool } from '../../host/host-tool.ts'
import type { ServerState, ServerStatus } from '../../host/state.ts'
import type { PinState, ReasonKind } from '../../policy/act.ts'
import type { Rule, Verdict } from '../../policy/policy.ts'
import type { PolicyProblemKind, PolicyProblemValues } from '../../policy/problem.ts'
import type { RefusalAdvice } from '../refusal-advice.ts'

export interface HostWords {
  readonly commands: HostCommandWords
  readonly options: HostOptionWords
  readonly faults: HostFaultWords
  readonly notes: HostNoteWords
  readonly states: Readonly<Record<ShownState, string>>
  /** Why a server is in its state. What of it is peer text is not escaped. */
  readonly why: (status: ServerStatus) => string
  readonly consent: ConsentWords
  readonly doctor: DoctorWords
  readonly policy: PolicyWords
  readonly pins: PinWords
  readonly jobs: JobWords
}

/** A state as people are told it: of what is disabled for a reason that they can do something about, the reason. */
export type ShownState = ServerState | 'switched-off' | 'unapproved'

/** One line a command and an argument. */
export interface HostCommandWords {
  readonly list: string
  readonly listMore: string
  readonly toolsMore: string
  readonly callMore: string
  readonly doctor: string
  readonly doctorMore: string
  readonly policy: string
  readonly policyCheck: string
  readonly policyCheckMore: string
  readonly policyTest: string
  readonly policyTestMore: string
  readonly policyGrants: string
  readonly policyGrantsMore: string
  readonly policyRevoke: string
  readonly policyRevokeMore: string
  readonly pin: string
  readonly pinMore: string
  readonly verify: string
  readonly verifyMore: string
  readonly ps: string
  readonly psMore: string
  readonly argumentServer: string
  readonly argumentCapture: string
  readonly argumentGrant: string
}

/** One line an option. */
export interface HostOptionWords {
  readonly config: string
  readonly yes: string
  readonly yesPin: string
  readonly schemas: string
  readonly frozen: string
  readonly captureServer: string
  readonly allGrants: string
  readonly end: string
}

export interface HostFaultWords {
  /** Follows on the words that no server was named, which end with an address, and ends their sentence. */
  readonly orConfigure: string
  readonly unknownServer: (name: string, near: readonly string[], all: readonly string[]) => string
  /** `near` and `count` of the tools that there are; undefined where no server is configured. */
  readonly unknownTool: (name: string, near: readonly string[], count: number | undefined) => string
  /** Two tools can be meant; their aliases say which. */
  readonly twoTools: (name: string, aliases: readonly string[]) => string
  /** An option that is about one server which is named behind `--` or by `--url`. */
  readonly onlyWithServer: (option: string, hasSetting: boolean) => string
  /** An option for the servers of a configuration, beside one that is named by itself. */
  readonly onlyWithConfig: (option: string) => string
  readonly disabled: (server: string) => string
  readonly unapproved: (server: string, file: string) => string
}

export interface HostNoteWords {
  /** `files` are those of `--config`. */
  readonly noServers: (files: readonly string[]) => string
  readonly tools: (count: number) => string
  readonly process: (pid: number) => string
  readonly starting: (servers: readonly string[]) => string
  /** A server that was there and is not; `state` and `why` as in a list. */
  readonly lost: (server: string, state: string, why: string) => string
  readonly back: (server: string) => string
  readonly notReady: (server: string, state: string, why: string) => string
  /** What of it is peer text is not escaped. */
  readonly held: (held: Omit<HeldTool, 'diff'>) => string
  readonly heldHint: (count: number) => string
  readonly native: string
  readonly yesGiven: (question: string) => string
  /** What there is to do about a call that was refused. */
  readonly advice: Readonly<Record<RefusalAdvice, string>>
}

/** The question before a call. */
export interface ConsentWords {
  readonly server: string
  readonly native: string
  readonly tool: string
  readonly alias: string
  readonly saysOfItself: string
  /** What a tool says of itself, where its server is not trusted. */
  readonly notBelieved: (said: string) => string
  readonly hints: {
    readonly readOnly: string
    readonly destructive: string
    readonly idempotent: string
    readonly openWorld: string
    readonly none: string
  }
  readonly comma: string
  readonly definition: string
  readonly pins: Readonly<Record<Exclude<PinState, 'approved'>, string>>
  readonly why: string
  /** By the stable word; `message` is the English sentence. */
  readonly reason: (reason: string, message: string) => string
  readonly rule: string
  /** A rule of which the English text is there. */
  readonly ruleText: (text: string) => string
  /** What is odd about a tool, of which the English sentence is there. */
  readonly warningText: (text: string) => string
  readonly because: string
  readonly flow: string
  readonly flowText: (source: string, sink: string) => string
  readonly warning: string
  readonly args: string
  readonly modelGets: string
  readonly modelWrote: string
  readonly mayCall: (tool: string, server: string | undefined) => string
  readonly mayRead: (server: string) => string
  readonly mayAskModel: (server: string) => string
  readonly mayHaveAnswer: (server: string) => string
  readonly more: string
  /** The request is shown anew below. */
  readonly again: string
  readonly morePages: (page: number, pages: number) => string
  readonly answers: Readonly<Record<ConsentKind | 'deny-because', string>>
  /** In their place where it is about the reading of a resource: a yes that lasts is for any of that server. */
  readonly readAnswers: Readonly<Record<'session' | 'always' | 'always-these-arguments', string>>
  readonly askReason: string
}

/** The steps of the checklist, in order. */
export type DoctorStep =
  | 'config'
  | 'command'
  | 'address'
  | 'start'
  | 'stderr'
  | 'handshake'
  | 'era'
  | 'lists'
  | 'ping'

export interface DoctorWords {
  readonly steps: Readonly<Record<DoctorStep, string>>
  readonly skipped: string
  readonly process: (pid: number) => string
  readonly nothing: string
  readonly off: string
  readonly project: string
  readonly projectDo: string
  readonly mend: string
  readonly missing: (command: string) => string
  readonly missingDo: string
  readonly noFolder: (path: string) => string
  readonly noFolderDo: string
  readonly startDo: string
  readonly reachDo: string
  readonly stderrLines: (count: number) => string
  readonly stderrMore: (count: number) => string
  readonly handshakeDo: string
  readonly authDo: string
  readonly era: (era: string, revision: string) => string
  readonly lists: (
    counts: readonly { readonly list: 'tools' | 'resources' | 'prompts'; readonly count: number }[],
  ) => string
  readonly noLists: string
  readonly listsDo: string
  readonly pingDo: string
  readonly pingOdd: string
  readonly doctorSays: (servers: number, failed: number, warned: number) => string
}

export interface PolicyWords {
  readonly grants: GrantWords
  readonly verdicts: Readonly<Record<Verdict | 'off', string>>
  /** What is wrong with a policy, without its place. */
  readonly problems: Readonly<Record<PolicyProblemKind, (values: PolicyProblemValues) => string>>
  readonly problemAt: (where: string, sentence: string) => string
  /** `told` is a problem with its place. */
  readonly problem: (severity: 'error' | 'warning', told: string) => string
  /** What `policy check` shows in place of a rule that could not be read. */
  readonly unreadable: (effect: Verdict, where: string) => string
  /** Why it was decided so, in few words. */
  readonly reasons: Readonly<Record<ReasonKind, string>>
  /** A rule as it is written, without its reason. */
  readonly rule: (rule: Rule) => string
  readonly because: (text: string) => string
  /** Tools that are known from the lock file and that a rule is about. */
  readonly about: (names: readonly string[], count: number) => string
  readonly aboutNone: string
  readonly noneKnown: string
  readonly otherwise: string
  readonly readOnly: string
  readonly flow: string
  readonly native: string
  readonly isDefault: string
  /** Behind a setting for which something else was written. */
  readonly isUnread: (where: string) => string
  readonly calls: (counts: Readonly<Record<Verdict, number>>) => string
  readonly noCalls: string
  readonly unknownServer: (name: string) => string
}

export interface GrantWords {
  readonly none: string
  readonly head: readonly [until: string, scope: string, tool: string]
  readonly anyArguments: string
  readonly theseArguments: (hash: string) => string
  /** Behind the name of a tool whose server is away. */
  readonly notConfigured: (name: string) => string
  /** Of the program itself. */
  readonly builtIn: (name: string) => string
  readonly hint: string
  readonly nameOrAll: string
  readonly noSuch: (name: string) => string
  readonly revoked: (count: number) => string
  /** What a host of another process makes of it. */
  readonly running: string
}

export interface PinWords {
  readonly same: (tools: number) => string
  readonly different: string
  /** Nothing of what was approved is different. */
  readonly onlyNew: (changes: number) => string
  readonly unreached: (why: string) => string
  readonly off: string
  /** Servers of a file that nobody approved, when they were to be compared. */
  readonly unapproved: (servers: readonly string[]) => string
  /** The same, when they were to be approved. */
  readonly approveFirst: (server: string) => string
  readonly noServers: string
  readonly noLock: (path: string) => string
  /** Entries or files that cannot be read; each is told of beside. */
  readonly faults: (count: number) => string
  readonly newTool: string
  readonly changedTool: string
  readonly goneTool: string
  /** `what` is one of the three before. */
  readonly change: (tool: string, what: string) => string
  readonly neverPinned: (tools: number) => string
  readonly launchChanged: string
  readonly instructions: string
  readonly warning: (text: string) => string
  readonly question: (server: string) => string
  readonly yes: string
  readonly no: string
  readonly approved: (server: string, tools: number, file: string) => string
  readonly kept: (server: string) => string
  readonly needsYes: string
  readonly drift: (count: number) => string
  /** Servers that have something nobody approved, and nothing that is different. */
  readonly fresh: (servers: number) => string
  readonly noDrift: (servers: number) => string
}

export interface JobWords {
  readonly none: string
  readonly head: readonly [
    pid: string,
    server: string,
    host: string,
    age: string,
    state: string,
    command: string,
  ]
  readonly running: string
  readonly orphan: string
  readonly gone: string
  readonly ended: (count: number) => string
  readonly orphans: (count: number) => string
}
