/**
 * The frame that every command is declared in: help in the chosen language, errors as errors of ours, and the options that
 * several commands share.
 */

import { Command, Option, type CommanderError } from 'commander'
import { UsageError } from '../base/errors.ts'
import { displayWidth, terminalText } from '../base/terminal-text.ts'
import type { Invocation } from './invocation.ts'
import type { Messages } from './messages/messages.ts'
import { wrapText } from './wrap-text.ts'

/** A command without options or action yet. Its help goes to standard output, its errors are thrown. */
export function makeCommand(name: string, invocation: Invocation): Command {
  const { messages, output } = invocation
  const { help } = messages
  const titles = new Map([
    ['Usage:', help.usage],
    ['Arguments:', help.arguments],
    ['Options:', help.options],
    ['Global Options:', help.commonOptions],
    ['Commands:', help.commands],
  ])
  return new Command(name)
    .helpOption('-h, --help', help.help)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.line(text.trimEnd()),
      // Help that is shown because no command was named; errors are thrown and told elsewhere.
      writeErr: (text) => output.note(text.trimEnd()),
      outputError: () => {},
      getOutHelpWidth: () => Math.min(output.columns ?? 100, 120),
      getErrHelpWidth: () => Math.min(output.noteColumns ?? 100, 120),
    })
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (title) => titles.get(title) ?? title,
      displayWidth,
      boxWrap: wrapText,
      // Defaults and choices stand in the words themselves.
      optionDescription: (option) => option.description,
      argumentDescription: (argument) => argument.description,
      subcommandTerm: (command) => command.name(),
    })
}

/** The end of a command's help: further words, and lines to copy. */
export function helpEnd(
  messages: Messages,
  more: string | undefined,
  examples: readonly string[],
): string {
  const text = more === undefined ? '' : `\n${wrapText(more, 78)}\n`
  return `${text}\n${messages.help.examples}\n${examples.map((line) => `  ${line}`).join('\n')}`
}

/** What the options of a command that starts a server come to. */
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
}

/** Adds the options of every command that starts a server of the user's. */
export function addServerOptions(command: Command, { messages }: Invocation): Command {
  const { options, faults } = messages
  const ms = (name: string, description: string): Option =>
    new Option(`--${name} <MS>`, description).argParser((value) =>
      milliseconds(`--${name}`, value, messages),
    )
  return addCaptureOptions(command.option('--trace', options.trace), messages)
    .addOption(choice('--era', ['auto', 'legacy', 'modern'], options.era, messages))
    .option('--revision <DATE>', options.revision)
    .addOption(ms('timeout', options.timeout))
    .addOption(ms('total-timeout', options.totalTimeout))
    .addOption(ms('start-timeout', options.startTimeout))
    .addOption(
      new Option('--env <NAME=VALUE>', options.env).argParser(
        (value, all: readonly string[] | undefined) => {
          if (!/^[^=\0]+(?:=[^\0]*)?$/.test(value))
            throw new UsageError(faults.badVariable(terminalText(value)))
          return [...(all ?? []), value]
        },
      ),
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

/** The words after `--`; throws when there are none, naming what was typed instead. */
export function serverWordsOf(
  invocation: Invocation,
  name: string,
  stray: readonly string[],
): readonly [string, ...string[]] {
  const { serverWords, messages } = invocation
  const typed = `deep-pilot ${name}`
  const [first] = stray
  if (serverWords === undefined) {
    throw new UsageError(
      messages.faults.noSeparator(typed, first === undefined ? undefined : terminalText(first)),
    )
  }
  if (first !== undefined)
    throw new UsageError(messages.faults.excessArguments(stray.map(terminalText).join(' ')))
  const [command, ...args] = serverWords
  if (command === undefined || command === '')
    throw new UsageError(messages.faults.noServerCommand(typed))
  return [command, ...args]
}

/** Throws when words stand after `--` of a command that starts no server of the user's. */
export function refuseServerWords({ serverWords, messages }: Invocation, name: string): void {
  if (serverWords !== undefined)
    throw new UsageError(messages.faults.strayServerCommand(`deep-pilot ${name}`))
}

/** An error of ours for one of the parser; nothing when it only showed help or the version. */
export function usageErrorOf(
  error: CommanderError,
  { messages, words, serverWords }: Invocation,
  similar: (name: string) => string | undefined,
): UsageError | undefined {
  const { faults } = messages
  const quoted = terminalText(/'([^']*)'/.exec(error.message)?.[1] ?? '')
  const suggested = /Did you mean (?:one of )?([^?]*)\?/.exec(error.message)?.[1]
  switch (error.code) {
    case 'commander.helpDisplayed':
    case 'commander.help':
    case 'commander.version':
      return undefined
    case 'commander.unknownOption':
      return new UsageError(
        faults.unknownOption(quoted, suggested) +
          // Without `--` an option of the server's command is taken for one of ours.
          (suggested === undefined && serverWords === undefined && startsServer(words)
            ? faults.serverOption(
                `deep-pilot ${words.includes('call') ? 'call TOOL' : 'tools'} -- COMMAND …`,
              )
            : ''),
      )
    case 'commander.unknownCommand':
      return new UsageError(faults.unknownCommand(quoted, similar(quoted)))
    case 'commander.missingArgument':
      return new UsageError(faults.missingArgument(quoted))
    case 'commander.optionMissingArgument':
      return new UsageError(faults.missingValue(quoted))
    default:
      return new UsageError(terminalText(error.message.replace(/^error: /, '')))
  }
}

function startsServer(words: readonly string[]): boolean {
  return words.includes('tools') || words.includes('call')
}

function milliseconds(option: string, value: string, messages: Messages): number {
  const ms = /^\d{1,10}$/.test(value) ? Number(value) : 0
  // Longer timers do not exist.
  if (ms >= 1 && ms <= 2_147_483_647) return ms
  throw new UsageError(messages.faults.badMilliseconds(option, terminalText(value)))
}
