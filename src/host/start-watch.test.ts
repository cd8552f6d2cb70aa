import { describe, expect, it } from 'vitest'
import { fakeClock, type FakeClock } from '../../test/support/fake-clock.ts'
import type { TimeoutError } from '../base/errors.ts'
import type { GroupSight } from './group-sight.ts'
import { MAX_FETCH_MS, StartWatch } from './start-watch.ts'

interface Scene {
  readonly clock: FakeClock
  readonly watch: StartWatch
  readonly over: TimeoutError[]
  readonly downloading: boolean[]
  /** What is seen of the process from now on; undefined where nothing can be seen. */
  sight: GroupSight | undefined
  /** Lets the process work for so long. */
  readonly work: (ms: number) => Promise<void>
}

const IDLE: GroupSight = { children: 0, ticks: 10, bytes: 5000 }

function scene(rest: Partial<ConstructorParameters<typeof StartWatch>[0]> = {}): Scene {
  const clock = fakeClock()
  const over: TimeoutError[] = []
  const downloading: boolean[] = []
  const made: Scene = {
    clock,
    over,
    downloading,
    sight: IDLE,
    watch: new StartWatch({
      clock,
      look: () => Promise.resolve(made?.sight),
      server: 's',
      limit: { ms: 120_000, setBy: 'default' },
      launcher: 'npx',
      extends: true,
      onOver: (error) => over.push(error),
      onDownloading: (is) => downloading.push(is),
      ...rest,
    }),
    async work(ms) {
      for (let passed = 0; passed < ms; passed += 2000) {
        const { children = 0, ticks = 0, bytes = 0 } = made.sight ?? {}
        made.sight = { children, ticks: ticks + 50, bytes: bytes + 1_000_000 }
        await clock.advance(2000)
      }
    },
  }
  return made
}

describe('a start that may fetch its program first', () => {
  it('is told as a download while the command works and has started nothing yet', async () => {
    const { watch, downloading, work, clock } = scene()
    watch.started(7)
    await clock.advance(1999)
    expect(downloading).toEqual([])
    await work(2000)
    expect(downloading).toEqual([true])
  })

  it('is no download any more once its program runs', async () => {
    const made = scene()
    made.watch.started(7)
    await made.work(4000)
    made.sight = { children: 1, ticks: 900, bytes: 9_000_000 }
    await made.clock.advance(2000)
    expect(made.downloading).toEqual([true, false])
  })

  it('is no download any more when the command has done nothing for six seconds', async () => {
    const { watch, downloading, work, clock } = scene()
    watch.started(7)
    await work(10_000)
    await clock.advance(5999)
    expect(downloading).toEqual([true])
    await clock.advance(1)
    expect(downloading).toEqual([true, false])
  })

  it('is no download when the command has done nothing at all', async () => {
    const made = scene()
    made.sight = { children: 0, ticks: 1, bytes: 500 }
    made.watch.started(7)
    await made.clock.advance(60_000)
    expect(made.downloading).toEqual([])
  })

  it('is told by what it writes where its work cannot be seen', async () => {
    const made = scene()
    made.sight = undefined
    made.watch.started(7)
    await made.clock.advance(2000)
    expect(made.downloading).toEqual([])
    made.watch.stderr(new TextEncoder().encode('Unable to find image "x" locally\nPulling\n'))
    await made.clock.advance(2000)
    expect(made.downloading).toEqual([true])
  })

  it('gets more time while it fetches, and no more once it does not', async () => {
    const { watch, over, work, clock } = scene()
    watch.started(7)
    await work(200_000)
    expect(over).toEqual([])
    await clock.advance(12_000)
    expect(over).toMatchObject([{ timer: 'start', setBy: 'default', sent: 'no' }])
    expect(over[0]?.ms).toBeGreaterThan(200_000)
    expect(over[0]?.message).toContain('"npx" has done nothing for')
    expect(clock.pending).toBe(0)
  })

  it('leaves its program half a minute to answer, when that has begun late', async () => {
    const made = scene()
    made.watch.started(7)
    await made.work(118_000)
    made.sight = { children: 1, ticks: 9000, bytes: 90_000_000 }
    await made.clock.advance(31_999)
    expect(made.over).toEqual([])
    await made.clock.advance(1)
    expect(made.over[0]?.message).toContain('has started its program, which has not answered')
  })

  it('has an end to that time as well', async () => {
    const { watch, over, work } = scene()
    watch.started(7)
    await work(MAX_FETCH_MS + 6000)
    expect(over).toHaveLength(1)
    expect(over[0]?.message).toContain('still fetching its program')
  })

  it('gets no more time than somebody set', async () => {
    const limit = { ms: 60_000, setBy: 'config.json:4 startup_timeout' }
    const { watch, over, work } = scene({ limit, extends: false })
    watch.started(7)
    await work(60_000)
    expect(over).toMatchObject([{ ms: 60_000, setBy: 'config.json:4 startup_timeout' }])
    expect(over[0]?.message).toContain('set by config.json:4 startup_timeout')
  })
})

describe('the end of a limit', () => {
  it('tells a hang from a download', async () => {
    const { watch, over, clock } = scene()
    watch.started(7)
    await clock.advance(120_000)
    expect(over[0]?.message).toContain('it hangs')
  })

  it('tells a program that runs and does not answer from both', async () => {
    const made = scene()
    made.watch.started(7)
    made.sight = { children: 2, ticks: 50, bytes: 5000 }
    await made.clock.advance(120_000)
    expect(made.over[0]?.message).toContain('has started its program, which has not answered')
  })

  it('repeats the last words of stderr, made harmless', async () => {
    const { watch, over, clock } = scene({
      launcher: undefined,
      limit: { ms: 30_000, setBy: 'default' },
    })
    watch.started(7)
    watch.stderr(new TextEncoder().encode('loading\nwaiting for \u001b[31mdatabase\n'))
    await clock.advance(30_000)
    expect(over).toHaveLength(1)
    expect(over[0]?.message).toContain('waiting for \uFFFD[31mdatabase')
    expect(over[0]?.message).toContain('start timer of 30000 ms, set by default')
  })

  it('does not come after the end of the start, and leaves no timer', async () => {
    const { watch, over, downloading, clock } = scene()
    watch.started(7)
    watch.end()
    watch.end()
    watch.started(8)
    expect(clock.pending).toBe(0)
    await clock.advance(500_000)
    expect([over, downloading]).toEqual([[], []])
  })

  it('is not about a process that another one has followed', async () => {
    let seen: ((sight: GroupSight) => void) | undefined
    const look = (): Promise<GroupSight> => new Promise((resolve) => (seen = resolve))
    const { watch, clock, downloading } = scene({ look })
    watch.started(7)
    await clock.advance(2000)
    watch.started(8)
    seen?.({ children: 0, ticks: 900, bytes: 9_000_000 })
    await clock.advance(0)
    expect(downloading).toEqual([])
  })

  it('is about the process that was started last', async () => {
    const made = scene()
    made.watch.started(7)
    await made.clock.advance(1000)
    made.watch.started(8)
    await made.clock.advance(1500)
    expect(made.downloading).toEqual([])
    await made.work(2000)
    expect(made.downloading).toEqual([true])
  })
})
