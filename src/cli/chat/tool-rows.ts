/** The tools that a model is offered, as lines of a list, and what they cost in each request. */

import type { Model } from '../../agent/model.ts'
import { ToolOffer, type OfferedTools } from '../../agent/offered-tools.ts'
import { terminalText } from '../../base/terminal-text.ts'
import type { HostTool } from '../../host/host-tool.ts'
import type { AgentRoom } from '../agent-room.ts'
import { aboutOf, listLines } from '../list-lines.ts'
import type { OfferedCount } from '../messages/agent-words.ts'
import { isMissed, leftOutText } from '../servers-away.ts'

/** Tools that are listed. */
const MAX_ROWS = 200

export interface ToolRows {
  readonly lines: readonly string[]
  /** How many they are, or that there is none. */
  readonly remark: string
  /** Of servers whose tools are not known, and why; secrets in it are not hidden. */
  readonly away: readonly string[]
}

/** Those with a text in their names; all of them for an empty one. */
export function toolRows(
  { host, model: { model }, run }: Pick<AgentRoom, 'host' | 'model' | 'run'>,
  filter: string,
): ToolRows {
  const { own, invocation, words } = run
  const wanted = filter.toLowerCase()
  const all = host.tools()
  const found = all.filter(({ alias }) => alias.toLowerCase().includes(wanted))
  const away = host
    .servers()
    .filter(isMissed)
    .map((status) => leftOutText(status, words))
  if (all.length === 0) return { lines: [], remark: own.chat.noTools, away }
  if (found.length === 0) return { lines: [], remark: own.chat.noMatch(terminalText(filter)), away }
  const offer = offerOf(model, found)
  const { leftOut, tokens } = offer
  const why = new Map(leftOut.map(({ alias, reason }) => [alias, reason]))
  const entries = found
    .slice(0, MAX_ROWS)
    .map((tool) => ({ name: tool.alias, about: aboutText(tool, why.get(tool.alias), run) }))
  const lines = listLines(entries, invocation.output.noteColumns)
  return {
    lines: found.length > MAX_ROWS ? [...lines, '…'] : lines,
    remark: own.chat.toolTokens(countOf(offer), leftOut.length, tokens),
    away,
  }
}

/** How many tools the model is offered. */
export function offeredCount({ host, model: { model } }: AgentRoom): OfferedCount {
  return countOf(offerOf(model, host.tools()))
}

function offerOf({ dialect, traits }: Model, tools: readonly HostTool[]): OfferedTools {
  return new ToolOffer({ dialect, traits }).of(tools)
}

function countOf({ tools, byName }: OfferedTools): OfferedCount {
  const builtIn = [...byName.values()].filter(({ tool }) => tool.server === undefined).length
  return { all: tools.length, builtIn }
}

function aboutText(
  tool: HostTool,
  reason: string | undefined,
  { words }: AgentRoom['run'],
): string {
  const whose = tool.server === undefined ? words.notes.native : `[${tool.server}]`
  const held = tool.held ?? (reason === undefined ? undefined : { reason })
  return `${whose} ${held === undefined ? aboutOf(tool, tool.title) : words.notes.held(held)}`
}
