/** `deep-pilot ping`: whether a server is there, and how fast it answers. */

import type { Command } from 'commander'
import { terminalText } from '../../base/terminal-text.ts'
import type { Invocation } from '../invocation.ts'
import { makeServerCommand, useServer } from '../server-command.ts'
import type { ServerOptions } from '../server-options.ts'

export function pingCommand(invocation: Invocation): Command {
  const { messages, output, signal, json } = invocation
  return makeServerCommand(invocation, {
    name: 'ping',
    about: messages.commands.ping,
    more: messages.commands.pingMore,
    declare: (command) => command.argument('[extra...]'),
    examples: [
      'deep-pilot ping -- deep-pilot serve calculator',
      'deep-pilot ping --url https://example.com/mcp',
    ],
  }).action(async (stray: readonly string[], options: ServerOptions) => {
    await useServer(invocation, { name: 'ping', stray, options }, async (client) => {
      const { era, info, revision } = client.server
      const method = era === 'legacy' ? 'ping' : 'server/discover'
      const start = performance.now()
      await client.ping({ signal })
      const ms = Math.round((performance.now() - start) * 10) / 10
      if (json) return output.json({ ms, method, revision, server: info })
      const name = terminalText(info?.name ?? messages.demo.unnamed)
      output.line(messages.notes.pong(name, ms, method))
    })
  })
}
