import { describe, expect, it } from 'vitest'
import {
  agreed,
  LEGACY,
  linkStage,
  MODERN,
  ready,
  SESSION,
  turn,
  URL_OF_ENDPOINT,
} from '../../../test/support/http/link-stage.ts'
import { answerTo, eventOf } from '../../../test/support/http/scripted-exchange.ts'

describe('notifications and answers', () => {
  it('are posted one after the other, in their order', async () => {
    const { http, link, tell } = await ready()
    tell('a')
    link.write({ kind: 'answer', id: 's1', text: '{"jsonrpc":"2.0","id":"s1","result":{}}' })
    tell('b')
    expect(http.calls.slice(2).map(({ message }) => message.method)).toEqual(['a'])
    http.calls[2]?.sending().left().head(202)
    expect(http.calls[3]?.message).toMatchObject({ id: 's1' })
    http.calls[3]?.empty(202)
    expect(http.calls[4]?.message.method).toBe('b')
  })

  it.each([
    [200, { 'content-type': 'application/json' }, 'null'],
    [202, { 'content-type': 'text/plain' }, 'Accepted'],
    [204, {}, ''],
    [200, {}, ''],
  ] as const)('are accepted with %d, whatever the body says', async (status, headers, body) => {
    const { http, tell, port } = await ready()
    tell('a')
    tell('b')
    http.calls[2]?.head(status, headers).data(body).end()
    expect(http.calls[3]?.message.method).toBe('b')
    expect(port.notes).toEqual([])
    expect(port.texts).toHaveLength(1)
  })

  it('that are refused or lost are a note, and the next goes on', async () => {
    const { http, tell, port, link } = await ready()
    tell('a')
    tell('b')
    link.write({ kind: 'answer', id: 's1', text: '{}' })
    http.calls[2]?.empty(400)
    http.calls[3]?.fail()
    expect(http.calls).toHaveLength(5)
    http.calls[4]?.empty(404)
    expect(port.notes).toMatchObject([
      { kind: 'not-accepted', direction: 'out', data: { kind: 'notification', status: 400 } },
      { kind: 'not-accepted', data: { kind: 'notification' } },
      { kind: 'not-accepted', data: { kind: 'answer', id: 's1', status: 404 } },
    ])
    expect(port.ends).toEqual([])
    expect(port.failures).toEqual([])
  })

  it('that nobody accepts hold up the next for a while only, and are given up at last', async () => {
    const { http, tell, clock, port } = await ready()
    tell('a')
    tell('b')
    await clock.advance(4999)
    expect(http.calls).toHaveLength(3)
    await clock.advance(1)
    expect(http.calls[3]?.message.method).toBe('b')
    await clock.advance(25_000)
    expect(http.calls[2]?.aborted).toBe(true)
    expect(port.notes).toMatchObject([{ kind: 'not-accepted' }])
  })

  it('whose acceptance has an endless body do not keep a connection', async () => {
    const { http, tell, clock } = await ready()
    tell('a')
    http.calls[2]?.head(200).data('x')
    await clock.advance(5000)
    expect(http.calls[2]?.aborted).toBe(true)
    tell('b')
    http.calls[3]?.head(200)
    for (let part = 0; part < 3; part += 1) http.calls[3]?.data(new Uint8Array(30_000))
    expect(http.calls[3]?.aborted).toBe(true)
  })

  it('are backlog, and their receipts tell when they have left', async () => {
    const { http, link, tell } = await ready()
    const receipts = [tell('a'), tell('b')]
    expect(link.backlogMessages).toBe(2)
    http.calls[2]?.sending().left()
    expect(receipts.map(({ sent }) => sent)).toEqual(['maybe', 'no'])
    expect(link.backlogMessages).toBe(1)
    http.calls[2]?.head(202).end()
    http.calls[3]?.empty(202)
    expect(receipts.map(({ sent }) => sent)).toEqual(['yes', 'yes'])
    await link.drained()
  })

  it('that are written before the agreement go when it is not made at once', async () => {
    const { link, http, clock } = await linkStage()
    link.write({ kind: 'answer', id: 's1', text: '{}' })
    expect(http.calls).toHaveLength(0)
    await clock.advance(0)
    expect(http.calls).toHaveLength(1)
  })
})

