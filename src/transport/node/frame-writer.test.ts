import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { FrameWriter, type FrameSink } from './frame-writer.ts'

interface Sent {
  readonly piece: string
  readonly last: boolean
}

/** A carrier that takes writes when the test says so. */
function carrier(): {
  readonly sink: FrameSink
  readonly sent: Sent[]
  /** Frames of each write, for those between cork and uncork leave in one. */
  readonly writes: Sent[][]
  take(error?: Error): void
} {
  const sent: Sent[] = []
  const writes: Sent[][] = []
  let done: ((error?: Error | null) => void) | undefined
  const sink: FrameSink = {
    send(piece, last, callback) {
      sent.push({ piece, last })
      writes.at(-1)?.push({ piece, last })
      done = callback ?? done
    },
    cork: () => void writes.push([]),
    uncork() {},
  }
  return {
    sink,
    sent,
    writes,
    take(error) {
      const taken = done
      done = undefined
      taken?.(error)
    },
  }
}

function writer(sink: FrameSink): {
  readonly writer: FrameWriter
  readonly clock: ReturnType<typeof fakeClock>
  readonly ends: string[]
} {
  const clock = fakeClock()
  const ends: string[] = []
  const made = new FrameWriter(sink, {
    clock,
    stallMs: 1000,
    onFailed: (error) => ends.push(error.message),
    onStalled: () => ends.push('stalled'),
  })
  return { writer: made, clock, ends }
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

describe('a writer of frames', () => {
  it('writes a lone message at once, and those of one turn in one write', async () => {
    const far = carrier()
    const { writer: out } = writer(far.sink)
    out.write('1')
    expect(far.sent).toEqual([{ piece: '1', last: true }])
    out.write('2')
    out.write('3')
    expect(out.backlogMessages).toBe(3)
    far.take()
    await turn()
    expect(far.writes).toEqual([
      [{ piece: '1', last: true }],
      [
        { piece: '2', last: true },
        { piece: '3', last: true },
      ],
    ])
    far.take()
    expect(out.backlogMessages + out.backlogBytes).toBe(0)
  })

  it('says by the receipt what became of a message', async () => {
    const far = carrier()
    const { writer: out } = writer(far.sink)
    const first = out.write('1')
    const second = out.write('2')
    expect([first.sent, second.sent]).toEqual(['maybe', 'no'])
    far.take()
    await turn()
    expect([first.sent, second.sent]).toEqual(['yes', 'maybe'])
  })

  it('cuts a long message into fragments, never inside a character, one after the other', async () => {
    const far = carrier()
    const { writer: out } = writer(far.sink)
    const text = `x${'🙂'.repeat(300_000)}`
    out.write(text)
    out.write('short')
    for (let round = 0; round < 10; round += 1) {
      far.take()
      await turn()
    }
    expect(
      far.sent
        .slice(0, -1)
        .map(({ piece }) => piece)
        .join(''),
    ).toBe(text)
    const pieces = far.sent.slice(0, -1)
    expect(pieces.length).toBe(3)
    expect(pieces.map(({ last }) => last)).toEqual([false, false, true])
    expect(pieces.every(({ piece }) => !/[\ud800-\udbff]$/.test(piece))).toBe(true)
    expect(far.sent.at(-1)).toEqual({ piece: 'short', last: true })
  })

  it('never joins more into one write than a piece and what fills it up', async () => {
    const far = carrier()
    const { writer: out } = writer(far.sink)
    for (let at = 0; at < 100; at += 1) out.write('x'.repeat(50_000))
    for (let round = 0; round < 60; round += 1) {
      far.take()
      await turn()
    }
    expect(far.sent.length).toBe(100)
    const sizes = far.writes.map((frames) => frames.reduce((sum, one) => sum + one.piece.length, 0))
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024 + 50_000)
  })

  it('settles drained() when all is taken', async () => {
    const far = carrier()
    const { writer: out } = writer(far.sink)
    await out.drained()
    out.write('1')
    out.write('2')
    let drained = false
    const waiting = out.drained().then(() => (drained = true))
    far.take()
    await turn()
    expect(drained).toBe(false)
    far.take()
    await waiting
    expect(drained).toBe(true)
  })

  it('stops at a failure, tells it once, and settles drained()', async () => {
    const far = carrier()
    const { writer: out, ends, clock } = writer(far.sink)
    const first = out.write('1')
    out.write('2')
    const waiting = out.drained()
    far.take(new Error('broken'))
    await waiting
    expect(ends).toEqual(['broken'])
    expect(first.sent).toBe('maybe')
    expect(out.write('3').sent).toBe('no')
    expect(far.sent).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  it('tells that nothing was taken for the time, though pieces of a long message count as life', async () => {
    const far = carrier()
    const { writer: out, ends, clock } = writer(far.sink)
    out.write('x'.repeat(600_000))
    await clock.advance(900)
    far.take()
    await clock.advance(900)
    far.take()
    await clock.advance(999)
    expect(ends).toEqual([])
    await clock.advance(1)
    expect(ends).toEqual(['stalled'])
    expect(out.backlogMessages).toBe(0)
  })
})
