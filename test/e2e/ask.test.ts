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
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'which seat?' } }]
      const { content } = await ctx.ask('seat', sample({ messages, maxTokens: 10 }))
      effects.push(`booked ${roots.length} ${JSON.stringify(content)}`)
      return 'done'
    },
  })
  return new Server({ name: 'booking', version: '1', tools: [book], revisions })
}

async function bookOnce(client: Revision, server: Revision): Promise<{ effects: string[]; text: string; asked: string[] }> {
  const effects: string[] = []
  const asked: string[] = []
  const [near, far] = memoryPair()
  const serving = bookingServer([server], effects)
  void serving.accept(far)
  const connected = await connect(near, {
    revision: client,
    answers: {
      roots: async () => {
        asked.push('roots')
        return [{ uri: 'file:///a' }]
      },
      sampling: async () => {
        asked.push('sampling')
        return { role: 'assistant', content: { type: 'text', text: '12A' }, model: 'none' }
      },
    },
  })
  try {
    return { effects, asked, text: resultToText(await connected.callTool('book')) }
  } finally {
    await connected.close()
  }
}

describe('a tool that asks twice and acts once', () => {
  for (const server of REVISIONS) {
    for (const client of REVISIONS) {
      if (client === server) {
        it(`acts once when both speak ${client} [MRTR-17, RPC-16]`, async () => {
          const { effects, text, asked } = await bookOnce(client, server)
          expect(text).toBe('done')
          expect(effects).toEqual(['booked 1 {"type":"text","text":"12A"}'])
          expect(asked).toEqual(['roots', 'sampling'])
        })
      } else {
        it(`is not reached when a client of ${client} meets a server of ${server} alone [VERS-03, VERS-06]`, async () => {
          await expect(bookOnce(client, server)).rejects.toMatchObject({ code: 'DP_PROTOCOL_VERSION' })
        })
      }
    }
  }
})
