import { describe, expect, it, vi } from 'vitest'
import { configOf } from '../config/config.ts'
import type { CallToolResult } from '../protocol/types/tools.ts'
import { entryOf } from '../../test/support/runtime.ts'
import { hostRoom, tool, toolServer } from '../../test/support/host-room.ts'
import { DEFAULT_POLICY, type Policy } from '../policy/policy.ts'

const ALLOW: Policy = { ...DEFAULT_POLICY, rules: [{ effect: 'allow', tools: 'a' }] }

/** A server that keeps its calls waiting. */
function slowServer() {
  const server = toolServer(tool('work'))
  const waiting: ((result: CallToolResult) => void)[] = []
  server.answer = () => new Promise((resolve) => waiting.push(resolve))
  const finish = (): void => {
    for (const answer of waiting.splice(0)) answer({ content: [] })
  }
  return { server, finish }
}

describe('the limit of calls over all servers', () => {
  it('is that of the configuration, also of one that is taken over later', async () => {
    const { server, finish } = slowServer()
    const settings = { timeouts: {}, totalConcurrency: 2 }
    const room = await hostRoom(
      { a: server },
      { config: { settings }, policy: ALLOW, entries: { a: { concurrency: 8 } } },
    )
    const calls = Array.from({ length: 5 }, () => room.host.callTool('a__work'))
    await vi.waitFor(() => expect(server.calls).toHaveLength(2))
    await room.later()
    expect(server.calls).toHaveLength(2)
    const entries = [entryOf('a', { concurrency: 8 })]
    await room.host.reload({
      ...configOf(entries),
      settings: { timeouts: {}, totalConcurrency: 4 },
    })
    await vi.waitFor(() => expect(server.calls).toHaveLength(4))
    await room.later()
    expect(server.calls).toHaveLength(4)
    finish()
    await vi.waitFor(() => expect(server.calls).toHaveLength(5))
    finish()
    expect(await Promise.all(calls)).toHaveLength(5)
  })
})
