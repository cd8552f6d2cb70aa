/**
 * Ctrl-C and SIGTERM: the first gives up what is going on and lets it end in order, the second ends the process at once.
 *
 * Servers are in process groups of their own, so a terminal's Ctrl-C reaches only this process.
 */

import { EXIT } from './exit-codes.ts'

export interface Interrupt {
  /** Aborts at the first signal; its reason is what the server is told. */
  readonly signal: AbortSignal
  /** The exit code of the signal that came, if one did. */
  exitCode(): number | undefined
  /** Does what SIGINT does, for a Ctrl-C that was read as a key. */
  interrupt(): void
  /** Stops listening. */
  release(): void
}

/** The part of `process` that is used. */
export interface SignalSource {
  on(name: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  off(name: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  exit(code: number): void
}

/** Listens from now on. `onFirst` hears of the first signal. */
export function listenForInterrupt(source: SignalSource, onFirst: () => void): Interrupt {
  const controller = new AbortController()
  let code: number | undefined
  const hear = (name: 'SIGINT' | 'SIGTERM', exitCode: number) => (): void => {
    if (code !== undefined) return source.exit(exitCode)
    code = exitCode
    onFirst()
    controller.abort(`the user gave up (${name})`)
  }
  const interrupt = hear('SIGINT', EXIT.interrupted)
  const listeners = [
    ['SIGINT', interrupt],
    ['SIGTERM', hear('SIGTERM', EXIT.terminated)],
  ] as const
  for (const [name, listener] of listeners) source.on(name, listener)
  return {
    signal: controller.signal,
    exitCode: () => code,
    interrupt,
    release: () => {
      for (const [name, listener] of listeners) source.off(name, listener)
    },
  }
}
