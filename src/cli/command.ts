/**
 * The frame that every command is declared in: help in the chosen language, errors as errors of ours, and the options that
 * several commands share.
 */

import { Command, Help, Option, type CommanderError } from 'commander'
import { UsageError } from '../base/errors.ts'
import { displayWidth, terminalText } from '../base/terminal-text.ts'
import type { Invocation } from './invocation.ts'
import type { Messages } from './messages/messages.ts'
import { wrapText } from './wrap-text.ts'

/** Columns of a help text where there is no terminal. */
const PIPE_COLUMNS = 100

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
      writeOut: (text) => output.line(closed(text, help.usage).trimEnd()),
      // Help that is shown because no command was named; errors are thrown and told elsewhere.
      writeErr: (text) => output.note(closed(text, help.usage).trimEnd()),
      outputError: () => {},
      getOutHelpWidth: () => Math.min(output.columns ?? PIPE_COLUMNS, 120),
      getErrHelpWidth: () => Math.min(output.noteColumns ?? PIPE_COLUMNS, 120),
    })
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (title) => titles.get(title) ?? title,
      displayWidth,
      // Rather narrow columns than words cut by the terminal.
      minWidthToWrap: 16,
      commandUsage: (command) => usageOf(command, help.usage, output.columns),
      // Words that belong to nothing are told of as a mistake.
      visibleArguments: (command) =>
        command.registeredArguments.filter(({ description }) => description !== ''),
      boxWrap: wrapText,
      // Defaults and choices stand in the words themselves.
      optionDescription: (option) => option.description,
      argumentDescription: (argument) => argument.description,
      subcommandTerm: (command) => command.name(),
    })
}

/** The usage behind its title, broken between words where the terminal would break it anywhere. */
function usageOf(command: Command, title: string, columns: number | undefined): string {
  const usage = new Help().commandUsage(command)
  const indent = displayWidth(title) + (isWide(title) ? 0 : 1)
  return wrapText(usage, Math.max(20, (columns ?? PIPE_COLUMNS) - indent)).replaceAll(
    '\n',
    `\n${' '.repeat(indent)}`,
  )
}

/** Without the blank of the parser where the title ends with a wide mark, which has room of its own. */
function closed(text: string, title: string): string {
  return isWide(title) ? text.replace(`${title} `, title) : text
}

function isWide(title: string): boolean {
  return title.endsWith('：')
}

/** An option that may be given several times; its values are kept in order. `check` throws for a value that cannot be. */
export function repeatable(
  flags: string,
  description: string,
  check?: (value: string) => void,
): Option {
  return new Option(flags, description).argParser((value, all: readonly string[] | undefined) => {
    check?.(value)
    return [...(all ?? []), value]
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
  const command = words.find((word) => SERVER_COMMANDS.has(word))
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
          (suggested === undefined && serverWords === undefined && command !== undefined
            ? faults.serverOption(
                `deep-pilot ${command === 'call' ? 'call TOOL' : command} -- COMMAND …`,
              )
            : ''),
      )
    case 'commander.unknownCommand':
      return new UsageError(faults.unknownCommand(quoted, similar(quoted)))
    case 'commander.missingArgument':
      return new UsageError(faults.missingArgument(quoted))
    case 'commander.excessArguments':
      return new UsageError(faults.tooManyArguments(quoted))
    case 'commander.optionMissingArgument':
      return new UsageError(faults.missingValue(quoted))
    default:
      return new UsageError(terminalText(error.message.replace(/^error: /, '')))
  }
}

/** The commands whose words may be taken for those of a server that is to be started. */
const SERVER_COMMANDS: ReadonlySet<string> = new Set([
  'call',
  'tools',
  'types',
  'resources',
  'read',
  'prompts',
  'prompt',
  'complete',
  'discover',
  'ping',
  'listen',
  'raw',
])
