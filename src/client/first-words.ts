/**
 * What comes from the far side before it is known how it speaks, and what that says when no connection comes of it.
 *
 * A program that is no server at all shows itself here: by our own request that comes back, or by text that is no message.
 * Some such text is borne, as servers print banners; no end of it is not.
 */

import {
  HttpError,
  ProtocolError,
  TimeoutError,
  TransportError,
  type ErrorFacts,
  type PilotError,
} from '../base/errors.ts'
import type { Request, RequestId } from '../jsonrpc/message.ts'

/** Lines that are no message, and characters in them, that are borne before the first answer. */
const MAX_LINES = 10_000
const MAX_CHARACTERS = 1024 * 1024
/** Of a line that is no message, so much is kept for errors. */
const EXCERPT = 200

export class FirstWords {
  readonly #server: string
  readonly #asked = new Map<RequestId, string>()
  #lines = 0
  #characters = 0
  #first: string | undefined
  #verdict: ProtocolError | undefined

  /** `server` is the name of the transport. */
  constructor(server: string) {
    this.#server = server
  }

  /** A request of ours went out. There are a few of these at most. */
  asked(id: RequestId, method: string): void {
    this.#asked.set(id, method)
  }

  /** The error to end with when a request is one of our own that came back. No server asks what we asked, under its id. */
  echoIn({ id, method }: Request): ProtocolError | undefined {
    if (this.#asked.get(id) !== method) return undefined
    this.#verdict = new ProtocolError(
      'DP_PROTOCOL_MESSAGE',
      `"${this.#server}" repeats what it is sent, and speaks no MCP. Name the program that is the MCP server. ` +
        'One that runs on a terminal, as with docker run -t or ssh -t, is heard without it: leave out -t.',
      { server: this.#server, method, id, detail: { kind: 'no-mcp', why: 'echo' } },
    )
    return this.#verdict
  }

  /** A line came that is no message. Gives the error to end with when there were too many of them. */
  stray(text: string): ProtocolError | undefined {
    this.#lines += 1
    this.#characters += text.length
    if (this.#first === undefined && text.trim() !== '') this.#first = text.trim().slice(0, EXCERPT)
    if (this.#lines <= MAX_LINES && this.#characters <= MAX_CHARACTERS) return undefined
    const lines = this.#lines
    this.#verdict ??= new ProtocolError(
      'DP_PROTOCOL_MESSAGE',
      `"${this.#server}" writes without end what is no MCP message (${lines} lines so far)${this.#said()}. Name the program that is the MCP server.`,
      {
        requirement: 'STDIO-21',
        server: this.#server,
        detail: { kind: 'no-mcp', why: 'flood', lines, output: this.#first },
      },
    )
    return this.#verdict
  }

  /** Why there is no connection: what was found here, else the error with what was heard. */
  explain(error: unknown): unknown {
    if (this.#verdict !== undefined) return this.#verdict
    if (error instanceof TimeoutError) return this.#silence(error)
    if (error instanceof TransportError && !(error instanceof HttpError)) return this.#loss(error)
    return error
  }

  #silence(error: TimeoutError): TimeoutError {
    const { timer, ms, setBy, sinceProgressMs, sent, method = 'the first request' } = error
    return new TimeoutError(
      `"${this.#server}" did not answer ${method} within ${ms} ms, the limit of its start (set by ${setBy}).${this.#heard()} See its stderr, or raise the limit.`,
      {
        ...this.#whereOf(error),
        timer,
        ms,
        setBy,
        sinceProgressMs,
        ...(sent !== undefined && { sent }),
        ...(this.#lines > 0 && { detail: { kind: 'no-mcp', why: 'silent', output: this.#first } }),
      },
    )
  }

  /** That of the connection itself: which request it left unanswered says nothing while there was none before. */
  #loss(error: TransportError): TransportError {
    const { message } = error.cause instanceof TransportError ? error.cause : error
    const { code, exitCode, signal, stderr, sent, detail } = error
    const output = detail?.kind === 'exited' && this.#lines > 0 ? this.#first : undefined
    return new TransportError(
      code as 'DP_TRANSPORT_EXIT', // TransportError takes no code of another family
      `${message}${this.#heard()}`,
      {
        ...this.#whereOf(error),
        exitCode,
        signal,
        stderr,
        ...(sent !== undefined && { sent }),
        detail: output === undefined ? detail : { kind: 'exited', output },
      },
    )
  }

  #whereOf(error: PilotError): ErrorFacts & { readonly cause: unknown } {
    const { server = this.#server, method, id, cause = error } = error
    return {
      server,
      cause,
      ...(method !== undefined && { method }),
      ...(id !== undefined && { id }),
    }
  }

  #heard(): string {
    if (this.#lines === 0) return ''
    return ` What it wrote to its output is no MCP message${this.#said()}.`
  }

  #said(): string {
    return this.#first === undefined ? '' : `: "${this.#first}"`
  }
}
