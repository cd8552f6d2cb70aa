/** A far side that a test plays by hand: it reads what was written and says whatever it likes. */

import type { Sent } from '../../src/base/errors.ts'
import type {
  Link,
  LinkPort,
  Outbound,
  TextReading,
  Transport,
  Unreadable,
} from '../../src/jsonrpc/link.ts'
import type { RequestId } from '../../src/jsonrpc/message.ts'
import type { Facts, WireNote } from '../../src/jsonrpc/wire.ts'

export interface ScriptedLink {
  readonly transport: Transport
  /** Everything that was written, parsed. */
  readonly written: { [member: string]: unknown }[]
  readonly texts: string[]
  /** The same with all that the link was told of it. */
  readonly outbound: Outbound[]
  /** Hands text to the channel, as one message. Gives what the port gave: a promise when it is full. */
  say(message: unknown, facts?: Facts, reading?: TextReading): void | Promise<void>
  /** One request gets no answer. */
  fail(id: RequestId, reason: Error): void
  unreadable(piece: Unreadable): void
  note(note: WireNote): void
  end(reason?: Error): void
  /** What receipts of later writes say. Default `yes`. */
  sent: Sent
  backlogMessages: number
  backlogBytes: number
  /** Ends a wait for the backlog. */
  drain(): void
  readonly closed: boolean
}

/** `more` are members that not every link has. */
export function scriptedLink(more: Partial<Link> = {}): ScriptedLink {
  let port: LinkPort | undefined
  let drained: (() => void)[] = []
  const state = { closed: false }
  const scripted = {
    written: [] as { [member: string]: unknown }[],
    texts: [] as string[],
    outbound: [] as Outbound[],
    sent: 'yes' as Sent,
    backlogMessages: 0,
    backlogBytes: 0,
    get closed() {
      return state.closed
    },
    say: (message: unknown, facts?: Facts, reading?: TextReading) =>
      port?.text(typeof message === 'string' ? message : JSON.stringify(message), facts, reading),
    fail: (id: RequestId, reason: Error) => port?.failed(id, reason),
    unreadable: (piece: Unreadable) => port?.unreadable(piece),
    note: (note: WireNote) => port?.note(note),
    end: (reason?: Error) => port?.closed(reason),
    drain: () => {
      for (const resolve of drained) resolve()
      drained = []
    },
  }
  const link: Link = {
    get backlogMessages() {
      return scripted.backlogMessages
    },
    get backlogBytes() {
      return scripted.backlogBytes
    },
    write(outbound: Outbound) {
      const { text } = outbound
      scripted.outbound.push(outbound)
      scripted.texts.push(text)
      scripted.written.push(JSON.parse(text) as { [member: string]: unknown })
      return { sent: scripted.sent }
    },
    drained: () => new Promise((resolve) => drained.push(resolve)),
    close: () => {
      state.closed = true
      return Promise.resolve()
    },
  }
  const transport: Transport = {
    name: 'scripted',
    open: (opened) => {
      port = opened
      return Promise.resolve(Object.assign(link, more))
    },
  }
  return Object.assign(scripted, { transport }) as ScriptedLink
}
