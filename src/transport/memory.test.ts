import { describe, expect, it } from 'vitest'
import { recordingPort } from '../../test/support/stdio/port.ts'
import type { Link } from '../jsonrpc/link.ts'
import { memoryPair, memoryWire, type MemoryOptions, type MemoryWire } from './memory.ts'

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Ends {
  readonly left: Link
  readonly right: Link
  readonly leftPort: ReturnType<typeof recordingPort>
  readonly rightPort: ReturnType<typeof recordingPort>
}

async function join(
  options: MemoryOptions = {},
  rightPort = recordingPort(),
): Promise<Ends & Pick<MemoryWire, 'cut'>> {
  const { first, second, cut } = memoryWire(options)
  const leftPort = recordingPort()
  const left = await first.open(leftPort)
  const right = await second.open(rightPort)
  return { left, right, leftPort, rightPort, cut }
}

describe('delivery', () => {
  it('is later and in order, both ways', async () => {
    const { left, right, leftPort, rightPort } = await join()
    left.write({ text: '1' })
    left.write({ text: '2' })
    right.write({ text: 'a' })
    expect([leftPort.texts, rightPort.texts]).toEqual([[], []])
    await settle()
    expect([leftPort.texts, rightPort.texts]).toEqual([['a'], ['1', '2']])
  })

  it('tells by the receipt', async () => {
    const { left } = await join()
    const receipt = left.write({ text: '1' })
    expect([receipt.sent, left.backlogMessages, left.backlogBytes]).toEqual(['no', 1, 1])
    await left.drained()
    expect([receipt.sent, left.backlogMessages, left.backlogBytes]).toEqual(['yes', 0, 0])
  })

  it('waits for an end that is opened later', async () => {
    const [first, second] = memoryPair()
    const left = await first.open(recordingPort())
    left.write({ text: '1' })
    await settle()
    expect(left.backlogMessages).toBe(1)
    const port = recordingPort()
    await second.open(port)
    expect(port.texts).toEqual([])
    expect(await port.next()).toBe('1')
  })

  it('waits for a reader that is full, also when its promise fails', async () => {
    const gates: ((error?: Error) => void)[] = []
    const port = recordingPort({
      onText: () =>
        new Promise((resolve, reject) =>
          gates.push((error) => (error === undefined ? resolve() : reject(error))),
        ),
    })
    const { left } = await join({}, port)
    for (const text of ['1', '2', '3']) left.write({ text })
    await settle()
    expect([port.texts, left.backlogMessages]).toEqual([['1'], 2])
    gates[0]?.()
    await settle()
    expect(port.texts).toEqual(['1', '2'])
    gates[1]?.(new Error('x'))
    await settle()
    expect(port.texts).toEqual(['1', '2', '3'])
    await left.drained()
  })

  it('is up to the scheduler, and in order whatever it does', async () => {
    const runs: (() => void)[] = []
    const moves: unknown[] = []
    const { left, rightPort } = await join({
      schedule(run, move) {
        runs.push(run)
        moves.push(move)
      },
    })
    for (const text of ['1', '2', '3']) left.write({ text })
    await settle()
    expect(rightPort.texts).toEqual([])
    runs[2]?.()
    runs[0]?.()
    expect(rightPort.texts).toEqual(['1', '2'])
    expect(moves[0]).toEqual({ from: 'first', text: '1' })
  })

  it('gives of a text that is too long what a framer would give', async () => {
    const port = recordingPort({ maxMessageBytes: 100 })
    const { left } = await join({}, port)
    left.write({ text: 'é'.repeat(50) })
    left.write({ text: 'é'.repeat(51) })
    left.write({ text: 'x'.repeat(200_000) })
    await settle()
    expect(port.texts).toEqual(['é'.repeat(50)])
    expect(
      port.pieces.map(({ reason, size, head, tail }) => [reason, size, head.length, tail.length]),
    ).toEqual([
      ['too-large', 102, 102, 0],
      ['too-large', 200_000, 65_536, 65_536],
    ])
  })
})

describe('the end', () => {
  it('of one side comes to the other after all that was written', async () => {
    const { left, right, leftPort, rightPort } = await join()
    left.write({ text: '1' })
    const lost = right.write({ text: 'too late' })
    await left.close()
    expect(await rightPort.ended).toBeUndefined()
    expect(rightPort.texts).toEqual(['1'])
    expect([leftPort.texts, leftPort.ends]).toEqual([[], [undefined]])
    expect(lost.sent).toBe('no')
    expect(right.write({ text: 'x' }).sent).toBe('no')
    expect(left.write({ text: 'x' }).sent).toBe('no')
    await right.drained()
  })

  it('is told once to each, however often both close', async () => {
    const { left, right, leftPort, rightPort } = await join()
    await Promise.all([left.close(), right.close(), left.close()])
    await settle()
    expect([leftPort.ends, rightPort.ends]).toEqual([[undefined], [undefined]])
  })

  it('is told to an end that opens after it', async () => {
    const [first, second] = memoryPair()
    const left = await first.open(recordingPort())
    left.write({ text: '1' })
    await left.close()
    const port = recordingPort()
    await second.open(port)
    await port.ended
    expect(port.texts).toEqual(['1'])
  })

  it('by a cut loses what is under way and tells both why', async () => {
    const { left, leftPort, rightPort, cut } = await join()
    const receipt = left.write({ text: '1' })
    cut()
    await settle()
    expect(rightPort.texts).toEqual([])
    expect(receipt.sent).toBe('no')
    expect(leftPort.ends).toEqual([expect.objectContaining({ code: 'DP_TRANSPORT_CLOSED' })])
    expect(rightPort.ends).toHaveLength(1)
    await left.drained()
    cut()
    await left.close()
    expect(leftPort.ends).toHaveLength(1)
  })

  it('by a cut is told once to an end that opens afterwards', async () => {
    const { first, second, cut } = memoryWire()
    await first.open(recordingPort())
    const why = new Error('gone')
    cut(why)
    const port = recordingPort()
    const late = await second.open(port)
    expect(port.ends).toEqual([])
    await settle()
    await late.close()
    cut()
    await settle()
    expect(port.ends).toEqual([why])
    expect(late.write({ text: '1' }).sent).toBe('no')
  })
})

it('opens each end once', async () => {
  const [first] = memoryPair({ name: 'pair' })
  expect(first.name).toBe('pair')
  await first.open(recordingPort())
  await expect(first.open(recordingPort())).rejects.toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
})