describe('what comes after the agreement', () => {
  it('waits until the first words have been accepted [LIFE-04]', async () => {
    const { http, ask } = await agreed()
    ask(2)
    expect(http.calls).toHaveLength(2)
    http.calls[1]?.empty(202)
    await turn()
    expect(http.calls[2]?.message.id).toBe(2)
  })

  it('waits for them no longer than five seconds', async () => {
    const { http, ask, clock } = await agreed()
    ask(2)
    await clock.advance(4999)
    expect(http.calls).toHaveLength(2)
    await clock.advance(1)
    expect(http.calls[2]?.message.id).toBe(2)
  })

  it('waits no longer when several things were said before it', async () => {
    const { http, ask, clock, tell, link } = await linkStage({ listens: false })
    tell('a')
    tell('b')
    link.settle?.(LEGACY)
    ask(2)
    await clock.advance(5000)
    expect(http.calls.map(({ message }) => message.method)).toEqual(['a', 'b', 'tools/list'])
  })

  it('is not sent when it was given up meanwhile, and the server need not be told', async () => {
    const { http, ask, link } = await agreed()
    const receipt = ask(2)
    expect(link.abandon?.(2)).toBe(true)
    http.calls[1]?.empty(202)
    await turn()
    expect(http.calls).toHaveLength(2)
    expect(receipt.sent).toBe('no')
    expect(link.backlogMessages).toBe(0)
  })

  it('goes at once when nothing was said before it', async () => {
    const { http, ask, link } = await linkStage()
    link.settle?.(MODERN)
    ask(1)
    expect(http.calls).toHaveLength(1)
  })
})

describe('a request that nobody waits for', () => {
  it('is closed, which tells the server where that is the way to tell it [HTTP-84, CANC-06]', async () => {
    const { http, ask, link, port } = await linkStage()
    link.settle?.(MODERN)
    ask(1)
    http.calls[0]?.stream(': hi\n\n')
    expect(link.abandon?.(1)).toBe(true)
    expect(http.calls[0]?.aborted).toBe(true)
    expect(port.failures).toEqual([])
  })

  it('is closed and needs a notice where a closed stream says nothing [HTTP-19]', async () => {
    const { http, ask, link } = await ready()
    ask(2)
    http.calls[2]?.sending()
    expect(link.abandon?.(2)).toBe(false)
    expect(http.calls[2]?.aborted).toBe(true)
    expect(link.backlogMessages).toBe(0)
  })

  it('is none when it was answered already', async () => {
    const { http, ask, link } = await ready()
    ask(2)
    http.calls[2]?.result()
    expect(link.abandon?.(2)).toBe(false)
  })
})

describe('the stream of messages that belong to no request', () => {
  it('is opened once the first words are accepted, and its messages are handed on [HTTP-20]', async () => {
    const { http, port } = await agreed({ listens: true })
    expect(http.of('GET')).toEqual([])
    http.calls[1]?.empty(202)
    await turn()
    const [get] = http.of('GET')
    expect(get?.header).toMatchObject({ accept: 'text/event-stream', ...SESSION })
    const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
    get?.stream(eventOf(changed))
    expect(port.messages.at(-1)).toEqual(changed)
    expect(port.facts.at(-1)).toEqual({ exchange: 'listen' })
  })

  it.each([400, 404, 405, 501])(
    'is done without when the server answers %d, and nothing is tried again [HTTP-21]',
    async (status) => {
      const { http, port, clock, ask } = await ready({ listens: true })
      http.of('GET')[0]?.empty(status)
      await clock.advance(600_000)
      expect(http.of('GET')).toHaveLength(1)
      expect(port.kinds).toEqual(['no-listening'])
      ask(2)
      http.calls.at(-1)?.result()
      expect(port.texts).toHaveLength(2)
    },
  )

  it('does not take a page for a stream', async () => {
    const { http, port, clock } = await ready({ listens: true })
    http.of('GET')[0]?.head(200, { 'content-type': 'text/html' })
    expect(http.of('GET')[0]?.aborted).toBe(true)
    expect(port.kinds).toEqual(['no-listening'])
    expect(clock.pending).toBe(0)
  })

  it('is opened again where it was left when it ends [HTTP-26]', async () => {
    const { http, clock } = await ready({ listens: true })
    http.of('GET')[0]?.stream('id: e-9\ndata: {"jsonrpc":"2.0","method":"x"}\n\n').end()
    await clock.advance(1000)
    expect(http.of('GET')[1]?.header).toMatchObject({ 'last-event-id': 'e-9', ...SESSION })
    http.of('GET')[1]?.stream(': ok\n\n').fail()
    await clock.advance(1000)
    expect(http.of('GET')).toHaveLength(3)
  })

  it('is given up after five tries in a row that brought nothing', async () => {
    const { http, clock, port } = await ready({ listens: true })
    for (let at = 0; at < 10; at += 1) {
      http.of('GET')[at]?.fail()
      await clock.advance(60_000)
    }
    expect(http.of('GET')).toHaveLength(6)
    expect(port.kinds).toEqual(['no-listening'])
    expect(port.ends).toEqual([])
  })

  it('is worth another try when it was there for a while, though nothing came', async () => {
    const { http, clock } = await ready({ listens: true })
    for (let at = 0; at < 20; at += 1) {
      const get = http.of('GET')[at]?.stream()
      await clock.advance(10_000)
      get?.end()
      await clock.advance(1000)
    }
    expect(http.of('GET')).toHaveLength(21)
  })

  it('is not opened where there is none, or when it is not wanted', async () => {
    const modern = await linkStage()
    modern.link.settle?.(MODERN)
    const quiet = await ready({ listens: false })
    await turn()
    expect([...modern.http.of('GET'), ...quiet.http.of('GET')]).toEqual([])
  })

  it('ends with the session', async () => {
    const { http, ask } = await ready({ listens: true })
    const [get] = http.of('GET')
    get?.stream()
    ask(2)
    http.calls.at(-1)?.empty(404)
    expect(get?.aborted).toBe(true)
  })
})

