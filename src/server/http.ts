/**
 * A server behind HTTP, as its owner holds it. What answers is loaded when the first handler is made (`http-serving.ts`):
 * requests that come sooner wait for it, a bounded number of them.
 */

import type { EndpointOptions } from '../transport/http/endpoint-options.ts'
import { checkGuardOptions } from '../transport/http/guard-options.ts'
import type { ServerReply, ServerRequest } from '../transport/http/server-request.ts'
import type { HttpServing } from './http-serving.ts'
import type { Server } from './server.ts'

export interface HttpServerOptions extends Omit<EndpointOptions, 'anyHost'> {
  /**
   * Accepts any `Host` when `allowedHosts` is not given. For a server behind something else that looks at it; a browser on
   * the machine can otherwise be made to call it by any page. Default false.
   */
  readonly dangerouslyOpen?: boolean | undefined
}

/** A server that answers HTTP requests, in every revision that it serves. */
export interface HttpHandler {
  /** Answers one request. For runtimes and frameworks that speak in `Request` and `Response`. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Takes one request from a carrier of another kind: `nodeListener` calls this. Never throws. */
  handle(request: ServerRequest, reply: ServerReply): void
  /** Sessions that live. */
  readonly sessions: number
  /** Ends sessions and streams in order; requests that come later are refused. May be called more than once. */
  close(): Promise<void>
}

/** Requests that may wait while everything is loaded, which takes some milliseconds. */
const MAX_WAITING = 4096

/**
 * Puts a server behind HTTP. Closed by default: only calls to this machine by its own names, and no pages but its own. One
 * server may have several handlers, and other links beside them. Throws `UsageError` for a host or an origin that could
 * never match.
 */
export function httpHandler(server: Server, options: HttpServerOptions = {}): HttpHandler {
  checkGuardOptions(options)
  return new LoadedHandler(server, options)
}

class LoadedHandler implements HttpHandler {
  readonly #server: Server
  /** Whose links are ended when this handler is closed. */
  readonly #group = {}
  readonly #loading: Promise<HttpServing>
  #loaded: HttpServing | undefined
  #waiting = 0
  #closing: Promise<void> | undefined

  constructor(server: Server, options: HttpServerOptions) {
    this.#server = server
    this.#loading = this.#load(options)
    this.#loading.catch(() => undefined) // told to every request
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    try {
      const { fetch } = this.#loaded ?? (await this.#loading)
      return await fetch(request)
    } catch {
      return new Response(null, { status: 500 })
    }
  }

  handle(request: ServerRequest, reply: ServerReply): void {
    if (this.#loaded === undefined) this.#handleLater(request, reply)
    else this.#loaded.endpoint.handle(request, reply)
  }

  get sessions(): number {
    return this.#loaded?.endpoint.sessions ?? 0
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #load({ dangerouslyOpen = false, ...rest }: HttpServerOptions): Promise<HttpServing> {
    const { serveEndpoint } = await import('./http-serving.ts')
    const anyHost = dangerouslyOpen && rest.allowedHosts === undefined
    this.#loaded = serveEndpoint(this.#server, { ...rest, anyHost }, this.#group)
    return this.#loaded
  }

  #handleLater(request: ServerRequest, reply: ServerReply): void {
    if (this.#waiting >= MAX_WAITING) return reply.answer(503, { 'retry-after': '1' })
    this.#waiting += 1
    this.#loading.then(
      ({ endpoint }) => endpoint.handle(request, reply),
      () => reply.answer(500, {}),
    )
  }

  async #close(): Promise<void> {
    const { endpoint } = this.#loaded ?? (await this.#loading)
    endpoint.shut()
    await this.#server.close(this.#group)
    await endpoint.close()
  }
}
