/** The one map from how a run ended to the number that the shell sees. */

import { PilotError, UsageError, type ErrorFamily } from '../base/errors.ts'

/** Numbers for what is not an error family. 0 to 5 mean the same in other command lines for this protocol. */
export const EXIT = {
  success: 0,
  usage: 1,
  /** A check that does not hold, or something that was read and is not sound. */
  mismatch: 2,
  /** A result with `isError`, or a tool that does not exist. */
  tool: 5,
  /** A run of a model that was ended by its budget or its loop guard. */
  limit: 9,
  bug: 70,
  /** Ctrl-C: 128 and the number of SIGINT. */
  interrupted: 130,
  /** SIGTERM. */
  terminated: 143,
} as const

const BY_FAMILY: Readonly<Record<ErrorFamily, number>> = {
  usage: EXIT.usage,
  config: EXIT.usage,
  schema: EXIT.usage,
  auth: 3,
  model: 8,
  transport: 4,
  policy: 6,
  timeout: 7,
  rpc: 8,
  protocol: 8,
  capability: 8,
  internal: EXIT.bug,
  cancelled: EXIT.interrupted,
}

/** The code of a family, where there is no error to throw. */
export function familyExitCode(family: ErrorFamily): number {
  return BY_FAMILY[family]
}

/** The code for anything thrown; what we did not throw on purpose is a bug. */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof PilotError)) return EXIT.bug
  if (isNoCapture(error)) return EXIT.mismatch
  // A key that is missing or refused is the same to a script whoever wants it.
  return BY_FAMILY[error.code === 'DP_MODEL_KEY' ? 'auth' : error.family]
}

/** Whether a file was read, and is not the capture that it was named as. */
function isNoCapture(error: PilotError): boolean {
  const detail = error instanceof UsageError ? error.detail : undefined
  return detail?.kind === 'capture-unreadable' && ['empty', 'no-capture'].includes(detail.why)
}
