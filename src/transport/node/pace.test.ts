import { expect, it } from 'vitest'
import { Pace } from './pace.ts'

function source(): { calls: string[]; pause(): void; resume(): void } {
  const calls: string[] = []
  return { calls, pause: () => void calls.push('pause'), resume: () => void calls.push('resume') }
}

it('pauses at the first "full" and resumes when the last has settled, kept or broken', async () => {
  const stream = source()
  const pace = new Pace(stream)
  const first = resolvers()
  const second = resolvers()
  pace.mind(undefined)
  expect(stream.calls).toEqual([])
  pace.mind(first.promise)
  pace.mind(second.promise)
  expect(pace.holds).toBe(true)
  second.reject(new Error('the reader is gone'))
  await turn()
  expect(stream.calls).toEqual(['pause'])
  first.resolve()
  await turn()
  expect(stream.calls).toEqual(['pause', 'resume'])
  expect(pace.holds).toBe(false)
})

it('resumes once when it lets go, and holds nothing up afterwards', async () => {
  const stream = source()
  const pace = new Pace(stream)
  const full = resolvers()
  pace.mind(full.promise)
  pace.letGo()
  pace.letGo()
  pace.mind(resolvers().promise)
  full.resolve()
  await turn()
  expect(stream.calls).toEqual(['pause', 'resume'])
})

it('leaves the source as it is when it is stopped', async () => {
  const stream = source()
  const pace = new Pace(stream)
  const full = resolvers()
  pace.mind(full.promise)
  pace.stop()
  full.resolve()
  await turn()
  expect(stream.calls).toEqual(['pause'])
})

interface Resolvers {
  readonly promise: Promise<void>
  resolve(): void
  reject(error: Error): void
}

function resolvers(): Resolvers {
  let resolve = (): void => {}
  let reject = (_error: Error): void => {}
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
