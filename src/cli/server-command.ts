/** The frame of a command that talks to a server of the user's: its usage, its options, and the client that it gets. */

import type { Command } from 'commander'
import type { Client } from '../client/client.ts'
import { helpEnd, makeCommand } from './command.ts'
import type { Invocation } from './invocation.ts'
import { withServer } from './server-connection.ts'
import { addServerOptions, type ServerOptions } from './server-options.ts'
import { targetOf } from './server-target.ts'

export interface ServerCommand {
  readonly name: string
  /** One line for the list of commands. */
  readonly about: string
  /** What stands between the name and the options, as in `URI`. Default nothing. */
  readonly usage?: string
  /** Further words of the help. */
  readonly more?: string
  readonly examples: readonly string[]
  /** Whether it also works without a server of its own. Default false. */
  readonly isOptional?: boolean
  /** Adds arguments and options of its own, which stand before those of every such command. */
  readonly declare?: (command: Command) => Command
}

/** A command without an action yet. */
export function makeServerCommand(invocation: Invocation, parts: ServerCommand): Command {
  const { messages } = invocation
  const { name, about, usage, more, examples, declare, isOptional } = parts
  const [open, close] = isOptional === true ? ['[', ']'] : ['(', ')']
  const command = makeCommand(name, invocation)
    .description(about)
    .usage(
      `${usage === undefined ? '' : `${usage} `}[OPTION]... ${open}-- COMMAND [ARGUMENT]... | --url URL${close}`,
    )
  declare?.(command)
  command.option('--json', messages.options.json)
  return addServerOptions(command, invocation).addHelpText(
    'after',
    helpEnd(messages, more, examples),
  )
}

/** Connects to the server that was named, for as long as `use` takes. `stray` are words that belong to nothing. */
export async function useServer(
  invocation: Invocation,
  { name, stray, options }: { name: string; stray?: readonly string[]; options: ServerOptions },
  use: (client: Client) => Promise<void>,
): Promise<void> {
  const typed = `deep-pilot ${name}`
  const target = targetOf(invocation, { typed, ...(stray === undefined ? {} : { stray }) }, options)
  await withServer(invocation, { target, options }, use)
}
