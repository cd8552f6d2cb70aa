/**
 * What exactly happened, where several situations share a code: facts to tell an error by in any language.
 *
 * Types only. The English message says the same; nothing here is secret, and texts of a system or a peer are as they came.
 */

/** A connection that failed, was lost, or was never made. */
export interface TransportDetails {
  /** `reason` is what the system said. */
  readonly spawn: {
    readonly why: SpawnWhy
    readonly command: string
    readonly folder?: string | undefined
    readonly reason?: string
  }
  /** A process of this program itself, and how it ended. */
  readonly 'own-process': { readonly how: string }
  /** `output` is a line of its output that is no message, when nothing else came before it ended. */
  readonly exited: { readonly output?: string }
  readonly 'output-closed': object
  readonly 'input-closed': object
  readonly stalled: { readonly ms: number }
  readonly 'no-pong': { readonly ms: number }
  readonly lost: { readonly reason?: string | undefined }
  readonly closed: object
  /** Before there was a connection: whoever asked for it wants it no more. */
  readonly 'given-up': object
  readonly 'lost-often': { readonly tries: number }
  /** A code of RFC 6455, and the words of the far side. */
  readonly 'websocket-closed': { readonly code: number; readonly said: string }
  readonly 'message-too-large': { readonly limit: number }
  readonly 'sent-too-large': object
  readonly 'answer-too-large': { readonly bytes?: number; readonly limit?: number }
  readonly 'too-many-waiting': { readonly waiting: number; readonly running?: number }
  readonly backlog: { readonly messages: number; readonly bytes: number }
  /** `reason` is what the system said, `ms` how long there was no connection, `proxyStatus` what the proxy answered. */
  readonly 'not-reached': {
    readonly address: string
    readonly proxy?: string
    readonly reason?: string | undefined
    readonly ms?: number | undefined
    readonly proxyStatus?: number | undefined
  }
  readonly 'cannot-listen': { readonly address: string; readonly reason?: string }
  readonly 'broke-off': { readonly address: string; readonly reason?: string }
  readonly 'no-answer': { readonly address: string; readonly reason: string }
  readonly 'stream-lost': { readonly address: string; readonly tries: number }
  /** `said` is peer text; `hint` is what to do about the status; `oldWay` that the transport before it failed as well. */
  readonly 'http-status': {
    readonly address: string
    readonly status: number
    readonly phrase?: string | undefined
    readonly said?: string | undefined
    readonly hint?: StatusHint | undefined
    readonly seconds?: number | undefined
    readonly oldWay?: boolean
  }
  readonly 'session-gone': { readonly address: string }
  readonly redirect: {
    readonly why: 'away' | 'nowhere' | 'method' | 'circles' | 'hidden'
    readonly from: string
    readonly to?: string
  }
  readonly encoding: { readonly address: string; readonly encoding: string }
  readonly 'no-post-address': { readonly address: string }
  readonly 'not-accepted': { readonly address: string }
  readonly 'bad-request': { readonly reason: string }
}

export type SpawnWhy =
  | 'no-folder'
  | 'no-command'
  | 'not-executable'
  | 'open-files'
  | 'no-room'
  | 'too-long'
  | 'no-program'
  | 'unsafe'
  | 'system'

export type StatusHint = 'endpoint' | 'target' | 'size' | 'proxy' | 'later' | 'token' | 'rights'

/** A server among the others of a host, and the calls that go to it. */
export interface HostDetails {
  /** `why` is the kind of the status of the server, what it failed with is the cause. */
  readonly unavailable: { readonly why: string }
  readonly detached: object
  /** `place` is the file, with its line. */
  readonly unapproved: { readonly place: string }
  readonly 'waited-for-server': { readonly tool: string }
  readonly hangs: { readonly times: number }
  readonly 'no-start': { readonly why: NoStart; readonly launcher?: string | undefined }
  readonly 'question-took-long': object
  readonly 'task-took-long': { readonly task: string }
  /**
   * `reason` is that of a decision, `about` the argument that it is about, `brokenAt` the place in a policy that could not be read;
   * `said` are the words of the person who said no, `unanswered` why nobody answered.
   */
  readonly denied: {
    readonly tool: string
    readonly reason: string
    readonly by: string
    readonly about?: string | undefined
    readonly brokenAt?: string | undefined
    readonly said?: string | undefined
    readonly unanswered?: Unanswered | undefined
  }
  readonly 'not-recorded': { readonly tool: string; readonly reason: string }
  readonly 'changed-meanwhile': { readonly tool: string }
  readonly 'exchanged-meanwhile': { readonly tool: string }
  readonly altered: { readonly tool?: string }
  readonly unjudged: object
  readonly 'unknown-tool': { readonly tool: string }
  readonly 'arguments-odd': {
    readonly tool: string
    readonly why: 'no-object' | 'no-json' | 'too-long' | 'too-deep'
    readonly limit?: number
  }
}

