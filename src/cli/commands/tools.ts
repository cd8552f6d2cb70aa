/** `deep-pilot tools -- COMMAND …`: which tools a server offers. */

import type { Command } from 'commander'
import {
  addServerOptions,
  helpEnd,
  makeCommand,
  serverWordsOf,
  type ServerOptions,
} from '../command.ts'
import type { Invocation } from '../invocation.ts'
import { withServer } from '../server-connection.ts'
import { toolLines } from '../tool-list.ts'

export function toolsCommand(invocation: Invocation): Command {
  const { messages, output } = invocation
  const command = makeCommand('tools', invocation)
    .description(messages.commands.tools)
    .usage('[OPTION]... -- COMMAND [ARGUMENT]...')
    .argument('[extra...]')
    .option('--json', messages.options.json)
  addServerOptions(command, invocation)
  command.addHelpText(
    'after',
    helpEnd(messages, undefined, [
      'deep-pilot tools -- npx -y @modelcontextprotocol/server-filesystem .',
      'deep-pilot tools --json -- node server.js',
    ]),
  )
  return command.action(async (extra: readonly string[], options: ServerOptions) => {
    const words = serverWordsOf(invocation, 'tools', extra)
    await withServer(invocation, { words, options }, async (client) => {
      const tools = await client.listTools({ signal: invocation.signal })
      if (invocation.json) return output.json(tools)
      if (tools.length === 0) return output.note(messages.notes.noTools)
      for (const line of toolLines(tools, output.columns)) output.line(line)
    })
  })
}
