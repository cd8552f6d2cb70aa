import { describe, expect, it } from 'vitest'
import { docs, NOTE } from '../../test/support/docs-server.ts'
import { hostRoom, tool, toolServer, type HostRoom } from '../../test/support/host-room.ts'
import { PolicyError } from '../base/errors.ts'
import { DEFAULT_POLICY, type Policy } from '../policy/policy.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'

const rules = (...list: Policy['rules']): Policy => ({ ...DEFAULT_POLICY, rules: list })
const read = (room: HostRoom): Promise<CallToolResult> =>
  room.host.callTool('read_resource', { server: 'docs', uri: NOTE })

describe('a read, in the flow of data', () => {
  it('needs no question at a trusted server, and one after what strangers wrote', async () => {
    const server = docs()
    const room = await hostRoom(
      { docs: server.transport, web: toolServer(tool('get')) },
      {
        readResource: true,
        entries: { docs: { trusted: true }, web: { labels: ['untrusted-content'] } },
        policy: rules({ effect: 'allow', tools: 'web' }),
      },
    )
    await read(room)
    expect(room.asked).toEqual([])
    await room.host.callTool('web__get', {})
    await expect(read(room)).rejects.toThrow(PolicyError)
    expect(room.asked).toMatchObject([{ reason: 'flow', flow: { source: 'web__get' } }])
    expect(server.reads).toEqual([NOTE])
  })

  it.each<[string, object, number]>([
    ['which says nothing of reading', { labels: ['private-data'] }, 0],
    [
      'which says of reading that it is none',
      { labels: ['private-data'], toolLabels: new Map([['resources/read', ['private-data']]]) },
      1,
    ],
  ])('is a way out of a server with a label %s', async (_, labelled, came) => {
    const server = docs()
    const room = await hostRoom(
      { docs: server.transport, web: toolServer(tool('get')) },
      {
        readResource: true,
        entries: { docs: labelled, web: { labels: ['untrusted-content'] } },
        policy: rules({ effect: 'allow', tools: 'web' }, { effect: 'allow', tools: 'docs' }),
      },
    )
    await room.host.callTool('web__get', {})
    await read(room).catch(() => undefined)
    expect(server.reads).toHaveLength(came)
    expect(room.asked).toHaveLength(1 - came)
  })

  it('brings in what strangers wrote where its server is labelled so, by the name of that server', async () => {
    const room = await hostRoom(
      { docs: docs().transport, fs: toolServer(tool('send')) },
      {
        readResource: true,
        entries: { docs: { labels: ['untrusted-content'] } },
        policy: rules({ effect: 'allow', tools: 'docs' }, { effect: 'allow', tools: 'fs' }),
      },
    )
    await read(room)
    await expect(room.host.callTool('fs__send', {})).rejects.toThrow(PolicyError)
    expect(room.asked).toMatchObject([{ flow: { source: 'docs__resources/read' } }])
  })

  it.each([
    ['of a server that is labelled so', 'docs__resources/read'],
    ['of a server that is gone', 'gone__resources/read'],
    ['of a server that cannot be told', 'read_resource'],
  ])(
    'counts as what strangers wrote when a conversation is taken up again: %s',
    async (_, name) => {
      const room = await hostRoom(
        { docs: docs().transport, fs: toolServer(tool('send')) },
        {
          readResource: true,
          entries: { docs: { labels: ['untrusted-content'] } },
          policy: rules({ effect: 'allow', tools: 'fs' }),
        },
      )
      room.host.recall([name])
      await expect(room.host.callTool('fs__send', {})).rejects.toThrow(PolicyError)
      expect(room.asked).toMatchObject([{ reason: 'flow', flow: { source: name } }])
    },
  )

  it('counts as it did before where its server has other labels, or none', async () => {
    const servers = { docs: docs().transport, fs: toolServer(tool('send')) }
    const room = await hostRoom(servers, {
      readResource: true,
      entries: { docs: { labels: ['private-data'] } },
      policy: rules({ effect: 'allow', tools: 'fs' }),
    })
    room.host.recall(['docs__resources/read'])
    await room.host.callTool('fs__send', {})
    expect(servers.fs.calls).toHaveLength(1)
  })
})
