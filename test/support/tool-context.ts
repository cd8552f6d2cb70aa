/**
 * A context for running a tool outside of any server: nobody listens and nobody answers.
 */
import type { ToolContext } from '../../src/tools/context.ts'

/** Aborts with `signal`; never by default. Questions are refused. */
export function idleContext(signal: AbortSignal = new AbortController().signal): ToolContext {
  return {
    signal,
    client: { revision: '2026-07-28', era: 'modern', info: undefined, capabilities: {} },
    auth: undefined,
    trace: undefined,
    meta: {},
    progress: () => undefined,
    log: () => undefined,
    closeStream: () => false,
    becomeTask: () => false,
    ask: () => Promise.reject(new Error('nobody is there to answer')),
  }
}
