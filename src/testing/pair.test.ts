import { expect, it } from 'vitest'
import { REVISIONS } from '../protocol/revision.ts'
import { Server } from '../server/server.ts'
import { resultToText } from '../tools/content.ts'
import { defineTool } from '../tools/define.ts'
import { pair } from './pair.ts'

const greet = defineTool<{ name: string }>({
  name: 'greet',
  input: { type: 'object', properties: { name: { type: 'string' } } },
  run: ({ name }) => `Hello, ${name}!`,
})
const greeter = (): Server => new Server({ name: 'greeter', version: '1', tools: [greet] })

it.each(REVISIONS)('connects a client to a server object at %s', async (revision) => {
  await using connected = await pair(greeter(), { revisions: [revision] })
  expect(connected.client.server.revision).toBe(revision)
  expect(resultToText(await connected.client.callTool('greet', { name: 'Ada' }))).toBe(
    'Hello, Ada!',
  )
})

it('ends both ends, however often, and leaves other clients of the server alone', async () => {
  const server = greeter()
  const [one, two] = [await pair(server), await pair(server)]
  await Promise.all([one.close(), one.close()])
  await expect(one.client.listTools()).rejects.toMatchObject({ code: 'DP_TRANSPORT_CLOSED' })
  expect(await two.client.listTools()).toHaveLength(1)
  await two.close()
})

it('is closed also when the server or the client ended first', async () => {
  const first = await pair(greeter())
  await first.server.close()
  await first.close()
  const second = await pair(greeter())
  await second.client.close()
  await second.close()
  await expect(Promise.all([first, second].map(({ client }) => client.closed))).resolves.toEqual([
    undefined,
    undefined,
  ])
})

it('rejects, and leaves nothing behind, when the two cannot agree', async () => {
  const server = new Server({ name: 'old', version: '1', revisions: ['2024-11-05'] })
  await expect(pair(server, { revisions: ['2026-07-28'] })).rejects.toMatchObject({
    code: 'DP_PROTOCOL_VERSION',
  })
  await server.close()
})
