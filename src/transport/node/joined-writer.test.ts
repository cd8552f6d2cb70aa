import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { createJoinedWriter, type ByteSink, type JoinedWriter } from './joined-writer.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Bench {
  readonly writer: JoinedWriter
  readonly clock: ReturnType<typeof fakeClock>
  readonly written: string[]
  readonly failures: string[]
  /** Lets the oldest write end, well or with an error. */
  readonly take: (error?: Error) => void
}

function bench(sink?: ByteSink): Bench {
  const written: string[] = []
  const failures: string[] = []
  const open: ((error?: Error | null) => void)[] = []
  const clock = fakeClock()
  const slow: ByteSink = {
    write(text, done) {
      written.push(text)
      open.push(done)
      return false
    },
  }
  const writer = createJoinedWriter(sink ?? slow, {
    clock,
    stallMs: 30_000,
    onFailed: (error) => failures.push(error.message),
    onStalled: () => failures.push('stalled'),
  })
  return { writer, clock, written, failures, take: (error) => open.shift()?.(error ?? null) }
}

/** One that has just seen lines come together, and so waits for the end of the turn. */
async function busyBench(): Promise<Bench> {
  const made = bench()
  for (const text of ['x', 'y', 'z']) made.writer.write(text)
  made.take()
  await turn()
  made.take()
  made.written.length = 0
  return made
}

describe('joining', () => {
  it('makes one write of all lines of a turn, each with its newline [STDIO-02]', async () => {
    const { writer, written, take } = await busyBench()
    writer.write('one')
    await Promise.resolve()
    writer.write('two')
    expect(written).toEqual([])
    await turn()
    expect(written).toEqual(['one\ntwo\n'])
    take()
  })

  it('does not make a line wait that comes alone', async () => {
    const { writer, written, take } = bench()
    for (const text of ['one', 'two', 'three']) {
      writer.write(text)
      expect(written.at(-1)).toBe(`${text}\n`)
      take()
      await turn()
    }
    expect(written).toHaveLength(3)
  })

  it('joins again as soon as two lines come together, and stops when they no longer do', async () => {
    const { writer, written, take } = bench()
    writer.write('1')
    writer.write('2')
    writer.write('3')
    take()
    await turn()
    expect(written).toEqual(['1\n', '2\n3\n'])
    take()
    writer.write('4')
    expect(written).toHaveLength(2)
    await turn()
    take()
    writer.write('5')
    expect(written.slice(2)).toEqual(['4\n', '5\n'])
  })

  it('writes at once when more than 64 kB wait', async () => {
    const { writer, written } = await busyBench()
    writer.write('x'.repeat(60_000))
    expect(written).toEqual([])
    writer.write('y'.repeat(10_000))
    expect(written.map((text) => text.length)).toEqual([70_002])
  })

  it('has one write under way, and joins what comes meanwhile', async () => {
    const { writer, written, take } = bench()
    writer.write('a')
    await turn()
    writer.write('b')
    await turn()
    writer.write('c'.repeat(70_000))
    await turn()
    expect(written).toEqual(['a\n'])
    take()
    await turn()
    expect(written.slice(1)).toEqual([`b\n${'c'.repeat(70_000)}\n`])
  })

  it('cuts a long message into pieces, never between the halves of a pair', async () => {
    const { writer, written, take } = bench()
    const text = `x${'🦀'.repeat(300_000)}`
    const receipt = writer.write(text)
    for (let piece = 1; written.join('').length < text.length + 1; piece += 1) {
      expect(written).toHaveLength(piece)
      expect(receipt.sent).toBe('maybe')
      take()
    }
    take()
    expect(receipt.sent).toBe('yes')
    expect(written.join('')).toBe(`${text}\n`)
    expect(written.filter((piece) => /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/.test(piece))).toEqual([])
    expect(Math.max(...written.map((piece) => piece.length))).toBeLessThanOrEqual(256 * 1024)
  })
})

describe('receipts', () => {
  it('go from no to maybe to yes, one for all of a write', async () => {
    const { writer, take } = await busyBench()
    const first = writer.write('a')
    const second = writer.write('b')
    expect([first.sent, second.sent]).toEqual(['no', 'no'])
    await turn()
    expect([first.sent, second.sent]).toEqual(['maybe', 'maybe'])
    take()
    expect([first.sent, second.sent]).toEqual(['yes', 'yes'])
    expect(first).toBe(second)
  })

  it('stay at maybe for a write that failed and at no for what waited behind it', async () => {
    const { writer, take, failures } = bench()
    const leaving = writer.write('a')
    await turn()
    const waiting = writer.write('b')
    take(new Error('EPIPE'))
    const late = writer.write('c')
    await turn()
    expect([leaving.sent, waiting.sent, late.sent]).toEqual(['maybe', 'no', 'no'])
    expect(failures).toEqual(['EPIPE'])
  })
})

describe('backlog', () => {
  it('counts what waits and what is under way', async () => {
    const { writer, take } = bench()
    writer.write('abc')
    await turn()
    writer.write('de')
    expect([writer.backlogMessages, writer.backlogBytes]).toEqual([2, 7])
    take()
    await turn()
    take()
    expect([writer.backlogMessages, writer.backlogBytes]).toEqual([0, 0])
  })

  it('is drained when the last write has ended', async () => {
    const { writer, take } = bench()
    await writer.drained()
    let drained = 0
    writer.write('a')
    void writer.drained().then(() => (drained += 1))
    void writer.drained().then(() => (drained += 1))
    await turn()
    expect(drained).toBe(0)
    take()
    await turn()
    expect(drained).toBe(2)
  })

  it('is gone and drained after a stop, which may come twice', async () => {
    const { writer, written, clock } = bench()
    writer.write('a')
    await turn()
    writer.write('b')
    const drained = writer.drained()
    writer.stop()
    writer.stop()
    await drained
    await turn()
    expect(written).toEqual(['a\n'])
    expect(writer.backlogMessages).toBe(0)
    expect(clock.pending).toBe(0)
  })
})

describe('a stuck write', () => {
  it('is given up after the stall time, and says so once', async () => {
    const { writer, clock, failures } = bench()
    const receipt = writer.write('a')
    await turn()
    await clock.advance(29_999)
    expect(failures).toEqual([])
    await clock.advance(1)
    await clock.advance(60_000)
    expect(failures).toEqual(['stalled'])
    expect(receipt.sent).toBe('maybe')
    expect(clock.pending).toBe(0)
  })

  it('is not stuck while pieces are taken', async () => {
    const { writer, clock, failures, take } = bench()
    writer.write('x'.repeat(1_000_000))
    for (let piece = 0; piece < 3; piece += 1) {
      await clock.advance(29_000)
      take()
    }
    expect(failures).toEqual([])
    await clock.advance(30_000)
    expect(failures).toEqual(['stalled'])
  })

  it('leaves no timer behind when all was taken', async () => {
    const { writer, clock, failures, take } = bench()
    writer.write('a')
    await turn()
    take()
    await clock.advance(60_000)
    expect(clock.pending).toBe(0)
    expect(failures).toEqual([])
  })
})

it('takes a sink that throws for one that has failed', async () => {
  const { writer, failures } = bench({
    write() {
      throw new Error('closed')
    },
  })
  writer.write('a')
  await turn()
  expect(failures).toEqual(['closed'])
})
