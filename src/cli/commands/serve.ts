/** `deep-pilot serve calculator|weather`: be a demo server on standard input and output. */

import { Argument, type Command } from 'commander'
import { UsageError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import { PRODUCT } from '../../client/options.ts'
import type { Server } from '../../server/server.ts'
import { calculatorServer, weatherServer } from '../../servers/demo-servers.ts'
import { stdioServer } from '../../transport/node/stdio-server.ts'
import { helpEnd, makeCommand, refuseServerWords } from '../command.ts'
import type { Invocation } from '../invocation.ts'

const SERVERS = ['calculator', 'weather'] as const
type ServerName = (typeof SERVERS)[number]

export function serveCommand(invocation: Invocation): Command {
  const { messages } = invocation
  const { badChoice } = messages.faults
  const server = new Argument('<calculator|weather>', messages.commands.argumentServer).argParser(
    (value) => {
      const name = SERVERS.find((one) => one === value)
      if (name !== undefined) return name
      throw new UsageError(badChoice('serve', terminalText(value), SERVERS))
    },
  )
  return makeCommand('serve', invocation)
    .description(messages.commands.serve)
    .usage('calculator|weather [OPTION]...')
    .addArgument(server)
    .option('--offline', messages.options.offline)
    .addHelpText(
      'after',
      helpEnd(messages, undefined, [
        'deep-pilot tools -- deep-pilot serve calculator',
        'deep-pilot call weather city=Berlin -- deep-pilot serve weather --offline',
      ]),
    )
    .action(async (name: ServerName, { offline = false }: { offline?: boolean }) => {
      refuseServerWords(invocation, 'serve')
      await makeServer(name, invocation, offline).accept(stdioServer())
    })
}

function makeServer(name: ServerName, { env, logger }: Invocation, offline: boolean): Server {
  const { version } = PRODUCT
  return name === 'calculator'
    ? calculatorServer({ version, logger })
    : weatherServer({ version, logger, weather: { offline, env } })
}
