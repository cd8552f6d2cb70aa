/** The options of commands that talk to a server of the user's: which one, how, for how long, and what is recorded of it. */

import { Option, type Command } from 'commander'
import { UsageError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import { repeatable } from './command.ts'
import type { Invocation } from './invocation.ts'
import type { Messages } from './messages/messages.ts'

export const TRANSPORTS = ['auto', 'http', 'sse', 'ws', 'stdio'] as const
export type TransportChoice = (typeof TRANSPORTS)[number]

/** What the options of a command that talks to a server come to. */
export interface ServerOptions {
  readonly trace?: boolean
  readonly capture?: string
  readonly existing?: 'refuse' | 'append' | 'replace'
  readonly era?: 'auto' | 'legacy' | 'modern'
  readonly revision?: string
  readonly timeout?: number
  readonly totalTimeout?: number
  readonly startTimeout?: number
  readonly env?: readonly string[]
  readonly cwd?: string
  readonly url?: string
  readonly header?: readonly string[]
  readonly transport?: TransportChoice
}

/** Adds the options of every command that talks to a server of the user's. */
export function addServerOptions(command: Command, { messages }: Invocation): Command {
  const { options, faults } = messages
  const ms = (name: string, description: string): Option =>
    new Option(`--${name} <MS>`, description).argParser((value) =>
      milliseconds(`--${name}`, value, messages),
    )
  return addCaptureOptions(
    command
      .option('--url <URL>', options.url)
      .addOption(repeatable('-H, --header <NAME: VALUE>', options.header))
      .addOption(choice('--transport', TRANSPORTS, options.transport, messages))
      .option('--trace', options.trace),
    messages,
  )
    .addOption(choice('--era', ['auto', 'legacy', 'modern'], options.era, messages))
    .option('--revision <DATE>', options.revision)
    .addOption(ms('timeout', options.timeout))
    .addOption(ms('total-timeout', options.totalTimeout))
    .addOption(ms('start-timeout', options.startTimeout))
    .addOption(
      repeatable('--env <NAME=VALUE>', options.env, (value) => {
        if (!/^[^=\0]+(?:=[^\0]*)?$/.test(value))
          throw new UsageError(faults.badVariable(terminalText(value)))
      }),
    )
    .option('--cwd <DIR>', options.cwd)
}

/** Adds the options that record the wire. */
export function addCaptureOptions(command: Command, messages: Messages): Command {
  const { capture, existing } = messages.options
  const ways = ['refuse', 'append', 'replace']
  return command
    .option('--capture <FILE>', capture)
    .addOption(choice('--existing', ways, existing, messages))
}

/** An option that takes one of a few words. */
function choice(
  flag: string,
  choices: readonly string[],
  description: string,
  messages: Messages,
): Option {
  return new Option(`${flag} <${choices.join('|')}>`, description).argParser((value) => {
    if (choices.includes(value)) return value
    throw new UsageError(messages.faults.badChoice(flag, terminalText(value), choices))
  })
}

function milliseconds(option: string, value: string, messages: Messages): number {
  const ms = /^\d{1,10}$/.test(value) ? Number(value) : 0
  // Longer timers do not exist.
  if (ms >= 1 && ms <= 2_147_483_647) return ms
  throw new UsageError(messages.faults.badMilliseconds(option, terminalText(value)))
}
