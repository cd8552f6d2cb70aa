/** `deep-pilot prompt NAME NAME=VALUE …`: the messages of one prompt. */

import type { Command } from 'commander'
import { RpcError, UsageError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import type { Client } from '../../client/client.ts'
import { INVALID_PARAMS } from '../../jsonrpc/message.ts'
import type { GetPromptResult } from '../../protocol/types/prompts.ts'
import { blockToText } from '../../tools/content.ts'
import { EXIT } from '../exit-codes.ts'
import type { Invocation } from '../invocation.ts'
import { makeServerCommand, useServer } from '../server-command.ts'
import type { ServerOptions } from '../server-options.ts'
import { showText } from '../shown-text.ts'
import { similarNames } from '../similar.ts'
import { textPairs } from '../text-pairs.ts'

export function promptCommand(invocation: Invocation): Command {
  const { messages, output, json } = invocation
  const { commands, faults } = messages
  return makeServerCommand(invocation, {
    name: 'prompt',
    about: commands.prompt,
    usage: 'NAME [NAME=VALUE]...',
    declare: (command) =>
      command
        .argument('<NAME>', commands.argumentPrompt)
        .argument('[NAME=VALUE...]', commands.argumentTexts),
    examples: [
      "deep-pilot prompt review 'code=1 + 1' -- node server.js",
      'deep-pilot prompt greet name=Ada --json --url https://example.com/mcp',
    ],
  }).action(async (name: string, words: readonly string[], options: ServerOptions) => {
    const named = invocation.serverWords !== undefined || options.url !== undefined
    const stray = named ? [] : words.filter((word) => !word.includes('='))
    const args = named ? textPairs(words, faults) : {}
    await useServer(invocation, { name: 'prompt NAME', stray, options }, async (client) => {
      const result = await getOrExplain(invocation, client, { name, args })
      if (result === undefined) return
      if (json) output.json(result)
      else showText(invocation, promptToText(result))
    })
  })
}

/** Asks for the prompt; where the server refuses because there is none, says which there are. */
async function getOrExplain(
  invocation: Invocation,
  client: Client,
  { name, args }: { readonly name: string; readonly args: Readonly<Record<string, string>> },
): Promise<GetPromptResult | undefined> {
  const { signal, messages } = invocation
  try {
    return await client.getPrompt(name, args, { signal })
  } catch (error) {
    if (!(error instanceof RpcError) || error.rpcCode !== INVALID_PARAMS) throw error
    // Servers answer so for an unknown prompt and for missing arguments alike; the list tells them apart. // PRMT-03
    const all = (await client.listPrompts({ signal })).map((prompt) => prompt.name)
    if (all.includes(name)) throw error
    const near = similarNames(name, all).map(terminalText)
    const message = messages.faults.unknownPrompt(terminalText(name), near, all.map(terminalText))
    invocation.fail(new UsageError(message, { method: 'prompts/get' }), EXIT.tool)
    return undefined
  }
}

/** Every message under the name of its role, a blank line between them. */
function promptToText({ messages }: GetPromptResult): string {
  return messages.map(({ role, content }) => `${role}:\n${blockToText(content)}`).join('\n\n')
}
