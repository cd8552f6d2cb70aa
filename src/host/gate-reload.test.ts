import { describe, expect, it } from 'vitest'
import { hostRoom, tool, toolServer, type HostRoom } from '../../test/support/host-room.ts'
import { entryOf } from '../../test/support/runtime.ts'
import { configOf } from '../config/config.ts'
import type { StdioEntry } from '../config/entry.ts'
import { DEFAULT_POLICY, type Policy } from '../policy/policy.ts'
import type { ConsentAnswer } from './consent.ts'
import { LockFile } from './lock-file.ts'

const OTHER: Partial<StdioEntry> = { args: ['--other'] }

/** A host whose configuration is read anew while a person reads the question; then the server of that stands there. */
async function exchanging(
  answer: ConsentAnswer,
  change: Partial<StdioEntry>,
): Promise<{ room: HostRoom; calls: { before: number; after: number }; lock: LockFile }> {
  const calls = { before: 0, after: 0 }
  const lock = LockFile.inMemory()
  const servers = [toolServer(tool('send')), toolServer(tool('send'))]
  let opened = 0
  const asked: unknown[] = []
  const room: HostRoom = await hostRoom(
    { fs: toolServer() },
    {
      lock,
      transport: () => servers[Math.min(opened++, 1)]?.transport,
      consent: {
        async ask(request) {
          asked.push(request)
          if (asked.length > 1) return { kind: 'deny' }
          await room.host.reload(configOf([entryOf('fs', change)]))
          await room.host.settled()
          return answer
        },
      },
    },
  )
  const came = await room.host.callTool('fs__send').catch((error: unknown) => error)
  expect(came).toMatchObject({ family: 'policy' })
  calls.before = servers[0]?.calls.length ?? 0
  calls.after = servers[1]?.calls.length ?? 0
  return { room, calls, lock }
}

describe('a yes that was given while the configuration was read anew', () => {
  it.each<[string, Partial<StdioEntry>]>([
    ['is started in another way', OTHER],
    ['is started with other variables', { env: { KEY: 'k' } }],
    ['is not trusted any more', { trusted: true }],
  ])('is none for the server that stands there now: one that %s (A05)', async (_, change) => {
    const { calls } = await exchanging({ kind: 'once' }, change)
    expect(calls).toEqual({ before: 0, after: 0 })
  })

  it('is kept for no server that nobody saw, and approves nothing of it (A05)', async () => {
    const { room, calls, lock } = await exchanging({ kind: 'session' }, OTHER)
    expect(lock.servers.get('fs')?.tools.get('send')?.approved).toBe(false)
    await room.host.callTool('fs__send').catch(() => undefined)
    expect(calls).toEqual({ before: 0, after: 0 })
  })
})

describe('a call after the configuration was read anew', () => {
  const READS: Policy = { ...DEFAULT_POLICY, otherwise: 'deny' }
  const reader = () => toolServer(tool('get', { annotations: { readOnlyHint: true } }))

  it('is judged by the trust and the labels of now, in the same turn too', async () => {
    const fs = reader()
    const entries = { fs: { trusted: true } }
    const room = await hostRoom({ fs }, { entries, policy: READS })
    await room.host.callTool('fs__get')
    await room.host.reload(configOf([entryOf('fs', { trusted: false })]))
    await room.host.settled()
    await expect(room.host.callTool('fs__get')).rejects.toMatchObject({
      code: 'DP_POLICY_DENIED',
    })
    expect(fs.calls).toHaveLength(1)
  })

  it('is none where that hides the tool, and the model is told', async () => {
    const fs = reader()
    const room = await hostRoom({ fs }, { entries: { fs: { trusted: true } }, policy: READS })
    await room.host.reload(configOf([entryOf('fs', { trusted: true, withoutTools: ['get'] })]))
    expect(await room.host.callTool('fs__get')).toMatchObject({ isError: true })
    expect(fs.calls).toEqual([])
  })
})