/** Nobody is there; there is no terminal; the time for an answer was over; too many questions wait; the answer was none. */
export type Unanswered = 'nobody' | 'no-terminal' | 'late' | 'too-many' | 'odd'

export type NoStart = 'silent' | 'fetching' | 'program-silent' | 'idle'

/** What a language model, or its provider, did not do. Its status and words are facts of the error itself. */
export interface ModelDetails {
  readonly 'model-bad-key': object
  readonly 'model-no-key': { readonly variables: readonly string[] }
  /** `meant` is the status that the provider answered or, inside of an answer, would have. */
  readonly 'model-refusal': {
    readonly meant: number
    readonly inside: boolean
    readonly tooLong: boolean
    /** Of a key that is not accepted: an address of the user's own, and the variable that has the key or would have it. */
    readonly key?: {
      readonly address: string | undefined
      readonly variable: string
      readonly sent: boolean
    }
  }
  readonly 'model-too-large': { readonly limit: number }
  readonly 'model-too-much': object
  readonly 'model-no-reply': NoReply
  readonly 'model-no-list': object
  readonly 'model-cut': { readonly kept: boolean }
  readonly 'model-leaked': object
  readonly 'model-silent': {
    readonly provider: string
    readonly why: 'no-byte' | 'stopped' | 'too-slow'
  }
}

/** What is wrong with an answer that is no reply. */
export interface NoReply {
  readonly why: NoReplyWhy
  /** Of bytes, blocks or items, where it has more. */
  readonly limit?: number
  /** As the provider named it; empty where it did not. */
  readonly contentType?: string
}

/** `event` and `line` are parts of a stream, `piece` one of a block that never began. */
export type NoReplyWhy =
  | 'too-large'
  | 'too-many-blocks'
  | 'too-many-items'
  | 'no-utf8'
  | 'no-json'
  | 'no-choices'
  | 'no-message'
  | 'no-response'
  | 'event-too-large'
  | 'event-no-json'
  | 'line-no-utf8'
  | 'stray-piece'
  | 'odd'

/** Files of a configuration, a lock, a recording. */
export interface FileDetails {
  /** `limit` in bytes, values or levels; `reason` what a reader of TOML or the system said, or the kind that was found. */
  readonly 'file-unusable': {
    readonly why: FileFault
    readonly limit?: number
    readonly reason?: string
  }
  readonly 'file-unwritable': { readonly reason: string }
  /** `at` is the folder or file that is in the way of the one that was to be made, `reason` what the system said. */
  readonly 'folder-unmade': {
    readonly why: FolderFault
    readonly at: string
    readonly limit?: number
    readonly reason?: string
  }
  /** Grants of a person that are kept; the cause says what is wrong with the file. */
  readonly 'grants-unusable': object
  readonly 'entry-edit': {
    readonly server: string
    readonly why: 'there' | 'missing' | 'unchangeable'
  }
  readonly 'lock-unusable': {
    readonly why: 'no-json' | 'no-servers' | 'bad-server' | 'bad-pin'
    readonly server?: string
  }
  /** `reason` is what the system said. */
  readonly 'capture-unreadable': {
    readonly path: string
    readonly why: 'missing' | 'folder' | 'forbidden' | 'empty' | 'no-capture' | 'system'
    readonly reason?: string | undefined
  }
  readonly 'capture-unwritable': {
    readonly path: string
    readonly why: 'there' | 'link' | 'odd' | 'no-folder' | 'system'
    readonly reason?: string
  }
  readonly 'capture-no-append': {
    readonly path: string
    readonly why: 'no-record' | 'no-capture' | 'version' | 'redaction'
  }
  readonly 'session-file': {
    readonly path: string
    readonly why: 'no-file' | 'no-folder' | 'too-large'
    readonly limit?: number
  }
}

