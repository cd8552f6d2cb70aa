/**
 * `deep-pilot tools`: which tools a server offers that is named behind it, or all servers of the configuration; with `--for`, as a
 * model gets them.
 */

import type { Command } from 'commander'
import { repeatable } from '../command.ts'
import { hostRunOf, type HostCommandOptions } from '../host-target.ts'
import type { Invocation } from '../invocation.ts'
import { toolLines } from '../list-lines.ts'
import { offerWords } from '../offer/load-words.ts'
import type { OfferOptions, OfferWish } from '../offer/show-offer.ts'
import { makeServerCommand, useServer } from '../server-command.ts'
import type { ServerOptions } from '../server-options.ts'

type ToolsOptions = ServerOptions & HostCommandOptions & OfferOptions

export async function toolsCommand(invocation: Invocation): Promise<Command> {
  const { messages, output, signal, json } = invocation
  const [{ commands, options: hostOptions }, own] = await Promise.all([
    messages.host(),
    offerWords(messages.language),
  ])
  return makeServerCommand(invocation, {
    name: 'tools',
    about: messages.commands.tools,
    more: `${commands.toolsMore} ${own.moreFor}`,
    isOptional: true,
    declare: (command) =>
      command
        .argument('[extra...]')
        .addOption(repeatable('--config <FILE>', hostOptions.config))
        .option('--schemas', hostOptions.schemas)
        .option('--for <PROVIDER>', own.optionFor)
        .option('--context <TOKENS>', own.optionContext)
        .option('--strict', own.optionStrict),
    examples: [
      'deep-pilot tools',
      'deep-pilot tools --for deepseek',
      'deep-pilot tools --for ollama:qwen3:8b --context 32768',
      'deep-pilot tools -- npx -y @modelcontextprotocol/server-filesystem .',
      'deep-pilot tools --json -- node server.js',
      "deep-pilot tools --url https://example.com/mcp -H 'Authorization: Bearer ${TOKEN}'",
    ],
  }).action(async (stray: readonly string[], options: ToolsOptions) => {
    const typed = 'deep-pilot tools'
    const wish = await wishOf(invocation, options)
    const run = await hostRunOf(invocation, { typed, isOther: stray.length > 0, given: options })
    if (run !== undefined) {
      const { listHostTools } = await import('./tools-host.ts')
      return listHostTools(run, options, wish)
    }
    await useServer(invocation, { name: 'tools', stray, options }, async (client) => {
      const tools = await client.listTools({ signal })
      if (wish !== undefined) {
        const [{ showOffer }, { toolsAlone }] = await Promise.all([
          import('../offer/show-offer.ts'),
          import('../offer/single-server.ts'),
        ])
        showOffer(invocation, { tools: toolsAlone(tools), wish, words: own })
        if (!json) output.note(own.ownNames)
        return
      }
      if (json) return output.json(tools)
      if (tools.length === 0) return output.note(messages.notes.noTools)
      for (const line of toolLines(tools, output.columns)) output.line(line)
    })
  })
}

/** What is to be shown of them beside their list. What writes for models is loaded where it is needed. */
async function wishOf(
  invocation: Invocation,
  options: ToolsOptions,
): Promise<OfferWish | undefined> {
  const { for: form, strict, context } = options
  if (form === undefined && strict === undefined && context === undefined) return undefined
  const [{ offerWishOf }, words] = await Promise.all([
    import('../offer/show-offer.ts'),
    offerWords(invocation.messages.language),
  ])
  return offerWishOf(invocation, options, words)
}
