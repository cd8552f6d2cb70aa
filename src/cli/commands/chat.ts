/** `deep-pilot chat`: a model that calls the tools of the configured servers, with a person who sees and decides. */

import type { Command } from 'commander'
import { refuseServerWords } from '../command.ts'
import {
  addAgentOptions,
  checkDeltas,
  type AgentCommandOptions,
  type AgentRun,
} from '../agent-options.ts'
import { makeHostCommand } from '../host-command.ts'
import type { Invocation } from '../invocation.ts'

interface ChatOptions extends AgentCommandOptions {
  readonly resume?: string | true
  readonly list?: boolean
  readonly reasoning?: boolean
}

export async function chatCommand(invocation: Invocation): Promise<Command> {
  const { messages } = invocation
  const [words, own] = await Promise.all([messages.host(), messages.agent()])
  const run: AgentRun = { invocation, words, own }
  const { commands, options } = own
  const command = makeHostCommand(run, {
    name: 'chat',
    about: commands.chat,
    more: commands.chatMore,
    examples: [
      'deep-pilot chat',
      'deep-pilot chat --model ollama:qwen3 --config deep-pilot.json',
      'deep-pilot chat --resume',
      'deep-pilot chat --list',
    ],
  })
  return addAgentOptions(command, run)
    .option('--resume [ID]', options.resume)
    .option('--list', options.list)
    .option('--reasoning', options.reasoning)
    .action(async (given: ChatOptions) => {
      refuseServerWords(invocation, 'chat')
      if (given.list === true) {
        const { listSessions } = await import('../chat/session-rows.ts')
        return listSessions(run)
      }
      checkDeltas(run, given)
      const { startChat } = await import('../chat/start.ts')
      await startChat(run, given, {
        resume: given.resume,
        reasoning: given.reasoning === true,
      })
    })
}
