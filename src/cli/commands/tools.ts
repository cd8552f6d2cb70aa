/** `deep-pilot tools`: which tools a server offers that is named behind it, or all servers of the configuration. */

import type { Command } from 'commander'
import { repeatable } from '../command.ts'
import { hostRunOf, type HostCommandOptions } from '../host-target.ts'
import type { Invocation } from '../invocation.ts'
import { toolLines } from '../list-lines.ts'
import { makeServerCommand, useServer } from '../server-command.ts'
import type { ServerOptions } from '../server-options.ts'
import type { HostToolsOptions } from './tools-host.ts'

type ToolsOptions = ServerOptions & HostCommandOptions & HostToolsOptions

export async function toolsCommand(invocation: Invocation): Promise<Command> {
  const { messages, output, signal, json } = invocation
  const { commands, options: hostOptions } = await messages.host()
  return makeServerCommand(invocation, {
    name: 'tools',
    about: messages.commands.tools,
    more: commands.toolsMore,
    isOptional: true,
    declare: (command) =>
      command
        .argument('[extra...]')
        .addOption(repeatable('--config <FILE>', hostOptions.config))
        .option('--schemas', hostOptions.schemas),
    examples: [
      'deep-pilot tools',
      'deep-pilot tools -- npx -y @modelcontextprotocol/server-filesystem .',
      'deep-pilot tools --json -- node server.js',
      "deep-pilot tools --url https://example.com/mcp -H 'Authorization: Bearer ${TOKEN}'",
    ],
  }).action(async (stray: readonly string[], options: ToolsOptions) => {
    const typed = 'deep-pilot tools'
    const run = await hostRunOf(invocation, { typed, isOther: stray.length > 0, given: options })
    if (run !== undefined) return (await import('./tools-host.ts')).listHostTools(run, options)
    await useServer(invocation, { name: 'tools', stray, options }, async (client) => {
      const tools = await client.listTools({ signal })
      if (json) return output.json(tools)
      if (tools.length === 0) return output.note(messages.notes.noTools)
      for (const line of toolLines(tools, output.columns)) output.line(line)
    })
  })
}
