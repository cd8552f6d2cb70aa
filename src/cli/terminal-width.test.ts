import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { whenNarrower } from './terminal-width.ts'

class Terminal extends EventEmitter {
  columns = 80

  resize(columns: number): void {
    this.columns = columns
    this.emit('resize')
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('tells once of a terminal that became narrower, when it stays so', () => {
  const terminal = new Terminal()
  let heard = 0
  whenNarrower(terminal, 80, () => (heard += 1))
  for (const columns of [70, 60, 50]) terminal.resize(columns)
  vi.advanceTimersByTime(249)
  expect(heard).toBe(0)
  vi.advanceTimersByTime(1)
  terminal.resize(40)
  vi.advanceTimersByTime(1_000)
  expect([heard, terminal.listenerCount('resize')]).toEqual([1, 0])
})

it('tells nothing of one that is as wide again, and of none after its end', () => {
  const terminal = new Terminal()
  let heard = 0
  const release = whenNarrower(terminal, 80, () => (heard += 1))
  terminal.resize(40)
  terminal.resize(90)
  vi.advanceTimersByTime(1_000)
  terminal.resize(40)
  release()
  vi.advanceTimersByTime(1_000)
  expect([heard, terminal.listenerCount('resize'), vi.getTimerCount()]).toEqual([0, 0, 0])
})
