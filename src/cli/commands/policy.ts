/** `deep-pilot policy`: what the policy of the configuration decides, by its rules and over recorded calls. */

import type { Command } from 'commander'
import { makeCommand, refuseServerWords } from '../command.ts'
import { makeHostCommand } from '../host-command.ts'
import { type HostCommandOptions, type HostRun } from '../host-session.ts'
import type { Invocation } from '../invocation.ts'
import { checkPolicy } from './policy-check.ts'
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
}
