/** `deep-pilot resources`: which resources a server lists, or by which templates others are named. */

import type { Command } from 'commander'
import type { Resource, ResourceTemplate } from '../../protocol/types/resources.ts'
import { humanBytes } from '../../tools/content.ts'
import type { Invocation } from '../invocation.ts'
import { aboutOf, listLines, type ListEntry } from '../list-lines.ts'
import { makeServerCommand, useServer } from '../server-command.ts'
import type { ServerOptions } from '../server-options.ts'

interface ResourcesOptions extends ServerOptions {
  readonly templates?: boolean
}

export function resourcesCommand(invocation: Invocation): Command {
  const { messages, output, signal, json } = invocation
  return makeServerCommand(invocation, {
    name: 'resources',
    about: messages.commands.resources,
    declare: (command) =>
      command.argument('[extra...]').option('--templates', messages.options.templates),
    examples: [
      'deep-pilot resources -- node server.js',
      'deep-pilot resources --templates --url https://example.com/mcp',
    ],
  }).action(async (stray: readonly string[], options: ResourcesOptions) => {
    await useServer(invocation, { name: 'resources', stray, options }, async (client) => {
      const { noTemplates, noResources } = messages.notes
      const listed =
        options.templates === true
          ? await client.listResourceTemplates({ signal })
          : await client.listResources({ signal })
      if (json) return output.json(listed)
      if (listed.length === 0)
        return output.note(options.templates === true ? noTemplates : noResources)
      for (const line of listLines(listed.map(entryOf), output.columns)) output.line(line)
    })
  })
}

/** What stands in a line: where it is, what it is about, its type and size. */
function entryOf(one: Resource | ResourceTemplate): ListEntry {
  const { name, title, mimeType } = one
  const size = 'size' in one && typeof one.size === 'number' ? humanBytes(one.size) : ''
  const facts = [typeof mimeType === 'string' ? mimeType : '', size].filter((fact) => fact !== '')
  const about = aboutOf(one, title) || name
  return {
    name: String('uri' in one ? one.uri : one.uriTemplate),
    about: facts.length === 0 ? about : `${about} (${facts.join(', ')})`,
  }
}
