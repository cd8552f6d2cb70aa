/**
 * The tools of one turn: what the host has, what of it the model is offered and how, and which tool a name of the model means. What is
 * made for one turn is kept for the next ones of the same conversation.
 */

import type { JsonObject } from '../base/json.ts'
import type { HostTool, ServerInstructions, ToolChanges } from '../host/host-tool.ts'
import { ToolDiscovery, type ResolvedCall } from './find-tools.ts'
import type { AgentOptions } from './loop-options.ts'
import type { Model } from './model.ts'
import { ToolOffer, type OfferedTool, type OfferedTools } from './offered-tools.ts'

/** What a turn knows of tools. It stays as it is for the whole turn. */
export interface TurnTools {
  readonly changes: ToolChanges
  readonly offered: OfferedTools
  readonly instructions: readonly ServerInstructions[]
  /** As the model was offered it. */
  offer(name: string): OfferedTool | undefined
  /** A tool that can be called by this name, whether the model was shown it or has to find it. */
  find(name: string): HostTool | undefined
  /** What a call stands for beside what it seems: see `ToolDiscovery`. */
  resolve(name: string, args: JsonObject): ResolvedCall | undefined
  /** All names that can be called. */
  names(): readonly string[]
}

/** Lives as long as a conversation. */
export class ToolMemory {
  readonly #offers = new WeakMap<Model, ToolOffer>()
  /** Of the first run: what is deferred once stays so. */
  #discovery: ToolDiscovery | undefined
  #listed: readonly HostTool[] | undefined
  #byAlias: ReadonlyMap<string, HostTool> = new Map()

  /** Takes in what has changed in the host. */
  turn({ host, model, discovery, strict }: AgentOptions): TurnTools {
    const changes = host.turn()
    const tools = host.tools()
    const instructions = host.instructions()
    this.#discovery ??= new ToolDiscovery({ mode: discovery ?? 'auto' })
    const finder = this.#discovery
    const shown = finder.offer(tools, model.traits, { instructions })
    const offered = this.#offerFor(model, strict).of(shown.tools)
    const hidden = shown.deferred ? this.#lookup(tools) : undefined
    const usable = (name: string): HostTool | undefined => {
      const tool = hidden?.get(name)
      return tool?.held === undefined ? tool : undefined
    }
    return {
      changes,
      offered,
      instructions,
      offer: (name) => offered.byName.get(name),
      find: (name) => offered.byName.get(name)?.tool ?? usable(name),
      resolve: (name, args) => finder.resolve(name, args),
      names: () => [...offered.byName.keys(), ...(hidden?.keys() ?? [])],
    }
  }

  #offerFor(model: Model, strict: AgentOptions['strict']): ToolOffer {
    const before = this.#offers.get(model)
    if (before !== undefined) return before
    const offer = new ToolOffer({
      dialect: model.dialect,
      traits: model.traits,
      ...(strict !== undefined && { strict }),
    })
    this.#offers.set(model, offer)
    return offer
  }

  #lookup(tools: readonly HostTool[]): ReadonlyMap<string, HostTool> {
    if (this.#listed !== tools) {
      this.#listed = tools
      this.#byAlias = new Map(tools.map((tool) => [tool.alias, tool]))
    }
    return this.#byAlias
  }
}
