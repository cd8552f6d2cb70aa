/** `deep-pilot ps`: the processes of servers that hosts have started, orphans marked. */

import type { Command } from 'commander'
import { terminalText } from '../../base/terminal-text.ts'
import { stateFolder } from '../../config/node/home.ts'
import { endOrphans, listJobs, type Job } from '../../host/jobs.ts'
import { helpEnd, makeCommand, refuseServerWords } from '../command.ts'
import type { Invocation } from '../invocation.ts'
import type { HostWords } from '../messages/host-words.ts'
import { tableLines } from '../status-lines.ts'

export async function psCommand(invocation: Invocation): Promise<Command> {
  const { messages } = invocation
  const words = await messages.host()
  return makeCommand('ps', invocation)
    .description(words.commands.ps)
    .usage('[OPTION]...')
    .option('--end', words.options.end)
    .option('--json', messages.options.json)
    .addHelpText(
      'after',
      helpEnd(messages, words.commands.psMore, ['deep-pilot ps', 'deep-pilot ps --end']),
    )
    .action(async ({ end }: { readonly end?: boolean }) => {
      refuseServerWords(invocation, 'ps')
      showJobs(invocation, words, end === true)
    })
}

function showJobs(invocation: Invocation, words: HostWords, end: boolean): void {
  const { output, json, env, logger } = invocation
  const home = stateFolder(env)
  const ended = end ? endOrphans(home, { logger }) : []
  const jobs = listJobs(home, { logger })
  if (json) return output.json({ jobs, ...(end && { ended }) })
  const { jobs: own } = words
  if (jobs.length === 0) output.note(own.none)
  else {
    const now = Date.now()
    const rows = [own.head, ...jobs.map((job) => jobRow(job, words, now))]
    for (const line of tableLines(rows, output.columns)) output.line(line)
  }
  if (end) return output.note(own.ended(ended.length))
  const orphans = jobs.filter(({ orphan, alive }) => orphan && alive).length
  if (orphans > 0) output.note(own.orphans(orphans))
}

function jobRow(job: Job, { jobs: words }: HostWords, now: number): readonly string[] {
  const { pid, server, hostPid, since, command, alive, orphan } = job
  const state = !alive ? words.gone : orphan ? words.orphan : words.running
  return [
    String(pid),
    terminalText(server),
    String(hostPid),
    ageText(now - since),
    state,
    terminalText(command),
  ]
}

/** `42s`, `7m`, `3h`, `2d`. */
function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}
