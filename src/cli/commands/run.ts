/** `deep-pilot run "task"`: one task for a model with the tools of the configured servers, its answer on standard output. */

import type { Command } from 'commander'
import { UsageError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import { addAgentOptions, checkDeltas, type AgentRun } from '../agent-options.ts'
import type { RunOptions } from '../chat/task.ts'
import { refuseServerWords } from '../command.ts'
import { makeHostCommand } from '../host-command.ts'
import type { Invocation } from '../invocation.ts'
import { readInputText } from '../plain-text.ts'

/** Largest task, in bytes. */
const MAX_TASK_BYTES = 4 * 1024 * 1024

export async function runCommand(invocation: Invocation): Promise<Command> {
  const { messages } = invocation
  const [words, own] = await Promise.all([messages.host(), messages.agent()])
  const run: AgentRun = { invocation, words, own }
  const { commands, options } = own
  const command = makeHostCommand(run, {
    name: 'run',
    about: commands.run,
    usage: 'TASK',
    more: commands.runMore,
    examples: [
      'deep-pilot run "Which files here are larger than 1 MB?"',
      'deep-pilot run - --json --budget-usd 0.05 < task.txt',
    ],
  })
    .argument('[TASK]', commands.argumentTask)
    .argument('[REST...]', '')
  return addAgentOptions(command, run)
    .option('--reasoning', options.reasoning)
    .action(async (task: string | undefined, rest: readonly string[], given: RunOptions) => {
      refuseServerWords(invocation, 'run')
      const { faults } = messages
      if (rest.length > 0)
        throw new UsageError(faults.excessArguments(terminalText(rest.join(' ').slice(0, 200))))
      checkDeltas(run, given)
      const text =
        task === '-' ? await readInputText(process.stdin, MAX_TASK_BYTES, faults) : (task ?? '')
      if (text.trim() === '') throw new UsageError(own.faults.noTask)
      const { runTask } = await import('../chat/task.ts')
      await runTask(run, given, text.trim())
    })
}
