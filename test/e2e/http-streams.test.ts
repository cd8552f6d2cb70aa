/** Both ends of ours over HTTP: a call whose stream ends early is answered all the same, where there is a way back to it. */
import { afterEach, describe, expect, it } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { Revision } from '../../src/protocol/revision.ts'
import { serveHttp } from '../../src/server/node/serve-http.ts'
import { Server } from '../../src/server/server.ts'
import { resultToText } from '../../src/tools/content.ts'
import { defineTool } from '../../src/tools/define.ts'
import { http } from '../../src/transport/node/http-client.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

/** A client of a server whose tool `poll` lets go of its stream, and goes on when the client has come back for it. */
async function polling(revision: Revision): Promise<Client> {
  let comesBack = (): void => {}
  const cameBack = new Promise<void>((resolve) => (comesBack = resolve))
  const poll = defineTool({
    name: 'poll',
    async run(_args, context) {
      if (!context.closeStream(20)) return 'the stream is still open'
      await cameBack
      context.progress({ progress: 1 })
      return 'fetched later'
    },
  })
  const served = await serveHttp(new Server({ name: 's', version: '1', tools: [poll] }), {
    authenticate(asked) {
      if (asked.header('last-event-id') !== undefined) comesBack()
      return { principal: 'somebody' }
    },
  })
  open.push(served)
  const client = await connect(http(served.url), { revisions: [revision] })
  open.push(client)
  return client
}

describe('a tool that ends its own stream early', () => {
  it('is answered when the client has come again [HTTP-16, HTTP-17]', async () => {
    const client = await polling('2025-11-25')
    const heard: number[] = []
    const onProgress = ({ progress }: { readonly progress: number }): void =>
      void heard.push(progress)
    expect(resultToText(await client.callTool('poll', {}, { onProgress }))).toBe('fetched later')
    expect(heard).toEqual([1])
  })

  it.each(['2025-06-18', '2026-07-28'] as const)(
    'goes on as before in %s, which has no way back to it',
    async (revision) => {
      const client = await polling(revision)
      expect(resultToText(await client.callTool('poll'))).toBe('the stream is still open')
    },
  )
})
