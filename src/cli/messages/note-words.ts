/** What servers do wrong without failing, one sentence each, as one type that each language fills in. */

/** What is wrong, and whose texts it is about. Every text in it is short and safe for a terminal. */
export type Remark =
  | EntryRemark
  | { readonly kind: 'bad-contents'; readonly part: number; readonly uri: string }
  | { readonly kind: 'cursor-loop' | 'stale' | 'unexpected-request'; readonly method: string }
  /** Wire words of what was asked for and is not granted. */
  | { readonly kind: 'subscription-gaps'; readonly names: readonly string[] }
  | { readonly kind: 'duplicate' | 'unknown-id'; readonly id: string }
  | { readonly kind: 'error-without-id'; readonly message: string }
  /** `reason` is English, and absent where the text says it all. */
  | { readonly kind: 'malformed' | 'stray'; readonly text: string; readonly reason?: string }
  | { readonly kind: 'too-large'; readonly bytes: number }
  | { readonly kind: 'no-listening' | 'session-ignored'; readonly reason: string }
  | { readonly kind: 'not-accepted'; readonly isAnswer: boolean; readonly reason: string }
  /** There are more remarks of one kind. */
  | { readonly kind: 'more' }

/** An entry of a list. */
export interface EntryRemark {
  readonly kind: 'entry'
  readonly noun: EntryNoun
  /** Its place in the list, from 1. */
  readonly place: number
  /** What tells it from others; absent where it is not known. */
  readonly name?: string
  readonly fault: EntryFault
  /** In English. */
  readonly problem: string
}

export type EntryNoun = 'tool' | 'resource' | 'template' | 'prompt'

/** `left-out` for the reason in `problem`; `other` only `problem` says what it is. */
export type EntryFault =
  | 'nameless'
  | 'twice'
  | 'inputSchema'
  | 'outputSchema'
  | 'left-out'
  | 'other'

export interface NoteWords {
  /** Stands before each sentence. */
  readonly head: (server: string) => string
  /** Goes on behind the head, to a full stop. */
  readonly told: { readonly [Kind in Remark['kind']]: (remark: RemarkOf<Kind>) => string }
  /** Follows on the first sentence of a kind, where the author of the server is to blame. */
  readonly toAuthor: string
}

export type RemarkOf<Kind extends Remark['kind']> = Remark & { readonly kind: Kind }
