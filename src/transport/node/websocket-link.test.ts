import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { rawStage } from '../../../test/support/sockets/raw-stage.ts'
import { frame, type RawEnd } from '../../../test/support/sockets/raw-websocket.ts'
import { recordingPort } from '../../../test/support/stdio/port.ts'
import { limitsFor } from './websocket-limits.ts'

const { joined, clear } = rawStage()
afterEach(clear)

describe('what a far side may send', () => {
  it('is joined from fragments that are cut inside characters, with pings between', async () => {
    const { far, port } = await joined()
    const bytes = Buffer.from('"— 日本語 🦀"')
    far.socket.write(frame(bytes.subarray(0, 3), { last: false }))
    far.socket.write(frame(bytes.subarray(3, 8), { op: 0, last: false }))
    far.socket.write(frame('still there?', { op: 9 }))
    expect((await far.frame(10)).toString()).toBe('still there?')
    far.socket.write(frame(bytes.subarray(8), { op: 0 }))
    expect(await port.next()).toBe('"— 日本語 🦀"')
  })

  it('may come in 16,384 fragments and not in more', async () => {
    const { far, port } = await joined()
    far.socket.write(inFragments('x'.repeat(16_384)))
    expect((await port.next()).length).toBe(16_384)
    far.socket.write(inFragments('x'.repeat(16_385)))
    expect(await port.ended).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
    expect((await far.frame(8)).readUInt16BE()).toBe(1008)
    expect(port.texts).toHaveLength(1)
  })

  it('is bounded in size, also when it only says so, or comes in fragments', async () => {
    for (const bytes of [
      frame('x'.repeat(1001)),
      frame('', { length: 2n ** 63n }),
      frame('', { length: 2n ** 40n }),
      Buffer.concat([frame('x'.repeat(600), { last: false }), frame('x'.repeat(600), { op: 0 })]),
    ]) {
      const { far, port } = await joined({}, recordingPort({ maxMessageBytes: 1000 }))
      far.socket.write(bytes)
      expect(await port.ended).toMatchObject({ code: 'DP_TRANSPORT_TOO_LARGE' })
      expect(port.notes).toMatchObject([{ kind: 'too-large', data: { limit: 1000 } }])
      expect((await far.frame(8)).readUInt16BE()).toBe(1009)
    }
  })

  it('is text: a binary frame is noted and ends the link with 1003', async () => {
    const { far, port } = await joined()
    far.socket.write(frame(Uint8Array.of(0, 1, 255), { op: 2 }))
    expect(await port.ended).toMatchObject({ message: expect.stringContaining('binary') })
    expect(port.notes).toMatchObject([
      { kind: 'stray', bytes: Uint8Array.of(0, 1, 255), data: { size: 3, frame: 'binary' } },
    ])
    expect((await far.frame(8)).readUInt16BE()).toBe(1003)
  })

  it.each([
    ['a masked frame', frame('1', { masked: true }), 1002],
    ['text that is not UTF-8', frame(Uint8Array.of(0xff)), 1007],
    ['a ping of 126 bytes', frame('x'.repeat(126), { op: 9 }), 1002],
    ['a ping in fragments', frame('x', { op: 9, last: false }), 1002],
    ['an unknown kind of frame', frame('x', { op: 3 }), 1002],
    ['a compressed frame', Buffer.from([0xc1, 0]), 1002],
    ['a fragment of nothing', frame('x', { op: 0 }), 1002],
  ])('is not %s', async (_, bytes, code) => {
    const { far, port } = await joined()
    far.socket.write(bytes)
    expect(await port.ended).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
    expect((await far.frame(8)).readUInt16BE()).toBe(code)
    expect(port.texts).toEqual([])
  })

  it('has 1,000 pings and pongs in 10 s at most', async () => {
    const clock = fakeClock()
    const { far, port } = await joined({ clock })
    const pongs = (count: number): Buffer => Buffer.concat(Array(count).fill(frame('', { op: 10 })))
    far.socket.write(Buffer.concat([pongs(1000), frame('1')]))
    expect(await port.next()).toBe('1')
    await clock.advance(10_000)
    far.socket.write(Buffer.concat([pongs(1000), frame('2')]))
    expect(await port.next()).toBe('2')
    far.socket.write(pongs(1))
    expect(await port.ended).toMatchObject({ message: expect.stringContaining('pings and pongs') })
    expect((await far.frame(8)).readUInt16BE()).toBe(1008)
  })

  it('is never unlimited, whatever number the limit is', () => {
    for (const bytes of [0, -1, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
      expect(limitsFor(bytes).maxPayload | 0).toBeGreaterThan(0)
    }
  })
})

describe('the heartbeat of a WebSocket', () => {
  it('asks after 30 s of silence, and gives the far side up 10 s later', async () => {
    const clock = fakeClock()
    const { far, port } = await joined({ clock })
    await clock.advance(29_999)
    expect(far.received().length).toBe(0)
    await clock.advance(1)
    await far.frame(9)
    await clock.advance(9_999)
    expect(port.ends).toEqual([])
    const gone = once(far.socket, 'close')
    await clock.advance(1)
    expect(port.ends).toEqual([expect.objectContaining({ code: 'DP_TRANSPORT_STALLED' })])
    await gone
    expect(clock.pending).toBe(0)
  })

  it('takes every byte for a sign of life, also the middle of a long message', async () => {
    const clock = fakeClock()
    const { far, port } = await joined({ clock })
    await settled(far)
    const whole = frame(JSON.stringify('x'.repeat(2000)))
    for (let at = 0; at < whole.length; at += 500) {
      await clock.advance(30_000)
      await settled(far)
      expect(far.received().length).toBe(6 * (at / 500 + 1))
      far.socket.write(whole.subarray(at, at + 500))
      await settled(far)
      await clock.advance(10_000)
    }
    expect((await port.next()).length).toBe(2002)
    expect(port.ends).toEqual([])
  })

  it('draws no conclusion while nothing is read', async () => {
    const clock = fakeClock()
    let release = (): void => {}
    const full = new Promise<void>((resolve) => (release = resolve))
    const port = recordingPort({ onText: () => full })
    const { far } = await joined({ clock }, port)
    far.socket.write(frame('1'))
    await port.next()
    await clock.advance(600_000)
    expect(port.ends).toEqual([])
    release()
    await settled(far)
    await clock.advance(30_000)
    await clock.advance(10_000)
    expect(port.ends).toEqual([expect.objectContaining({ code: 'DP_TRANSPORT_STALLED' })])
  })

  it('can be left out', async () => {
    const clock = fakeClock()
    const { far, port } = await joined({ clock, heartbeatMs: 0 })
    await clock.advance(3_600_000)
    expect(far.received().length).toBe(0)
    expect(port.ends).toEqual([])
    expect(clock.pending).toBe(0)
  })
})

describe('the end of a WebSocket', () => {
  it.each([
    [1000, 'done', 'closed by the far side with code 1000 and the words "done"'],
    [1001, '', 'closed by the far side with code 1001'],
    [4000, 'too\u202emany', 'closed by the far side with code 4000'],
  ])('says with which code, %i, and which words', async (code, reason, message) => {
    const { far, port } = await joined()
    far.socket.write(
      frame(Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)]), { op: 8 }),
    )
    expect(await port.ended).toMatchObject({
      code: 'DP_TRANSPORT_CLOSED',
      message: expect.stringContaining(message),
    })
    expect(port.notes).toEqual([
      { kind: 'close-frame', data: reason === '' ? { code } : { code, reason } },
    ])
  })

  it('says that a message was too long for the far side', async () => {
    const { far, port } = await joined()
    far.socket.write(frame(Buffer.from([1009 >> 8, 1009 & 255]), { op: 8 }))
    expect(await port.ended).toMatchObject({ code: 'DP_TRANSPORT_TOO_LARGE' })
  })

  it('says that the connection was lost', async () => {
    const { far, port } = await joined()
    far.socket.write(frame('1'))
    await port.next()
    far.socket.destroy()
    expect(await port.ended).toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
    expect(port.texts).toEqual(['1'])
  })

  it('is asked for with code 1000, after what was written', async () => {
    const { far, link, port } = await joined()
    link.write({ text: '1' })
    const closing = link.close()
    expect((await far.frame(8)).readUInt16BE()).toBe(1000)
    expect((await far.frame(1)).toString()).toBe('1')
    far.socket.end(frame(Buffer.from([1000 >> 8, 1000 & 255]), { op: 8 }))
    await closing
    expect(port.ends).toEqual([undefined])
  })

  it('is read to, also with a reader that is full', async () => {
    const port = recordingPort({ onText: () => new Promise(() => {}) })
    const { far, link } = await joined({ clock: fakeClock() }, port)
    far.socket.write(frame('"first"'))
    far.socket.write(frame(JSON.stringify('x'.repeat(1_000_000))))
    await port.next()
    // Time stands still: the end must come without it.
    const closing = link.close()
    await far.frame(8)
    far.socket.write(frame('"last"'))
    far.socket.end(frame(Buffer.from([1000 >> 8, 1000 & 255]), { op: 8 }))
    await closing
    expect(port.texts.at(-1)).toBe('"last"')
    expect(port.ends).toEqual([undefined])
  })

  it('comes 2 s later when the far side does not answer', async () => {
    const clock = fakeClock()
    const { far, link, port } = await joined({ clock })
    const closing = link.close()
    await far.frame(8)
    await clock.advance(1999)
    expect(port.ends).toEqual([])
    await clock.advance(1)
    await closing
    expect(port.ends).toEqual([undefined])
    expect(clock.pending).toBe(0)
  })

  it('comes when the far side takes nothing for 30 s', async () => {
    const clock = fakeClock()
    const { far, link, port } = await joined({ clock, heartbeatMs: 0 })
    far.socket.pause()
    // More than the buffers of the system hold.
    link.write({ text: JSON.stringify('x'.repeat(16 * 1024 * 1024)) })
    for (let waited = 0; port.ends.length === 0 && waited < 100; waited += 1)
      await clock.advance(10_000)
    expect(port.ends).toEqual([expect.objectContaining({ code: 'DP_TRANSPORT_STALLED' })])
    expect(clock.pending).toBe(0)
  })
})

/** When this has settled, the other end has read what was written before. */
async function settled({ socket }: RawEnd): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
  expect(socket.writableLength).toBe(0)
}

function inFragments(text: string): Buffer {
  return Buffer.concat(
    Array.from(text, (unit, at) =>
      frame(unit, { op: at === 0 ? 1 : 0, last: at === text.length - 1 }),
    ),
  )
}
