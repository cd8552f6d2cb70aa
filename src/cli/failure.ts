/** What went wrong, told to a person in a few lines on stderr, or to a program in one JSON line. */

import {
  describeError,
  PilotError,
  RpcError,
  SchemaError,
  TimeoutError,
  TransportError,
} from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import { exitCodeOf } from './exit-codes.ts'
import type { Messages } from './messages/messages.ts'

/** Lines of a server's stderr that are shown: as many as Node needs to tell of a missing module, the cause at their top. */
const TAIL_LINES = 20

/** Lines for a terminal, safe ones. Begins with `title`; default the name of the error's family. */
export function failureLines(error: unknown, words: Messages, title?: string): readonly string[] {
  if (!(error instanceof PilotError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : describeError(error)
    return [
      `${words.families.internal}${words.colon}${words.notes.bug}`,
      ...text.split('\n').map(terminalText),
    ]
  }
  const code = error instanceof RpcError ? words.numbered(error.rpcCode) : ''
  const head = terminalText(
    `${title ?? words.families[error.family]}${code}${words.colon}${words.told(error)}`,
  )
  return [head, ...stderrLines(error, words)]
}

/** Everything that is known of an error, for `--json`. */
export function failureRecord(error: unknown, exitCode: number = exitCodeOf(error)): object {
  if (!(error instanceof PilotError)) {
    const stack = error instanceof Error ? error.stack : undefined
    return {
      error: { family: 'internal', code: 'DP_BUG', message: describeError(error), exitCode, stack },
    }
  }
  const { family, code, message, server, method, id } = error
  return { error: { family, code, message, exitCode, server, method, id, ...ownFacts(error) } }
}

function ownFacts(error: PilotError): object {
  if (error instanceof RpcError) return { rpcCode: error.rpcCode, data: error.data }
  if (error instanceof SchemaError)
    return {
      issues: error.issues.map(({ pointer, keyword, message }) => ({ pointer, keyword, message })),
    }
  if (error instanceof TimeoutError) {
    const { timer, ms, setBy, sent } = error
    return { timer, ms, setBy, sent }
  }
  if (error instanceof TransportError) {
    const { exitCode, signal, stderr, sent } = error
    return { serverExitCode: exitCode, signal, stderr, sent }
  }
  return {}
}

/** The end of what the server said before it went; its last line alone often stands in the message already. */
function stderrLines(error: PilotError, words: Messages): readonly string[] {
  if (!(error instanceof TransportError) || error.stderr === undefined) return []
  const lines = error.stderr
    .trimEnd()
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  if (lines.length < 2) return []
  return [
    words.notes.stderrTail,
    ...lines.slice(-TAIL_LINES).map((line) => `  ${terminalText(line)}`),
  ]
}
