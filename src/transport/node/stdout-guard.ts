/**
 * Keeps everything but the protocol off standard output: whatever else is written there goes to stderr.
 *
 * It replaces one method of one stream, so it catches `console.log` and `process.stdout.write` of this process;
 * it cannot catch code that writes to file descriptor 1, nor children that inherit it.
 */

import type { Writable } from 'node:stream'

export interface StdoutGuard {
  /** Writes to the true output. */
  readonly write: Writable['write']
  /** Gives the stream its method back, unless somebody else has replaced it since. May be called twice. */
  restore(): void
}

/** Stray writes to `stdout` go to `stderr` from now on. // STDIO-03 */
export function guardStdout(stdout: Writable, stderr: Writable): StdoutGuard {
  const own = Object.hasOwn(stdout, 'write')
  // oxlint-disable-next-line typescript/unbound-method -- bound in the next line, and put back as it was
  const original = stdout.write
  const write = original.bind(stdout)
  // All three forms of `write` have the same meaning on the other stream.
  const divert = ((...args: Parameters<Writable['write']>) => stderr.write(...args)) as typeof write
  stdout.write = divert
  return {
    write,
    restore() {
      if (stdout.write !== divert) return
      if (own) stdout.write = original
      // The method was the prototype's, and deleting ours shows it again.
      else Reflect.deleteProperty(stdout, 'write')
    },
  }
}
