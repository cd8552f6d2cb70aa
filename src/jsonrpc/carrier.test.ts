/** What a channel and a peer agree on with a link that has a stream for each request. */

import { describe, expect, it } from 'vitest'
import { scriptedLink } from '../../test/support/scripted-link.ts'
import { ask, result, stage, turn } from '../../test/support/peer-stage.ts'
import { AuthError, HttpError, RpcRefusal, TransportError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { Channel, isBatch, readText, type Frame } from './channel.ts'
import type { Link, LinkTraits } from './link.ts'
import type { Request, RequestId } from './message.ts'
import type { Facts } from './wire.ts'

const TRAITS: LinkTraits = {
  batches: true,
  sessions: false,
  standaloneStream: false,
  resumable: false,
  primesStreams: false,
  closingCancels: false,
  versionHeader: undefined,
}
const FACTS: Facts = { exchange: 'e1', headers: { 'mcp-method': 'm' } }
const cancelled = (id: number): JsonObject => ({
  jsonrpc: '2.0',
  method: 'cancelled',
  params: { id },
})

async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

describe('a request that the link could not carry', () => {
  it('rejects with what HTTP said, and names the request', async () => {
    const { link, peer } = await stage()
    const asked = peer.request('tools/call').result
    link.fail(
      1,
      new HttpError('DP_TRANSPORT_SESSION', 'the session is gone.', {
        status: 404,
        contentType: 'text/html',
        body: '<p>',
        retryAfterMs: 1500,
        sent: 'no',
      }),
    )
    const error = await failure(asked)
    expect(error).toBeInstanceOf(HttpError)
    expect(error).toMatchObject({
      code: 'DP_TRANSPORT_SESSION',
      status: 404,
      contentType: 'text/html',
      body: '<p>',
      retryAfterMs: 1500,
      sent: 'no',
      method: 'tools/call',
      id: 1,
      server: 'scripted',
      message: 'tools/call got no answer: the session is gone.',
    })
  })

  it.each([
    [502, 'yes', 'It said 502. Whether it took effect is not known.'],
    [502, 'no', 'It said 502.'],
    [404, 'yes', 'It said 404.'],
  ] as const)('says after a status of %i, sent %s, what is known', async (status, sent, said) => {
    const { link, peer } = await stage()
    const asked = peer.request('tools/call').result
    link.fail(1, new HttpError('DP_TRANSPORT_HTTP', `It said ${status}`, { status, sent }))
    expect(await failure(asked)).toMatchObject({ message: `tools/call got no answer: ${said}` })
  })

  it('rejects with the very error of who checks credentials', async () => {
    const { link, peer } = await stage()
    const asked = peer.request('m').result
    const refused = new AuthError('who asks?', { status: 401, challenge: 'Bearer' })
    link.fail(1, refused)
    expect(await failure(asked)).toBe(refused)
  })

  it('says whether it was sent: what the link knows, else what the receipt says', async () => {
    for (const [known, expected] of [
      ['no', 'no'],
      ['yes', 'yes'],
      [undefined, 'maybe'],
    ] as const) {
      const { link, peer } = await stage()
      link.sent = 'maybe'
      const asked = peer.request('m').result
      const reason = known === undefined ? {} : { sent: known }
      link.fail(1, new TransportError('DP_TRANSPORT_CONNECT', 'nobody listens', reason))
      expect(await failure(asked)).toMatchObject({ code: 'DP_TRANSPORT_CONNECT', sent: expected })
    }
  })

  it('takes nothing else with it: the link goes on [RPC-06]', async () => {
    const { link, peer } = await stage()
    const first = peer.request('m').result
    const second = peer.request('m').result
    link.fail(1, new TransportError('DP_TRANSPORT_CLOSED', 'the stream broke'))
    await link.say(result(2, { fine: true }))
    expect(await failure(first)).toMatchObject({ code: 'DP_TRANSPORT_CLOSED', id: 1 })
    expect(await second).toEqual({ fine: true })
    expect(link.closed).toBe(false)
  })

  it('is not ended by a failure of another, of none, or of one that has ended', async () => {
    const { link, peer, notes } = await stage()
    const asked = peer.request('m').result
    const broken = new TransportError('DP_TRANSPORT_CLOSED', 'the stream broke')
    for (const id of [2, '1', 'x', 0]) link.fail(id, broken)
    await link.say(result(1, { fine: true }))
    expect(await asked).toEqual({ fine: true })
    link.fail(1, broken)
    await turn()
    expect(notes).toEqual([])
    expect(peer.pending).toBe(0)
  })

  it('fails after the answers that came before it', async () => {
    const { link, peer } = await stage()
    const asked = peer.request('m').result
    void link.say(result(1, { fine: true }))
    link.fail(1, new TransportError('DP_TRANSPORT_CLOSED', 'the stream broke'))
    expect(await asked).toEqual({ fine: true })
  })

  it('is of no interest once the connection is closed', async () => {
    const { link, peer, channel } = await stage()
    const asked = failure(peer.request('m').result)
    await peer.close()
    link.fail(1, new AuthError('late'))
    expect(await asked).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
    expect(channel.poll()).toBeUndefined()
  })
})

describe('a request that nobody waits for any more', () => {
  const carrier = (told: boolean): { link: Partial<Link>; abandoned: RequestId[] } => {
    const abandoned: RequestId[] = []
    return {
      abandoned,
      link: {
        abandon: (id) => {
          abandoned.push(id)
          return told
        },
      },
    }
  }
  const methods = (written: readonly JsonObject[]): unknown[] => written.map(({ method }) => method)

  it('is cancelled by the end of its stream alone where that says it [CANC-06, HTTP-84]', async () => {
    const { link: more, abandoned } = carrier(true)
    const { link, peer } = await stage({}, more)
    const exchange = peer.request('m')
    exchange.cancel()
    await failure(exchange.result)
    expect(abandoned).toEqual([1])
    expect(methods(link.written as JsonObject[])).toEqual(['m'])
  })

  it('is cancelled by a notice where the end of its stream says nothing [CANC-01]', async () => {
    const { link: more, abandoned } = carrier(false)
    const { link, peer } = await stage({}, more)
    const exchange = peer.request('m')
    exchange.cancel()
    await failure(exchange.result)
    expect(abandoned).toEqual([1])
    expect(methods(link.written as JsonObject[])).toEqual(['m', 'cancelled'])
  })

  it('has its stream ended when its time is up, when its signal aborts, and without a word too', async () => {
    const { link: more, abandoned } = carrier(true)
    const { link, peer, clock } = await stage({}, more)
    const timed = failure(peer.request('m', {}, { idle: { ms: 10, setBy: 'call' } }).result)
    await clock.advance(11)
    await timed
    const controller = new AbortController()
    const aborted = failure(peer.request('m', {}, { signal: controller.signal }).result)
    controller.abort()
    await aborted
    const quiet = peer.request('m')
    quiet.abandon()
    await failure(quiet.result)
    expect(abandoned).toEqual([1, 2, 3])
    expect(methods(link.written as JsonObject[])).toEqual(['m', 'm', 'm'])
  })

  it('has no stream left to end when it was answered, or when it failed', async () => {
    const { link: more, abandoned } = carrier(true)
    const { link, peer } = await stage({}, more)
    const answered = peer.request('m')
    await link.say(result(1))
    await answered.result
    answered.cancel()
    const failed = peer.request('m')
    link.fail(2, new TransportError('DP_TRANSPORT_CLOSED', 'gone'))
    await failure(failed.result)
    failed.cancel()
    expect(abandoned).toEqual([])
  })

  it('needs nothing of a link without streams, or of one that is closed', async () => {
    const { peer, channel } = await stage()
    expect(channel.abandon(1)).toBe(false)
    const { link: more, abandoned } = carrier(true)
    const other = await stage({}, more)
    await other.peer.close()
    expect(other.channel.abandon(1)).toBe(false)
    expect(abandoned).toEqual([])
    expect(peer.pending).toBe(0)
  })
})

describe('an inbound request that gets no answer', () => {
  interface Held {
    readonly unanswered: [RequestId, Facts | undefined][]
    readonly finish: Map<RequestId, (value: JsonObject) => void>
    readonly at: Awaited<ReturnType<typeof stage>>
  }
  async function held(): Promise<Held> {
    const unanswered: [RequestId, Facts | undefined][] = []
    const finish = new Map<RequestId, (value: JsonObject) => void>()
    const at = await stage(
      { onRequest: ({ id }) => new Promise((resolve) => finish.set(id, resolve)) },
      { unanswered: (id, facts) => void unanswered.push([id, facts]) },
    )
    at.channel.settle(TRAITS)
    return { unanswered, finish, at }
  }
  async function finishAll({ finish }: Held): Promise<void> {
    for (const resolve of finish.values()) resolve({})
    await turn()
  }

  it('is told to the link with its facts when it was cancelled [CANC-02]', async () => {
    const scene = await held()
    await scene.at.link.say(ask(9), FACTS)
    await scene.at.link.say(cancelled(9))
    await turn()
    expect(scene.unanswered).toEqual([])
    await finishAll(scene)
    expect(scene.unanswered).toEqual([[9, FACTS]])
    expect(scene.at.link.written).toEqual([])
  })

  it('is not told for requests that are answered', async () => {
    const scene = await held()
    await scene.at.link.say(ask(9), FACTS)
    await turn()
    await finishAll(scene)
    expect(scene.unanswered).toEqual([])
    expect(scene.at.link.written).toEqual([result(9)])
  })

  it('is left out of the answers to its batch [CANC-02, RPC-11]', async () => {
    const scene = await held()
    await scene.at.link.say([ask(1), ask(2)], FACTS)
    await scene.at.link.say(cancelled(2))
    await turn()
    await finishAll(scene)
    expect(scene.at.link.texts).toEqual([JSON.stringify([result(1)])])
    expect(scene.unanswered).toEqual([])
  })

  it('is told once for a batch of which nothing is left [CANC-02]', async () => {
    const scene = await held()
    await scene.at.link.say([ask(1), ask(2)], FACTS)
    for (const id of [1, 2]) await scene.at.link.say(cancelled(id))
    await turn()
    await finishAll(scene)
    expect(scene.at.link.texts).toEqual([])
    expect(scene.unanswered).toEqual([[2, FACTS]])
  })

  it('is not told to a link that is closed', async () => {
    const scene = await held()
    await scene.at.link.say(ask(9), FACTS)
    await turn()
    await scene.at.peer.close()
    await finishAll(scene)
    expect(scene.unanswered).toEqual([])
  })
})

describe('what goes with a message', () => {
  it('is its kind, its id, and for an answer the facts of its request', async () => {
    const { link, peer } = await stage({
      onRequest: (_, inbound) => {
        inbound.notify('progress', {})
        return {}
      },
    })
    const asked = failure(peer.request('m').result)
    await link.say(ask('theirs'), FACTS)
    await turn()
    expect(link.outbound).toMatchObject([
      { kind: 'request', id: 1 },
      { kind: 'notification', id: undefined, facts: FACTS },
      { kind: 'answer', id: 'theirs', facts: FACTS },
    ])
    await peer.close()
    await asked
  })

  it('is the HTTP status of an error, where its request came with facts [ERR-14]', async () => {
    const { link } = await stage({
      onRequest: ({ method }: Request) => {
        if (method === 'fine') return {}
        throw new RpcRefusal(-32601, 'no such method')
      },
      encodeError: () => ({ error: { code: -32601, message: 'no' }, status: 404 }),
    })
    await link.say(ask(1, 'fine'), FACTS)
    await link.say(ask(2, 'bad'), FACTS)
    await link.say(ask(3, 'bad'))
    await turn()
    expect(link.outbound.map(({ facts }) => facts)).toEqual([
      FACTS,
      { ...FACTS, status: 404 },
      undefined,
    ])
  })

  it('is 400 for what is no message [ERR-01]', async () => {
    const { link } = await stage({ answersMalformed: () => true })
    await link.say('{', FACTS)
    await link.say({ jsonrpc: '1.0', id: 5, method: 'm' }, FACTS)
    await turn()
    expect(link.outbound).toMatchObject([
      { kind: 'answer', id: undefined, facts: { ...FACTS, status: 400 } },
      { kind: 'answer', id: 5, facts: { ...FACTS, status: 400 } },
    ])
  })

  it('is asked of a request on links with a stream for each, and on no others', async () => {
    for (const perRequest of [true, false]) {
      const { link, peer } = await stage({}, { perRequest })
      let times = 0
      const requested = {
        encode: (id: RequestId): JsonObject => ({ token: id }),
        facts: (): Facts => {
          times += 1
          return FACTS
        },
        read: (raw: JsonObject) => raw,
      }
      const asked = peer.ask('m', requested, { facts: { exchange: 'given' } }).result
      await link.say(result(1))
      await asked
      expect(link.outbound[0]?.facts).toEqual(perRequest ? FACTS : { exchange: 'given' })
      expect(times).toBe(perRequest ? 1 : 0)
    }
  })

  it('is what the caller gave for a request that knows no facts itself', async () => {
    const { link, peer } = await stage({}, { perRequest: true })
    const asked = peer.request('m', {}, { facts: FACTS }).result
    await link.say(result(1))
    await asked
    expect(link.outbound[0]?.facts).toEqual(FACTS)
  })
})

describe('a link that has to look into the text', () => {
  const text = JSON.stringify(ask(1))

  it('reads one message or the members of a batch, and never throws', () => {
    expect(readText(text)).toMatchObject({ kind: 'request', message: { id: 1 } })
    expect(isBatch(readText(text))).toBe(false)
    const batch = readText(`[${text},5]`)
    expect(isBatch(batch)).toBe(true)
    expect(batch).toEqual([ask(1), 5])
    for (const odd of ['', '{', 'null', '5', '"x"', '[', `${'['.repeat(1000)}${']'.repeat(1000)}`])
      expect(readText(odd)).toMatchObject({ kind: 'malformed' })
    expect(readText('[[[[]]]]', 3)).toMatchObject({ kind: 'malformed', requirement: 'RPC-01' })
  })

  it('hands on what it read, which is not read again', async () => {
    const link = scriptedLink()
    const channel = await Channel.open(link.transport)
    channel.settle(TRAITS)
    const reading = readText(text)
    // What the text says does not matter any more, and must not be looked at: it is no JSON.
    void link.say('unread', FACTS, reading)
    void link.say('unread', FACTS, [ask(2), ask(3)])
    link.end()
    const frames: Frame[] = []
    for await (const frame of channel.inbound) frames.push(frame)
    expect(frames[0]?.reading).toBe(reading)
    expect(frames.map((frame) => [frame.text, frame.facts])).toEqual(
      frames.map(() => ['unread', FACTS]),
    )
    expect(frames.map((frame) => frame.reading)).toMatchObject([
      { message: { id: 1 } },
      { message: { id: 2 } },
      { message: { id: 3 } },
    ])
  })
})
