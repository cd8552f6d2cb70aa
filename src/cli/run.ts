/** One run from its words to its exit code. Everything it touches is passed in, the files of the commands apart. */

import { CommanderError, type Command } from 'commander'
import { UsageError } from '../base/errors.ts'
import { terminalText } from '../base/terminal-text.ts'
import { PRODUCT } from '../client/options.ts'
import { checkLanguage, chooseLanguage } from './language.ts'
import { makeCommand, usageErrorOf } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { listenForInterrupt, type SignalSource } from './interrupt.ts'
import { Invocation } from './invocation.ts'
import { commandLogger } from './log.ts'
import type { Language, Messages } from './messages/messages.ts'
import type { NoteWords } from './messages/note-words.ts'
import { createOutput, type OutputStream } from './output.ts'
import { similarNames } from './similar.ts'
import { remarkTeller } from './wire-remark.ts'

/** What a run needs of its process. */
export interface RunHost {
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signals: SignalSource
  /** Path of the program's own file. */
  readonly program: string
}

type Declare = (invocation: Invocation) => Command | Promise<Command>

/** Every command, in the order of the help. */
const COMMANDS: ReadonlyMap<string, () => Promise<Declare>> = new Map<
  string,
  () => Promise<Declare>
>([
  ['demo', async () => (await import('./commands/demo.ts')).demoCommand],
  ['chat', async () => (await import('./commands/chat.ts')).chatCommand],
  ['run', async () => (await import('./commands/run.ts')).runCommand],
  ['compare', async () => (await import('./commands/compare.ts')).compareCommand],
  ['tools', async () => (await import('./commands/tools.ts')).toolsCommand],
  ['types', async () => (await import('./commands/types.ts')).typesCommand],
  ['call', async () => (await import('./commands/call.ts')).callCommand],
  ['resources', async () => (await import('./commands/resources.ts')).resourcesCommand],
  ['read', async () => (await import('./commands/read.ts')).readCommand],
  ['prompts', async () => (await import('./commands/prompts.ts')).promptsCommand],
  ['prompt', async () => (await import('./commands/prompt.ts')).promptCommand],
  ['complete', async () => (await import('./commands/complete.ts')).completeCommand],
  ['discover', async () => (await import('./commands/discover.ts')).discoverCommand],
  ['ping', async () => (await import('./commands/ping.ts')).pingCommand],
  ['listen', async () => (await import('./commands/listen.ts')).listenCommand],
  ['raw', async () => (await import('./commands/raw.ts')).rawCommand],
  ['serve', async () => (await import('./commands/serve.ts')).serveCommand],
  ['list', async () => (await import('./commands/list.ts')).listCommand],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctorCommand],
  ['policy', async () => (await import('./commands/policy.ts')).policyCommand],
  ['pin', async () => (await import('./commands/pin.ts')).pinCommand],
  ['verify', async () => (await import('./commands/verify.ts')).verifyCommand],
  ['ps', async () => (await import('./commands/ps.ts')).psCommand],
  ['why', async () => (await import('./commands/why.ts')).whyCommand],
  ['captures', async () => (await import('./commands/captures.ts')).capturesCommand],
  ['config', async () => (await import('./commands/config.ts')).configCommand],
])

/** Runs the words of a command line and gives the exit code. Never rejects. */
export async function run(argv: readonly string[], host: RunHost): Promise<number> {
  const { stdout, stderr, env, signals, program } = host
  const [words, serverWords] = splitAtDashes(argv)
  const systemLocale = (): string =>
    process.platform === 'win32' ? new Intl.DateTimeFormat().resolvedOptions().locale : ''
  const messages = await loadMessages(chooseLanguage({ words, env, systemLocale }))
  const output = createOutput({ stdout, stderr, env })
  let expected = (): boolean => false
  const interrupt = listenForInterrupt(signals, () => {
    if (stderr.isTTY !== true) return
    // A terminal has written ^C into the line.
    output.note(expected() ? '' : `\n${messages.notes.cancelling}`)
  })
  const { signal } = interrupt
  const options = { messages, output, env, words, serverWords, program, signal }
  const invocation = new Invocation({ ...options, interrupt: () => interrupt.interrupt() })
  expected = () => invocation.expectsInterrupt
  let parser: Command | undefined
  try {
    parser = await makeProgram(invocation)
    await parser.parseAsync([...words], { from: 'user' })
  } catch (error) {
    const interrupted = interrupt.exitCode()
    const told =
      error instanceof CommanderError ? parserFault(error, { invocation, parser }) : error
    // Whatever broke after Ctrl-C broke because of it.
    if (interrupted !== undefined) {
      if (!invocation.expectsInterrupt) output.note(messages.notes.cancelled)
    } else if (told !== undefined) invocation.fail(told)
  } finally {
    output.progress()
    interrupt.release()
  }
  const code = interrupt.exitCode()
  if (code === EXIT.interrupted && invocation.expectsInterrupt) return invocation.exitCode
  return code ?? invocation.exitCode
}

