import { expect, it } from 'vitest'
import { hostRoom, tool, toolServer } from '../../test/support/host-room.ts'
import { scriptedModel } from './models/scripted.ts'
import { runAgent } from './loop.ts'
import { Transcript } from './transcript.ts'
import type { AgentEvent } from './events.ts'

it('calls the tools a model wants and answers', async () => {
  const server = toolServer(tool('ping'))
  const { host } = await hostRoom({ fs: server }, { replies: [{ kind: 'once' }] })
  const model = scriptedModel([{ calls: [{ name: 'fs__ping' }], text: 'x' }, 'It is done.'])
  const transcript = new Transcript()
  transcript.say('ping please')
  const events: AgentEvent[] = []
  const run = runAgent({ model, host, transcript })
  for await (const e of run) events.push(e)
  expect(events.at(-1)).toMatchObject({ type: 'end', end: { reason: 'done', text: 'It is done.' } })
})
