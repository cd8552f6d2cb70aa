/**
 * The torture of the client's end of stdio: a short life of a link, in which the Nth call to the system fails,
 * for every N until none is left to fail. Whatever fails, the end is told once, and nothing is left.
 */
import type { ChildProcess } from 'node:child_process'
import { systemProcesses, type ProcessPort } from '../../../src/transport/node/process-group.ts'
import type { GroupWatch } from '../../../src/transport/node/server-process.ts'
import { stdio } from '../../../src/transport/node/stdio-client.ts'
import { isAlive, PEER, recordingPort, untilGone } from './port.ts'

export type Call = 'start' | 'write' | 'read' | 'signal' | 'look'

export interface TortureResult {
  /** The call that failed, or `undefined` when fewer calls were made. */
  readonly failed: Call | undefined
  /** What the user of the link got to see: codes of errors, and `told` once for each end. */
  readonly seen: readonly string[]
  /** What must not be: processes left, ends told twice, errors without a code, groups still watched. */
  readonly faults: readonly string[]
}

interface Saboteur {
  readonly port: ProcessPort
  readonly children: ChildProcess[]
  failed: Call | undefined
}

/** A system whose `nth` call fails, counted over all kinds. */
function saboteur(nth: number): Saboteur {
  let calls = 0
  const children: ChildProcess[] = []
  const fails = (call: Call): boolean => {
    calls += 1
    if (calls === nth) state.failed = call
    return calls === nth
  }
  const broken = (call: Call): Error => Object.assign(new Error(`${call} EIO`), { code: 'EIO' })
  const port: ProcessPort = {
    start(file, args, options) {
      if (fails('start')) throw broken('start')
      const child = systemProcesses.start(file, args, options)
      children.push(child)
      const write = child.stdin.write.bind(child.stdin)
      child.stdin.write = ((text: string, done: (error?: Error) => void) => {
        if (!fails('write')) return write(text, 'utf8', (error) => done(error ?? undefined))
        child.stdin.destroy(broken('write'))
        done(broken('write'))
        return false
      }) as typeof write // the one form of it that the writer uses
      const emit = child.stdout.emit.bind(child.stdout)
      child.stdout.emit = ((event: string, ...rest: unknown[]) => {
        if (event !== 'data' || !fails('read')) return emit(event, ...rest)
        child.stdout.destroy(broken('read'))
        return true
      }) as typeof emit // passes everything on
      return child
    },
    signalGroup(leader, signal) {
      if (fails('signal')) throw broken('signal')
      systemProcesses.signalGroup(leader, signal)
    },
    isGroupAlive(leader) {
      // A look that fails finds somebody: the worse of both answers.
      return fails('look') || systemProcesses.isGroupAlive(leader)
    },
  }
  const state: Saboteur = { port, children, failed: undefined }
  return state
}

/** One life with a failure: open, three messages there and back, close. `way` is the peer's. */
export async function torture(nth: number, way: 'echo' | 'stubborn'): Promise<TortureResult> {
  const system = saboteur(nth)
  const watched = new Set<number>()
  const watch: GroupWatch = {
    add: (leader) => void watched.add(leader),
    remove: (leader) => void watched.delete(leader),
  }
  const port = recordingPort()
  const seen: string[] = []
  const faults: string[] = []
  const see = (error: unknown): void => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
    if (code?.startsWith('DP_') === true) seen.push(code)
    else faults.push(`an error without a code: ${String(error)}`)
  }
  try {
    const link = await stdio({
      command: process.execPath,
      args: [PEER, way],
      processes: system.port,
      watch,
      stopEofMs: way === 'stubborn' ? 50 : 10_000,
      stopTermMs: 50,
    }).open(port)
    const rounds = way === 'stubborn' ? 1 : 3
    for (let round = 0; round < rounds; round += 1) {
      link.write({ text: `round ${round}` })
      await Promise.race([port.next(), port.ended])
    }
    await link.close()
    if (port.ends.length !== 1) faults.push(`the end was told ${port.ends.length} times`)
    for (const reason of port.ends) if (reason !== undefined) see(reason)
    await link.close()
    if (link.backlogMessages !== 0) faults.push('messages wait for nobody')
  } catch (error) {
    see(error)
  }
  const pids = system.children.flatMap(({ pid }) => pid ?? [])
  // A kill that failed and never came is the one case in which a process may stay, and it is said.
  if ((await untilGone(pids, system.failed === 'signal' ? 500 : undefined)) === undefined) {
    if (system.failed !== 'signal') faults.push(`left: ${pids.filter(isAlive).join()}`)
    for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL')
  }
  if (watched.size > 0 && system.failed !== 'signal') faults.push('a group is still watched')
  return { failed: system.failed, seen, faults }
}
