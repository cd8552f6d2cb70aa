import { existsSync, readdirSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { isAlive, recordingPort } from '../../../test/support/stdio/port.ts'
import { sessions } from '../../../test/support/stdio/start.ts'
import { systemClock, type Clock } from '../../base/clock.ts'
import { stdio } from './stdio-client.ts'

/** Only Linux shows what is open. */
const DESCRIPTORS = '/proc/self/fd'

const { start, closeAll } = sessions()
afterEach(closeAll)

/** Signals and groups of processes are those of POSIX. */
const posix = process.platform !== 'win32'

describe.runIf(posix)('close', () => {
  it('ends the input and is done when the process is [STDIO-08]', async () => {
    const { link, port } = await start('echo', { stopEofMs: 60_000 })
    link.write({ text: 'x' })
    await port.next()
    await link.close()
    expect(port.ends).toEqual([undefined])
    expect(port.notes.map(({ kind }) => kind)).toEqual(['spawn', 'exit'])
    expect(port.notes.at(-1)?.data).toEqual({ exitCode: 0, signal: undefined })
  })

  it('still sends what was written before it', async () => {
    const { link, port } = await start('echo', { stopEofMs: 60_000 })
    link.write({ text: 'goodbye' })
    await link.close()
    expect(port.texts).toEqual(['goodbye'])
    expect(link.write({ text: 'late' }).sent).toBe('no')
  })

  it('looks at one megabyte of what is written meanwhile, and not at a flood', async () => {
    const { link, port } = await start('pouring')
    await port.next()
    const before = port.texts.length
    await link.close()
    expect(port.texts.length - before).toBeLessThanOrEqual(1024)
  })

  it('asks, then sends SIGTERM after 2 s, then SIGKILL after 2 s [STDIO-09]', async () => {
    const clock = fakeClock()
    const { link, port } = await start('stubborn', { clock, stopEofMs: 2000, stopTermMs: 2000 })
    const pid = Number(await port.next())
    const steps = (): unknown[] =>
      port.notes.filter(({ kind }) => kind === 'stop').map(({ data }) => data?.['step'])
    const closing = link.close()
    await clock.advance(1999)
    expect(steps()).toEqual([])
    await clock.advance(1)
    expect(steps()).toEqual(['SIGTERM'])
    await clock.advance(1999)
    expect(steps()).toEqual(['SIGTERM'])
    expect(isAlive(pid)).toBe(true)
    await clock.advance(1)
    expect(steps()).toEqual(['SIGTERM', 'SIGKILL'])
    await closing
    expect(isAlive(pid)).toBe(false)
    expect(port.notes.at(-1)?.data).toMatchObject({ signal: 'SIGKILL' })
    expect(clock.pending).toBe(0)
  })

  it('ends the whole tree of a launcher', async () => {
    const { link, port } = await start('launcher')
    const pid = Number(await port.next())
    await link.close()
    expect(isAlive(pid)).toBe(false)
  })

  it('ends those of the group who stay when the leader went', async () => {
    const { link, port } = await start('orphaner')
    const pid = Number(await port.next())
    await link.close()
    expect(isAlive(pid)).toBe(false)
  })

  it('waits for the same end, however often it is called', async () => {
    const { link, port } = await start('stubborn')
    await port.next()
    await Promise.all([link.close(), link.close(), link.close()])
    expect(port.ends).toEqual([undefined])
  })

  it('may be called by whoever hears of the end', async () => {
    const port = recordingPort()
    const told = port.closed
    const opening = start(
      ['leave', '4'],
      {},
      {
        ...port,
        closed(reason) {
          closing = opening.then(({ link }) => link.close())
          told(reason)
        },
      },
    )
    let closing: Promise<void> | undefined
    await port.ended
    await closing
    expect(port.ends).toHaveLength(1)
  })

  it('is not held up by a process that reads nothing', async () => {
    const { link, port } = await start('deaf')
    await port.next()
    const receipt = link.write({ text: 'x'.repeat(4 << 20) })
    await link.close()
    expect(receipt.sent).toBe('maybe')
    expect(link.backlogMessages).toBe(0)
  })
})

it.runIf(posix)('leaves no process, pipe, listener or timer after twenty connections', async () => {
  let timers = 0
  const clock: Clock = {
    ...systemClock,
    after(ms, run) {
      timers += 1
      const over = once(() => (timers -= 1))
      const timer = systemClock.after(ms, () => {
        over()
        run()
      })
      return {
        cancel() {
          over()
          timer.cancel()
        },
      }
    },
  }
  const cycle = async (): Promise<void> => {
    const port = recordingPort()
    const link = await stdio({ command: 'cat', clock }).open(port)
    link.write({ text: 'x' })
    await port.next()
    await link.close()
  }
  const left = async (): Promise<readonly (readonly [string, number])[]> => {
    // A closed handle leaves the list some turns later.
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    const resources = process.getActiveResourcesInfo()
    const pipes = resources.filter((name) => name === 'PipeWrap').length
    const processes = resources.filter((name) => name === 'ProcessWrap').length
    const events = process.eventNames().map((name) => process.listenerCount(name))
    return [
      ['pipes', pipes],
      ['processes', processes],
      ['listeners', events.reduce((sum, count) => sum + count, 0)],
      ['descriptors', existsSync(DESCRIPTORS) ? readdirSync(DESCRIPTORS).length : 0],
      ['timers', timers],
    ]
  }
  await cycle()
  const before = await left()
  for (let turn = 0; turn < 20; turn += 1) await cycle()
  expect(await left()).toEqual(before)
  expect(timers).toBe(0)
})

function once(run: () => void): () => void {
  let done = false
  return () => {
    if (!done) run()
    done = true
  }
}
