/** `deep-pilot config`: the servers that are configured, where each value comes from, and changes to the files. */

import type { Command } from 'commander'
import { helpEnd, makeCommand, refuseServerWords, repeatable } from '../command.ts'
import type { Invocation } from '../invocation.ts'
import { approveFiles, type ApproveOptions } from './config-approve.ts'
import { checkConfig } from './config-doctor.ts'
import { addCommand, removeCommand, type AddOptions } from './config-edit.ts'
import { explainServer } from './config-explain.ts'
import type { ConfigOptions, ConfigRun } from './config-files.ts'
import { importServers, type ImportOptions } from './config-import.ts'
import { getServer, listServers } from './config-list.ts'

export async function configCommand(invocation: Invocation): Promise<Command> {
  const run: ConfigRun = { invocation, words: await invocation.messages.config() }
  const parts = [list, get, explain, doctor, approve, add, remove, importFrom]
  const command = makeCommand('config', invocation)
    .description(run.words.commands.config)
    .usage('COMMAND [OPTION]...')
  for (const part of parts) command.addCommand(part(run))
  return command
}

type Kind = 'list' | 'get' | 'explain' | 'doctor' | 'approve' | 'add' | 'remove' | 'import'

/** A subcommand with its words and the options that all of them have. */
function part(
  { invocation, words }: ConfigRun,
  name: Kind,
  { more, examples }: { readonly more?: string; readonly examples: readonly string[] },
): Command {
  const { messages } = invocation
  return makeCommand(name, invocation)
    .description(words.commands[name])
    .option('--json', messages.options.json)
    .addHelpText('after', helpEnd(messages, more, examples))
}

/** One of those that read files and change none. */
function reader(run: ConfigRun, name: Kind, examples: readonly string[]): Command {
  return part(run, name, { examples }).addOption(
    repeatable('--config <FILE>', run.words.options.config),
  )
}

function list(run: ConfigRun): Command {
  const examples = ['deep-pilot config list', 'deep-pilot config list --config .vscode/mcp.json']
  return reader(run, 'list', examples).action(async (options: ConfigOptions) => {
    refuseServerWords(run.invocation, 'config list')
    await listServers(run, options)
  })
}

function get(run: ConfigRun): Command {
  return reader(run, 'get', ['deep-pilot config get files'])
    .usage('NAME [OPTION]...')
    .argument('<NAME>', run.words.commands.argumentName)
    .action(async (name: string, options: ConfigOptions) => {
      refuseServerWords(run.invocation, 'config get')
      await getServer(run, name, options)
    })
}

function explain(run: ConfigRun): Command {
  return reader(run, 'explain', ['deep-pilot config explain files'])
    .usage('NAME [OPTION]...')
    .argument('<NAME>', run.words.commands.argumentName)
    .action(async (name: string, options: ConfigOptions) => {
      refuseServerWords(run.invocation, 'config explain')
      await explainServer(run, name, options)
    })
}

function doctor(run: ConfigRun): Command {
  return reader(run, 'doctor', [
    'deep-pilot config doctor',
    'deep-pilot config doctor files --json',
  ])
    .usage('[NAME]... [OPTION]...')
    .argument('[NAME...]', run.words.commands.argumentNames)
    .action(async (names: readonly string[], options: ConfigOptions) => {
      refuseServerWords(run.invocation, 'config doctor')
      await checkConfig(run, names, options)
    })
}

function approve(run: ConfigRun): Command {
  const { commands, options } = run.words
  const examples = ['deep-pilot config approve', 'deep-pilot config approve .mcp.json --revoke']
  return part(run, 'approve', { more: commands.approveMore, examples })
    .usage('[FILE]... [OPTION]...')
    .argument('[FILE...]', commands.argumentFiles)
    .addOption(repeatable('--config <FILE>', commands.argumentFiles))
    .option('--yes', options.yes)
    .option('--revoke', options.revoke)
    .action(async (files: readonly string[], wish: ApproveOptions & ConfigOptions) => {
      refuseServerWords(run.invocation, 'config approve')
      await approveFiles(run, [...files, ...(wish.config ?? [])], wish)
    })
}

function add(run: ConfigRun): Command {
  const { commands, options } = run.words
  const examples = [
    'deep-pilot config add files -- npx -y @modelcontextprotocol/server-filesystem@2026.8.31 .',
    "deep-pilot config add web --url https://example.com/mcp -H 'Authorization: Bearer ${TOKEN}'",
  ]
  return part(run, 'add', { more: commands.addMore, examples })
    .usage('NAME [OPTION]... (-- COMMAND [ARGUMENT]... | --url URL)')
    .argument('<NAME>', commands.argumentName)
    .option('--config <FILE>', options.target)
    .option('--replace', options.replace)
    .addOption(repeatable('--env <NAME=VALUE>', options.env))
    .option('--cwd <DIR>', options.cwd)
    .option('--url <URL>', options.url)
    .addOption(repeatable('-H, --header <NAME: VALUE>', options.header))
    .option('--transport <KIND>', options.transport)
    .action(async (name: string, wish: AddOptions) => {
      await addCommand(run, name, wish)
    })
}

function remove(run: ConfigRun): Command {
  return reader(run, 'remove', ['deep-pilot config remove files'])
    .usage('NAME [OPTION]...')
    .argument('<NAME>', run.words.commands.argumentName)
    .action(async (name: string, options: ConfigOptions) => {
      refuseServerWords(run.invocation, 'config remove')
      await removeCommand(run, name, options)
    })
}

function importFrom(run: ConfigRun): Command {
  const { commands, options } = run.words
  const examples = ['deep-pilot config import', 'deep-pilot config import vscode --write']
  return part(run, 'import', { more: commands.importMore, examples })
    .usage('[HOST|FILE] [OPTION]...')
    .argument('[HOST|FILE]', commands.argumentSource)
    .option('--config <FILE>', options.target)
    .option('--write', options.write)
    .option('--replace', options.replace)
    .option('--yes', options.yes)
    .action(async (source: string | undefined, wish: ImportOptions) => {
      refuseServerWords(run.invocation, 'config import')
      await importServers(run, source, wish)
    })
}
