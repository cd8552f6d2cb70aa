/**
 * A client and a server process of ours over the life of the process: killed in the middle of work, left and met
 * again many times. `scripts/cycles.ts` does the same two hundred times.
 */
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TransportError } from '../../src/base/errors.ts'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import { stdio } from '../../src/transport/node/stdio-client.ts'
import { bundleFile } from '../support/bundle.ts'
import { ENDINGS, runCycles } from '../support/cycles.ts'
import { failureOf } from '../support/odd-peer.ts'

/** Cycles in the test; the script takes its time for more. */
const CYCLES = ENDINGS.length

let file = ''
beforeAll(async () => {
  file = await bundleFile('test/support/server-under-test.ts')
})
afterAll(() => rmSync(file, { force: true }))

async function start(words: readonly string[] = []): Promise<{ client: Client; pid: number }> {
  let pid = 0
  const client = await connect(stdio({ command: process.execPath, args: [file, ...words] }), {
    wire: (event) => {
      if (event.type === 'note' && event.note.kind === 'spawn')
        pid = Number(event.note.data?.['pid'])
    },
  })
  return { client, pid }
}

it('rejects each of a hundred calls with the signal that killed the server, and what is known of the call', async () => {
  const { client, pid } = await start()
  const early = Array.from({ length: 60 }, () =>
    failureOf(client.callTool('slow', { ms: 600_000 })),
  )
  await client.callTool('now')
  const late = Array.from({ length: 40 }, () => failureOf(client.callTool('slow', { ms: 600_000 })))
  process.kill(pid, 'SIGKILL')
  for (const error of await Promise.all(early))
    expect(error).toMatchObject({
      code: 'DP_TRANSPORT_EXIT',
      signal: 'SIGKILL',
      sent: 'yes',
      method: 'tools/call',
    })
  const states = (await Promise.all(late)).map((error) =>
    error instanceof TransportError
      ? `${error.code} ${error.signal} ${error.sent !== undefined}`
      : String(error),
  )
  expect(new Set(states)).toEqual(new Set(['DP_TRANSPORT_EXIT SIGKILL true']))
  await client.closed
  expect(client.closeReason).toMatchObject({ signal: 'SIGKILL' })
  await client.close()
})

it('leaves no process, handle, timer or listener, however a connection ends', async () => {
  expect(await runCycles(file, CYCLES)).toMatchObject({ groups: [], handles: [], listeners: 0 })
})

it('answers calls of many tools at once, each with its own result', async () => {
  const { client } = await start(['chatty'])
  const words = Array.from({ length: 300 }, (_, at) => `word ${at}`)
  const results = await Promise.all(words.map((text) => client.callTool('echo', { text })))
  expect(results.map(({ content }) => content)).toEqual(
    words.map((text) => [{ type: 'text', text }]),
  )
  await client.close()
})
