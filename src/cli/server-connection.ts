/**
 * A server of the user's as a connected client: started from the words after `--`, traced and recorded when wanted, and
 * surely stopped afterwards.
 */

import { UsageError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import type { Client } from '../client/client.ts'
import { connect } from '../client/connect.ts'
import type { ClientOptions, ClientTimeouts } from '../client/options.ts'
import { joinSinks, type WireSink } from '../jsonrpc/wire.ts'
import { isRevision, REVISIONS } from '../protocol/revision.ts'
import { stdio } from '../transport/node/stdio-client.ts'
import type { ServerOptions } from './command.ts'
import type { Invocation } from './invocation.ts'
import { noteSink } from './note-log.ts'
import { secretsIn } from './secrets.ts'
import { startTrace } from './trace.ts'

export interface ServerStart {
  readonly words: readonly [string, ...string[]]
  readonly options: ServerOptions
  /** On top of what the options say. */
  readonly client?: Pick<ClientOptions, 'checkArguments' | 'checkResults'>
  /** Done while the server starts, which takes longer than most things; a failure shows when it is needed. */
  readonly meanwhile?: () => Promise<unknown>
}

/** Connects, hands the client to `use`, and ends the server and the recording whatever happened. */
export async function withServer(
  invocation: Invocation,
  { words: [command, ...args], options, client: more, meanwhile }: ServerStart,
  use: (client: Client) => Promise<void>,
): Promise<void> {
  const { logger, signal } = invocation
  const settings = clientOptions(invocation, options)
  const env = serverVariables(invocation, options.env ?? [])
  invocation.mask.know(secretsIn(env))
  const transport = stdio({
    command,
    args,
    env,
    logger,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  })
  const trace = await startTrace(invocation, options, env)
  try {
    const wire: WireSink | undefined = joinSinks(trace.sink, noteSink(logger))
    const connecting = connect(transport, {
      ...settings,
      ...more,
      logger,
      signal,
      ...(wire === undefined ? {} : { wire }),
      onLog: ({ level, logger: name, data }) =>
        logger.module('server').info(`${level} ${name ?? ''}`.trim(), { data }),
    })
    meanwhile?.().catch(() => undefined)
    const client = await connecting
    try {
      await use(client)
    } finally {
      await client.close()
    }
  } finally {
    await trace.close()
  }
}

function clientOptions({ messages }: Invocation, options: ServerOptions): ClientOptions {
  const { era, revision, timeout, totalTimeout, startTimeout } = options
  if (revision !== undefined && !isRevision(revision)) {
    const { badChoice } = messages.faults
    throw new UsageError(badChoice('--revision', terminalText(revision), REVISIONS))
  }
  const timeouts: ClientTimeouts = {
    ...(timeout === undefined ? {} : { idleMs: timeout }),
    ...(totalTimeout === undefined ? {} : { totalMs: totalTimeout }),
    ...(startTimeout === undefined ? {} : { startMs: startTimeout }),
  }
  return {
    timeouts,
    ...(era === undefined ? {} : { era }),
    ...(revision === undefined ? {} : { revisions: [revision] }),
  }
}

/** `NAME=VALUE` as it stands; of `NAME` alone, the value that it has here. */
function serverVariables(
  { env, messages }: Invocation,
  settings: readonly string[],
): Readonly<Record<string, string>> {
  const variables = settings.map((setting): [string, string] => {
    const at = setting.indexOf('=')
    if (at > 0) return [setting.slice(0, at), setting.slice(at + 1)]
    const value = env[setting]
    if (value === undefined) {
      throw new UsageError(messages.faults.unsetVariable(terminalText(setting)))
    }
    return [setting, value]
  })
  return Object.fromEntries(variables)
}
