/** `ctx.ask` across eras: a tool with two questions and one effect, every pair of revisions, in memory. */

import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { REVISIONS, type Revision } from '../../src/protocol/revision.ts'
import { Server } from '../../src/server/server.ts'
import { defineTool } from '../../src/tools/define.ts'
import { listRoots, sample } from '../../src/tools/context.ts'
import { resultToText } from '../../src/tools/content.ts'
import { memoryPair } from '../../src/transport/memory.ts'

function bookingServer(revisions: readonly Revision[], effects: string[]): Server {
  const book = defineTool({
    name: 'book',
    async run(_args, ctx) {
      const { roots } = await ctx.ask('where', listRoots())
      const messages = [
        { role: 'user' as const, content: { type: 'text' as const, text: 'which seat?' } },
      ]
      const { content } = await ctx.ask('seat', sample({ messages, maxTokens: 10 }))
      effects.push(`booked ${roots.length} ${JSON.stringify(content)}`)
      return 'done'
    },
  })
  return new Server({ name: 'booking', version: '1', tools: [book], revisions })
}

interface Booking {
  readonly effects: readonly string[]
  readonly text: string
  readonly asked: readonly string[]
  readonly revision: Revision
}

/** One booking between a client and a server that know these revisions. */
async function bookOnce(
  client: readonly Revision[],
  server: readonly Revision[],
): Promise<Booking> {
  const effects: string[] = []
  const asked: string[] = []
  const [near, far] = memoryPair()
  void bookingServer(server, effects).accept(far)
  const connected = await connect(near, {
    revisions: client,
    answers: {
      roots: () => {
        asked.push('roots')
        return Promise.resolve([{ uri: 'file:///a' }])
      },
      sampling: () => {
        asked.push('sampling')
        const content = { type: 'text', text: '12A' } as const
        return Promise.resolve({ role: 'assistant', content, model: 'none' })
      },
    },
  })
  try {
    const text = resultToText(await connected.callTool('book'))
    return { effects, asked, text, revision: connected.server.revision }
  } finally {
    await connected.close()
  }
}

/** All revisions up to this one: what a peer of that time knows. */
const upTo = (newest: Revision): readonly Revision[] =>
  REVISIONS.slice(0, REVISIONS.indexOf(newest) + 1)

const PAIRS = REVISIONS.flatMap((client) => REVISIONS.map((server) => [client, server] as const))

describe('a tool that asks twice and acts once', () => {
  it.each(PAIRS)(
    'acts once between a client as of %s and a server as of %s [MRTR-17, RPC-16, MRTR-06]',
    async (client, server) => {
      const { effects, text, asked, revision } = await bookOnce(upTo(client), upTo(server))
      expect(revision).toBe(client < server ? client : server)
      expect(text).toBe('done')
      expect(effects).toEqual(['booked 1 {"type":"text","text":"12A"}'])
      expect(asked).toEqual(['roots', 'sampling'])
    },
  )

  const strangers = PAIRS.filter(([client, server]) => client !== server)
  it.each(strangers)(
    'is not reached when a client of %s alone meets a server of %s alone [VERS-03, VERS-06]',
    async (client, server) => {
      const meeting = bookOnce([client], [server])
      await expect(meeting).rejects.toMatchObject({ code: 'DP_PROTOCOL_VERSION' })
    },
  )
})