/** What stands before the first `--`, and what stands behind it. */
function splitAtDashes(
  argv: readonly string[],
): readonly [readonly string[], readonly string[] | undefined] {
  const at = argv.indexOf('--')
  return at < 0 ? [argv, undefined] : [argv.slice(0, at), argv.slice(at + 1)]
}

async function loadMessages(language: Language): Promise<Messages> {
  return language === 'zh'
    ? (await import('./messages/zh.ts')).zh
    : (await import('./messages/en.ts')).en
}

/** What is said of servers that do something wrong. */
async function noteWords(language: Language): Promise<NoteWords> {
  return language === 'zh'
    ? (await import('./messages/note-zh.ts')).noteZh
    : (await import('./messages/note-en.ts')).noteEn
}

async function makeProgram(invocation: Invocation): Promise<Command> {
  const { messages, output, words, env } = invocation
  const { options, help, commands } = messages
  const program = makeCommand('deep-pilot', invocation)
    .description(commands.program)
    .usage('COMMAND [OPTION]...')
    .version(PRODUCT.version, '-V, --version', help.version)
    .option('--lang <en|zh>', options.lang, (value) => checkLanguage(value, messages))
    .option('--log-level <LEVELS>', options.logLevel)
    .option('--log-json', options.logJson)
  program.hook('preAction', async () => {
    const { logLevel, logJson } = program.opts<{ logLevel?: string; logJson?: boolean }>()
    const wish = { option: logLevel, variable: env['DEEP_PILOT_LOG_LEVEL'], json: logJson }
    const masked = {
      note: (text: string) => output.note(invocation.mask.text(text)),
      noteJson: (value: unknown) => output.noteJson(invocation.mask.json(value)),
    }
    const tell = logJson === true ? undefined : remarkTeller(await noteWords(messages.language))
    const words = { faults: messages.faults, ...(tell !== undefined && { tell }) }
    invocation.logger = commandLogger(wish, masked, words)
  })
  for (const load of wantedCommands(words)) program.addCommand(await (await load())(invocation))
  return program.addCommand(helpCommand(program, invocation))
}

/** `help COMMAND [COMMAND]`: the parser's own says nothing of a command that there is not. */
function helpCommand(program: Command, invocation: Invocation): Command {
  const { help, faults } = invocation.messages
  return makeCommand('help', invocation)
    .description(help.helpCommand)
    .usage('[COMMAND]')
    .argument('[COMMAND...]', help.helpArgument)
    .action((names: readonly string[]) => {
      let command = program
      for (const name of names) {
        const next = command.commands.find((one) => one.name() === name)
        if (next === undefined) {
          const similar = similarNames(name, namesIn(command))[0]
          throw new UsageError(faults.unknownCommand(terminalText(name), similar))
        }
        command = next
      }
      command.outputHelp()
    })
}

/** The names of its commands, also of those that this run did not load. */
function namesIn(command: Command): readonly string[] {
  return command.parent === null
    ? [...COMMANDS.keys(), 'help']
    : command.commands.map((one) => one.name())
}

/** The commands that are named, none for the version alone, or all of them for their list. */
function wantedCommands(words: readonly string[]): readonly (() => Promise<Declare>)[] {
  const named = [...COMMANDS].filter(([name]) => words.includes(name)).map(([, load]) => load)
  if (named.length > 0 || words[0] === '--version' || words[0] === '-V') return named
  return [...COMMANDS.values()]
}

/** Nothing when help or the version was shown; no command at all shows the help and counts as a mistake. */
function parserFault(
  error: CommanderError,
  { invocation, parser }: { readonly invocation: Invocation; readonly parser: Command | undefined },
): Error | undefined {
  if (error.code === 'commander.help' && error.exitCode !== 0) invocation.finish(EXIT.usage)
  const group = parser?.commands.find(
    (one) => one.commands.length > 0 && invocation.words.includes(one.name()),
  )
  const names = group === undefined ? [...COMMANDS.keys(), 'help'] : namesIn(group)
  return usageErrorOf(error, invocation, (name) => similarNames(name, names)[0])
}
