/** Many questions at once, and yeses that last: for what they were given, and no longer. */
import { describe, expect, it } from 'vitest'
import { attackRoom } from '../support/attack-room.ts'
import { tool, toolServer } from '../support/host-room.ts'
import { project } from '../support/project.ts'

describe('a question among many', () => {
  it('is asked one at a time, however many come at once, and the last is no more of a yes (A56)', async () => {
    const fs = toolServer(tool('write'))
    let open = 0
    let most = 0
    const room = await attackRoom(
      { fs },
      {
        consent: {
          async ask(request) {
            open += 1
            most = Math.max(most, open)
            await new Promise(setImmediate)
            open -= 1
            return { kind: Object(request).args.path === '/etc/passwd' ? 'deny' : 'once' }
          },
        },
      },
    )
    const calls = Array.from({ length: 40 }, (_, at) =>
      room.host
        .callTool('fs__write', { path: at === 39 ? '/etc/passwd' : `/tmp/${at}` })
        .catch(() => undefined),
    )
    await Promise.all(calls)
    expect([most, fs.calls.length]).toEqual([1, 39])
    expect(JSON.stringify(fs.calls)).not.toContain('passwd')
    expect(room.undecided()).toEqual([])
  })
})

describe('a yes that lasts', () => {
  const DAY = 86_400_000

  it('is for one definition of one tool of one server, started in one way, for so long (A56)', async () => {
    const at = await project()
    const options = {
      home: at.home,
      grantDays: 2,
      replies: [{ kind: 'always' as const }, { kind: 'deny' as const }],
    }
    const first = { fs: toolServer(tool('write'), tool('wipe')), b: toolServer(tool('write')) }
    const room = await attackRoom(first, options)
    await room.host.callTool('fs__write', { n: 1 })
    await room.host.callTool('fs__write', { n: 2 })
    for (const other of ['fs__wipe', 'b__write'])
      await expect(room.host.callTool(other)).rejects.toThrow('not called')
    await room.clock.advance(DAY)
    await room.host.callTool('fs__write', { n: 3 })
    await room.clock.advance(DAY)
    await expect(room.host.callTool('fs__write', { n: 4 })).rejects.toThrow('not called')
    expect(room.asked).toHaveLength(4)
    await room.host.close()
    const again = await attackRoom(
      { fs: toolServer(tool('write')) },
      { ...options, replies: [{ kind: 'deny' }] },
    )
    await again.host.callTool('fs__write', { n: 5 })
    await again.host.close()
    const moved = await attackRoom(
      { fs: toolServer(tool('write')) },
      {
        ...options,
        replies: [{ kind: 'deny' }],
        entries: { fs: { command: 'other', written: { command: ['other'] } } },
      },
    )
    await expect(moved.host.callTool('fs__write', { n: 6 })).rejects.toThrow('not called')
    expect([room.undecided(), again.undecided(), moved.left()]).toEqual([[], [], []])
  })

  it('for these arguments is for no others, not even in another order of writing (A56)', async () => {
    const fs = toolServer(tool('write'))
    const room = await attackRoom(
      { fs },
      { replies: [{ kind: 'always-these-arguments' }, { kind: 'deny' }] },
    )
    await room.host.callTool('fs__write', { path: '/tmp/a', n: 1 })
    await room.host.callTool('fs__write', { path: '/tmp/a', n: 1 })
    for (const args of [
      { path: '/tmp/a' },
      { path: '/tmp/a', n: 2 },
      { path: '/tmp/A', n: 1 },
      { path: '/tmp/a', n: '1' },
      { path: '/tmp/a\u200b', n: 1 },
      { path: '/tmp/a', n: 1, m: null },
    ])
      await expect(room.host.callTool('fs__write', args), JSON.stringify(args)).rejects.toThrow(
        'not called',
      )
    expect(fs.calls).toHaveLength(2)
    expect(room.undecided()).toEqual([])
  })
})
