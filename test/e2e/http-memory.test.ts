/** What sessions and requests over HTTP leave in memory: little while they live, and nothing afterwards. */
import { expect, it } from 'vitest'
import { Server } from '../../src/server/server.ts'
import { defineTool } from '../../src/tools/define.ts'
import { request } from '../support/fake-http.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { liveBytes } from '../support/heap.ts'
import { handled, modern, type Handled } from '../support/http/handled.ts'

const SESSIONS = 2000
const REQUESTS = 10_000

const echo = defineTool({ name: 'echo', run: () => 'x' })

/** Sessions that were opened, said that they are ready, and called once. */
async function open({ session, ask }: Handled, count: number): Promise<Record<string, string>[]> {
  const all: Record<string, string>[] = []
  for (let n = 0; n < count; n += 1) {
    const headers = await session()
    await ask({ json: request(1, 'tools/call', { name: 'echo' }), headers })
    all.push(headers)
  }
  return all
}

it('holds at most 4 kB for a session that is idle, and gives it back after DELETE', async () => {
  const behind = handled(new Server({ name: 's', version: '1', tools: [echo] }))
  const end = async (sessions: Record<string, string>[]): Promise<void> => {
    for (const headers of sessions.splice(0)) await behind.ask({ method: 'DELETE', headers })
  }
  // A whole round before: what the engine compiles and learns in it is no session's.
  await end(await open(behind, SESSIONS))
  const before = liveBytes().heap
  const sessions = await open(behind, SESSIONS)
  const each = (liveBytes().heap - before) / SESSIONS
  console.log(`A session that is idle has ${Math.round(each)} bytes.`)
  expect(each).toBeLessThanOrEqual(4096)
  await end(sessions)
  const left = (liveBytes().heap - before) / SESSIONS
  console.log(`${Math.round(left)} bytes of it are left after its end.`)
  expect(left).toBeLessThanOrEqual(each / 10)
  await behind.handler.close()
})

it('gives back what a session holds when it expires', async () => {
  const clock = fakeClock()
  const behind = handled(new Server({ name: 's', version: '1', tools: [echo], clock }))
  await open(behind, SESSIONS)
  await clock.advance(31 * 60_000)
  const before = liveBytes().heap
  await open(behind, SESSIONS)
  const each = (liveBytes().heap - before) / SESSIONS
  await clock.advance(31 * 60_000)
  expect(behind.handler.sessions).toBe(0)
  expect((liveBytes().heap - before) / SESSIONS).toBeLessThanOrEqual(each / 10)
})

it('holds nothing of requests that stand for themselves', async () => {
  const { ask, handler } = handled(new Server({ name: 's', version: '1', tools: [echo] }))
  const ten = async (): Promise<void> => {
    for (let n = 0; n < REQUESTS; n += 1) await ask(modern(1, 'tools/call', { name: 'echo' }))
  }
  await ten()
  const before = liveBytes().heap
  await ten()
  const each = (liveBytes().heap - before) / REQUESTS
  console.log(`A request leaves ${each.toFixed(1)} bytes.`)
  expect(each).toBeLessThan(8)
  await handler.close()
})
