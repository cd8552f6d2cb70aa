/** `deep-pilot list`: how each server of the configuration is, and why; its exit code says whether all are well, as that of `doctor`. */

import type { Command } from 'commander'
import type { Problem } from '../../config/problem.ts'
import type { ServerState, ServerStatus } from '../../host/state.ts'
import { refuseServerWords } from '../command.ts'
import { EXIT, familyExitCode } from '../exit-codes.ts'
import { makeHostCommand } from '../host-command.ts'
import {
  loadServers,
  settle,
  tellConfigProblems,
  tellNoServers,
  unbound,
  withHost,
  type HostCommandOptions,
  type HostRun,
} from '../host-session.ts'
import type { Invocation } from '../invocation.ts'
import { statusLines, statusRecord } from '../status-lines.ts'

export async function listCommand(invocation: Invocation): Promise<Command> {
  const run: HostRun = { invocation, words: await invocation.messages.host() }
  const { commands } = run.words
  return makeHostCommand(run, {
    name: 'list',
    about: commands.list,
    more: commands.listMore,
    examples: ['deep-pilot list', 'deep-pilot list --config deep-pilot.json --json'],
  }).action(async (options: HostCommandOptions) => {
    refuseServerWords(invocation, 'list')
    await listServers(run, options)
  })
}

async function listServers(run: HostRun, options: HostCommandOptions): Promise<void> {
  const { invocation, words } = run
  const { output, json, mask } = invocation
  const config = unbound(await loadServers(run, options, { start: true }), { lazy: false })
  // To look at servers approves nothing of them.
  const host = { pinning: 'off', lock: false } as const
  await withHost(run, { config, options, host }, async (opened) => {
    await settle(run, opened)
    const servers = opened.servers()
    invocation.finish(listExitCode(servers, config.problems))
    if (json) {
      const { problems, files } = config
      output.json(mask.json({ servers: servers.map(statusRecord), problems, files }))
      return
    }
    const { columns } = output
    for (const line of statusLines(servers, words, { columns, mask })) output.line(line)
  })
  if (json) return
  if (config.entries.length === 0) tellNoServers(run, options)
  await tellConfigProblems(run, config)
}

/** States of servers that were wanted and cannot be talked to. What is switched off, not approved or lazy is as it should be. */
const AWAY: ReadonlySet<ServerState> = new Set(['failed', 'restarting', 'needs-auth', 'connecting'])

/** What could not be reached weighs more than what is wrong with what could. */
function listExitCode(servers: readonly ServerStatus[], problems: readonly Problem[]): number {
  if (servers.some(({ state }) => AWAY.has(state))) return familyExitCode('transport')
  const isFaulty =
    servers.some(({ state }) => state === 'degraded') ||
    problems.some(({ severity }) => severity === 'error')
  return isFaulty ? EXIT.mismatch : EXIT.success
}
