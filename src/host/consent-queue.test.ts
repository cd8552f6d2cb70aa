import { expect, it } from 'vitest'
import { fakeClock } from '../../test/support/fake-clock.ts'
import { CancelledError } from '../base/errors.ts'
import {
  allowAll,
  denyAll,
  type Consent,
  type ConsentAnswer,
  type ConsentRequest,
} from './consent.ts'
import { ConsentQueue } from './consent-queue.ts'

function question(server: string): ConsentRequest {
  return { kind: 'sampling', server, params: { messages: [], maxTokens: 1 }, warnings: [] }
}

/** A person who answers when the test says so. */
function person() {
  const asked: ConsentRequest[] = []
  const open: { answer: (answer: ConsentAnswer) => void; signal: AbortSignal }[] = []
  const consent: Consent = {
    ask: (request, signal) => {
      asked.push(request)
      return new Promise((answer) => open.push({ answer, signal }))
    },
  }
  return { asked, open, consent }
}

const settle = (): Promise<void> => new Promise(setImmediate)

it('asks one question at a time, in order', async () => {
  const { asked, open, consent } = person()
  const queue = new ConsentQueue({ consent, clock: fakeClock(), timeoutMs: 1_000 })
  const first = queue.ask(() => question('a'))
  const second = queue.ask(() => question('b'))
  await settle()
  expect(asked.map(({ server }) => server)).toEqual(['a'])
  open[0]?.answer({ kind: 'once' })
  await first
  await settle()
  expect(asked.map(({ server }) => server)).toEqual(['a', 'b'])
  open[1]?.answer({ kind: 'deny', reason: 'no' })
  expect(await second).toEqual({ kind: 'deny', reason: 'no' })
})

it('does not ask what an earlier answer has settled', async () => {
  const { asked, open, consent } = person()
  const queue = new ConsentQueue({ consent, clock: fakeClock(), timeoutMs: 1_000 })
  let granted = false
  const first = queue.ask(() => question('a'))
  const second = queue.ask(() => (granted ? undefined : question('b')))
  await settle()
  granted = true
  open[0]?.answer({ kind: 'session' })
  await first
  expect(await second).toBeUndefined()
  expect(asked).toHaveLength(1)
})

it('takes no answer in time for a no, and tells whoever asks to stop', async () => {
  const clock = fakeClock()
  const { open, consent } = person()
  const queue = new ConsentQueue({ consent, clock, timeoutMs: 5_000 })
  const answer = queue.ask(() => question('a'))
  await settle()
  await clock.advance(5_000)
  expect(await answer).toMatchObject({ kind: 'deny', by: 'nobody' })
  expect(open[0]?.signal.aborted).toBe(true)
})

it('counts the time of an answer from when its question is asked', async () => {
  const clock = fakeClock()
  const { open, consent } = person()
  const queue = new ConsentQueue({ consent, clock, timeoutMs: 5_000 })
  const first = queue.ask(() => question('a'))
  const second = queue.ask(() => question('b'))
  await settle()
  await clock.advance(4_000)
  open[0]?.answer({ kind: 'once' })
  await first
  await settle()
  await clock.advance(4_000)
  open[1]?.answer({ kind: 'once' })
  expect(await second).toEqual({ kind: 'once' })
})

it('answers with no when too many questions wait', async () => {
  const { open, consent } = person()
  const options = { consent, clock: fakeClock(), timeoutMs: 1_000, maxWaiting: 2 }
  const queue = new ConsentQueue(options)
  const waiting = [queue.ask(() => question('a')), queue.ask(() => question('b'))]
  expect(await queue.ask(() => question('c'))).toMatchObject({ kind: 'deny' })
  await settle()
  open[0]?.answer({ kind: 'once' })
  await waiting[0]
  await settle()
  open[1]?.answer({ kind: 'once' })
  expect(await waiting[1]).toEqual({ kind: 'once' })
})

it('lets go of a question whose call is given up, and goes on with the next', async () => {
  const { asked, open, consent } = person()
  const queue = new ConsentQueue({ consent, clock: fakeClock(), timeoutMs: 1_000 })
  const over = new AbortController()
  const first = queue.ask(() => question('a'), over.signal)
  const second = queue.ask(() => question('b'))
  await settle()
  over.abort()
  await expect(first).rejects.toThrow(CancelledError)
  await settle()
  expect(asked.map(({ server }) => server)).toEqual(['a', 'b'])
  open[1]?.answer({ kind: 'once' })
  expect(await second).toEqual({ kind: 'once' })
})

it('keeps the order when a question is given up while it waits', async () => {
  const { asked, open, consent } = person()
  const queue = new ConsentQueue({ consent, clock: fakeClock(), timeoutMs: 1_000 })
  const over = new AbortController()
  const first = queue.ask(() => question('a'))
  const second = queue.ask(() => question('b'), over.signal)
  const third = queue.ask(() => question('c'))
  await settle()
  over.abort()
  await expect(second).rejects.toThrow(CancelledError)
  await settle()
  expect(asked).toHaveLength(1)
  open[0]?.answer({ kind: 'once' })
  await first
  await settle()
  open[1]?.answer({ kind: 'once' })
  expect(await third).toEqual({ kind: 'once' })
  expect(asked.map(({ server }) => server)).toEqual(['a', 'c'])
})

it.each<[string, Consent['ask']]>([
  ['throws', () => Promise.reject(new Error('no terminal'))],
  [
    'throws at once',
    () => {
      throw new Error('no terminal')
    },
  ],
  ['answers in words of its own', () => Promise.resolve({ kind: 'yes' } as never)],
])('takes a consent that %s for a no', async (_, ask) => {
  const queue = new ConsentQueue({ consent: { ask }, clock: fakeClock(), timeoutMs: 1_000 })
  expect(await queue.ask(() => question('a'))).toMatchObject({ kind: 'deny' })
})

it('has an answer for nobody there and one for a flag', async () => {
  const signal = new AbortController().signal
  expect(await denyAll().ask(question('a'), signal)).toMatchObject({ kind: 'deny', by: 'nobody' })
  expect(await allowAll().ask(question('a'), signal)).toEqual({ kind: 'once', by: 'flag' })
})

it('makes up the next question when what an answer brings is done, however long that takes', async () => {
  const { asked, open, consent } = person()
  const queue = new ConsentQueue({ consent, clock: fakeClock(), timeoutMs: 1_000 })
  let granted = false
  let written = (): void => {}
  const first = queue.ask(
    () => question('a'),
    undefined,
    async () => {
      await new Promise<void>((resolve) => (written = resolve))
      granted = true
    },
  )
  const second = queue.ask(() => (granted ? undefined : question('b')))
  await settle()
  open[0]?.answer({ kind: 'session' })
  await settle()
  written()
  expect([await first, await second]).toEqual([{ kind: 'session' }, undefined])
  expect(asked).toHaveLength(1)
})

it('goes on to the next question when nothing could be done with an answer', async () => {
  const { asked, open, consent } = person()
  const queue = new ConsentQueue({ consent, clock: fakeClock(), timeoutMs: 1_000 })
  const first = queue.ask(
    () => question('a'),
    undefined,
    () => Promise.reject(new Error('disk full')),
  )
  const second = queue.ask(() => question('b'))
  await settle()
  open[0]?.answer({ kind: 'once' })
  await expect(first).rejects.toThrow('disk full')
  await settle()
  open[1]?.answer({ kind: 'deny' })
  expect(await second).toEqual({ kind: 'deny' })
  expect(asked).toHaveLength(2)
})
