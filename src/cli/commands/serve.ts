/** `deep-pilot serve calculator|weather`: be a demo server, on standard input and output or over HTTP. */

import { Argument, Option, type Command } from 'commander'
import { UsageError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import { PRODUCT } from '../../client/options.ts'
import type { Server } from '../../server/server.ts'
import { calculatorServer, weatherServer } from '../../servers/demo-servers.ts'
import { stdioServer } from '../../transport/node/stdio-server.ts'
import { helpEnd, makeCommand, refuseServerWords, repeatable } from '../command.ts'
import type { Invocation } from '../invocation.ts'

const SERVERS = ['calculator', 'weather'] as const
type ServerName = (typeof SERVERS)[number]

interface ServeOptions {
  readonly offline?: boolean
  readonly http?: boolean
  readonly port?: number
  readonly host?: string
  readonly path?: string
  readonly allowHost?: readonly string[]
  readonly tokenEnv?: string
}

/** Options that mean something over HTTP only. */
const HTTP_ONLY = {
  port: '--port',
  host: '--host',
  path: '--path',
  allowHost: '--allow-host',
  tokenEnv: '--token-env',
} as const

export function serveCommand(invocation: Invocation): Command {
  const { messages } = invocation
  const { options, faults } = messages
  const server = new Argument('<calculator|weather>', messages.commands.argumentServer).argParser(
    (value) => {
      const name = SERVERS.find((one) => one === value)
      if (name !== undefined) return name
      throw new UsageError(faults.badChoice('serve', terminalText(value), SERVERS))
    },
  )
  return makeCommand('serve', invocation)
    .description(messages.commands.serve)
    .usage('calculator|weather [OPTION]...')
    .addArgument(server)
    .option('--offline', options.offline)
    .option('--http', options.http)
    .addOption(
      new Option('--port <PORT>', options.port).argParser((value) => {
        const port = /^\d{1,5}$/.test(value) ? Number(value) : -1
        if (port >= 0 && port <= 65_535) return port
        throw new UsageError(faults.badPort(terminalText(value)))
      }),
    )
    .option('--host <HOST>', options.host)
    .option('--path <PATH>', options.path)
    .addOption(repeatable('--allow-host <HOST>', options.allowHost))
    .option('--token-env <NAME>', options.tokenEnv)
    .addHelpText(
      'after',
      helpEnd(messages, messages.commands.serveMore, [
        'deep-pilot tools -- deep-pilot serve calculator',
        'deep-pilot call weather city=Berlin -- deep-pilot serve weather --offline',
        'deep-pilot serve calculator --http --port 3000',
      ]),
    )
    .action(async (name: ServerName, given: ServeOptions) => {
      refuseServerWords(invocation, 'serve')
      if (given.http === true) return serveOverHttp(invocation, name, given)
      const unfit = (Object.keys(HTTP_ONLY) as (keyof typeof HTTP_ONLY)[]) // its own keys
        .find((key) => given[key] !== undefined)
      if (unfit !== undefined) throw new UsageError(faults.onlyOverHttp(HTTP_ONLY[unfit]))
      await serveOverStdio(invocation, name, given)
    })
}

/** Serves whoever started it. Only a person has a terminal there; to a client nothing is said. */
async function serveOverStdio(
  invocation: Invocation,
  name: ServerName,
  given: ServeOptions,
): Promise<void> {
  const { output, messages, signal } = invocation
  const isByHand = process.stdin.isTTY
  if (isByHand) invocation.endsByInterrupt()
  const stdio = stdioServer()
  await makeServer(name, invocation, given).accept({
    ...stdio,
    async open(port, openSignal) {
      // The link hears of signals once it is open; one that came before would be lost.
      signal.throwIfAborted()
      const link = await stdio.open(port, openSignal)
      if (isByHand) output.note(messages.notes.waiting(name))
      return link
    },
  })
}

/** Serves until Ctrl-C, which is how it is meant to end. */
async function serveOverHttp(
  invocation: Invocation,
  name: ServerName,
  given: ServeOptions,
): Promise<void> {
  const { output, messages, signal } = invocation
  const { port, host, path, allowHost } = given
  const { serveHttp } = await import('../../server/node/serve-http.ts')
  await checkOpenness(invocation, given)
  const authenticate = await authenticatorOf(invocation, given)
  invocation.endsByInterrupt()
  const served = await serveHttp(makeServer(name, invocation, given), {
    port,
    host,
    path,
    allowedHosts: allowHost,
    authenticate,
  })
  output.note(messages.notes.serving(name, terminalText(served.url)))
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await served.close()
}

/** What the server would refuse by the names of a program's options. */
async function checkOpenness(
  { messages }: Invocation,
  { host, allowHost, tokenEnv }: ServeOptions,
): Promise<void> {
  const { isThisMachine } = await import('../../server/node/http-server.ts')
  if (host === undefined || isThisMachine(host)) return
  const missing = [
    ...(allowHost === undefined ? ['--allow-host'] : []),
    ...(tokenEnv === undefined ? ['--token-env'] : []),
  ]
  if (missing.length > 0)
    throw new UsageError(messages.faults.openToOthers(terminalText(host), missing))
}

/** Lets in whoever has the token of the variable; its value never stands in the words of a process. */
async function authenticatorOf(
  { env, messages, mask }: Invocation,
  { tokenEnv }: ServeOptions,
): Promise<ReturnType<typeof import('../../server/bearer-tokens.ts').bearerTokens> | undefined> {
  if (tokenEnv === undefined) return undefined
  const token = env[tokenEnv]
  if (token === undefined || token === '')
    throw new UsageError(messages.faults.unsetToken(terminalText(tokenEnv)))
  mask.know([token])
  const { bearerTokens } = await import('../../server/bearer-tokens.ts')
  return bearerTokens({ [token]: 'token' })
}

function makeServer(
  name: ServerName,
  { env, logger }: Invocation,
  { offline = false }: ServeOptions,
): Server {
  const { version } = PRODUCT
  return name === 'calculator'
    ? calculatorServer({ version, logger })
    : weatherServer({ version, logger, weather: { offline, env } })
}
