/** What a server that is started as a process can be started with. */

import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import type { Environment } from './process.ts'
import type { ProcessPort } from './process-group.ts'
import type { GroupWatch } from './server-process.ts'

export interface StdioOptions {
  /** A program on PATH or a path to one. No shell reads it. */
  readonly command: string
  /** Default none. Handed over as they are. */
  readonly args?: readonly string[]
  /**
   * Variables on top of the few harmless ones a server gets (`childEnvironment`), `undefined` takes one away.
   * The rest of this process's environment is never passed on.
   */
  readonly env?: Environment
  /** Default: that of this process. */
  readonly cwd?: string
  /** For people. Default: the command. */
  readonly name?: string
  /**
   * Gets the raw bytes of stderr, beside the notes on the wire. A returned promise means "full": nothing more is read until it
   * settles, and the server has to wait when the pipe is full as well. Must neither throw nor reject. Default none.
   */
  readonly onStderr?: (bytes: Uint8Array) => void | Promise<void>
  /** Milliseconds from the end of input to `SIGTERM`. Default 2,000. */
  readonly stopEofMs?: number
  /** Milliseconds from `SIGTERM` to `SIGKILL`. Default 2,000. */
  readonly stopTermMs?: number
  /** Milliseconds a write may be stuck before the link is given up. Default 30,000. */
  readonly stallMs?: number
  /** Ends servers when this process is killed; `false` does without. Default: one watchdog a process. */
  readonly watch?: GroupWatch | false
  /** Hears when the watchdog cannot run. Default silent. */
  readonly logger?: Logger
  readonly clock?: Clock
  /** How processes are started and signalled; tests make it fail. */
  readonly processes?: ProcessPort
}
