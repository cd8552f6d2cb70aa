/** `deep-pilot types`: declarations for TypeScript of what the tools of one server take and give. */

import type { Command } from 'commander'
import { UsageError } from '../../base/errors.ts'
import { terminalText } from '../../base/terminal-text.ts'
import type { HostTool } from '../../host/host-tool.ts'
import { declareTools } from '../../tools/declarations.ts'
import { repeatable } from '../command.ts'
import { hostRunOf, type HostCommandOptions } from '../host-target.ts'
import type { HostRun } from '../host-session.ts'
import type { Invocation } from '../invocation.ts'
import type { OfferWords } from '../messages/offer-words.ts'
import { offerWords } from '../offer/load-words.ts'
import { makeServerCommand, useServer } from '../server-command.ts'
import type { ServerOptions } from '../server-options.ts'
import { isLeftOut } from '../servers-away.ts'

type TypesOptions = ServerOptions & HostCommandOptions

export async function typesCommand(invocation: Invocation): Promise<Command> {
  const { messages, signal, serverWords } = invocation
  const [{ options: hostOptions }, own] = await Promise.all([
    messages.host(),
    offerWords(messages.language),
  ])
  return makeServerCommand(invocation, {
    name: 'types',
    about: own.types,
    usage: '[SERVER]',
    more: own.typesMore,
    isOptional: true,
    declare: (command) =>
      command
        .argument('[SERVER]', own.argumentServer)
        .argument('[extra...]')
        .addOption(repeatable('--config <FILE>', hostOptions.config)),
    examples: [
      'deep-pilot types files > files.d.ts',
      'deep-pilot types -- npx -y @modelcontextprotocol/server-everything > everything.d.ts',
      'deep-pilot types --url https://example.com/mcp',
    ],
  }).action(async (server: string | undefined, extra: readonly string[], options: TypesOptions) => {
    const isNamed = serverWords !== undefined || options.url !== undefined
    if (server === undefined && !isNamed) throw new UsageError(own.noServer)
    const typed = 'deep-pilot types'
    const run = await hostRunOf(invocation, {
      typed,
      isOther: extra.length > 0,
      server,
      given: options,
    })
    if (run !== undefined && server !== undefined)
      return typesOfConfigured(run, { server, options, own })
    const stray = server === undefined ? extra : [server, ...extra]
    await useServer(invocation, { name: 'types', stray, options }, async (client) => {
      const tools = await client.listTools({ signal })
      const { toolsAlone } = await import('../offer/single-server.ts')
      const name = client.server.info?.name ?? ''
      showTypes(invocation, { tools: toolsAlone(tools), server: name, own })
    })
  })
}

interface Configured {
  readonly server: string
  readonly options: TypesOptions
  readonly own: OfferWords
}

async function typesOfConfigured(
  run: HostRun,
  { server, options, own }: Configured,
): Promise<void> {
  const [session, { lookedAtLock }, { absence }] = await Promise.all([
    import('../host-session.ts'),
    import('../host-lock.ts'),
    import('./call-host.ts'),
  ])
  const { loadServers, serversNamed, settle, tellConfigProblems, unbound, withHost } = session
  const loaded = await loadServers(run, options, { start: true })
  const config = unbound(serversNamed(run, loaded, server), { lazy: true })
  const { lock } = await lookedAtLock(run.invocation, config)
  await withHost(run, { config, options, host: { lock } }, async (host) => {
    await settle(run, host)
    const status = host.servers().find(({ key }) => key === server)
    if (status !== undefined && isLeftOut(status)) throw absence(run, status, config)
    const tools = host.tools().filter((tool) => tool.server === server)
    showTypes(run.invocation, { tools, server, own })
  })
  if (!run.invocation.json) await tellConfigProblems(run, config)
}

interface Shown {
  readonly tools: readonly HostTool[]
  readonly server: string
  readonly own: OfferWords
}

/** The declarations as the result; what they lack on stderr. */
function showTypes(invocation: Invocation, { tools, server, own }: Shown): void {
  const { output, json, mask } = invocation
  const held = tools.filter((tool) => tool.held !== undefined)
  const { text, remarks } = declareTools(
    tools.filter((tool) => tool.held === undefined),
    { server },
  )
  if (json) {
    const heldBack = held.map(({ name }) => ({ tool: name, kind: 'held' }))
    output.json(mask.json({ server, declarations: text, remarks: [...remarks, ...heldBack] }))
    return
  }
  output.result(mask.text(text))
  for (const { tool, kind } of remarks) output.note(mask.text(own.remark[kind](terminalText(tool))))
  for (const { name, held: why = { reason: '' } } of held)
    output.note(mask.text(terminalText(own.held(name, why))))
}
