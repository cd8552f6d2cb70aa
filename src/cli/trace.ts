/** What `--trace` and `--capture` add to a connection: the wire shown on stderr, and recorded in a file. */

import type { RedactRules } from '../capture/redact.ts'
import { PilotError, UsageError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import { PRODUCT } from '../client/options.ts'
import { joinSinks, type WireSink } from '../jsonrpc/wire.ts'
import type { Invocation } from './invocation.ts'
import { longEnough } from './secrets.ts'
import type { ServerOptions } from './server-options.ts'
import { whyWords } from './why/load-words.ts'

/** Sinks of a run, and how they end. */
export interface Trace {
  readonly sink: WireSink | undefined
  /** Call when the connection is closed. May be called twice. */
  readonly close: () => Promise<void>
}

/** Prepares what the options ask for, and loads nothing when they ask for nothing. */
export async function startTrace(
  invocation: Invocation,
  options: ServerOptions,
  secrets: readonly string[],
): Promise<Trace> {
  const recording = await openRecording(invocation, options, secrets)
  if (options.trace !== true) return recording
  const view = await wireView(invocation, 'beside', { secrets: secrets.filter(longEnough) })
  return { sink: joinSinks(view, recording.sink), close: recording.close }
}

/** Opens the file of `--capture`. Secrets are taken out, those that this run was given among them. */
export async function openRecording(
  { messages, output }: Invocation,
  { capture: path, existing }: Pick<ServerOptions, 'capture' | 'existing'>,
  secrets: readonly string[],
): Promise<Trace> {
  if (path === undefined) {
    if (existing !== undefined) throw new UsageError(messages.faults.onlyWithCapture('--existing'))
    return { sink: undefined, close: async () => {} }
  }
  const { openCapture } = await import('../capture/node/file.ts')
  const opened = openCapture(path, {
    product: `${PRODUCT.name}/${PRODUCT.version}`,
    redact: { secrets: secrets.filter(longEnough) },
    ...(existing === undefined ? {} : { existing }),
  })
  const file = await opened.catch((error: unknown) => {
    // In the words of a program, not of a shell.
    if (error instanceof UsageError && isThereAlready(error.cause))
      throw new UsageError(messages.faults.captureThere(path), { cause: error })
    throw error
  })
  return {
    sink: file.sink,
    async close() {
      await file.close()
      const { lost, reason } = file.state
      if (lost === 0 && reason === undefined) return
      output.note(terminalText(messages.notes.captureLost(path, lost, reason ?? '')))
    },
  }
}

function isThereAlready(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
}

/**
 * A sink that shows the wire line by line with the two arrows, on standard output as the result or beside it on stderr. Why a
 * connection closed, and why a call was allowed or not, is told in the language of the run; words that were recorded are quoted.
 */
export async function wireView(
  { output, messages }: Invocation,
  where: 'result' | 'beside',
  redact: RedactRules = {},
): Promise<WireSink> {
  const [{ consoleView }, { policy, consent }, why] = await Promise.all([
    import('../capture/console.ts'),
    messages.host(),
    whyWords(messages.language),
  ])
  const columns = where === 'result' ? output.columns : output.noteColumns
  const view = consoleView({
    write: where === 'result' ? (line) => output.line(line) : (line) => output.note(line),
    language: messages.language,
    color: where === 'result' ? output.color : output.noteColor,
    redact,
    decisions: {
      reasons: { ...policy.reasons, ...why.reasons },
      by: why.by,
      rule: consent.ruleText,
    },
    ...(columns === undefined ? {} : { columns }),
  })
  return (event) => {
    if (event.type !== 'close' || event.reason === undefined) return view(event)
    const { reason } = event
    const told =
      reason instanceof PilotError ? messages.told(reason) : messages.toldAgain(readCode(reason))
    view({ ...event, reason: new Error(told) })
  }
}

/** An error as a capture has it. */
function readCode(error: Error): { readonly message: string; readonly code: string | undefined } {
  const { message } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { message, code }
}
