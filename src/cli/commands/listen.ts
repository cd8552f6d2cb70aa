/** `deep-pilot listen`: changes on a server, a line each, until Ctrl-C. */

import type { Command } from 'commander'
import { CapabilityError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import type { Change, ChangeFilter } from '../../client/change-queue.ts'
import type { Client } from '../../client/client.ts'
import { repeatable } from '../command.ts'
import type { Invocation } from '../invocation.ts'
import type { FaultWords } from '../messages/messages.ts'
import { makeServerCommand, useServer } from '../server-command.ts'
import type { ServerOptions } from '../server-options.ts'

interface ListenOptions extends ServerOptions {
  readonly tools?: boolean
  readonly prompts?: boolean
  readonly resources?: boolean
  readonly uri?: readonly string[]
}

export function listenCommand(invocation: Invocation): Command {
  const { messages } = invocation
  const { options } = messages
  return makeServerCommand(invocation, {
    name: 'listen',
    about: messages.commands.listen,
    more: messages.commands.listenMore,
    declare: (command) =>
      command
        .argument('[extra...]')
        .option('--tools', options.listenTools)
        .option('--prompts', options.listenPrompts)
        .option('--resources', options.listenResources)
        .addOption(repeatable('--uri <URI>', options.listenUri)),
    examples: [
      'deep-pilot listen -- node server.js',
      'deep-pilot listen --uri file:///notes/today.md --url https://example.com/mcp',
    ],
  }).action(async (stray: readonly string[], given: ListenOptions) => {
    invocation.endsByInterrupt()
    await useServer(invocation, { name: 'listen', stray, options: given }, (client) =>
      listen(invocation, client, given),
    )
  })
}

async function listen(invocation: Invocation, client: Client, given: ListenOptions): Promise<void> {
  const { output, messages, signal, json } = invocation
  const { notes, faults } = messages
  const filter = filterOf(client, given, faults)
  const changes = client.changes(filter, { signal })
  output.note(notes.listening(namesOf(filter, messages.changes)))
  for await (const change of changes) {
    const time = new Date()
    if (json) output.jsonLine({ time: time.toISOString(), ...change })
    else output.line(`${clockTime(time)}  ${inWords(change, messages.changes)}`)
  }
  if (signal.aborted) return
  // Nobody asked for this end: the server has gone, or told that it ends the stream.
  if (client.closeReason !== undefined) throw client.closeReason
  output.note(notes.listenedToEnd)
}

/** What was asked for; without a word about it, everything of which the server says that it tells changes. */
function filterOf(
  client: Client,
  { tools, prompts, resources, uri }: ListenOptions,
  faults: FaultWords,
): ChangeFilter {
  const asked = {
    ...(tools === true ? { tools } : {}),
    ...(prompts === true ? { prompts } : {}),
    ...(resources === true ? { resources } : {}),
    ...(uri === undefined ? {} : { uris: uri }),
  }
  if (Object.keys(asked).length > 0) return asked
  const { capabilities, revision } = client.server
  const told = (['tools', 'prompts', 'resources'] as const).filter(
    (kind) => capabilities[kind]?.listChanged === true,
  )
  if (told.length > 0) return Object.fromEntries(told.map((kind) => [kind, true]))
  const missing = 'server tools.listChanged'
  throw new CapabilityError('DP_CAPABILITY_MISSING', faults.tellsNoChanges, {
    missing,
    revision,
    detail: { kind: 'told' },
  })
}

type ChangeWords = Invocation['messages']['changes']

function namesOf(
  { tools, prompts, resources, uris = [] }: ChangeFilter,
  words: ChangeWords,
): string {
  return [
    ...(tools === true ? [words.tools] : []),
    ...(prompts === true ? [words.prompts] : []),
    ...(resources === true ? [words.resources] : []),
    ...uris.map(terminalText),
  ].join(words.comma)
}

function inWords(change: Change, words: ChangeWords): string {
  return change.kind === 'resource'
    ? words.oneChanged(terminalText(change.uri))
    : words.listChanged(words[change.kind])
}

function clockTime(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}
