/** `deep-pilot prompts`: which prompts a server offers, and what they take. */

import type { Command } from 'commander'
import type { Prompt } from '../../protocol/types/prompts.ts'
import type { Invocation } from '../invocation.ts'
import { aboutOf, listLines, type ListEntry } from '../list-lines.ts'
import { makeServerCommand, useServer } from '../server-command.ts'
import type { ServerOptions } from '../server-options.ts'

export function promptsCommand(invocation: Invocation): Command {
  const { messages, output, signal, json } = invocation
  return makeServerCommand(invocation, {
    name: 'prompts',
    about: messages.commands.prompts,
    more: messages.commands.promptsMore,
    declare: (command) => command.argument('[extra...]'),
    examples: [
      'deep-pilot prompts -- node server.js',
      'deep-pilot prompts --json --url https://example.com/mcp',
    ],
  }).action(async (stray: readonly string[], options: ServerOptions) => {
    await useServer(invocation, { name: 'prompts', stray, options }, async (client) => {
      const prompts = await client.listPrompts({ signal })
      if (json) return output.json(prompts)
      if (prompts.length === 0) return output.note(messages.notes.noPrompts)
      for (const line of listLines(prompts.map(entryOf), output.columns)) output.line(line)
    })
  })
}

/** A prompt as it is asked for: `review code= [style=]`. */
function entryOf(prompt: Prompt): ListEntry {
  const { name, title, arguments: args } = prompt
  const words = (Array.isArray(args) ? args : []).map((one: { name: string; required?: boolean }) =>
    one.required === true ? `${one.name}=` : `[${one.name}=]`,
  )
  return { name: [name, ...words].join(' '), about: aboutOf(prompt, title) }
}