export type FolderFault = 'no-folder' | 'forbidden' | 'read-only' | 'too-deep' | 'system'

export type FileFault =
  | 'missing'
  | 'forbidden'
  | 'no-file'
  | 'too-large'
  | 'no-utf8'
  | 'too-many-values'
  | 'too-deep'
  | 'too-odd'
  | 'no-object'
  | 'system'
  | SyntaxFault

/** What is wrong at the line and column of a file of JSON, YAML or TOML. */
export type SyntaxFault =
  | 'no-json'
  | 'no-yaml'
  | 'no-toml'
  | 'bad-word'
  | 'bad-number'
  | 'needs-name'
  | 'needs-value'
  | 'needs-colon'
  | 'needs-comma'
  | 'needs-brace'
  | 'needs-bracket'
  | 'more-behind'
  | 'open-comment'
  | 'open-text'
  | 'bad-unicode'
  | 'bad-escape'
  | 'control-character'
  | 'alias-properties'
  | 'alias-unknown'
  | 'bad-indent'
  | 'bad-yaml-escape'
  | 'long-key'
  | 'block-inside'
  | 'not-closed'
  | 'several-documents'
  | 'much-too-deep'
  | 'tab-indent'
  | 'unexpected'

/** Words that cannot be meant: of a model, an address, a header. */
export interface UsageDetails {
  readonly 'model-no-place': { readonly provider: string; readonly variable: string }
  readonly 'model-unknown': { readonly words: string; readonly providers: readonly string[] }
  readonly 'model-unnamed': { readonly provider: string }
  readonly 'model-plain-http': { readonly host: string }
  readonly 'model-bad-url': { readonly why: 'no-url' | 'credentials' }
  readonly 'model-bad-context': { readonly variable: string; readonly value: string }
  readonly 'model-unpriced': { readonly model: string }
  readonly 'bad-address': {
    readonly what: 'server' | 'websocket' | 'proxy' | 'weather'
    readonly scheme?: string
  }
  readonly 'short-token': { readonly characters: number; readonly least: number }
  readonly 'bad-host': { readonly host: string }
  readonly 'bad-header': {
    readonly header: string
    readonly why: 'name' | 'ours' | 'value'
  }
  readonly 'bad-socket-path': { readonly limit?: number }
  readonly 'era-without-revision': { readonly era: string; readonly revisions: readonly string[] }
}

/** What the far side did against the protocol, and values that do not fit. */
export interface ProtocolDetails {
  readonly version: {
    readonly why: 'other' | 'unlisted' | 'no-modern' | 'none-in-common'
    readonly ours: readonly string[]
    readonly theirs?: readonly string[]
  }
  /**
   * What answers is no server: it repeats our requests (`echo`), or writes other text, `flood` without end, `silent` and then
   * nothing more. `output` is a line of that text.
   */
  readonly 'no-mcp': {
    readonly why: 'echo' | 'flood' | 'silent'
    readonly lines?: number
    readonly output?: string | undefined
  }
  readonly 'too-many-items': { readonly items: number; readonly pages: number }
  readonly 'too-many-questions': { readonly most: number }
  readonly misfit: { readonly what: 'arguments' | 'result' | 'form'; readonly tool?: string }
}

/** Every situation that is told apart, by its name. A name is never used for another meaning. */
export interface ErrorDetails
  extends TransportDetails, HostDetails, ModelDetails, FileDetails, UsageDetails, ProtocolDetails {
  /** The message is written in the language of the person already. */
  readonly told: object
}

export type ErrorDetailKind = keyof ErrorDetails

/** The facts of one situation, with its name. */
export type DetailOf<Kind extends ErrorDetailKind> = { readonly kind: Kind } & ErrorDetails[Kind]

export type ErrorDetail = { [Kind in ErrorDetailKind]: DetailOf<Kind> }[ErrorDetailKind]
