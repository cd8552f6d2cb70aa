/** `deep-pilot raw METHOD [JSON|@FILE|-]`: one request as it is typed, and its result as it came. */

import type { Command } from 'commander'
import { readObject } from '../arguments-option.ts'
import type { Invocation } from '../invocation.ts'
import { makeServerCommand, useServer } from '../server-command.ts'
import type { ServerOptions } from '../server-options.ts'

export function rawCommand(invocation: Invocation): Command {
  const { messages, output, signal } = invocation
  const { commands, faults } = messages
  return makeServerCommand(invocation, {
    name: 'raw',
    about: commands.raw,
    usage: 'METHOD [JSON | @FILE | -]',
    more: commands.rawMore,
    declare: (command) =>
      command
        .argument('<METHOD>', commands.argumentMethod)
        .argument('[JSON|@FILE|-]', commands.argumentParams)
        .argument('[extra...]'),
    examples: [
      'deep-pilot raw resources/read \'{"uri":"file:///a"}\' -- node server.js',
      'deep-pilot raw tools/list --url https://example.com/mcp',
    ],
  }).action(
    async (
      method: string,
      params: string | undefined,
      stray: readonly string[],
      options: ServerOptions,
    ) => {
      const read =
        params === undefined ? undefined : await readObject(params, { name: 'JSON' }, faults)
      await useServer(invocation, { name: 'raw METHOD', stray, options }, async (client) => {
        output.json(await client.request(method, read, { signal }))
      })
    },
  )
}
