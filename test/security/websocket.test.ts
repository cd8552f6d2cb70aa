/** Frames that no library would send, to a server of ours over real sockets: their connection ends, nothing of them runs. */
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { serveWebSocket } from '../../src/transport/node/websocket-server.ts'
import type { Attacked } from '../support/attacked-server.ts'
import { attacked, envelope } from '../support/attacked.ts'
import { request } from '../support/fake-http.ts'
import { liveBytes } from '../support/heap.ts'
import { frame, rawClient, type FrameShape, type RawEnd } from '../support/sockets/raw-websocket.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

async function door(): Promise<Attacked & { readonly come: () => Promise<RawEnd> }> {
  const made = attacked({ maxMessageBytes: 256 * 1024 })
  const served = await serveWebSocket((transport) => made.server.accept(transport))
  open.push(served)
  const come = async (): Promise<RawEnd> => {
    const far = await rawClient(served.url)
    open.push({ close: () => far.socket.destroy() })
    return far
  }
  return { ...made, come }
}

const CALL = JSON.stringify(
  request(1, 'tools/call', { name: 'echo', arguments: { text: 'x' }, _meta: envelope() }),
)
const masked = (payload: string | Uint8Array, shape: FrameShape = {}): Buffer =>
  frame(payload, { masked: true, ...shape })
/** A call in two frames with something between them. */
const around = (between: Buffer): Buffer =>
  Buffer.concat([
    masked(CALL.slice(0, 9), { last: false }),
    between,
    masked(CALL.slice(9), { op: 0 }),
  ])

async function isServed(come: () => Promise<RawEnd>): Promise<boolean> {
  const far = await come()
  far.socket.write(masked(CALL))
  return (await far.frame(1)).includes('x for nobody')
}

describe('a WebSocket of a stranger', () => {
  it.each<readonly [string, Buffer]>([
    ['a frame that is not masked', frame(CALL)],
    ['a frame of 2^63 bytes', masked(CALL, { length: 2n ** 63n })],
    ['a frame of 2^53 bytes', masked(CALL, { length: 2n ** 53n })],
    ['a frame over the limit', masked('x'.repeat(256 * 1024 + 1))],
    ['a frame that says so', masked('{', { length: 256n * 1024n + 1n })],
    ['a binary frame', masked(CALL, { op: 2 })],
    ['a ping of 126 bytes', masked('x'.repeat(126), { op: 9 })],
    ['a ping in fragments', masked('x', { op: 9, last: false })],
    ['a close of one byte', masked('x', { op: 8 })],
    ['an unknown kind', masked(CALL, { op: 3 })],
    ['a fragment of nothing', masked(CALL, { op: 0 })],
    ['a text within a text', around(masked(CALL))],
    ['a compressed frame', Buffer.from([0xc1, 0x80, 0, 0, 0, 0])],
    ['text that is not UTF-8', masked(Uint8Array.of(0x22, 0xff, 0x22))],
    ['a flood of pings', Buffer.concat(Array.from({ length: 5000 }, () => masked('', { op: 9 })))],
  ])('with %s is ended, nothing of it runs, and others are served (A33)', async (_, bytes) => {
    const { come, ran } = await door()
    const far = await come()
    const gone = once(far.socket, 'close')
    far.socket.write(bytes)
    await gone
    expect(ran).toEqual([])
    expect(await isServed(come)).toBe(true)
  })

  it('with a million fragments of one byte is ended, in little memory (A33)', async () => {
    const { come, ran } = await door()
    const far = await come()
    const gone = once(far.socket, 'close')
    const before = liveBytes()
    far.socket.write(masked(' ', { last: false }))
    const many = Buffer.concat(
      Array.from({ length: 10_000 }, () => masked(' ', { op: 0, last: false })),
    )
    for (let turn = 0; turn < 100 && !far.socket.destroyed; turn += 1) {
      if (!far.socket.write(many)) await Promise.race([once(far.socket, 'drain'), gone])
    }
    await gone
    const now = liveBytes()
    expect(now.heap - before.heap + now.buffers - before.buffers).toBeLessThan(4 * 1024 * 1024)
    expect(ran).toEqual([])
    expect(await isServed(come)).toBe(true)
  })

  it('with frames cut anywhere, pings and empty fragments between, is understood (A33)', async () => {
    const { come } = await door()
    for (const between of [masked('', { op: 9 }), masked('', { op: 0, last: false })]) {
      const far = await come()
      for (const byte of around(between)) far.socket.write(Uint8Array.of(byte))
      expect((await far.frame(1)).toString()).toContain('x for nobody')
    }
  })
})
