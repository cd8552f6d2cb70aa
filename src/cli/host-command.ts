/** The frame of a command over the servers of a configuration: its usage, its options and its words. */

import type { Command } from 'commander'
import { helpEnd, makeCommand, repeatable } from './command.ts'
import type { HostRun } from './host-session.ts'

export interface HostCommand {
  readonly name: string
  /** One line for the list of commands. */
  readonly about: string
  /** What stands between the name and the options, as in `[SERVER]`. Default nothing. */
  readonly usage?: string
  /** Further words of the help. */
  readonly more?: string
  readonly examples: readonly string[]
}

/** A command without arguments or action yet. */
export function makeHostCommand({ invocation, words }: HostRun, parts: HostCommand): Command {
  const { messages } = invocation
  const { name, about, usage, more, examples } = parts
  return makeCommand(name, invocation)
    .description(about)
    .usage(`${usage === undefined ? '' : `${usage} `}[OPTION]...`)
    .addOption(repeatable('--config <FILE>', words.options.config))
    .option('--json', messages.options.json)
    .addHelpText('after', helpEnd(messages, more, examples))
}
