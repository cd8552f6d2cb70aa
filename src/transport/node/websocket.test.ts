import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { rawStage } from '../../../test/support/sockets/raw-stage.ts'
import {
  frame,
  upgrade,
  type RawServerWishes,
} from '../../../test/support/sockets/raw-websocket.ts'
import { recordingPort } from '../../../test/support/stdio/port.ts'
import { AuthError, HttpError } from '../../base/errors.ts'
import type { Link } from '../../jsonrpc/link.ts'
import { webSocket } from './websocket.ts'

const { keep, listening, come, joined, clear } = rawStage()
afterEach(clear)

describe('the address of a WebSocket', () => {
  it('is one of ws: or wss:, and says so without repeating what was given', () => {
    for (const url of ['http://a/?token=s3cret', 'mailto:s3cret', 's3cret', 'ws:', 'ws://:1']) {
      expect(() => webSocket(url)).toThrow(expect.objectContaining({ code: 'DP_USAGE' }))
      expect(() => webSocket(url)).not.toThrow('s3cret')
    }
  })

  it('has a name without what may be secret', () => {
    expect(webSocket('wss://user:pass@host:8443/mcp?token=t#f').name).toBe('wss://host:8443/mcp?…')
    expect(webSocket('WS://host/mcp').name).toBe('ws://host/mcp')
  })
})

describe('opening a WebSocket', () => {
  it('offers the subprotocol and no compression, and masks what it sends', async () => {
    const { far, link } = await joined()
    expect(far.head).toMatch(/^sec-websocket-protocol: mcp$/im)
    expect(far.head).not.toMatch(/sec-websocket-extensions/i)
    link.write({ text: '{"a":1}' })
    expect((await far.frame(1)).toString()).toBe('{"a":1}')
    expect(far.received()[1]).toBe(0x80 | 7)
  })

  it('sends the headers it was given, asked for anew each time', async () => {
    const server = await listening()
    let asked = 0
    const transport = webSocket(server.url, {
      headers: () => ({ Authorization: `Bearer ${(asked += 1)}` }),
    })
    for (const round of [1, 2]) {
      keep(await transport.open(recordingPort()))
      expect((await come(server)).head).toMatch(
        new RegExp(`^authorization: Bearer ${round}$`, 'im'),
      )
    }
  })

  it('sends what stands before the @ of the address as a header, unless one was given', async () => {
    const server = await listening()
    const url = server.url.replace('ws://', 'ws://me:p%40ss@')
    keep(await webSocket(url).open(recordingPort()))
    const basic = Buffer.from('me:p@ss').toString('base64')
    expect((await come(server)).head).toContain(`authorization: Basic ${basic}`)
    const headers = { authorization: 'Bearer x' }
    keep(await webSocket(url, { headers }).open(recordingPort()))
    const { head } = await come(server)
    expect(head.match(/authorization:.*/gi)).toEqual(['authorization: Bearer x'])
  })

  it.each([
    ['Sec-WebSocket-Protocol', 'other'],
    ['Host', 'other'],
    ['Authorization', 'Bearer s3cret\r\nX-Other: 1'],
  ])('refuses the header %s with such a value, and repeats no value', async (name, value) => {
    const opening = webSocket('ws://127.0.0.1:1/', { headers: { [name]: value } }).open(
      recordingPort(),
    )
    const error: unknown = await opening.catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'DP_USAGE' })
    expect(String(error)).not.toContain('s3cret')
  })

  it('says that nobody listens, and that nothing was sent', async () => {
    const server = await listening()
    server.listener.close()
    await once(server.listener, 'close')
    await expect(webSocket(server.url).open(recordingPort())).rejects.toMatchObject({
      code: 'DP_TRANSPORT_CONNECT',
      sent: 'no',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it.each([401, 403])('takes an answer of %i for a question of who asks', async (status) => {
    const head = `HTTP/1.1 ${status} No\r\nWWW-Authenticate: Bearer realm="x"\r\nContent-Length: 0\r\n\r\n`
    const error: unknown = await refused({ answer: () => head })
    expect(error).toBeInstanceOf(AuthError)
    expect(error).toMatchObject({ status, challenge: 'Bearer realm="x"' })
  })

  it.each([
    [404, 'not here'],
    [302, ''],
    [200, '<html>'],
  ])('takes an answer of %i for what it is, and follows nothing', async (status, body) => {
    const head = `HTTP/1.1 ${status} X\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const error: unknown = await refused({ answer: () => head })
    expect(error).toBeInstanceOf(HttpError)
    expect(error).toMatchObject({ code: 'DP_TRANSPORT_HTTP', status, body })
  })

  it.each([
    [
      'no subprotocol',
      (head: string) => upgrade(head).replace('Sec-WebSocket-Protocol: mcp\r\n', ''),
    ],
    ['another one', (head: string) => upgrade(head).replace('Protocol: mcp', 'Protocol: chat')],
    ['a wrong key', (head: string) => upgrade(head).replace(/Accept: .../, 'Accept: abc')],
    [
      'an extension',
      (head: string) =>
        upgrade(head).replace(
          '\r\n\r\n',
          '\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n',
        ),
    ],
    ['no HTTP', () => 'SSH-2.0-OpenSSH_9.9\r\n'],
  ])('takes no server that answers with %s', async (_, answer) => {
    expect(await refused({ answer })).toMatchObject({ code: 'DP_TRANSPORT_CONNECT', sent: 'no' })
  })

  it('waits 30 s for the answer', async () => {
    const clock = fakeClock()
    const server = await listening({ answer: () => undefined })
    const opening = webSocket(server.url, { clock }).open(recordingPort())
    const failed = failure(opening)
    const { socket } = await server.next()
    const gone = once(socket, 'close')
    await clock.advance(30_000)
    expect(await failed).toMatchObject({
      code: 'DP_TRANSPORT_CONNECT',
      message: expect.stringContaining('30000 ms'),
    })
    await gone
    expect(clock.pending).toBe(0)
  })

  it('is given up when it is told to', async () => {
    const server = await listening({ answer: () => undefined })
    const leave = new AbortController()
    const opening = webSocket(server.url).open(recordingPort(), leave.signal)
    const failed = failure(opening)
    const { socket } = await server.next()
    const gone = once(socket, 'close')
    leave.abort()
    expect(await failed).toMatchObject({ code: 'DP_CANCELLED' })
    await gone
    await expect(webSocket(server.url).open(recordingPort(), leave.signal)).rejects.toMatchObject({
      code: 'DP_CANCELLED',
    })
  })

  it('hands over what came together with the handshake, when the link is held', async () => {
    const answer = (head: string): Buffer =>
      Buffer.concat([Buffer.from(upgrade(head)), frame('"early"')])
    const server = await listening({ answer })
    const order: string[] = []
    const port = recordingPort({ onText: () => void order.push('text') })
    const link = await webSocket(server.url).open(port)
    order.push('held')
    keep(link)
    await come(server)
    expect(await port.next()).toBe('"early"')
    expect(order).toEqual(['held', 'text'])
  })
})

async function refused(wishes: RawServerWishes): Promise<unknown> {
  const { url } = await listening(wishes)
  return failure(webSocket(url).open(recordingPort()))
}

function failure(opening: Promise<Link>): Promise<unknown> {
  return opening.then(
    () => 'open',
    (error: unknown) => error,
  )
}
