import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { watchAbort } from './abort-watch.ts'

it('runs all that wait for a signal when it aborts, once, with one listener between them', () => {
  const controller = new AbortController()
  const ran: number[] = []
  for (let count = 0; count < 50; count += 1)
    watchAbort(controller.signal, () => void ran.push(count))
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
  controller.abort()
  controller.abort()
  expect(ran).toHaveLength(50)
})

it('does not run what was forgotten', () => {
  const controller = new AbortController()
  const ran: string[] = []
  const forget = watchAbort(controller.signal, () => void ran.push('forgotten'))
  watchAbort(controller.signal, () => void ran.push('kept'))
  forget()
  forget()
  controller.abort()
  expect(ran).toEqual(['kept'])
})
