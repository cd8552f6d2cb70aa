/**
 * The two addresses of the old HTTP+SSE transport: one for the stream, one for what the client says. // HSSE-01, HSSE-06
 *
 * The endpoint that it belongs to has made sure who comes, and reads bodies; here streams are opened and found again.
 */

import type { Posted } from './posted.ts'
import type { Sessions } from './sessions.ts'
import { SseLink } from './sse-link.ts'
import type { Refusal, Visit } from './visit.ts'

export interface SsePaths {
  /** Where the stream is opened. Default `/sse`. */
  readonly path?: string
  /** Where messages are POSTed. Default `/messages`. */
  readonly messagesPath?: string
}

const UNKNOWN: Refusal = {
  status: 404,
  reason: 'There is no such session, or it has ended: open the stream again',
}
const FULL: Refusal = {
  status: 503,
  reason: 'Too many sessions are open: try again later',
  headers: { 'retry-after': '10' },
}

export class SseEndpoint {
  readonly path: string
  readonly messagesPath: string
  readonly #sessions: Sessions
  readonly #serve: (link: SseLink) => void

  constructor(
    paths: SsePaths,
    parts: {
      readonly sessions: Sessions
      readonly serve: (link: SseLink) => void
    },
  ) {
    this.path = paths.path ?? '/sse'
    this.messagesPath = paths.messagesPath ?? '/messages'
    this.#sessions = parts.sessions
    this.#serve = parts.serve
  }

  /** Opens a stream, which is a session. */
  open(visit: Visit): void {
    if (!this.#sessions.makeRoom()) return visit.refuse(FULL)
    const id = this.#sessions.newId()
    const link = new SseLink(visit, {
      id,
      address: `${this.messagesPath}?session=${id}`,
      keeper: this.#sessions,
    })
    this.#sessions.add(link)
    this.#serve(link)
  }

  /** The stream that a POST belongs to, if it is there for whoever sends it. */
  post(visit: Visit, posted: Posted): void {
    const id = /[?&]session=([\w-]{1,64})(?:&|$)/.exec(visit.request.target)?.[1]
    const link = id === undefined ? undefined : this.#sessions.use(id, visit.auth?.principal)
    if (link instanceof SseLink) link.post(visit, posted)
    else visit.refuse(UNKNOWN)
  }
}
