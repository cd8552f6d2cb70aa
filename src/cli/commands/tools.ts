/** `deep-pilot tools -- COMMAND …`: which tools a server offers. */

import type { Command } from 'commander'
import type { Invocation } from '../invocation.ts'
import { toolLines } from '../list-lines.ts'
import { makeServerCommand, useServer } from '../server-command.ts'
import type { ServerOptions } from '../server-options.ts'

export function toolsCommand(invocation: Invocation): Command {
  const { messages, output, signal, json } = invocation
  return makeServerCommand(invocation, {
    name: 'tools',
    about: messages.commands.tools,
    declare: (command) => command.argument('[extra...]'),
    examples: [
      'deep-pilot tools -- npx -y @modelcontextprotocol/server-filesystem .',
      'deep-pilot tools --json -- node server.js',
      "deep-pilot tools --url https://example.com/mcp -H 'Authorization: Bearer ${TOKEN}'",
    ],
  }).action(async (stray: readonly string[], options: ServerOptions) => {
    await useServer(invocation, { name: 'tools', stray, options }, async (client) => {
      const tools = await client.listTools({ signal })
      if (json) return output.json(tools)
      if (tools.length === 0) return output.note(messages.notes.noTools)
      for (const line of toolLines(tools, output.columns)) output.line(line)
    })
  })
}
