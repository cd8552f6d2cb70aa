/** `deep-pilot policy`: what the policy of the configuration decides, by its rules and over recorded calls, and what was granted beside it. */

import type { Command } from 'commander'
import { helpEnd, makeCommand, refuseServerWords } from '../command.ts'
import { makeHostCommand } from '../host-command.ts'
import { type HostCommandOptions, type HostRun } from '../host-session.ts'
import type { Invocation } from '../invocation.ts'
import { checkPolicy } from './policy-check.ts'
import { listGrants, revokeGrants, type RevokeOptions } from './policy-grants.ts'
import { testPolicy, type PolicyTestOptions } from './policy-test.ts'

export async function policyCommand(invocation: Invocation): Promise<Command> {
  const run: HostRun = { invocation, words: await invocation.messages.host() }
  const { commands, options } = run.words
  const check = makeHostCommand(run, {
    name: 'check',
    about: commands.policyCheck,
    more: commands.policyCheckMore,
    examples: ['deep-pilot policy check', 'deep-pilot policy check --config deep-pilot.json'],
  }).action(async (given: HostCommandOptions) => {
    refuseServerWords(invocation, 'policy check')
    await checkPolicy(run, given)
  })
  const test = makeHostCommand(run, {
    name: 'test',
    about: commands.policyTest,
    usage: 'CAPTURE',
    more: commands.policyTestMore,
    examples: [
      'deep-pilot policy test wire.jsonl',
      'deep-pilot policy test wire.jsonl --server files',
    ],
  })
    .argument('<CAPTURE>', commands.argumentCapture)
    .option('--server <SERVER>', options.captureServer)
    .action(async (path: string, given: PolicyTestOptions) => {
      refuseServerWords(invocation, 'policy test')
      await testPolicy(run, path, given)
    })
  return makeCommand('policy', invocation)
    .description(commands.policy)
    .usage('COMMAND [OPTION]...')
    .addCommand(check)
    .addCommand(test)
    .addCommand(grantsCommand(run))
    .addCommand(revokeCommand(run))
}

function grantsCommand(run: HostRun): Command {
  const { commands } = run.words
  return makeHostCommand(run, {
    name: 'grants',
    about: commands.policyGrants,
    more: commands.policyGrantsMore,
    examples: ['deep-pilot policy grants', 'deep-pilot policy grants --json'],
  }).action(async (given: HostCommandOptions) => {
    refuseServerWords(run.invocation, 'policy grants')
    await listGrants(run, given)
  })
}

function revokeCommand(run: HostRun): Command {
  const { invocation, words } = run
  const { commands, options } = words
  const { messages } = invocation
  const examples = ['deep-pilot policy revoke files.write', 'deep-pilot policy revoke --all']
  return makeCommand('revoke', invocation)
    .description(commands.policyRevoke)
    .usage('[SERVER[.TOOL]] [OPTION]...')
    .argument('[SERVER[.TOOL]]', commands.argumentGrant)
    .option('--all', options.allGrants)
    .option('--json', messages.options.json)
    .addHelpText('after', helpEnd(messages, commands.policyRevokeMore, examples))
    .action(async (name: string | undefined, given: RevokeOptions) => {
      refuseServerWords(invocation, 'policy revoke')
      await revokeGrants(run, name, given)
    })
}
