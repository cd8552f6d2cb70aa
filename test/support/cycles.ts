/**
 * Connects to a server and leaves it again, many times and in every way there is, and tells what is left of it:
 * processes, handles, listeners, live memory.
 */
import { getEventListeners, setMaxListeners } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { connect } from '../../src/client/connect.ts'
import type { WireEvent } from '../../src/jsonrpc/wire.ts'
import { systemProcesses } from '../../src/transport/node/process-group.ts'
import { stdio } from '../../src/transport/node/stdio-client.ts'
import { liveBytes } from './heap.ts'

/** How a connection comes to its end. */
export const ENDINGS = ['closed', 'closed at work', 'killed', 'given up', 'failed'] as const
type Ending = (typeof ENDINGS)[number]

export interface Leftovers {
  /** Process groups that are still alive. */
  readonly groups: readonly number[]
  /** Kinds of active handles and timers, beyond those of the first cycles. */
  readonly handles: readonly string[]
  /** Listeners on this process and on the signal that all connections share, beyond those of the first cycles. */
  readonly listeners: number
  /** Growth of live memory, in bytes. */
  readonly heap: number
}

/** Goes through `count` cycles with the server of `file`, after a few to warm up. */
export async function runCycles(file: string, count: number): Promise<Leftovers> {
  const pids: number[] = []
  const shared = new AbortController()
  // Many calls hang on it at once, and it is counted below that none stays.
  setMaxListeners(0, shared.signal)
  for (const ending of ENDINGS) await cycle(file, ending, { pids, signal: shared.signal })
  await settle()
  const handles = process.getActiveResourcesInfo().toSorted()
  const listeners = listenersOf(shared.signal)
  const { heap } = liveBytes()
  for (let at = 0; at < count; at += 1) {
    const ending = ENDINGS[at % ENDINGS.length] ?? 'closed'
    await cycle(file, ending, { pids, signal: shared.signal })
  }
  await settle()
  return {
    groups: pids.filter((pid) => systemProcesses.isGroupAlive(pid)),
    handles: surplus(process.getActiveResourcesInfo(), handles),
    listeners: listenersOf(shared.signal) - listeners,
    heap: liveBytes().heap - heap,
  }
}

interface Shared {
  readonly pids: number[]
  readonly signal: AbortSignal
}

async function cycle(file: string, ending: Ending, { pids, signal }: Shared): Promise<void> {
  let pid = 0
  const started = new AbortController()
  const wire = (event: WireEvent): void => {
    if (event.type !== 'note' || event.note.kind !== 'spawn') return
    pid = Number(event.note.data?.['pid'])
    pids.push(pid)
    if (ending === 'given up') started.abort()
  }
  const args = ending === 'failed' ? ['--eval', 'process.exit(3)'] : [file]
  const transport = stdio({ command: process.execPath, args })
  const opening = connect(transport, {
    wire,
    signal: ending === 'given up' ? started.signal : signal,
  })
  if (ending === 'given up' || ending === 'failed') {
    await opening.then(
      (client) => client.close(),
      () => undefined, // What was to be.
    )
    return
  }
  const client = await opening
  await client.listTools()
  const calls = Array.from({ length: ending === 'closed' ? 0 : 20 }, () =>
    client.callTool('slow', { ms: 600_000 }, { signal }).catch(() => undefined),
  )
  if (ending === 'killed') process.kill(pid, 'SIGKILL')
  await Promise.all([...calls, ending === 'killed' ? client.closed : client.close()])
  await client.close()
}

/** A few turns: handles that are closed are gone only then. */
async function settle(): Promise<void> {
  for (let at = 0; at < 5; at += 1) await turn()
}

function listenersOf(signal: AbortSignal): number {
  const own = process.eventNames().map((name) => process.listenerCount(name))
  return own.reduce((sum, count) => sum + count, getEventListeners(signal, 'abort').length)
}

/** What is there more often than before. */
function surplus(now: readonly string[], before: readonly string[]): string[] {
  const left = [...before]
  return now.filter((kind) => {
    const at = left.indexOf(kind)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
