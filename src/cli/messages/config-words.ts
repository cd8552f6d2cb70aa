/** What `deep-pilot config` says, as one type that each language fills in. */

import type { Scope } from '../../config/entry.ts'
import type { ProblemWords } from '../../config/problem.ts'

export interface ConfigWords {
  readonly commands: ConfigCommandWords
  readonly options: ConfigOptionWords
  readonly faults: ConfigFaultWords
  readonly notes: ConfigNoteWords
  readonly checks: ConfigCheckWords
  readonly approve: ApproveWords
  /** Sentences for what is wrong with a file, by kind. */
  readonly problems: ProblemWords
}

/** One line a command and an argument. */
export interface ConfigCommandWords {
  readonly config: string
  readonly list: string
  readonly get: string
  readonly add: string
  readonly addMore: string
  readonly remove: string
  readonly import: string
  readonly importMore: string
  readonly explain: string
  readonly doctor: string
  readonly approve: string
  readonly approveMore: string
  readonly argumentName: string
  readonly argumentNames: string
  readonly argumentSource: string
  readonly argumentFiles: string
}

export interface ConfigOptionWords {
  readonly config: string
  readonly target: string
  readonly replace: string
  readonly env: string
  readonly cwd: string
  readonly url: string
  readonly header: string
  readonly transport: string
  readonly write: string
  readonly yes: string
  readonly revoke: string
}

export interface ConfigFaultWords {
  readonly unknownServer: (name: string, near: readonly string[], all: readonly string[]) => string
  readonly noTarget: string
  readonly twoTargets: string
  readonly unfitOption: (option: string, other: string) => string
  readonly badHeader: string
  readonly badTransport: (value: string) => string
  readonly unknownHost: (value: string, hosts: readonly string[]) => string
  readonly nothingHere: string
  readonly needsYes: (what: string) => string
  readonly notApproved: string
}

export interface ConfigNoteWords {
  readonly noServers: string
  readonly added: (name: string, file: string) => string
  readonly removed: (name: string, file: string) => string
  readonly literalSecret: (name: string) => string
  readonly problem: (
    severity: 'error' | 'warning',
    where: string,
    server: string | undefined,
    sentence: string,
  ) => string
  readonly found: (title: string, path: string, count: number) => string
  readonly noFiles: string
  readonly importHint: string
  readonly imported: (count: number, file: string) => string
  readonly skipped: (name: string, file: string) => string
  readonly wouldImport: (count: number, file: string) => string
  readonly backup: (path: string) => string
  readonly askImport: (count: number, file: string) => string
  readonly disabled: string
  readonly unapproved: string
  readonly ready: string
}

/** What `get`, `explain` and `doctor` name. */
export interface ConfigCheckWords {
  readonly where: string
  /** Names of what `get` shows. */
  readonly facts: Readonly<
    Record<'command' | 'env' | 'cwd' | 'url' | 'header' | 'start' | 'file', string>
  >
  readonly fact: (name: string, text: string) => string
  /** A wait, by the name that the configuration has for it. */
  readonly timer: (name: string) => string
  readonly scopes: Readonly<Record<Scope, string>>
  /** Behind a value: what it came from. */
  readonly origins: (sources: readonly string[]) => string
  /** What it is about, a place or a server, and what there is to say. */
  readonly at: (where: string, sentence: string) => string
  readonly from: {
    readonly literal: string
    readonly variable: (name: string) => string
    readonly default: (name: string) => string
    readonly input: (id: string) => string
    readonly folder: (name: string) => string
    readonly file: (path: string) => string
  }
  readonly builtIn: string
  readonly ok: string
  readonly warning: string
  readonly error: string
  readonly filesRead: (count: number) => string
  readonly commandFound: (command: string, path: string) => string
  readonly commandMissing: (command: string) => string
  readonly commandUnapproved: string
  readonly folderMissing: (path: string) => string
  readonly address: (url: string) => string
  readonly plainHttp: string
  readonly off: string
  readonly fine: string
  readonly faults: (errors: number, warnings: number) => string
}

export interface ApproveWords {
  readonly nothing: string
  readonly file: (path: string, sha256: string) => string
  readonly already: (path: string) => string
  readonly warning: string
  readonly server: (name: string) => string
  readonly expanded: string
  readonly unreadable: string
  readonly changed: string
  readonly fresh: string
  readonly unchanged: string
  readonly question: (path: string) => string
  readonly yes: string
  readonly no: string
  readonly approved: (path: string) => string
  readonly refused: (path: string) => string
  readonly revoked: (path: string, count: number) => string
}
