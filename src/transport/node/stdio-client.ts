/**
 * Starts a server as a child process and speaks with it over its standard streams. What starts it and carries the lines is
 * loaded when the first is started: whoever serves, or speaks over HTTP, starts none.
 */

import type { Transport } from '../../jsonrpc/link.ts'
import { startTimeoutFor } from './process.ts'
import type { StdioOptions } from './stdio-options.ts'

/** A transport whose every `open` starts a process of its own. Closing the link ends all of it. // STDIO-01 */
export function stdio(options: StdioOptions): Transport {
  const name = options.name ?? options.command
  return {
    name,
    startTimeoutMs: startTimeoutFor(options.command, options.args),
    open: async (port, signal) => (await loadStdio()).openStdio(name, options, { port, signal }),
  }
}

/** Loads what starts a process, for whoever will start several and has nothing else to do. */
export function loadStdio(): Promise<typeof import('./stdio-open.ts')> {
  return import('./stdio-open.ts')
}
