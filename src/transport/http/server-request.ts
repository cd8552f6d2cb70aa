/**
 * One HTTP request and its reply as an endpoint sees them, whatever carries them: Node's server, or a fetch handler.
 *
 * No objects of either are behind these names on the way of a call: a carrier fills in what it has at hand anyway.
 */

/** Header fields by lower-case name. */
export type HeaderFields = Readonly<Record<string, string>>

export interface ServerRequest {
  /** As it was sent: methods are told apart by case. */
  readonly method: string
  /** What stood in the request line: a path with its query, if nobody is up to something. */
  readonly target: string
  /** The address of the far side, where the carrier knows it. */
  readonly remote: string | undefined
  /** The port on which the request came in, where the carrier knows it. */
  readonly port: number | undefined
  /** A header by lower-case name. Sent more than once, its values are joined by `, `: also of those that must not be. */
  header(name: string): string | undefined
  /** The headers that begin with this lower-case prefix, by lower-case name. */
  headersWith(prefix: string): Record<string, string>
  /** Reads the body, once, and calls back once: also when there is none, but never when the far side goes away before its end. */
  readBody(maxBytes: number, done: (body: RequestBody) => void): void
}

export type RequestBody =
  | { readonly kind: 'text'; readonly text: string }
  /** `too-late`: it took longer than the carrier waits. */
  | { readonly kind: 'too-large' | 'not-utf8' | 'too-late' }

/** The reply to one request. Either `answer` or `stream` is called, once. Neither throws, also when nobody is there any more. */
export interface ServerReply {
  /** The whole reply. Without a body its length is told as 0, or not at all where the status has none. */
  answer(status: number, headers: HeaderFields, body?: string): void
  /** Begins a body that goes on. The head leaves at once. */
  stream(status: number, headers: HeaderFields): ReplyStream
  /** Calls back once when the far side has gone before the reply was whole. One listener. */
  onGone(listener: () => void): void
}

export interface ReplyStream {
  /** Bytes that were written and have not left, or an estimate of them. */
  readonly unsent: number
  write(text: string): void
  end(): void
  /** Breaks the connection off without waiting for what has not left. */
  cut(): void
}
