/** `deep-pilot compare`: one tool as a function, behind MCP and as a framework tool, measured in the same run. */

import { Option, type Command } from 'commander'
import { UsageError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import { PRODUCT } from '../../client/options.ts'
import { helpEnd, makeCommand, refuseServerWords } from '../command.ts'
import { compare } from '../compare/comparison.ts'
import { play, ROLES, type Role } from '../compare/roles.ts'
import { SUBJECTS, subjectOf, type SubjectName } from '../compare/subject.ts'
import { comparisonLines } from '../compare/view.ts'
import type { Invocation } from '../invocation.ts'
import type { CompareWords } from '../messages/compare-words.ts'
import type { Language } from '../messages/messages.ts'
import { addCaptureOptions, type ServerOptions } from '../server-options.ts'
import { openRecording } from '../trace.ts'

interface CompareOptions extends Pick<ServerOptions, 'capture' | 'existing'> {
  readonly tool?: SubjectName
  readonly calls?: number
  /** Be one of the processes of a comparison. */
  readonly role?: Role
}

const DEFAULT_CALLS = 200
const MAX_CALLS = 10_000

export async function compareCommand(invocation: Invocation): Promise<Command> {
  const { messages } = invocation
  const words = await compareWords(messages.language)
  const command = makeCommand('compare', invocation)
    .description(words.command)
    .usage('[OPTION]...')
    .addOption(
      new Option('--tool <TOOL>', words.optionTool).argParser((value) =>
        subjectNamed(value, invocation),
      ),
    )
    .addOption(
      new Option('--calls <N>', words.optionCalls).argParser((value) => callsOf(value, words)),
    )
    .option('--json', messages.options.json)
    .addOption(new Option('--role <ROLE>').choices(ROLES).hideHelp())
  return addCaptureOptions(command, messages)
    .addHelpText(
      'after',
      helpEnd(messages, words.more, [
        'deep-pilot compare',
        'deep-pilot compare --tool weather --lang zh',
        'deep-pilot compare --json --calls 1000',
      ]),
    )
    .action(async (options: CompareOptions) => {
      refuseServerWords(invocation, 'compare')
      const { role, tool = 'calculator' } = options
      if (role !== undefined) return play(role, subjectOf(tool), invocation)
      await show(invocation, words, options)
    })
}

async function show(
  invocation: Invocation,
  words: CompareWords,
  options: CompareOptions,
): Promise<void> {
  const { output, json } = invocation
  const subject = subjectOf(options.tool ?? 'calculator')
  const recording = await openRecording(invocation, options, [])
  try {
    if (!json) output.line(words.intro(`deep-pilot ${PRODUCT.version}`))
    const compared = await compare(invocation, {
      subject,
      calls: options.calls ?? DEFAULT_CALLS,
      wire: recording.sink,
      onStep: (step) => output.progress(words.steps[step]),
    })
    output.progress()
    if (json) return output.json(compared)
    for (const line of comparisonLines(compared, subject, { words, columns: output.columns }))
      output.line(line)
  } finally {
    await recording.close()
  }
}

function subjectNamed(value: string, { messages }: Invocation): SubjectName {
  const name = SUBJECTS.find((one) => one === value)
  if (name !== undefined) return name
  throw new UsageError(messages.faults.badChoice('--tool', terminalText(value), SUBJECTS))
}

function callsOf(value: string, words: CompareWords): number {
  const calls = /^\d{1,5}$/.test(value) ? Number(value) : 0
  if (calls >= 1 && calls <= MAX_CALLS) return calls
  throw new UsageError(words.badCalls(terminalText(value)))
}

/** No other command loads them. */
async function compareWords(language: Language): Promise<CompareWords> {
  return language === 'zh'
    ? (await import('../messages/compare-zh.ts')).compareZh
    : (await import('../messages/compare-en.ts')).compareEn
}
