import { describe, expect, it } from 'vitest'
import { systemRandom } from '../../base/clock.ts'
import { silentLogger } from '../../base/log.ts'
import { fakeClock, type FakeClock } from '../../../test/support/fake-clock.ts'
import { MemoryEventStore } from './event-store.ts'
import { Pulse } from './pulse.ts'
import { Sessions, type Session, type SessionLimits } from './sessions.ts'

const MINUTE = 60_000

interface Table {
  readonly sessions: Sessions
  readonly clock: FakeClock
  readonly add: (
    id: string,
    more?: { principal?: string; busy?: boolean },
  ) => Session & { busy: boolean }
}

function table(limits: Partial<SessionLimits> = {}): Table {
  const clock = fakeClock()
  const world = {
    pulse: new Pulse(clock),
    load: { open: 0 },
    store: new MemoryEventStore(),
    logger: silentLogger,
    maxUnsentBytes: 1,
    keepAliveMs: 1,
    retryMs: 1,
    maxSessionStreams: 1,
  }
  const whole = {
    maxSessions: 3,
    sessionIdleMs: 30 * MINUTE,
    sessionMaxMs: 480 * MINUTE,
    ...limits,
  }
  const sessions = new Sessions(world, whole, systemRandom)
  return {
    sessions,
    clock,
    add(id, { principal, busy = false } = {}) {
      const now = clock.now()
      const session = {
        id,
        principal,
        busy,
        openedAt: now,
        usedAt: now,
        close() {
          sessions.remove(session)
          return Promise.resolve()
        },
      }
      sessions.add(session)
      return session
    },
  }
}

describe('session ids', () => {
  it('are 192 bits of letters, digits, minus and underline, and never come twice [HTTP-28, SEC-04]', () => {
    const { sessions } = table()
    const ids = Array.from({ length: 10_000 }, () => sessions.newId())
    expect(new Set(ids).size).toBe(10_000)
    expect(ids.filter((id) => !/^[\w-]{32}$/.test(id))).toEqual([])
  })
})

describe('a session', () => {
  it('is found by its id, and by no other', () => {
    const { sessions, add } = table()
    const session = add('a')
    expect(sessions.use('a', undefined)).toBe(session)
    expect(sessions.use('b', undefined)).toBeUndefined()
  })

  it.each([
    ['alice', 'bob'],
    ['alice', undefined],
    [undefined, 'bob'],
  ])('that %s opened is not there for %s', (owner, other) => {
    const { sessions, add } = table()
    add('a', owner === undefined ? {} : { principal: owner })
    expect(sessions.use('a', other)).toBeUndefined()
    expect(sessions.use('a', owner)).toBeDefined()
  })

  it('ends after half an hour without use, and not before', async () => {
    const { sessions, add, clock } = table()
    add('used')
    add('idle')
    await clock.advance(20 * MINUTE)
    sessions.use('used', undefined)
    await clock.advance(11 * MINUTE)
    expect([
      sessions.use('used', undefined) !== undefined,
      sessions.use('idle', undefined),
    ]).toEqual([true, undefined])
  })

  it('ends by itself, also when nobody asks for it', async () => {
    const { sessions, add, clock } = table()
    add('idle')
    await clock.advance(31 * MINUTE)
    expect([sessions.size, clock.pending]).toEqual([0, 0])
  })

  it('does not end while something goes on in it, and begins to be idle then', async () => {
    const { sessions, add, clock } = table()
    const session = add('busy', { busy: true })
    await clock.advance(60 * MINUTE)
    expect(sessions.size).toBe(1)
    session.busy = false
    await clock.advance(29 * MINUTE)
    expect(sessions.size).toBe(1)
    await clock.advance(2 * MINUTE)
    expect(sessions.size).toBe(0)
  })

  it('ends after eight hours, whatever goes on in it', async () => {
    const { sessions, add, clock } = table()
    add('busy', { busy: true })
    await clock.advance(481 * MINUTE)
    expect(sessions.size).toBe(0)
  })
})

describe('too many sessions', () => {
  it('make room by ending the one that was idle longest', async () => {
    const { sessions, add, clock } = table()
    for (const id of ['a', 'b', 'c']) add(id)
    await clock.advance(2000)
    sessions.use('a', undefined)
    expect(sessions.makeRoom()).toBe(true)
    expect(['a', 'b', 'c'].map((id) => sessions.use(id, undefined)?.id)).toEqual([
      'a',
      undefined,
      'c',
    ])
  })

  it('are refused when all are busy', () => {
    const { sessions, add } = table()
    for (const id of ['a', 'b', 'c']) add(id, { busy: true })
    expect([sessions.makeRoom(), sessions.size]).toEqual([false, 3])
  })
})
