/** A session over HTTP without a network, of which the test answers the method `wait` itself. */
import type { JsonObject } from '../../src/base/json.ts'
import type { InboundRequest } from '../../src/jsonrpc/inbound-request.ts'
import {
  request,
  stage,
  type FakeReply,
  type Stage,
  type StageOptions,
  type Talk,
} from './fake-http.ts'

/** A session of which the test answers the method `wait` itself. */
export interface Room extends Stage {
  readonly session: Readonly<Record<string, string>>
  readonly talk: Talk
  /** A POST of a request; `work` is there when it is being worked on. */
  readonly call: (
    id: string | number,
  ) => Promise<{ readonly reply: FakeReply; readonly work: Work }>
  readonly listen: (lastEventId?: string) => FakeReply
}

export interface Work {
  readonly inbound: InboundRequest
  answer(result?: JsonObject): void
}

export async function room(options: StageOptions = {}): Promise<Room> {
  const works = new Map<string | number, Work>()
  const set = stage({
    ...options,
    onRequest: (method, inbound) =>
      method === 'wait'
        ? new Promise((resolve) =>
            works.set(inbound.id, {
              inbound,
              answer: (result = { done: true }) => resolve(result),
            }),
          )
        : {},
  })
  const session = { 'mcp-session-id': await set.open() }
  const [talk] = set.talks
  if (talk === undefined) throw new Error('There is no conversation.')
  return {
    ...set,
    session,
    talk,
    async call(id) {
      const reply = set.send({ json: request(id, 'wait'), headers: session })
      await new Promise(setImmediate)
      const work = works.get(id)
      if (work === undefined) throw new Error(`The request ${id} has not arrived.`)
      return { reply, work }
    },
    listen: (lastEventId) =>
      set.send({
        method: 'GET',
        headers: { ...session, accept: 'text/event-stream', 'last-event-id': lastEventId },
      }),
  }
}

/** Settles when everything that is on its way in this process has arrived. */
export const settled = (): Promise<void> => new Promise(setImmediate)
