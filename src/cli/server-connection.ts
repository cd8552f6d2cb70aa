/**
 * A server of the user's as a connected client: started or reached, traced and recorded when wanted, and surely let go of
 * afterwards.
 */

import { UsageError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import type { Client } from '../client/client.ts'
import { connect } from '../client/connect.ts'
import type { ClientOptions, ClientTimeouts } from '../client/options.ts'
import type { Transport } from '../jsonrpc/link.ts'
import { joinSinks, type WireSink } from '../jsonrpc/wire.ts'
import { isRevision, REVISIONS } from '../protocol/revision.ts'
import type { Invocation } from './invocation.ts'
import { noteSink } from './note-log.ts'
import { secretsIn } from './secrets.ts'
import type { ServerOptions } from './server-options.ts'
import { headersOf, secretsOfUrl, type Target } from './server-target.ts'
import { startTrace } from './trace.ts'

export interface ServerStart {
  readonly target: Target
  readonly options: ServerOptions
  /** On top of what the options say. */
  readonly client?: Pick<ClientOptions, 'checkArguments' | 'checkResults'>
  /** Done while the server starts, which takes longer than most things; a failure shows when it is needed. */
  readonly meanwhile?: () => Promise<unknown>
}

/** Connects, hands the client to `use`, and ends the connection and the recording whatever happened. */
export async function withServer(
  invocation: Invocation,
  { target, options, client: more, meanwhile }: ServerStart,
  use: (client: Client) => Promise<void>,
): Promise<void> {
  const { logger, signal } = invocation
  const settings = clientOptions(invocation, options)
  const { transport, secrets } = await reach(invocation, target, options)
  const trace = await startTrace(invocation, options, secrets)
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

/** The way to the server, and the texts on it that nobody should see; each transport is loaded when it is the one. */
async function reach(
  invocation: Invocation,
  target: Target,
  options: ServerOptions,
): Promise<{ readonly transport: Transport; readonly secrets: readonly string[] }> {
  switch (target.kind) {
    case 'process': {
      const [command, ...args] = target.words
      const env = serverVariables(invocation, options.env ?? [])
      const secrets = known(invocation, secretsIn(env))
      const { stdio } = await import('../transport/node/stdio-client.ts')
      const { logger } = invocation
      const { cwd } = options
      const start = { command, args, env, logger, ...(cwd === undefined ? {} : { cwd }) }
      return { transport: stdio(start), secrets }
    }
    case 'socket': {
      const { unixSocket } = await import('../transport/node/socket.ts')
      return { transport: unixSocket(target.path), secrets: [] }
    }
    default: {
      const { headers, secrets: given } = headersOf(invocation, options.header ?? [])
      const secrets = known(invocation, [...given, ...secretsOfUrl(target.url)])
      return { transport: await overNetwork(target, headers), secrets }
    }
  }
}

async function overNetwork(
  target: Extract<Target, { readonly url: string }>,
  headers: Readonly<Record<string, string>>,
): Promise<Transport> {
  if (target.kind === 'websocket') {
    const { webSocket } = await import('../transport/node/websocket.ts')
    return webSocket(target.url, { headers })
  }
  const { http } = await import('../transport/node/http-client.ts')
  return http(target.url, { headers, transport: target.transport })
}

function known({ mask }: Invocation, secrets: readonly string[]): readonly string[] {
  mask.know(secrets)
  return secrets
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