describe('closing', () => {
  it('ends everything that is under way and leaves nothing', async () => {
    const { http, ask, tell, link, port, clock } = await ready({ listens: true })
    http.of('GET')[0]?.stream()
    ask(2)
    ask(3)
    http.calls[4]?.stream(eventOf(answerTo(http.calls[4])))
    ask(4)
    http.calls[5]?.stream('id: 1\ndata:\n\n').end()
    tell('late')
    const closing = link.close()
    http.calls.at(-1)?.empty(202)
    await turn()
    http.of('DELETE')[0]?.empty(200)
    await closing
    expect(http.calls.filter(({ aborted }) => aborted).map(({ message }) => message?.id)).toEqual([
      undefined,
      2,
      3,
    ])
    expect([clock.pending, link.backlogMessages, http.closed]).toEqual([0, 0, 1])
    expect(port.ends).toEqual([undefined])
    expect(port.failures).toEqual([])
  })

  it('sends what was said before, and waits for it for two seconds in all', async () => {
    const { http, tell, link, clock, port } = await ready()
    tell('a')
    tell('b')
    const closing = link.close()
    http.calls[2]?.empty(202)
    expect(http.calls[3]?.message.method).toBe('b')
    await clock.advance(2000)
    await turn()
    await clock.advance(0)
    await closing
    expect(port.ends).toEqual([undefined])
    expect(clock.pending).toBe(0)
  })

  it('takes nothing more, and may be done twice', async () => {
    const { link, ask, http } = await linkStage()
    await Promise.all([link.close(), link.close()])
    expect(ask(1).sent).toBe('no')
    expect(http.calls).toHaveLength(0)
    await link.drained()
    await link.close()
    expect(http.closed).toBe(1)
  })
})

describe('headers of the user', () => {
  it('go with every request, beside those of the protocol', async () => {
    const { http, ask, link } = await ready({
      listens: true,
      headers: { Authorization: 'Bearer t' },
    })
    ask(2)
    const closing = link.close()
    await turn()
    http.of('DELETE')[0]?.empty(200)
    await closing
    expect(http.calls.map(({ header }) => header['authorization'])).toEqual(
      http.calls.map(() => 'Bearer t'),
    )
  })

  it('are asked for before each request, when a function gives them', async () => {
    let turnOf = 0
    const headers = (): Promise<{ authorization: string }> =>
      Promise.resolve({ authorization: `Bearer ${(turnOf += 1)}` })
    const { http, ask } = await linkStage({ headers })
    ask(1)
    ask(2)
    await http.call(1)
    expect(http.calls.map(({ header }) => header['authorization'])).toEqual([
      'Bearer 1',
      'Bearer 2',
    ])
  })

  it('that cannot be had fail the request alone, which was not sent', async () => {
    const headers = (): Promise<never> => Promise.reject(new Error('no token'))
    const { http, ask, port } = await linkStage({ headers })
    const receipt = ask(1)
    await port.until(() => port.failures.length > 0)
    expect(port.errorOf(1)).toMatchObject({ message: 'no token' })
    expect([receipt.sent, http.calls.length]).toEqual(['no', 0])
  })

  it('that come too late for a request that was given up send nothing', async () => {
    const { http, ask, link } = await linkStage({ headers: () => Promise.resolve({}) })
    ask(1)
    expect(link.abandon?.(1)).toBe(true)
    await turn()
    expect(http.calls).toHaveLength(0)
  })

  it('take the place of credentials in the URL, which are never shown', async () => {
    const url = 'https://me:hunter2@example.test/mcp'
    const plain = await linkStage({ url })
    plain.ask(1)
    expect(plain.http.calls[0]?.request).toMatchObject({
      url: URL_OF_ENDPOINT,
      headers: { authorization: `Basic ${btoa('me:hunter2')}` },
    })
    const own = await linkStage({ url, headers: { authorization: 'Bearer t' } })
    own.ask(1)
    expect(own.http.calls[0]?.header['authorization']).toBe('Bearer t')
  })
})
