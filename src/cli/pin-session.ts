/** Servers started to be compared with what was approved of them. What is seen is noted in memory only. */

import type { Config } from '../config/config.ts'
import type { Host } from '../host/host.ts'
import type { LockFile } from '../host/lock-file.ts'
import { lookedAtLock } from './host-lock.ts'
import {
  loadServers,
  serversNamed,
  settle,
  tellConfigProblems,
  unbound,
  withHost,
  type HostCommandOptions,
  type HostRun,
} from './host-session.ts'
import { pinReports, type PinReport } from './pin-report.ts'

export interface PinLocks {
  /** The file, as it was read. */
  readonly file: LockFile
  /** What the host has written down since, in memory. */
  readonly seen: LockFile
}

/** What was started and looked at. */
export interface PinSession {
  readonly host: Host
  /** The servers that are meant, and all problems of their files. */
  readonly config: Config
  readonly reports: readonly PinReport[]
  readonly locks: PinLocks
  readonly options: HostCommandOptions
}

/** Starts the servers, also lazy ones, and hands over a report of each. */
export async function withPins(
  run: HostRun,
  {
    server,
    options,
  }: { readonly server: string | undefined; readonly options: HostCommandOptions },
  use: (session: PinSession) => Promise<void>,
): Promise<void> {
  const { invocation } = run
  const all = unbound(await loadServers(run, options, { start: true }), { lazy: true })
  const config = serversNamed(run, all, server)
  const { file, lock: seen } = await lookedAtLock(invocation, config)
  // Also where the configuration asks for `frozen`: only so it is seen what is new.
  const host = { lock: seen, pinning: 'first-use' } as const
  await withHost(run, { config, options, host }, async (opened) => {
    await settle(run, opened)
    const sources = { host: opened, entries: config.entries, before: file, after: seen }
    const reports = pinReports(sources)
    await use({ host: opened, config, reports, locks: { file, seen }, options })
  })
  if (invocation.json) return
  await tellConfigProblems(run, config)
}
