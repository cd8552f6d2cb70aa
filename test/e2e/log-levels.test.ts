/** Log messages of a call: only for whoever asked, from the level that was asked for, and on the stream of that call. */

import { expect, it } from 'vitest'
import { defineTool } from '../../src/tools/define.ts'
import { LEGACY, MODERN, ofMethod, pairUp } from '../support/pair.ts'

const chatter = defineTool({
  name: 'chatter',
  run(_args, ctx) {
    ctx.log('debug', 'small')
    ctx.log('warning', 'large')
    return 'said'
  },
})

it.each(MODERN)(
  'are sent at %s to nobody who did not ask, and from the level asked for [LOG-06]',
  async (revision) => {
    const pair = await pairUp(revision, { tools: [chatter], logging: true })
    await pair.client.callTool('chatter')
    expect(ofMethod(pair, 'notifications/message')).toEqual([])
    await pair.client.callTool('chatter', {}, { logLevel: 'warning' })
    expect(ofMethod(pair, 'notifications/message').map(({ params }) => params?.['data'])).toEqual([
      'large',
    ])
  },
)

it.each(MODERN)(
  'are sent at %s by no server that did not declare them [LOG-01, LOG-09]',
  async (revision) => {
    const pair = await pairUp(revision, { tools: [chatter] })
    await pair.client.callTool('chatter', {}, { logLevel: 'debug' })
    expect(ofMethod(pair, 'notifications/message')).toEqual([])
  },
)

it.each(LEGACY)(
  'are sent at %s from the level of the session, and from info without one [LOG-03]',
  async (revision) => {
    const pair = await pairUp(revision, { tools: [chatter], logging: true })
    const said = (): unknown[] =>
      ofMethod(pair, 'notifications/message').map(({ params }) => params?.['data'])
    await pair.client.callTool('chatter')
    expect(said()).toEqual(['large'])
    await pair.client.setLogLevel('debug')
    await pair.client.callTool('chatter')
    expect(said()).toEqual(['large', 'small', 'large'])
  },
)
