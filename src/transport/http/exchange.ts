/**
 * The port through which every HTTP request of this package goes: one request out, one answer in, by callbacks.
 *
 * `fetch-exchange` fulfils it anywhere, `node/http-exchange` over Node's own client. It follows no redirects, adds no
 * credentials, keeps no cookies, and knows nothing of what is asked for.
 */

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Absolute, without credentials and fragment. */
  readonly url: string
  /** By lower-case name; values are of visible ASCII and blanks. `host` and `content-length` are not among them. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** One header of an answer by its lower-case name; several of one name are joined by commas. */
export type HeaderLookup = (name: string) => string | undefined

/**
 * Who hears of one exchange. Called in the order of the members, never within `exchange` itself, and never after `abort`.
 * Of `end` and `failed` exactly one comes, as the last. None may throw.
 */
export interface HttpSink {
  /** From now on the far side may know of the request. */
  sending?(): void
  /** The carrier has taken the request whole. An answer may begin before, and then this may not come at all. */
  left?(): void
  head(status: number, header: HeaderLookup): void
  /** The array is the sink's to keep. */
  data(bytes: Uint8Array): void
  end(): void
  /** A `TransportError` whose `sent` is `yes` once there was a head. */
  failed(error: Error): void
}

/** One exchange under way. */
export interface HttpFlight {
  /** Ends it at once and frees its connection. May be called more than once. */
  abort(): void
  /** No more data until `resume`; what was read already may still come. */
  pause(): void
  resume(): void
}

/** Begins an exchange. Never throws. An answer may take as long as it likes: only reaching the far side is timed. */
export interface HttpExchange {
  (request: HttpRequest, sink: HttpSink): HttpFlight
  /** Lets go of all connections; what is under way fails. May be called more than once. */
  readonly close?: () => void
}
