/** `deep-pilot complete`: suggestions for an argument of a prompt, or for a variable of a resource template. */

import type { Command } from 'commander'
import { UsageError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import type { CompletionReference } from '../../protocol/types/completion.ts'
import { repeatable } from '../command.ts'
import type { Invocation } from '../invocation.ts'
import { makeServerCommand, useServer } from '../server-command.ts'
import type { ServerOptions } from '../server-options.ts'
import { textPairs } from '../text-pairs.ts'

interface CompleteOptions extends ServerOptions {
  readonly prompt?: string
  readonly resource?: string
  readonly context?: readonly string[]
}

export function completeCommand(invocation: Invocation): Command {
  const { messages, output, signal, json } = invocation
  const { commands, options, notes } = messages
  return makeServerCommand(invocation, {
    name: 'complete',
    about: commands.complete,
    usage: '(--prompt NAME | --resource TEMPLATE) ARGUMENT [VALUE]',
    declare: (command) =>
      command
        .argument('<ARGUMENT>', commands.argumentCompleted)
        .argument('[VALUE]', commands.argumentBeginning, '')
        .argument('[extra...]')
        .option('--prompt <NAME>', options.completePrompt)
        .option('--resource <TEMPLATE>', options.completeResource)
        .addOption(repeatable('--context <NAME=VALUE>', options.context)),
    examples: [
      'deep-pilot complete --prompt review language py -- node server.js',
      "deep-pilot complete --resource 'repo://{owner}/{name}' name d --context owner=me -- node server.js",
    ],
  }).action(
    async (argument: string, value: string, stray: readonly string[], given: CompleteOptions) => {
      const ref = referenceOf(given, messages)
      const context = textPairs(given.context ?? [], messages.faults)
      const use = { name: 'complete', stray, options: given }
      await useServer(invocation, use, async (client) => {
        const completion = await client.complete(ref, { name: argument, value }, context, {
          signal,
        })
        if (json) return output.json(completion)
        const { values, total, hasMore } = completion
        for (const one of values) output.line(terminalText(one))
        if (values.length === 0) output.note(notes.noSuggestions)
        else if (hasMore === true || (total ?? 0) > values.length)
          output.note(notes.moreSuggestions(values.length, total))
      })
    },
  )
}

function referenceOf(
  { prompt, resource }: CompleteOptions,
  { faults }: Invocation['messages'],
): CompletionReference {
  if (prompt !== undefined && resource === undefined) return { type: 'ref/prompt', name: prompt }
  if (resource !== undefined && prompt === undefined) return { type: 'ref/resource', uri: resource }
  throw new UsageError(faults.onePromptOrResource)
}
