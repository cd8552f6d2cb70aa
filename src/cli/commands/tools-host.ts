/** `deep-pilot tools` without a server: the tools of all servers of the configuration, under the names that a model gets. */

import { terminalText } from '../../base/terminal-text.ts'
import type { Host } from '../../host/host.ts'
import type { HostTool } from '../../host/host-tool.ts'
import type { ServerState, ServerStatus } from '../../host/state.ts'
import { EXIT, familyExitCode } from '../exit-codes.ts'
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
import { aboutOf, listLines } from '../list-lines.ts'
import { lookedAtLock } from '../host-lock.ts'
import type { HostWords } from '../messages/host-words.ts'
import type { OfferWish } from '../offer/show-offer.ts'
import { visibleJson } from '../output.ts'
import { isLeftOut, isUnread, leftOutText } from '../servers-away.ts'
import { statusRecord } from '../status-lines.ts'

export interface HostToolsOptions extends HostCommandOptions {
  readonly schemas?: boolean
}

/** Lists what every server offers that declares tools. Servers that cannot be asked are told of on stderr. */
export async function listHostTools(
  run: HostRun,
  options: HostToolsOptions,
  wish: OfferWish | undefined,
): Promise<void> {
  const { invocation } = run
  const config = unbound(await loadServers(run, options, { start: true }), { lazy: true })
  const { lock } = await lookedAtLock(invocation, config)
  await withHost(run, { config, options, host: { lock } }, async (host) => {
    await settle(run, host)
    invocation.finish(toolsExitCode(host.tools(), awayFrom(host)))
    if (wish === undefined) showTools(run, host, options)
    else await showForModel(run, host, wish)
  })
  if (invocation.json) return
  if (config.entries.length === 0) tellNoServers(run, options)
  await tellConfigProblems(run, config)
}

/** States of servers that were wanted and of which nothing is heard. */
const UNHEARD: ReadonlySet<ServerState> = new Set(['failed', 'restarting', 'needs-auth'])

/** A list that cannot be read is a fault. A server that is away is just told of while there are tools of others. */
function toolsExitCode(tools: readonly HostTool[], away: readonly ServerStatus[]): number {
  if (away.some(isUnread)) return EXIT.mismatch
  const isBare = tools.length === 0 && away.some(({ state }) => UNHEARD.has(state))
  return isBare ? familyExitCode('transport') : EXIT.success
}

/** As one kind of provider gets them. */
async function showForModel(run: HostRun, host: Host, wish: OfferWish): Promise<void> {
  const { invocation } = run
  const [{ showOffer }, { offerWords }] = await Promise.all([
    import('../offer/show-offer.ts'),
    import('../offer/load-words.ts'),
  ])
  const words = await offerWords(invocation.messages.language)
  const away = awayFrom(host)
  showOffer(invocation, { tools: host.tools(), wish, words, away })
  if (!invocation.json) tellAway(run, away)
}

/** Servers that cannot be asked. What somebody switched off is missed by nobody. */
function awayFrom(host: Host): readonly ServerStatus[] {
  return host.servers().filter((status) => isLeftOut(status) && status.whyKind !== 'switched-off')
}

function tellAway({ invocation, words }: HostRun, away: readonly ServerStatus[]): void {
  const { output, mask } = invocation
  for (const status of away) output.note(mask.text(leftOutText(status, words)))
}

function showTools(run: HostRun, host: Host, options: HostToolsOptions): void {
  const { invocation, words } = run
  const { output, json, mask } = invocation
  const tools = host.tools()
  const away = awayFrom(host)
  if (json) {
    output.json(mask.json({ tools, notReady: away.map(statusRecord) }))
    return
  }
  const entries = tools.map((tool) => ({ name: tool.alias, about: aboutText(tool, words) }))
  const lines = listLines(entries, output.columns)
  lines.forEach((line, at) => {
    output.line(line)
    const schema = options.schemas === true ? tools[at]?.inputSchema : undefined
    if (schema === undefined) return
    for (const one of visibleJson(schema, 2).split('\n')) output.line(`    ${terminalText(one)}`)
  })
  // Of servers that could not be asked nobody knows what they offer.
  if (tools.length === 0 && away.length === 0 && host.servers().length > 0)
    output.note(invocation.messages.notes.noTools)
  tellAway(run, away)
  const held = tools.filter((tool) => tool.held !== undefined).length
  if (held > 0) output.note(words.notes.heldHint(held))
}

/** `[server] name: title or first line`; a tool that is held back says why instead. Peer text. */
function aboutText(tool: HostTool, { notes }: HostWords): string {
  const { server, name, alias, title, held } = tool
  const whose = server === undefined ? notes.native : `[${server}]`
  const own = alias === name || alias === `${server ?? ''}__${name}` ? '' : ` ${name}:`
  const about = held === undefined ? aboutOf(tool, undefined) : notes.held(held)
  const named = title !== undefined && title !== name && held === undefined ? ` ${title} –` : ''
  return `${whose}${own}${about === '' ? (title ?? '') : `${named} ${about}`}`
}
